import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { alignPair, kimuraDistance } from '../../bio/alignment/substitutions.ts'
import type { Feature } from '../../bio/annotation/feature.ts'
import { Gff3Reader } from '../../bio/annotation/gff3.ts'
import { choosePairs } from '../../bio/repeats/ltr-pairs.ts'
import { findTandemArrays } from '../../bio/repeats/tandem-arrays.ts'
import { classifyByDomains } from '../../bio/repeats/transposon-domains.ts'
import {
  type FamilyClasses,
  familyStem,
  gatherTransposons,
  type Transposon,
  type TransposonPart,
} from '../../bio/repeats/transposons.ts'
import { wrapFasta } from '../../bio/sequence/sequence.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import type { ProgramOutcome, ProgramRequirement, ProgramRun } from '../../jobs/program.ts'
import { blastProgram, hmmerProgram } from '../../kit/programs.ts'

export const genomeTools: ProgramRequirement = {
  program: 'gt',
  package: 'genometools',
  bioconda: 'genometools-genometools',
  versionArguments: ['--version'],
  versionPattern: /GenomeTools\) (\S+)/,
}
/** LTRdigest and TIRvish start it themselves. */
export const hmmer = hmmerProgram('hmmscan')
export const blastn = blastProgram('blastn')

/** The three eighties of Wicker et al. 2007: at least 80 bp, 80 % alike, over 80 % of the element. */
const familyRule = { minBp: 80, minIdentity: 80, minCoverage: 0.8 }
/** Bounds the memory of building an index; gt then builds it in parts. */
const indexMemory = '1GB'
/**
 * Suffixes that begin alike for this many bases are told apart by a difference cover: 200,000 bases of one repeat are sorted in 0.4 s
 * instead
 * of 56 s, and the index of a genome is the same, byte for byte.
 */
const differenceCover = '64'
/**
 * Arrays that are not searched: their units are shorter than the least usual distance of two LTRs, and they are far longer than repeats
 * within an element.
 */
export const tandemRule = { maxUnitBp: 1000, minArrayBp: 10_000 }

export interface FindSettings {
  methods: readonly ('ltr' | 'tir')[]
  overlaps: 'chosen' | 'best' | 'all' | 'no'
  similarity: number
  minLtrBp: number
  maxLtrBp: number
  minDistanceBp: number
  maxDistanceBp: number
  minTsdBp: number
  maxTsdBp: number
  seedBp: number
  minTirBp: number
  tirSeedBp: number
  maxTirDistanceBp: number
  domainEvalue: number
}

export interface FindContext {
  /** Where programs run and files are written. */
  directory: string
  /** Resolves to null where the program is not there. */
  run(run: ProgramRun): Promise<ProgramOutcome | null>
  signal: AbortSignal
  progress(fraction: number, step: string): void
}

export interface SearchedSequence {
  name: string
  lengthBp: number
  /** All bases. */
  read(): Promise<string>
}

export interface Found {
  sequence: string
  start1: number
  end1: number
  strand: string
  kind: 'LTR' | 'TIR'
  code: string
  evidence: 'domains' | 'library' | 'structure'
  family: string | null
  familyCoverage: number | null
  similarity: number | null
  ltrIdentity: number | null
  ltrDivergence: number | null
  targetSite: string | null
  parts: TransposonPart[]
  split: boolean
}

/** Percent of equal columns, and substitutions per 100 sites, between the two LTRs among `parts`; null where there are not two. */
export const compareLtrs = (
  parts: readonly TransposonPart[],
  bases: (start1: number, end1: number) => string,
): { identity: number; divergence: number | null } | null => {
  const ltrs = parts.filter(({ type }) => type === 'LTR')
  if (ltrs.length !== 2) return null
  const [left, right] = ltrs.map(({ start1, end1 }) => bases(start1, end1))
  // An insertion in one LTR and one elsewhere in the other lead far from the diagonal and back.
  const aligned = alignPair(left!, right!, 64, true)
  if (aligned === null) return null
  const distance = kimuraDistance(aligned)
  return { identity: aligned.identity, divergence: distance === null ? null : 100 * distance }
}

