import { copyFile, mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Feature } from '../../bio/annotation/feature.ts'
import { Gff3Reader } from '../../bio/annotation/gff3.ts'
import { transposonClass } from '../../bio/repeats/transposon-classes.ts'
import {
  FamilyClasses,
  findTerminalRepeats,
  gatherTransposons,
  parseRepeatMaskerLine,
  RepeatMaskerReader,
  type Transposon,
} from '../../bio/repeats/transposons.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { refuseLeftOut } from '../../bio/text/left-out.ts'
import { filePathSchema } from '../../contracts/manifest.ts'
import { type ElementSummary, summaryKind } from '../../kit/data/element-data.ts'
import { inputDefects } from '../../kit/input-defects.ts'
import { type BakeContext, type CheckContext, defineLoader } from '../../kit/loader.ts'
import { readReportedLines, writeInputText } from '../../kit/read-input.ts'
import { type Genome, openGenome } from '../../store/genome-fasta.ts'
import { bakeTabix } from '../../store/tabix-writer.ts'
import toolDefects from './defects.ts'
import { elementTable, storeParts } from './element-rows.ts'
import { compareLtrs, findElements } from './find-elements.ts'
import { elementGff3Lines } from './gff3-lines.ts'
import { gff3File, libraryKind, profilesKind } from './stored.ts'
import { summarizeElements } from './summarize.ts'
import { usualSettings } from './tool.ts'

const schema = z
  .object({
    file: filePathSchema
      .optional()
      .describe(
        'Annotated elements: GFF3 (EDTA, GenomeTools, any with types or classes of transposons) or RepeatMasker .out or .align.',
      ),
    find: z
      .enum(['ltr', 'tir', 'both'])
      .optional()
      .describe(
        'Elements that the portal finds itself at load, by LTRharvest and LTRdigest (ltr), TIRvish (tir) or both.',
      ),
    library: z
      .object({ file: filePathSchema })
      .strict()
      .optional()
      .describe('FASTA of families with headings ">name#class/family": says of which class a family is.'),
    profiles: z
      .object({ file: filePathSchema })
      .strict()
      .optional()
      .describe('HMMER3 profiles of transposon domains, e.g. chosen from Pfam.'),
    classes: z
      .record(z.string(), z.string())
      .optional()
      .describe('Class of a family or feature type where the file does not say it: { TY3: LTR/Gypsy }.'),
    substitutionRate: z
      .number()
      .positive()
      .max(1e-3)
      .optional()
      .describe('Substitutions a site and year, from which insertion times of LTR elements are told.'),
  })
  .strict()
  .refine((value) => value.file !== undefined || value.find !== undefined, {
    message: 'name a file, or say what to find',
  })
  .describe('Transposable elements of the assembly.')
type Entry = z.output<typeof schema>

/** Above this, elements are found by their own page's search only: entries of the portal's search take as much room as genes. */
const maxSearchEntries = 50_000
/** Lengths in which ends that are alike are looked for: those of whole LTR elements. */
const [minLtrElementBp, maxLtrElementBp] = [500, 30_000]
const minRepeatIdentity = 70

const report = (
  context: CheckContext,
  code: keyof typeof toolDefects,
  file: string,
  line: number | null,
  params: Record<string, string | number> = {},
): void => context.report(toolDefects, { code, file, line, params })

const readFamilies = async (entry: Entry, context: CheckContext): Promise<FamilyClasses> => {
  const families = new FamilyClasses()
  for (const [family, given] of Object.entries(entry.classes ?? {})) families.add(family, given)
  if (entry.library !== undefined) {
    let classified = 0
    await readReportedLines(entry.library.file, context, (line) => {
      if (line.startsWith('>') && families.addHeading(line)) classified++
    })
    if (classified === 0) report(context, 'te-library-unclassified', entry.library.file, null)
  }
  return families
}

