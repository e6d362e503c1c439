import type { z } from 'zod'
import { type FieldProblem, fieldError, PortalError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { findSequence } from '../../kit/data/find-sequence.ts'
import type { GenomeSequence, PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { type LineProblem, type NamedLocus, readFeatureLines, readLinkLines } from './read-lines.ts'
import tool, { type GeneMap, limits, type MappedFeature, type MappedLink } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** Sequences without a feature that are drawn all the same. */
const maxOthers = 60
/** Lines that are told one by one. */
const maxProblems = 200

/** Looks names of sequences up once each, as people write them; null where there is none. */
const openSequences = (data: PortalData, assembly: string, all: GenomeSequence[]) => {
  const known = new Map<string, GenomeSequence | null>(all.map((one) => [one.name, one]))
  return async (name: string): Promise<GenomeSequence | null> => {
    const found = known.get(name)
    if (found !== undefined) return found
    const looked = await findSequence(data, assembly, name)
    known.set(name, looked)
    return looked
  }
}

const run = async (input: Input, { data, receipt, signal }: EngineContext): Promise<GeneMap> => {
  const assembly = (await data.getAssembly(input.assembly)).id
  const read = readFeatureLines(input.features)
  const pairs = readLinkLines(input.links)
  const tooMany = (field: 'features' | 'links', count: number): void => {
    if (count > limits[field]) throw fieldError([field], 'problem.tooMany', { count, limit: limits[field] })
  }
  tooMany('features', read.features.length)
  tooMany('links', pairs.links.length)
  const names = input.genes ?? []
  if (names.length === 0 && read.features.length === 0 && pairs.links.length === 0)
    throw fieldError(
      [read.problems.length > 0 ? 'features' : 'genes'],
      read.problems.length > 0 ? 'problem.nothingRead' : 'problem.nothing',
      read.problems.length > 0 ? { line: read.problems[0]!.line, text: read.problems[0]!.text } : {},
    )
  const named = new Set(names)
  const note = (locus: NamedLocus): void => {
    if ('gene' in locus) named.add(locus.gene)
  }
  for (const { locus } of read.features) note(locus)
  for (const { from, to } of pairs.links) {
    note(from)
    note(to)
  }
  const resolved = await data.resolveGenes([...named], assembly)
  signal.throwIfAborted()
  const genes = new Map<string, GeneSummary>()
  for (const { query, gene } of resolved.found) genes.set(query, gene)
  const ambiguous: GeneMap['ambiguous'] = []
  for (const { query, genes: meant } of resolved.ambiguous) {
    genes.set(query, meant[0]!)
    ambiguous.push({ name: query, gene: meant[0]!.id })
  }
  const all = await data.listSequences(assembly)
  const sequenceOf = openSequences(data, assembly, all)
  const problems: GeneMap['problems'] = []
  const addProblem = (field: 'features' | 'links', { line, id, text }: LineProblem): void => {
    problems.push({ field, line, id, text })
  }
  for (const problem of read.problems) addProblem('features', problem)
  for (const problem of pairs.problems) addProblem('links', problem)

  const features: MappedFeature[] = []
  const placed = new Set<string>()
  const addGene = (gene: GeneSummary, group: string): void => {
    // A gene that is named twice, by id and symbol say, is one feature.
    if (placed.has(gene.id)) return
    placed.add(gene.id)
    const { id, symbol, description, sequence, start, end, strand } = gene
    features.push({
      name: symbol ?? id,
      gene: id,
      symbol,
      description,
      sequence,
      start,
      end,
      group,
      strand: strand === '+' || strand === '-' ? strand : '.',
    })
  }
  /** Where a place is; a string says why it is nowhere. */
  const locate = async (
    locus: NamedLocus,
  ): Promise<
    { name: string; gene: GeneSummary | null; sequence: string; start: number; end: number } | LineProblem['id']
  > => {
    if ('gene' in locus) {
      const gene = genes.get(locus.gene)
      if (gene === undefined) return 'gene'
      return { name: gene.symbol ?? gene.id, gene, sequence: gene.sequence, start: gene.start, end: gene.end }
    }
    const sequence = await sequenceOf(locus.sequence)
    if (sequence === null) return 'sequence'
    if (locus.start1 < 1 || locus.end1 > sequence.lengthBp) return 'beyond'
    return {
      name: `${sequence.name}:${locus.start1}-${locus.end1}`,
      gene: null,
      sequence: sequence.name,
      start: locus.start1,
      end: locus.end1,
    }
  }
  // Groups of lines go before the plain list: a gene is coloured where it is in both.
  for (const { line, locus, name, strand, group } of read.features) {
    const where = await locate(locus)
    if (typeof where === 'string') {
      const text = 'gene' in locus ? locus.gene : `${locus.sequence}:${locus.start1}-${locus.end1}`
      addProblem('features', { line, id: where, text })
    } else if (where.gene !== null) addGene(where.gene, group)
    else
      features.push({
        name: name ?? where.name,
        gene: null,
        symbol: null,
        description: null,
        sequence: where.sequence,
        start: where.start,
        end: where.end,
        strand,
        group,
      })
  }
  for (const name of names) {
    const gene = genes.get(name)
    if (gene !== undefined) addGene(gene, '')
  }

  const links: MappedLink[] = []
  for (const { line, from, to, group } of pairs.links) {
    const [a, b] = [await locate(from), await locate(to)]
    if (typeof a === 'string' || typeof b === 'string') {
      const wrong = typeof a === 'string' ? from : to
      const text = 'gene' in wrong ? wrong.gene : `${wrong.sequence}:${wrong.start1}-${wrong.end1}`
      addProblem('links', { line, id: typeof a === 'string' ? a : (b as LineProblem['id']), text })
    } else {
      const end = ({ name, sequence, start, end: last }: typeof a): MappedLink['from'] => ({
        name,
        sequence,
        start,
        end: last,
      })
      links.push({ from: end(a), to: end(b), group })
    }
  }
  let linksCut = 0
  if (input.family) {
    const own = features.filter(({ gene }) => gene !== null)
    const groups = await data.listOrthogroups(
      assembly,
      own.map(({ gene }) => gene!),
    )
    const members = new Map<string, MappedFeature[]>()
    for (const feature of own) {
      const group = groups.get(feature.gene!)
      if (group === undefined) continue
      const list = members.get(group)
      if (list === undefined) members.set(group, [feature])
      else list.push(feature)
    }
    for (const [group, list] of members)
      for (let a = 0; a < list.length; a += 1)
        for (let b = a + 1; b < list.length; b += 1)
          if (links.length >= limits.links) linksCut += 1
          else {
            const end = ({ name, sequence, start, end: last }: MappedFeature): MappedLink['from'] => ({
              name,
              sequence,
              start,
              end: last,
            })
            links.push({ from: end(list[a]!), to: end(list[b]!), group })
          }
  }
  const counts = new Map<string, number>()
  for (const { sequence } of features) counts.set(sequence, (counts.get(sequence) ?? 0) + 1)
  const needed = new Set([...counts.keys(), ...links.flatMap(({ from, to }) => [from.sequence, to.sequence])])
  const others = new Set(
    [...all]
      .sort((a, b) => b.lengthBp - a.lengthBp)
      .slice(0, maxOthers)
      .map(({ name }) => name),
  )
  const unknown = names.filter((name) => !genes.has(name))
  if (features.length === 0 && links.length === 0) {
    if (unknown.length > 0) {
      const reported = unknown
        .slice(0, 20)
        .map((name): FieldProblem => ({ path: ['genes'], message: 'problem.unknownGene', params: { name, assembly } }))
      throw new PortalError('UNKNOWN_GENE', {
        message: reported[0]!.message,
        params: reported[0]!.params ?? {},
        problems: reported,
      })
    }
    const first = problems[0]!
    throw fieldError([first.field], 'problem.nothingRead', { line: first.line, text: first.text })
  }
  const order = new Map(all.map(({ name }, at) => [name, at]))
  features.sort((a, b) => order.get(a.sequence)! - order.get(b.sequence)! || a.start - b.start)
  receipt.addData(assembly)
  receipt.addStep({
    program: 'NovoDB gene map',
    version: String(tool.version),
    formula: `positions 1-based, inclusive, as loaded${input.family ? '; genes of one orthogroup are joined' : ''}`,
  })
  return {
    assembly,
    sequences: all
      .filter(({ name }) => needed.has(name) || others.has(name))
      .map(({ name, lengthBp, circular }) => ({ name, lengthBp, circular, count: counts.get(name) ?? 0 })),
    sequenceTotal: all.length,
    features,
    links,
    linksCut,
    unknown,
    ambiguous,
    problems: problems.slice(0, maxProblems),
    problemTotal: problems.length,
  }
}

export default defineEngine({ tool, programs: [], run })