const readGff3 = async (path: string): Promise<Feature[]> => {
  const features: Feature[] = []
  const reader = new Gff3Reader({ file: path, log: new DefectLog(), onFeature: (feature) => features.push(feature) })
  const text = await readFile(path, 'utf8')
  let number = 0
  for (const line of text.split('\n')) reader.addLine(line, ++number)
  return features
}

/** The bases with Ns, which no program pairs with anything, for those of tandem arrays. */
const maskArrays = (bases: string): { masked: string; maskedBp: number } => {
  const pieces: string[] = []
  let done = 0
  let maskedBp = 0
  for (const [start0, end0] of findTandemArrays(bases, tandemRule.maxUnitBp, tandemRule.minArrayBp)) {
    pieces.push(bases.slice(done, start0), 'N'.repeat(end0 - start0))
    done = end0
    maskedBp += end0 - start0
  }
  return { masked: pieces.length === 0 ? bases : pieces.join('') + bases.slice(done), maskedBp }
}

/** Names as they are where gt's GFF3 can hold them, else numbers. */
const safeNames = (sequences: readonly SearchedSequence[]): string[] => {
  const plain =
    sequences.every(({ name }) => /^[A-Za-z0-9._-]{1,200}$/.test(name)) &&
    new Set(sequences.map(({ name }) => name)).size === sequences.length
  return sequences.map(({ name }, number) => (plain ? name : `s${number + 1}`))
}

const ltrArguments = (settings: FindSettings): string[] =>
  [
    ...['-seed', settings.seedBp, '-minlenltr', settings.minLtrBp, '-maxlenltr', settings.maxLtrBp],
    ...['-mindistltr', settings.minDistanceBp, '-maxdistltr', settings.maxDistanceBp, '-similar', settings.similarity],
    ...['-mintsd', settings.minTsdBp, '-maxtsd', settings.maxTsdBp],
    ...['-overlaps', settings.overlaps === 'chosen' ? 'all' : settings.overlaps],
  ].map(String)

/** An element of LTRharvest as the lines that LTRdigest reads. */
const elementLines = (name: string, number: number, element: Transposon): string[] => {
  const line = (type: string, start1: number, end1: number, attributes: string): string =>
    [name, 'LTRharvest', type, start1, end1, '.', '?', '.', attributes].join('\t')
  const region = `repeat_region${number}`
  const own = `LTR_retrotransposon${number}`
  const similarity = element.ltrIdentity === null ? '' : `;ltr_similarity=${element.ltrIdentity.toFixed(2)}`
  const sites = element.parts.filter(({ type }) => type === 'TSD')
  const start = Math.min(element.start1, ...sites.map((part) => part.start1))
  const end = Math.max(element.end1, ...sites.map((part) => part.end1))
  return [
    line('repeat_region', start, end, `ID=${region}`),
    ...sites.map((part) => line('target_site_duplication', part.start1, part.end1, `Parent=${region}`)),
    line('LTR_retrotransposon', element.start1, element.end1, `ID=${own};Parent=${region}${similarity}`),
    ...element.parts
      .filter(({ type }) => type === 'LTR')
      .map((part) => line('long_terminal_repeat', part.start1, part.end1, `Parent=${own}`)),
    '###',
  ]
}

const targetSiteOf = (element: Transposon, bases: string): string | null => {
  const site = element.parts.find(({ type }) => type === 'TSD')
  return site === undefined ? null : bases.slice(site.start1 - 1, site.end1)
}