/** Elements of the file; format by its first line that is no comment. */
const readElements = async (file: string, families: FamilyClasses, context: CheckContext): Promise<Transposon[]> => {
  const log = new DefectLog()
  const masker = new RepeatMaskerReader(families)
  const features: Feature[] = []
  const gff = new Gff3Reader({ file, log, onFeature: (feature) => features.push(feature) })
  let format: 'masker' | 'gff' | null = null
  let unreadable = 0
  let rows = 0
  let firstUnreadable: { line: number; example: string } | null = null
  await readReportedLines(file, context, (line, number) => {
    if (format === null && line.trim() !== '' && !line.startsWith('#')) {
      // The heading of .out, or a hit, whose four numbers no line of GFF3 begins with.
      format = /^\s*(SW\s|score\s|bit\s)/.test(line) || parseRepeatMaskerLine(line) !== null ? 'masker' : 'gff'
    }
    if (format === 'masker') {
      rows += line.trim() === '' ? 0 : 1
      if (masker.addLine(line)) return
      firstUnreadable ??= { line: number, example: line.trim() }
      if (unreadable++ < 20) report(context, 'te-line-unreadable', file, number)
    } else if (format === 'gff') gff.addLine(line, number)
  })
  if (firstUnreadable !== null) {
    const first: { line: number; example: string } = firstUnreadable
    refuseLeftOut(log, file, { why: 'unusable', count: unreadable, total: rows, ...first })
  }
  for (const defect of log.defects) context.forward(defect)
  const elements = format === 'masker' ? masker.finish() : gatherTransposons(features, families).elements
  if (elements.length === 0) report(context, 'te-no-elements', file, null)
  return elements
}

/** Keeps what lies on the genome, under the genome's own names. */
const placeElements = (elements: readonly Transposon[], file: string, context: BakeContext): Transposon[] => {
  const lengths = new Map(context.sequences.map(({ name, lengthBp }) => [name, lengthBp]))
  const names = new Map<string, string | null>()
  const unknown = new Set<string>()
  let unplaced = 0
  let outside: { count: number; name: string } | null = null
  const placed: Transposon[] = []
  for (const element of elements) {
    let name = names.get(element.sequenceName)
    if (name === undefined) {
      name = context.findSequence(element.sequenceName)
      names.set(element.sequenceName, name)
    }
    if (name === null) {
      unknown.add(element.sequenceName)
      unplaced++
    } else if (element.end1 > lengths.get(name)!) {
      outside ??= { count: 0, name: `${element.sequenceName}:${element.start1}-${element.end1}` }
      outside.count++
    } else placed.push(element.sequenceName === name ? element : { ...element, sequenceName: name })
  }
  if (unplaced > 0)
    report(context, 'te-sequence-unknown', file, null, {
      count: unplaced,
      total: elements.length,
      names: [...unknown].slice(0, 5).join(', '),
    })
  if (outside !== null) report(context, 'te-outside', file, null, outside)
  const log = new DefectLog()
  const total = elements.length
  const facts = { total, line: null, example: [...unknown][0] ?? '' }
  refuseLeftOut(log, file, { why: 'unknown', count: unplaced, ...facts })
  const { count, name: example } = outside ?? { count: 0, name: '' }
  refuseLeftOut(log, file, { why: 'unusable', count, total: total - unplaced, line: null, example })
  for (const defect of log.defects) context.forward(defect)
  return placed
}

/** Structure that the file does not tell: the LTRs of elements said to be LTR retrotransposons, and how alike they are. */
const completeStructure = async (
  element: Transposon,
  genome: Genome,
): Promise<{ identity: number; divergence: number | null } | null> => {
  const lengthBp = element.end1 - element.start1 + 1
  if (!element.code.startsWith('RL') || lengthBp > maxLtrElementBp) return null
  const ltrs = element.parts.filter(({ type }) => type === 'LTR')
  const open = ltrs.length === 0 && element.form !== 'solo' && lengthBp >= minLtrElementBp
  if (ltrs.length !== 2 && !open) return null
  const bases = await genome.fetch(element.sequenceName, element.start1 - 1, element.end1)
  const slice = (start1: number, end1: number): string =>
    bases.slice(start1 - element.start1, end1 - element.start1 + 1)
  if (ltrs.length === 2) return compareLtrs(element.parts, slice)
  const ends = findTerminalRepeats(bases)
  if (ends === null) return null
  const part = (start1: number, end1: number): Transposon['parts'][number] => ({
    type: 'LTR',
    start1,
    end1,
    strand: element.strand,
    name: null,
    evalue: null,
  })
  const parts = [
    part(element.start1, element.start1 + ends.leftBp - 1),
    part(element.end1 - ends.rightBp + 1, element.end1),
  ]
  const compared = compareLtrs(parts, slice)
  if (compared === null || compared.identity < minRepeatIdentity) return null
  element.parts = [...element.parts, ...parts].sort((a, b) => a.start1 - b.start1)
  element.form = 'full'
  return compared
}

