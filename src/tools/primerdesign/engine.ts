import type { BoulderRecord, DesignedOligo, DesignedRecord } from '../../bio/sequence/boulder.ts'
import { primer3webSettings } from '../../bio/sequence/primer3web-settings.ts'
import { oppositeStrand } from '../../bio/sequence/region.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { gibibyte } from '../../kit/job-resources.ts'
import { primer3Program } from '../../kit/programs.ts'
import { maxPrimer3Runs, primer3Citations, runPrimer3 } from '../../kit/run-primer3.ts'
import { readIntervals, type TemplateInterval } from './intervals.ts'
import { routes } from './routes.ts'
import { parseTags, quantitativeProductSizes } from './settings.ts'
import { type SearchedPair, searchSpecificity } from './specificity.ts'
import { completeInput, placeOnTemplate, placeSegment, readTemplates, type Template } from './templates.ts'
import tool, { type Design, limits, type Oligo, type Pair, type PrimerInput, type PrimerResult } from './tool.ts'

/** Part of the progress that designing takes when specificity follows. */
const designShare = 0.5

const primerPattern = /^[ACGT]{12,36}$/

const cleanPrimer = (text: string, field: 'leftPrimer' | 'rightPrimer'): string | null => {
  const primer = text
    .replace(/[\s\d'′-]+/g, '')
    .toUpperCase()
    .replaceAll('U', 'T')
  if (primer === '') return null
  if (!primerPattern.test(primer)) throw fieldError([field], 'primer.form')
  return primer
}

/** Settings of a run as primer3_core is given them. Rejects beside the field for what contradicts itself. */
const settingsOf = (input: PrimerInput): BoulderRecord => {
  for (const [low, best, high, field] of [
    [input.sizeMin, input.sizeOpt, input.sizeMax, 'sizeOpt'],
    [input.tmMin, input.tmOpt, input.tmMax, 'tmOpt'],
    [input.gcMin, input.gcMin, input.gcMax, 'gcMin'],
  ] as const)
    if (low > best || best > high) throw fieldError([field], 'settings.order')
  const sizes = input.productSizes.trim().replaceAll(/[,;，；]\s*|\s+/g, ' ')
  for (const range of sizes === '' ? [] : sizes.split(' ')) {
    const match = /^(\d{1,6})-(\d{1,6})$/.exec(range)
    if (match === null || Number(match[1]) < 1 || Number(match[1]) > Number(match[2]))
      throw fieldError(['productSizes'], 'productSizes.form', { text: range.slice(0, 40) })
  }
  const { tags, problem } = parseTags(input.advanced)
  if (problem !== null) throw fieldError(['advanced'], problem.message, problem.params)
  const text = (value: number): string => String(value)
  return {
    ...primer3webSettings,
    PRIMER_NUM_RETURN: text(input.pairs),
    PRIMER_PRODUCT_SIZE_RANGE:
      sizes !== ''
        ? sizes
        : input.purpose === 'qpcr'
          ? quantitativeProductSizes
          : primer3webSettings.PRIMER_PRODUCT_SIZE_RANGE,
    PRIMER_PICK_INTERNAL_OLIGO: input.probe ? '1' : '0',
    PRIMER_MIN_SIZE: text(input.sizeMin),
    PRIMER_OPT_SIZE: text(input.sizeOpt),
    PRIMER_MAX_SIZE: text(input.sizeMax),
    PRIMER_MIN_TM: text(input.tmMin),
    PRIMER_OPT_TM: text(input.tmOpt),
    PRIMER_MAX_TM: text(input.tmMax),
    PRIMER_PAIR_MAX_DIFF_TM: text(input.tmDifference),
    PRIMER_MIN_GC: text(input.gcMin),
    PRIMER_MAX_GC: text(input.gcMax),
    PRIMER_GC_CLAMP: text(input.gcClamp),
    PRIMER_MAX_POLY_X: text(input.polyX),
    PRIMER_MAX_SELF_ANY_TH: text(input.selfAny),
    PRIMER_MAX_SELF_END_TH: text(input.selfEnd),
    PRIMER_MAX_HAIRPIN_TH: text(input.hairpin),
    PRIMER_PAIR_MAX_COMPL_ANY_TH: text(input.pairAny),
    PRIMER_PAIR_MAX_COMPL_END_TH: text(input.pairEnd),
    PRIMER_MAX_END_STABILITY: text(input.endStability),
    PRIMER_THERMODYNAMIC_TEMPLATE_ALIGNMENT: input.templateAlignment ? '1' : '0',
    PRIMER_LOWERCASE_MASKING: input.maskLowerCase ? '1' : '0',
    PRIMER_SALT_MONOVALENT: text(input.monovalent),
    PRIMER_SALT_DIVALENT: text(input.divalent),
    PRIMER_DNTP_CONC: text(input.dntp),
    PRIMER_DNA_CONC: text(input.oligo),
    ...tags,
    // Drawn in the details of a pair; changes no choice of primer3.
    PRIMER_SECONDARY_STRUCTURE_ALIGNMENT: '1',
  }
}

interface Task {
  template: Template
  targets: TemplateInterval[]
  excluded: TemplateInterval[]
  included: TemplateInterval | null
  notes: Design['notes']
  record: BoulderRecord
}

const renderIntervals = (intervals: readonly TemplateInterval[]): string =>
  intervals.map(({ start, end }) => `${start},${end - start + 1}`).join(' ')

/** The record of one template. `settings` are the same for all. */
const prepareTask = (template: Template, input: PrimerInput, settings: BoulderRecord): Task => {
  const lengthBp = template.bases.length
  const place = template.blocks.length === 0 ? undefined : placeOnTemplate(template.blocks)
  const read = (field: 'target' | 'excluded' | 'included'): TemplateInterval[] => {
    const answer = readIntervals(input[field], place)
    if ('unreadable' in answer)
      throw fieldError([field], answer.message, {
        ...answer.params,
        text: answer.unreadable.slice(0, 60),
        name: template.name,
      })
    for (const one of answer.intervals)
      if (one.end > lengthBp)
        throw fieldError([field], 'interval.beyond', { end: one.end, length: lengthBp, name: template.name })
    return answer.intervals
  }
  const targets = [...read('target'), ...template.marked.targets]
  const excluded = [...read('excluded'), ...template.marked.excluded]
  const includedGiven = read('included')
  if (includedGiven.length > 1) throw fieldError(['included'], 'included.one')
  const included = includedGiven[0] ?? template.marked.included
  const notes = [...template.notes]
  const record: BoulderRecord = { SEQUENCE_ID: template.name, SEQUENCE_TEMPLATE: template.bases }
  if (input.purpose === 'qpcr' && input.junction !== 'none') {
    if (template.junctions.length === 0)
      notes.push({ id: template.gene === null ? 'note.no-exons' : 'note.no-intron', params: {} })
    else if (input.junction === 'primer') record.SEQUENCE_OVERLAP_JUNCTION_LIST = template.junctions.join(' ')
    // A pair that spans a junction leaves it between its primers; primer3 asks for one of the targets.
    else if (targets.length === 0) targets.push(...template.junctions.map((end) => ({ start: end, end: end + 1 })))
    else notes.push({ id: 'note.own-target', params: {} })
  }
  if (targets.length > 0) record.SEQUENCE_TARGET = renderIntervals(targets)
  if (excluded.length > 0) record.SEQUENCE_EXCLUDED_REGION = renderIntervals(excluded)
  if (included !== null) record.SEQUENCE_INCLUDED_REGION = renderIntervals([included])
  const left = cleanPrimer(input.leftPrimer, 'leftPrimer')
  const right = cleanPrimer(input.rightPrimer, 'rightPrimer')
  if (left !== null) record.SEQUENCE_PRIMER = left
  if (right !== null) record.SEQUENCE_PRIMER_REVCOMP = right
  return { template, targets, excluded, included, notes, record: { ...record, ...settings } }
}

/** What primer3_core refuses, in words beside the field that it was given by. */
const explainRefusal = (_: unknown, errorText: string): PortalError | null => {
  const tag = /Unrecognized tag: (\S+?)=/.exec(errorText)?.[1]
  if (tag !== undefined) return fieldError(['advanced'], 'advanced.unknown', { tag })
  const words = errorText.replace(/^primer3_core:\s*/m, '').trim()
  return words === ''
    ? null
    : new PortalError('INVALID_INPUT', { message: 'primer3.refused', params: { words: words.slice(0, 300) } })
}

/** `reads`: the template's own strand, or the other, as right primers do. */
const placeOligo = (oligo: DesignedOligo, template: Template, detailed: boolean, reads: 'own' | 'other'): Oligo => ({
  ...oligo,
  structures: detailed ? oligo.structures : null,
  loci: placeSegment(template.blocks, oligo.start, oligo.end).map((locus) =>
    reads === 'own' ? locus : { ...locus, strand: oppositeStrand(locus.strand) },
  ),
})

const describePairs = (design: DesignedRecord, template: Template, detailed: boolean): Pair[] =>
  design.pairs.map((pair, rank) => {
    const { left, right } = pair
    const on = (junction: number, { start, end }: { start: number; end: number }): boolean =>
      start <= junction && end > junction
    const pieces = [
      ...placeSegment(template.blocks, left.start, left.start),
      ...placeSegment(template.blocks, right.end, right.end),
    ]
    const positions = pieces.map((one) => one.start)
    return {
      rank: rank + 1,
      left: placeOligo(left, template, detailed, 'own'),
      right: placeOligo(right, template, detailed, 'other'),
      internal: pair.internal === null ? null : placeOligo(pair.internal, template, detailed, 'own'),
      penalty: pair.penalty,
      productBp: pair.productBp,
      productTm: pair.productTm,
      complAny: pair.complAny,
      complEnd: pair.complEnd,
      structures: detailed ? pair.structures : null,
      junctions: template.junctions.filter((junction) => left.start <= junction && right.end > junction).length,
      primerOnJunction: template.junctions.some((junction) => on(junction, left) || on(junction, right)),
      genomicBp: positions.length === 2 ? Math.abs(positions[0]! - positions[1]!) + 1 : null,
      specificity: null,
    }
  })

/** The genomic product that a pair is meant to give; null of a pasted template and where a primer lies on a junction. */
const intendedOf = (pair: Pair, template: Template): SearchedPair['intended'] => {
  const first = template.blocks[0]
  if (first === undefined || pair.primerOnJunction || pair.left.loci.length !== 1 || pair.right.loci.length !== 1)
    return null
  const loci = [...pair.left.loci, ...pair.right.loci]
  return {
    sequence: first.sequence,
    start1: Math.min(...loci.map((one) => one.start)),
    end1: Math.max(...loci.map((one) => one.end)),
  }
}

/**
 * Genomes that pairs are searched for in: those chosen, else all of the template's species, so that a product in a sister strain is not
 * missed for want of a tick. A pasted sequence has no species, and is checked where that is asked for.
 */
const chooseAssemblies = async (
  input: PrimerInput,
  home: string | null,
  data: EngineContext['data'],
): Promise<{ assemblies: string[]; leftOut: string[] }> => {
  if (input.searched === 'none') return { assemblies: [], leftOut: [] }
  if (input.assemblies !== undefined && input.assemblies.length > 0)
    return { assemblies: [...new Set(input.assemblies)], leftOut: [] }
  const loaded = await data.listAssemblies()
  const own = loaded.find((one) => one.id === home)
  if (own === undefined) return { assemblies: [], leftOut: [] }
  const relatives: string[] = []
  for (const one of loaded)
    if (
      one.species === own.species &&
      one.id !== own.id &&
      (input.searched === 'genome' || (await data.bundleFile(one.id, 'transcripts')) !== null)
    )
      relatives.push(one.id)
  const all = [own.id, ...relatives]
  return { assemblies: all.slice(0, limits.assemblies), leftOut: all.slice(limits.assemblies) }
}

const addSpecificity = async (
  designs: readonly Design[],
  tasks: readonly Task[],
  assemblies: readonly string[],
  input: PrimerInput,
  context: EngineContext,
): Promise<number> => {
  const searched = input.searched === 'transcripts' ? 'transcripts' : 'genome'
  const pairs = designs.flatMap((design, at) => design.pairs.map((pair) => ({ pair, template: tasks[at]!.template })))
  if (pairs.length === 0) return 0
  const { answers, searchedBp } = await searchSpecificity({
    pairs: pairs.map(({ pair, template }) => ({
      between: template.bases.slice(pair.left.end, pair.right.start - 1),
      expectedBp:
        searched === 'transcripts' || template.blocks.length === 0
          ? pair.productBp
          : pair.primerOnJunction
            ? null
            : pair.genomicBp,
      left: pair.left.sequence,
      right: pair.right.sequence,
      assembly: template.assembly,
      gene: template.gene?.id ?? null,
      intended: intendedOf(pair, template),
      placed: template.blocks.length > 0 && (searched === 'genome' || template.gene !== null),
    })),
    assemblies,
    searched,
    rule: input,
    maxProductBp: input.maxProductBp,
    data: context.data,
    signal: context.signal,
    onProgress: (fraction) => context.progress(designShare + (1 - designShare) * fraction, 'step.specificity'),
  })
  for (const [at, answer] of answers.entries()) pairs[at]!.pair.specificity = answer
  for (const assembly of assemblies) context.receipt.addData(assembly)
  context.receipt.addStep({
    program: 'NovoDB priming sites',
    version: String(tool.version),
    formula: `every place of both strands with fewer than ${input.ignoreMismatches} mismatches, and fewer than ${input.minMismatches} mismatches or fewer than ${input.minThreePrimeMismatches} in the last ${input.threePrimeBp} bases at the 3' end; products up to ${input.maxProductBp} bp; ${searched}; at the homologous place by the alignment of the genomes, else by the ortholog, else by words of 12 bases shared between the primers`,
  })
  context.receipt.cite({
    text: 'Ye J et al. (2012) Primer-BLAST: a tool to design target-specific primers for polymerase chain reaction. BMC Bioinformatics 13:134',
    doi: '10.1186/1471-2105-13-134',
  })
  return searchedBp
}

const countPairs = (
  pairs: readonly Pair[],
  assemblies: readonly string[],
  holds: (specificity: NonNullable<Pair['specificity']>) => boolean,
): number | null =>
  assemblies.length === 0
    ? null
    : pairs.filter(({ specificity }) => specificity !== null && !specificity.repetitive && holds(specificity)).length

export default defineEngine({
  tool,
  // Genomes that primers are searched in are read a sequence at a time.
  resources: () => ({ cores: maxPrimer3Runs, memoryBytes: 4 * gibibyte }),
  programs: [primer3Program],
  completeInput,
  run: async (input, context): Promise<PrimerResult> => {
    context.progress(null, 'step.reading')
    const settings = settingsOf(input)
    for (const assembly of input.searched === 'none' ? [] : new Set(input.assemblies ?? [])) {
      const summary = await context.data.getAssembly(assembly).catch((error: unknown) => {
        if (error instanceof PortalError && error.code === 'UNKNOWN_ASSEMBLY')
          throw fieldError(['assemblies'], 'assemblies.unknown', { assembly })
        throw error
      })
      if (input.searched === 'transcripts' && (await context.data.bundleFile(summary.id, 'transcripts')) === null)
        throw fieldError(['searched'], 'searched.noTranscripts', { assembly })
    }
    const { templates, problems } = await readTemplates(input, context.data)
    if (templates.length === 0)
      throw new PortalError('INVALID_INPUT', {
        message: 'templates.none',
        params: { count: problems.length, first: problems[0]?.query ?? '' },
        problems: problems.slice(0, 20).map(({ query, id, params }) => ({
          path: ['genes'],
          message: id,
          params: { ...params, query },
        })),
      })
    const tasks = templates.map((template) => prepareTask(template, input, settings))
    for (const assembly of new Set(templates.flatMap((one) => one.assembly ?? []))) context.receipt.addData(assembly)

    const homes = new Set(templates.flatMap((one) => one.assembly ?? []))
    const { assemblies, leftOut } = await chooseAssemblies(
      input,
      homes.size === 1 ? [...homes][0]! : (input.assembly ?? null),
      context.data,
    )
    const share = assemblies.length > 0 ? designShare : 1
    context.progress(0, 'step.designing')
    const designed = await runPrimer3(
      tasks.map(({ record }) => record),
      context,
      {
        explainFailure: explainRefusal,
        onDone: (done) => context.progress((share * done) / tasks.length, 'step.designing'),
      },
    )
    const detailed = tasks.length <= limits.detailedTemplates!
    const designs = designed.map((answer, at): Design => {
      const { template, targets, excluded, included, notes } = tasks[at]!
      return {
        name: template.name,
        source: input.source,
        assembly: template.assembly,
        gene: template.gene?.id ?? null,
        symbol: template.gene?.symbol ?? null,
        transcript: template.part === null || template.part === 'gene' ? null : (template.transcript?.id ?? null),
        part: template.part,
        lengthBp: template.bases.length,
        bases: detailed ? template.bases : null,
        blocks: template.blocks,
        features: template.features,
        junctions: template.junctions,
        targets,
        excluded,
        included,
        pairs: describePairs(answer, template, detailed),
        explain: answer.explain,
        notes,
        error: answer.error,
        warning: answer.warning,
      }
    })
    for (const citation of primer3Citations) context.receipt.cite(citation)
    const searchedBp = assemblies.length === 0 ? 0 : await addSpecificity(designs, tasks, assemblies, input, context)
    const pairs = designs.flatMap((design) => design.pairs)
    const { SEQUENCE_TEMPLATE: _, ...shownSettings } = tasks[0]!.record
    return {
      designs,
      problems,
      pairCount: pairs.length,
      solved: designs.filter((design) => design.pairs.length > 0).length,
      cleanPairs: countPairs(pairs, assemblies, ({ others }) => others === 0),
      specificPairs: countPairs(pairs, assemblies, ({ likely }) => likely === 0),
      searchedBp,
      searchedAssemblies: assemblies,
      leftOut,
      settings: shownSettings,
    }
  },
  routes,
})