/** Of all pairs of LTRs on a sequence those that are single elements (bio/repeats/ltr-pairs.ts), as elements with the marks of their ends. */
const chooseElements = (all: readonly Transposon[], bases: string): { element: Transposon; split: boolean }[] => {
  const pairs = all.flatMap((element) => {
    const [left, right] = element.parts.filter(({ type }) => type === 'LTR')
    return left === undefined || right === undefined
      ? []
      : [
          {
            element,
            leftStart1: left.start1,
            leftEnd1: left.end1,
            rightStart1: right.start1,
            rightEnd1: right.end1,
          },
        ]
  })
  return choosePairs(bases, pairs).map((pair) => {
    const { element } = pairs[pair.from]!
    if (!pair.split) return { element, split: false }
    const part = (type: TransposonPart['type'], start1: number, end1: number): TransposonPart => ({
      type,
      start1,
      end1,
      strand: '?',
      name: null,
      evalue: null,
    })
    // What flanks the new ends alike, if anything: 6 to 4 bases.
    const site = [6, 5, 4].find((length) => {
      const before = bases.slice(Math.max(0, pair.leftStart1 - 1 - length), pair.leftStart1 - 1)
      return before.length === length && before === bases.slice(pair.rightEnd1, pair.rightEnd1 + length)
    })
    return {
      split: true,
      element: {
        ...element,
        start1: pair.leftStart1,
        end1: pair.rightEnd1,
        ltrIdentity: null,
        parts: [
          ...(site === undefined ? [] : [part('TSD', pair.leftStart1 - site, pair.leftStart1 - 1)]),
          part('LTR', pair.leftStart1, pair.leftEnd1),
          part('LTR', pair.rightStart1, pair.rightEnd1),
          ...(site === undefined ? [] : [part('TSD', pair.rightEnd1 + 1, pair.rightEnd1 + site)]),
        ],
      },
    }
  })
}

/** Family by the library, for elements by their number: that which covers most, by the rule of the three eighties. */
const findFamilies = async (
  queries: readonly string[],
  library: string,
  context: FindContext,
): Promise<Map<number, { family: string; coverage: number }>> => {
  const found = new Map<number, { family: string; coverage: number }>()
  if (queries.length === 0) return found
  await writeFile(
    join(context.directory, 'elements.fa'),
    queries.map((bases, number) => wrapFasta(String(number), bases)).join(''),
  )
  const outcome = await context.run({
    program: 'blastn',
    arguments: [
      ...['-query', 'elements.fa', '-subject', library, '-evalue', '1e-10', '-dust', 'no'],
      ...['-outfmt', '6 qseqid sseqid pident length qstart qend', '-out', 'families.tsv'],
    ],
  })
  if (outcome === null) return found
  const text = await readFile(join(context.directory, 'families.tsv'), 'utf8')
  const spans = new Map<string, [number, number][]>()
  for (const line of text.split('\n')) {
    const [query, subject, identity, length, start, end] = line.split('\t')
    if (end === undefined || Number(identity) < familyRule.minIdentity || Number(length) < familyRule.minBp) continue
    const key = `${query}\t${familyStem(subject!.split('#')[0]!)}`
    const span: [number, number] = [Number(start), Number(end)]
    const list = spans.get(key)
    if (list === undefined) spans.set(key, [span])
    else list.push(span)
  }
  for (const [key, list] of spans) {
    const [query, family] = key.split('\t') as [string, string]
    let covered = 0
    let last = 0
    for (const [start, end] of list.sort((a, b) => a[0] - b[0])) {
      covered += Math.max(0, end - Math.max(start - 1, last))
      last = Math.max(last, end)
    }
    const coverage = covered / queries[Number(query)]!.length
    if (coverage < familyRule.minCoverage) continue
    const before = found.get(Number(query))
    if (before === undefined || coverage > before.coverage) found.set(Number(query), { family, coverage })
  }
  return found
}

/**
 * Finds LTR and TIR elements by GenomeTools, with domains where profiles are given, and names their superfamilies: by domains, else by the
 * library, else by structure alone (RLX, DTX). Null where gt is not installed. Leaves the programs' own GFF3 in the directory:
 * ltrharvest.gff3, ltrdigest.gff3, tirvish.gff3. `tandemBp` bases of long tandem arrays are not searched. Rejects as `context.run` does.
 */