const findOwn = async (
  entry: Entry,
  families: FamilyClasses,
  genome: Genome,
  baked: ReadonlyMap<string, string>,
  context: BakeContext,
): Promise<{ elements: Transposon[]; found: ElementSummary['found'] }> => {
  const profiles = baked.get(profilesKind)
  const library = baked.get(libraryKind)
  // LTRdigest writes indexes beside them.
  if (profiles !== undefined) await copyFile(profiles, join(context.scratch, 'loaded.hmm'))
  const found = await findElements(
    context.sequences.map(({ name, lengthBp }) => ({ name, lengthBp, read: () => genome.fetch(name, 0, lengthBp) })),
    {
      ...usualSettings,
      methods: entry.find === 'both' ? ['ltr', 'tir'] : entry.find === undefined ? [] : [entry.find],
    },
    {
      profiles: profiles === undefined ? [] : ['loaded.hmm'],
      library: library === undefined ? null : { path: library, families },
    },
    {
      directory: context.scratch,
      run: (run) => context.runProgram(run),
      signal: context.signal,
      progress: (fraction) => context.progress(0.7 * fraction),
    },
  )
  if (found === null) {
    context.report(inputDefects, {
      code: 'program-missing',
      file: 'species.yaml',
      line: null,
      params: { program: 'gt', purpose: 'LTRharvest', package: 'genometools' },
    })
    return { elements: [], found: undefined }
  }
  const numbers = { LTR: 0, TIR: 0 }
  const elements = found.elements.map((one) => ({
    id: `${one.kind}${++numbers[one.kind]}`,
    family: one.family,
    givenClass: null,
    code: one.code,
    sequenceName: one.sequence,
    start1: one.start1,
    end1: one.end1,
    strand: one.strand,
    form: 'full' as const,
    divergence: null,
    ltrIdentity: one.ltrIdentity,
    source: one.kind === 'LTR' ? 'LTRharvest' : 'TIRvish',
    parts: one.parts,
  }))
  return { elements, found: { candidates: found.candidates, kept: elements.length } }
}

const bake = async (entry: Entry | null, context: BakeContext): Promise<Record<string, number>> => {
  if (entry === null) return {}
  const families = await readFamilies(entry, context)
  await mkdir(join(context.directory, 'transposons'), { recursive: true })
  /** Texts that programs and the engine read, by their kind. */
  const baked = new Map<string, string>()
  for (const [file, kind, name] of [
    [entry.library?.file, libraryKind, 'transposons/library.fa'],
    [entry.profiles?.file, profilesKind, 'transposons/profiles.hmm'],
  ] as const) {
    if (file === undefined) continue
    const path = join(context.directory, name)
    const log = new DefectLog()
    const first = await writeInputText(file, context, log, path)
    // What is wrong with the library's letters was told when its headings were read.
    if (kind === profilesKind) for (const defect of log.defects) context.forward(defect)
    if (kind === profilesKind && !first?.startsWith('HMMER3/')) report(context, 'te-profiles-unreadable', file, null)
    if (first === null || (kind === profilesKind && !first.startsWith('HMMER3/'))) {
      await rm(path)
      continue
    }
    context.addFile(name, { kind })
    baked.set(kind, path)
  }
  const genome = await openGenome(context.directory)
  try {
    const own =
      entry.find === undefined
        ? { elements: [], found: undefined }
        : await findOwn(entry, families, genome, baked, context)
    const given =
      entry.file === undefined
        ? []
        : placeElements(await readElements(entry.file, families, context), entry.file, context)
    const elements = [...own.elements, ...given]
    if (elements.length === 0) return {}
    return await writeElements(elements, own.found, entry, genome, context)
  } finally {
    await genome.close()
  }
}

