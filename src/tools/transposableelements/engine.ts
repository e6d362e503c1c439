import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { FamilyClasses } from '../../bio/repeats/transposons.ts'
import { parseFastaText } from '../../bio/sequence/fasta.ts'
import { listIllegalLetters } from '../../bio/sequence/illegal-letters.ts'
import { detectAlphabet } from '../../bio/sequence/sequence.ts'
import { createNamer } from '../../bio/text/unique-names.ts'
import { fieldError } from '../../contracts/errors.ts'
import { findElementSummary } from '../../kit/data/element-data.ts'
import { findLocus } from '../../kit/data/find-locus.ts'
import type { GenomeSequence, PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { countBases, gibibyte } from '../../kit/job-resources.ts'
import { findElements as findLoaded } from './element-rows.ts'
import { citations, segmentsOf } from './elements.ts'
import {
  blastn,
  type Found,
  findElements,
  genomeTools,
  hmmer,
  type SearchedSequence,
  tandemRule,
} from './find-elements.ts'
import { findNearGenes } from './near-genes.ts'
import { routes } from './routes.ts'
import { libraryKind, profilesKind } from './stored.ts'
import tool, { type FoundElement, limits, type TransposonResult } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

interface Target extends SearchedSequence {
  /** Of the assembly's sequence; 0 for whole and pasted ones. */
  offset: number
  /** Of the assembly; null of a pasted one. */
  sequence: GenomeSequence | null
}

const readPasted = (text: string): Target[] => {
  if (text.trim() === '') throw fieldError(['sequence'], 'problem.noSequence')
  const letters = text.replace(/^[>;].*$/gm, '').slice(0, 100_000)
  if (detectAlphabet(letters.replace(/[^A-Za-z]/g, '')) === 'protein') throw fieldError(['sequence'], 'problem.protein')
  const { records, log } = parseFastaText(text, { alphabet: 'nucleotide' })
  const illegal = listIllegalLetters(log)
  if (illegal !== null) throw fieldError(['sequence'], 'problem.illegal', { ...illegal })
  const filled = records.filter(({ sequence }) => sequence !== '')
  if (filled.length === 0) throw fieldError(['sequence'], 'problem.noSequence')
  if (filled.length > limits.sequences)
    throw fieldError(['sequence'], 'problem.tooManySequences', { count: filled.length, limit: limits.sequences })
  const total = filled.reduce((sum, { sequence }) => sum + sequence.length, 0)
  if (total > limits.pastedBp)
    throw fieldError(['sequence'], 'problem.pastedTooLong', { length: total, limit: limits.pastedBp })
  const nameOf = createNamer()
  return filled.map(({ name, sequence }) => ({
    name: nameOf(name),
    lengthBp: sequence.length,
    offset: 0,
    sequence: null,
    read: async () => sequence.replace(/u/g, 't').replace(/U/g, 'T'),
  }))
}

const readRegion = async (assembly: string, text: string, data: PortalData): Promise<Target[]> => {
  const wholes = await data.listSequences(assembly)
  const target = (sequence: GenomeSequence, start1: number, end1: number): Target => {
    let held: Promise<string> | null = null
    const { name } = sequence
    return {
      name,
      sequence,
      lengthBp: end1 - start1 + 1,
      offset: start1 - 1,
      read: () => {
        held ??= data.fetchSequence(assembly, name, start1, end1)
        return held
      },
    }
  }
  let targets: Target[]
  if (text.trim() === '') targets = wholes.map((sequence) => target(sequence, 1, sequence.lengthBp))
  else {
    const { sequence, start1, end1 } = await findLocus(data, assembly, text, ['region'])
    targets = [target(sequence, start1, end1)]
  }
  const total = targets.reduce((sum, { lengthBp }) => sum + lengthBp, 0)
  if (total > limits.regionBp)
    throw fieldError(['region'], 'problem.regionTooLong', { length: total, limit: limits.regionBp })
  return targets
}

/** Loaded whole elements at the place of each found one (four fifths of both in common), and how many there are in what was searched. */
const matchLoaded = async (
  found: readonly { sequence: string; start1: number; end1: number }[],
  targets: readonly Target[],
  assembly: string,
  data: PortalData,
): Promise<{ ids: (string | null)[]; full: number } | null> => {
  const summary = await findElementSummary(data, assembly)
  if (summary === null) return null
  const ids: (string | null)[] = found.map(() => null)
  const bundle = await data.bundleNumber(assembly)
  let full = 0
  for (const { name, offset, lengthBp, sequence } of targets) {
    if (sequence === null) continue
    const { rows } = await findLoaded(
      data.sql,
      bundle,
      {
        codes: [],
        forms: ['full', 'element'],
        family: null,
        words: null,
        sequence: name,
        segments: segmentsOf(sequence, offset + 1, offset + lengthBp),
        minBp: null,
        maxBp: null,
        minLtrIdentity: null,
        maxDivergence: null,
      },
      { sort: 'position', descending: false, offset: 0, limit: 200_000, longestBp: summary.longestBp },
    )
    full += rows.filter(({ form }) => form === 'full').length
    for (const [number, one] of found.entries()) {
      if (one.sequence !== name) continue
      const match = rows.find((row) => {
        const common = Math.min(one.end1, row.end1) - Math.max(one.start1, row.start1) + 1
        return common >= 0.8 * Math.max(one.end1 - one.start1 + 1, row.end1 - row.start1 + 1)
      })
      if (match !== undefined) ids[number] = match.id
    }
  }
  return { ids, full }
}

const maxGenes = 50

const identify = async (input: Input, context: EngineContext): Promise<NonNullable<TransposonResult['identify']>> => {
  const { data, directory, signal, receipt } = context
  if (input.minLtrBp > input.maxLtrBp) throw fieldError(['minLtrBp'], 'problem.order')
  if (input.minDistanceBp > input.maxDistanceBp) throw fieldError(['minDistanceBp'], 'problem.order')
  if (input.minTsdBp > input.maxTsdBp) throw fieldError(['minTsdBp'], 'problem.order')
  const placed = input.source === 'region'
  const wanted = input.assembly ?? (placed ? (await data.defaultAssembly())?.id : undefined)
  const assembly = wanted === undefined ? null : (await data.getAssembly(wanted)).id
  const targets = placed ? await readRegion(assembly ?? '', input.region ?? '', data) : readPasted(input.sequence ?? '')
  const profiles: string[] = []
  const given = input.profiles?.trim() ?? ''
  if (given !== '') {
    if (!given.startsWith('HMMER3/')) throw fieldError(['profiles'], 'problem.profiles')
    await writeFile(join(directory, 'given.hmm'), `${given}\n`)
    profiles.push('given.hmm')
  }
  const loadedProfiles = assembly === null ? null : await data.bundleFile(assembly, profilesKind)
  if (loadedProfiles !== null) {
    // LTRdigest writes indexes beside them.
    await writeFile(join(directory, 'loaded.hmm'), await readFile(loadedProfiles))
    profiles.push('loaded.hmm')
  }
  const families = new FamilyClasses()
  const library = assembly === null ? null : await data.bundleFile(assembly, libraryKind)
  if (library !== null)
    for (const line of (await readFile(library, 'utf8')).split('\n'))
      if (line.startsWith('>')) families.addHeading(line)
  const found = await findElements(
    targets,
    input,
    { profiles, library: library === null || families.size === 0 ? null : { path: library, families } },
    { directory, run: (run) => context.runProgram(run), signal, progress: context.progress },
  )
  const elements = (found?.elements ?? []).map((one): Found => {
    const target = targets.find(({ name }) => name === one.sequence)
    const wholeBp = target?.sequence?.lengthBp ?? 0
    // Of a region over the origin what lies wholly behind it is counted from the origin on.
    const behind = target !== undefined && wholeBp > 0 && one.start1 + target.offset > wholeBp
    const offset = (target?.offset ?? 0) - (behind ? wholeBp : 0)
    return offset === 0
      ? one
      : {
          ...one,
          start1: one.start1 + offset,
          end1: one.end1 + offset,
          parts: one.parts.map((part) => ({ ...part, start1: part.start1 + offset, end1: part.end1 + offset })),
        }
  })
  const matched = placed && assembly !== null ? await matchLoaded(elements, targets, assembly, data) : null
  const shown: FoundElement[] = []
  for (const [number, one] of elements.entries()) {
    const genes =
      placed && assembly !== null
        ? await data.listGenesInRegion(assembly, one.sequence, one.start1, one.end1, maxGenes)
        : []
    shown.push({
      number: number + 1,
      sequence: one.sequence,
      start: one.start1,
      end: one.end1,
      strand: one.strand,
      lengthBp: one.end1 - one.start1 + 1,
      kind: one.kind,
      code: one.code,
      evidence: one.evidence,
      family: one.family,
      familyCoverage: one.familyCoverage,
      similarity: one.similarity,
      ltrIdentity: one.ltrIdentity,
      ltrDivergence: one.ltrDivergence,
      targetSite: one.targetSite,
      parts: one.parts.map((part) => ({
        type: part.type,
        start: part.start1,
        end: part.end1,
        strand: part.strand,
        name: part.name,
        evalue: part.evalue,
      })),
      split: one.split,
      annotated: matched?.ids[number] ?? null,
      genes: genes.map(({ id }) => id),
    })
  }
  if (assembly !== null) receipt.addData(assembly)
  receipt.addStep({
    program: 'NovoDB transposable elements',
    version: String(tool.version),
    formula: [
      `arrays of >= ${tandemRule.minArrayBp} bp of units of <= ${tandemRule.maxUnitBp} bp are given to the programs as N`,
      ...(input.overlaps === 'chosen' && input.methods.includes('ltr')
        ? [
            'of all pairs of LTRs those that are single elements; pairs that hold a further copy (>= 80 % alike) of their LTR are cut at it',
          ]
        : []),
      'LTRs aligned globally (match 1, mismatch -1, gap -4 -1 a further base); K = -1/2 ln((1 - 2P - Q) sqrt(1 - 2Q)); T = K / 2r',
      'superfamily by domains, else by the library (>= 80 bp, >= 80 % alike, over >= 80 % of the element), else by structure',
    ].join('; '),
  })
  for (const citation of Object.values(citations)) receipt.cite(citation)
  const summary = assembly === null ? null : await findElementSummary(data, assembly)
  return {
    assembly: placed ? assembly : null,
    searchedBp: targets.reduce((sum, { lengthBp }) => sum + lengthBp, 0),
    sequences: targets.slice(0, 500).map(({ name, lengthBp }) => ({ name, lengthBp })),
    elements: shown,
    candidates: found?.candidates ?? 0,
    tandemBp: found?.tandemBp ?? 0,
    profiles: profiles.length,
    librarySize: families.size,
    statedRate: summary?.rate ?? null,
    annotatedFull: matched?.full ?? null,
  }
}

export default defineEngine({
  tool,
  // The enhanced suffix array takes 8.5 bytes to a base while it is made (GenomeTools 1.6.2, made sequences of 5 to 40 Mb).
  resources: async ({ assembly }, data) => ({
    cores: 1,
    memoryBytes: 4 * gibibyte + 9 * (assembly === undefined ? 0 : await countBases(data, [assembly])),
  }),
  programs: [genomeTools, hmmer, blastn],
  run: async (input, context): Promise<TransposonResult> => {
    if (input.task === 'identify') return { identify: await identify(input, context), near: null }
    context.progress(null, 'step.reading')
    const near = await findNearGenes(input, context.data)
    context.receipt.addData(near.assembly)
    context.receipt.addStep({
      program: 'NovoDB transposable elements',
      version: String(tool.version),
      formula: `elements that overlap a gene or lie within ${input.flankBp} bp of it; of overlapping ones: gene inside element, else coding sequence, other exon, intron of any transcript`,
    })
    context.receipt.cite(citations.wicker)
    return { identify: null, near }
  },
  routes,
})
