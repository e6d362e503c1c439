import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { fieldError } from '../../contracts/errors.ts'
import { readFastaRecords } from '../../kit/data/genes/gene-sequences.ts'
import { listVariantSets } from '../../kit/data/variant-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { mafftCitation, mafftProgram } from '../../kit/programs.ts'
import { readProteins } from './read-proteins.ts'
import { routes } from './routes.ts'
import tool, { limits, type Protein, type ProteinResult } from './tool.ts'

type Input = z.output<(typeof tool)['input']>
type Places = Map<string, Set<string>>

const addPlace = (places: Places, assembly: string, gene: string): void => {
  places.set(assembly, (places.get(assembly) ?? new Set()).add(gene))
}

/** The genes that were named, with the members of their orthogroups for a family; those named first. */
const findGenes = async (input: Input, { data }: EngineContext) => {
  const assembly = input.assembly ?? (await data.defaultAssembly())?.id
  const resolved = await data.resolveGenes(input.genes, assembly)
  const places: Places = new Map()
  const ambiguous: ProteinResult['ambiguous'] = []
  const named = new Map(resolved.found.map(({ query, gene }) => [query, gene]))
  for (const { query, genes } of resolved.ambiguous)
    if (genes[0] !== undefined) {
      named.set(query, genes[0])
      ambiguous.push({ name: query, gene: genes[0].id })
    }
  for (const name of input.genes) {
    const gene = named.get(name)
    if (gene !== undefined) addPlace(places, gene.assembly, gene.id)
  }
  if (places.size === 0)
    throw fieldError(['genes'], 'problem.noGene', { names: resolved.unknown.slice(0, 10).join(', ') })
  const orthogroups = new Set<string>()
  let missing: string[] = []
  if (input.family) {
    missing = (await data.getHomology())?.missing ?? []
    for (const [own, genes] of [...places])
      for (const group of (await data.listOrthogroups(own, [...genes])).values()) orthogroups.add(group)
    for (const id of orthogroups)
      for (const [member, genes] of (await data.getOrthogroup(id))?.members ?? [])
        for (const gene of genes) addPlace(places, member, gene)
  }
  return { places, unknown: resolved.unknown, ambiguous, orthogroups: [...orthogroups], missing }
}

/** Proteins as rows of an alignment, in their order. Programs see names of their own. */
const align = async (sequences: readonly string[], context: EngineContext): Promise<string[]> => {
  await writeFile(join(context.directory, 'proteins.fa'), sequences.map((one, at) => `>s${at + 1}\n${one}\n`).join(''))
  await context.runProgram({
    program: 'mafft',
    // One thread: with several the result depends on their order.
    arguments: ['--auto', '--amino', '--anysymbol', '--quiet', '--thread', '1', 'proteins.fa'],
    outputFile: 'aligned.fa',
  })
  context.receipt.cite(mafftCitation)
  // What reads FASTA elsewhere takes gaps out.
  const text = await readFile(join(context.directory, 'aligned.fa'), 'utf8')
  const rows = new Map(
    text
      .split(/^>/m)
      .slice(1)
      .map((record): [string, string] => {
        const [name = '', ...lines] = record.split('\n')
        return [name.trim(), lines.join('').replace(/\s/g, '')]
      }),
  )
  const aligned = sequences.map((_, at) => rows.get(`s${at + 1}`) ?? '')
  if (aligned.some((row) => row === '' || row.length !== aligned[0]!.length))
    throw new Error('mafft gave rows of different lengths')
  return aligned
}

const run = async (input: Input, context: EngineContext): Promise<ProteinResult> => {
  const { data, signal, receipt } = context
  const { places, unknown, ambiguous, orthogroups, missing } = await findGenes(input, context)
  const proteins: Protein[] = []
  const sequences = new Map<string, string>()
  const noProtein: string[] = []
  let leftOut = 0
  let residues = 0
  for (const [assembly, ids] of places) {
    const genes = await data.getGenes(assembly, [...ids])
    const sets = input.family ? [] : await listVariantSets(data, assembly)
    const own = await readProteins(data, assembly, genes, { sets, longest: true, signal })
    const drawn = new Set(own.proteins.flatMap(({ variants }) => variants.map(({ set }) => set)))
    for (const set of sets) if (drawn.has(set.id)) receipt.addDataSet(set)
    const coding = new Set(own.proteins.map(({ gene }) => gene))
    noProtein.push(...[...ids].filter((id) => !coding.has(id)))
    const kept: Protein[] = []
    for (const protein of own.proteins) {
      if (proteins.length + kept.length >= limits.proteins || residues + protein.length > limits.residues) leftOut += 1
      else {
        kept.push(protein)
        residues += protein.length
      }
    }
    proteins.push(...kept)
    receipt.addData(assembly)
    const file = input.family ? await data.bundleFile(assembly, 'proteins') : null
    if (file === null) continue
    const wanted = new Set(kept.map(({ transcript }) => transcript))
    for (const [transcript, sequence] of await readFastaRecords(file, wanted, 'protein', signal))
      sequences.set(`${assembly} ${transcript}`, sequence.replace(/\*+$/, '').toUpperCase())
  }
  const texts = proteins.map(({ assembly, transcript }) => sequences.get(`${assembly} ${transcript}`) ?? '')
  const aligned =
    input.family && proteins.length > 1 && texts.every((text) => text !== '') ? await align(texts, context) : null
  receipt.addStep({
    program: 'NovoDB protein viewer',
    version: String(tool.version),
    formula:
      'features as loaded, of the longest protein of each gene; residues carried over to the columns of the alignment',
  })
  return {
    proteins: proteins.map((protein, at) => ({ ...protein, row: aligned?.[at] ?? null })),
    columns: aligned === null ? null : aligned[0]!.length,
    orthogroups,
    unknown,
    noProtein,
    ambiguous,
    leftOut,
    missing,
  }
}

export default defineEngine({ tool, programs: [mafftProgram], run, routes })