export const findElements = async (
  sequences: readonly SearchedSequence[],
  settings: FindSettings,
  help: { profiles: readonly string[]; library: { path: string; families: FamilyClasses } | null },
  context: FindContext,
): Promise<{ elements: Found[]; candidates: number; tandemBp: number } | null> => {
  const { directory, signal, progress } = context
  const names = safeNames(sequences)
  progress(0, 'step.reading')
  await writeFile(join(directory, 'sequences.fa'), '')
  let tandemBp = 0
  for (const [number, sequence] of sequences.entries()) {
    signal.throwIfAborted()
    const { masked, maskedBp } = maskArrays(await sequence.read())
    tandemBp += maskedBp
    await appendFile(join(directory, 'sequences.fa'), wrapFasta(names[number]!, masked, 100))
  }
  const index = async (name: string, more: string[]): Promise<ProgramOutcome | null> =>
    context.run({
      program: 'gt',
      arguments: [
        ...['suffixerator', '-db', 'sequences.fa', '-indexname', name, '-dna', '-tis', '-suf', '-lcp', '-des', '-ssp'],
        ...['-sds', '-memlimit', indexMemory, '-dc', differenceCover, ...more],
      ],
    })
  const profileArguments =
    help.profiles.length === 0
      ? []
      : ['-pdomcutoff', 'NONE', '-pdomevalcutoff', String(settings.domainEvalue), '-hmms', ...help.profiles, '--']
  const gathered: {
    sequence: number
    element: Transposon
    kind: 'LTR' | 'TIR'
    split: boolean
    similarity: number | null
  }[] = []
  const numberOf = new Map(names.map((name, number) => [name, number]))
  let candidates = 0

  if (settings.methods.includes('ltr')) {
    progress(0.05, 'step.indexing')
    if ((await index('index', [])) === null) return null
    progress(0.35, 'step.ltr')
    await context.run({
      program: 'gt',
      arguments: ['ltrharvest', '-index', 'index', '-seqids', 'yes', '-tabout', 'no', ...ltrArguments(settings)],
      outputFile: 'ltrharvest.gff3',
    })
    const all = gatherTransposons(await readGff3(join(directory, 'ltrharvest.gff3'))).elements
    candidates += all.length
    const bySequence = new Map<number, Transposon[]>()
    for (const element of all) {
      const number = numberOf.get(element.sequenceName)
      if (number === undefined) continue
      const list = bySequence.get(number)
      if (list === undefined) bySequence.set(number, [element])
      else list.push(element)
    }
    progress(0.5, 'step.choosing')
    const kept: typeof gathered = []
    for (const [number, list] of [...bySequence].sort(([a], [b]) => a - b)) {
      signal.throwIfAborted()
      const bases = settings.overlaps === 'chosen' ? (await sequences[number]!.read()).toUpperCase() : ''
      const chosen =
        settings.overlaps === 'chosen'
          ? chooseElements(list, bases)
          : list.map((element) => ({ element, split: false }))
      for (const { element, split } of chosen.sort((a, b) => a.element.start1 - b.element.start1))
        kept.push({ sequence: number, element, kind: 'LTR', split, similarity: element.ltrIdentity })
    }
    if (kept.length > 0) {
      progress(0.6, 'step.domains')
      const lines = kept.flatMap(({ sequence, element }, number) => elementLines(names[sequence]!, number + 1, element))
      const regions = [...new Set(kept.map(({ sequence }) => sequence))].map(
        (number) => `##sequence-region ${names[number]} 1 ${sequences[number]!.lengthBp}`,
      )
      await writeFile(join(directory, 'chosen.gff3'), `${['##gff-version 3', ...regions, ...lines].join('\n')}\n`)
      await context.run({
        program: 'gt',
        arguments: ['gff3', '-sort', '-retainids', '-tidy', '-o', 'sorted.gff3', '-force', 'chosen.gff3'],
      })
      await context.run({
        program: 'gt',
        arguments: ['ltrdigest', '-seqfile', 'sequences.fa', '-matchdescstart', ...profileArguments, 'sorted.gff3'],
        outputFile: 'ltrdigest.gff3',
      })
      // By place: gt numbers elements anew when it writes them.
      const placeOf = (sequence: string, one: Transposon): string => `${sequence}:${one.start1}-${one.end1}`
      const digested = new Map(
        gatherTransposons(await readGff3(join(directory, 'ltrdigest.gff3'))).elements.map((one) => [
          placeOf(one.sequenceName, one),
          one,
        ]),
      )
      for (const one of kept) one.element = digested.get(placeOf(names[one.sequence]!, one.element)) ?? one.element
    }
    for (const one of kept) gathered.push(one)
  }

  if (settings.methods.includes('tir')) {
    progress(0.7, 'step.indexing')
    if ((await index('mirrored', ['-mirrored'])) === null) return null
    progress(0.78, 'step.tir')
    await context.run({
      program: 'gt',
      arguments: [
        ...['tirvish', '-index', 'mirrored', '-seqids', 'yes', '-mintirlen', String(settings.minTirBp)],
        ...['-seed', String(settings.tirSeedBp), '-maxtirdist', String(settings.maxTirDistanceBp)],
        ...['-similar', String(settings.similarity), ...profileArguments],
      ],
      outputFile: 'tirvish.gff3',
    })
    for (const element of gatherTransposons(await readGff3(join(directory, 'tirvish.gff3'))).elements) {
      candidates++
      const number = numberOf.get(element.sequenceName)
      if (number !== undefined)
        gathered.push({ sequence: number, element, kind: 'TIR', split: false, similarity: null })
    }
  }

  progress(0.88, 'step.classifying')
  gathered.sort((a, b) => a.sequence - b.sequence || a.element.start1 - b.element.start1)
  const elements: Found[] = []
  const queries: string[] = []
  let heldNumber = -1
  let bases = ''
  for (const { sequence, element, kind, split, similarity } of gathered) {
    signal.throwIfAborted()
    if (heldNumber !== sequence) bases = await sequences[sequence]!.read()
    heldNumber = sequence
    const held = bases
    const slice = (start1: number, end1: number): string => held.slice(start1 - 1, end1)
    const compared = compareLtrs(element.parts, slice)
    const byDomains = classifyByDomains(
      element.parts.flatMap((part) => (part.type === 'domain' ? [{ ...part, name: part.name ?? '' }] : [])),
    )
    queries.push(slice(element.start1, element.end1))
    elements.push({
      sequence: sequences[sequence]!.name,
      start1: element.start1,
      end1: element.end1,
      strand: element.strand,
      kind,
      code: byDomains ?? (kind === 'LTR' ? 'RLX' : 'DTX'),
      evidence: byDomains === null ? 'structure' : 'domains',
      family: null,
      familyCoverage: null,
      similarity,
      ltrIdentity: compared?.identity ?? null,
      ltrDivergence: compared?.divergence ?? null,
      targetSite: targetSiteOf(element, bases)?.toUpperCase() ?? null,
      parts: element.parts,
      split,
    })
  }
  if (help.library !== null && elements.length > 0) {
    progress(0.93, 'step.families')
    const families = await findFamilies(queries, help.library.path, context)
    for (const [number, { family, coverage }] of families) {
      const element = elements[number]!
      element.family = family
      element.familyCoverage = 100 * coverage
      const code = help.library.families.find(family)?.code ?? 'XXX'
      if (element.evidence === 'structure' && code !== 'XXX') {
        element.code = code
        element.evidence = 'library'
      }
    }
  }
  progress(1, 'step.classifying')
  return { elements, candidates, tandemBp }
}