const writeElements = async (
  elements: Transposon[],
  found: ElementSummary['found'],
  entry: Entry,
  genome: Genome,
  context: BakeContext,
): Promise<Record<string, number>> => {
  const order = new Map(context.sequences.map(({ name }, at) => [name, at]))
  elements.sort(
    (a, b) => order.get(a.sequenceName)! - order.get(b.sequenceName)! || a.start1 - b.start1 || b.end1 - a.end1,
  )
  const taken = new Set<string>()
  const nameOf = (element: Transposon): string => {
    const usual =
      element.id ??
      `${element.family ?? transposonClass(element.code).code}:${element.sequenceName}:${element.start1}-${element.end1}`
    let name = usual.slice(0, 200)
    for (let copy = 2; taken.has(name); copy++) name = `${usual.slice(0, 190)}~${copy}`
    taken.add(name)
    return name
  }
  const searchable = elements.length <= maxSearchEntries
  const rows: { id: string; element: Transposon; ltr: { identity: number; divergence: number | null } | null }[] = []
  for (const [position, element] of elements.entries()) {
    if (position % 5000 === 0) {
      context.signal.throwIfAborted()
      context.progress(0.7 + 0.2 * (position / elements.length))
    }
    const ltr = await completeStructure(element, genome)
    const id = nameOf(element)
    if (ltr !== null) element.ltrIdentity = ltr.identity
    rows.push({ id, element, ltr })
    await context.addRow(elementTable, [
      position,
      id,
      element.family ?? '',
      element.code,
      element.sequenceName,
      element.start1,
      element.end1,
      element.strand,
      element.form,
      element.divergence === null ? null : Number(element.divergence.toFixed(3)),
      element.ltrIdentity === null ? null : Number(element.ltrIdentity.toFixed(3)),
      ltr?.divergence === undefined || ltr.divergence === null ? null : Number(ltr.divergence.toFixed(4)),
      { json: { class: element.givenClass, source: element.source, parts: storeParts(element.parts) } },
    ])
    if (searchable)
      await context.addSearchEntry({
        type: 'transposon',
        id,
        label: element.family ?? id,
        description: describe(element.code),
        sequence: element.sequenceName,
        start1: element.start1,
        end1: element.end1,
        strand: element.strand,
        names: [id, ...(element.family === null ? [] : [element.family])],
        relevance: 6,
      })
  }
  const sources = [
    ...(entry.find === undefined
      ? []
      : [...new Set(rows.map(({ element }) => element.source))].filter((one) => /^(LTRharvest|TIRvish)$/.test(one))),
    ...(entry.file === undefined ? [] : [basename(entry.file)]),
  ]
  const summary = summarizeElements(
    rows.map(({ element, ltr }) => ({ element, ltrDivergence: ltr?.divergence ?? null })),
    context.sequences,
    { sources, rate: entry.substitutionRate ?? null, found },
  )
  await context.addRecord({ kind: summaryKind, id: 'summary', data: summary })
  for (const { family, code, count } of summary.families)
    await context.addSearchEntry({
      type: 'transposon-family',
      id: family,
      label: family,
      description: `${describe(code)}; ${count}`,
      relevance: 4,
    })
  const log = new DefectLog()
  const written = await bakeTabix({
    source: { lines: elementGff3Lines(context.sequences, rows), name: gff3File },
    format: 'gff3',
    outFile: join(context.directory, gff3File),
    sequences: context.sequences,
    log,
    signal: context.signal,
  })
  context.addFile(gff3File, {
    kind: 'transposable-elements',
    download: {
      title: { en: 'Transposable elements', zh: '转座元件' },
      licence: context.licence,
      simulated: context.simulated,
    },
  })
  context.addFile(basename(written.csiFile), { kind: 'track-index' })
  if (written.tbiFile !== null) context.addFile(basename(written.tbiFile), { kind: 'track-index' })
  await context.addRecord({
    kind: 'track',
    id: 'transposable-elements',
    data: {
      id: 'transposable-elements',
      name: { en: 'Transposable elements', zh: '转座元件' },
      description: {
        en: 'Loaded or found elements with their LTRs, target sites and domains.',
        zh: '已加载或鉴定的转座元件及其 LTR、靶位点重复与结构域。',
      },
      category: { en: 'Transposable elements', zh: '转座元件' },
      type: 'gff3',
      file: gff3File,
      index: basename(written.csiFile),
      simulated: context.simulated,
    },
  })
  context.progress(1)
  return { transposableElements: elements.length }
}

/** Codes and names in both languages, so that either finds it. */
const describe = (code: string): string => {
  const { order, superfamily, repeatMasker } = transposonClass(code)
  return [code, superfamily, order, repeatMasker].filter((part) => part !== null).join(' ')
}

/** Transposable elements of an assembly, loaded or found. */
export default defineLoader({
  entry: 'transposableElements',
  scope: 'assembly',
  schema,
  version: 2,
  tables: [elementTable],
  bake,
})
