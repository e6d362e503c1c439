import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GeneMatches } from '../../bio/annotation/gene-matches.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import type { OrthogroupSource } from '../../database/homologs.ts'
import type { PortalBakeContext } from '../../kit/loader.ts'
import { readTextIfPresent } from '../../store/baked-text.ts'
import toolDefects from './defects.ts'
import { inflation } from './method.ts'
import {
  type ColumnMatch,
  countKnown,
  matchColumnByGenes,
  matchColumnByName,
  sampleColumn,
} from './orthogroup-columns.ts'
import { type OrthogroupTable, parseOrthogroupTable } from './orthogroup-table.ts'
import type { Proteome } from './proteome.ts'
import { type ProteomeNames, readProteomeNames } from './proteome-names.ts'
import { tableFile } from './stored.ts'

/** A group of genes by their numbers over all proteomes. */
export interface Group {
  genes: number[]
  source: OrthogroupSource
}

export const edgeFile = 'edges.tsv'

/** Clusters the graph of `edgeFile` in the programs' directory by MCL; resolves to null when it is not there. */
export const clusterEdges = async (context: PortalBakeContext): Promise<number[][] | null> => {
  const out = 'clusters.tsv'
  const outcome = await context.runProgram({
    program: 'mcl',
    arguments: [edgeFile, '--abc', '-I', String(inflation), '-o', out, '-V', 'all'],
  })
  if (outcome === null) return null
  const text = await readFile(join(context.scratch, out), 'latin1')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t').map(Number))
}

/** A column with the assembly that it is. */
type PlacedColumn = ColumnMatch & { names: ProteomeNames }

/** Which assembly each column of a table is: by its name, else by the genes in it. */
const placeColumns = async (
  table: OrthogroupTable,
  proteomes: Proteome[],
  species: string,
  namesOf: (at: number) => Promise<ProteomeNames>,
): Promise<(PlacedColumn | null)[]> => {
  const assemblies = proteomes.map(({ assembly }) => ({ id: assembly.id, isOwn: assembly.species === species }))
  const found: (ColumnMatch | null)[] = table.columns.map((column) => matchColumnByName(column, assemblies))
  // An assembly that two columns are named after is told by its genes.
  const isOnly = (match: ColumnMatch | null): boolean => found.filter((other) => other?.at === match?.at).length === 1
  const sure = found.map((match) => (match !== null && (match.by === 'id' || isOnly(match)) ? match : null))
  const taken = new Set(sure.map((match) => match?.at))
  const open = [...sure.keys()].filter((column) => sure[column] === null)
  const samples = new Map(open.map((column) => [column, sampleColumn(table, column)]))
  const counts = new Map(open.map((column) => [column, new Map<number, number>()]))
  for (const at of open.length === 0 ? [] : proteomes.keys()) {
    if (taken.has(at)) continue
    const names = await namesOf(at)
    for (const column of open) counts.get(column)!.set(at, countKnown(samples.get(column)!, names))
  }
  for (const column of open) sure[column] = matchColumnByGenes(samples.get(column)!, counts.get(column)!)
  return Promise.all(sure.map(async (match) => (match === null ? null : { ...match, names: await namesOf(match.at) })))
}

/** Groups of the tables that labs gave; a gene that two tables have counts for the first. */
export const readGivenGroups = async (
  proteomes: Proteome[],
  offsets: number[],
  context: PortalBakeContext,
  readNames = readProteomeNames,
): Promise<Group[]> => {
  const taken = new Set<number>()
  const groups: Group[] = []
  const known = new Map<number, ProteomeNames>()
  const namesOf = async (at: number): Promise<ProteomeNames> => {
    const names = known.get(at) ?? (await readNames(proteomes[at]!, context))
    known.set(at, names)
    return names
  }
  const log = new DefectLog()
  for (const { fetchFiles, species } of context.species) {
    // A species may bring blocks and no table.
    const text = await readTextIfPresent(join(await fetchFiles([tableFile]), tableFile))
    if (text === null) continue
    const table = parseOrthogroupTable(text)
    // The portal's own clusters would take the place of the lab's groups, and nobody would know.
    if (!('columns' in table)) throw new Error(`The orthogroups of ${species} cannot be read: ${table.reason}.`)
    const columns = (await placeColumns(table, proteomes, species, namesOf)).map((placed, number) => {
      const column = table.columns[number]!
      if (placed === null) {
        log.report(toolDefects, 'orthogroup-column', tableFile, null, { column })
        return null
      }
      const assembly = proteomes[placed.at]!.assembly.id
      if (placed.by === 'name')
        log.report(toolDefects, 'orthogroup-column-named', tableFile, null, { column, assembly })
      if (placed.by === 'genes')
        log.report(toolDefects, 'orthogroup-column-genes', tableFile, null, {
          column,
          assembly,
          percent: placed.percent,
        })
      const matches = new GeneMatches({ file: `${tableFile} (${column})`, match: placed.names.match })
      return { ...placed, matches }
    })
    for (const { members } of table.groups) {
      const genes: number[] = []
      for (const [number, names] of members.entries()) {
        const column = columns[number]
        if (!column) continue
        for (const name of names) {
          const gene = column.matches.find(name)
          if (gene === null) continue
          const at = offsets[column.at]! + column.names.numberOf(gene)
          if (taken.has(at)) continue
          taken.add(at)
          genes.push(at)
        }
      }
      if (genes.length > 0) groups.push({ genes: genes.sort((a, b) => a - b), source: 'table' })
    }
    for (const column of columns) column?.matches.report(log)
  }
  for (const defect of log.defects) context.forward(defect)
  return groups
}

/** Every gene in a group, alone if need be; the largest first, then by the first gene, so that equal data give equal numbers. */
export const completeGroups = (given: Group[], clusters: number[][], geneCount: number): Group[] => {
  const seen = new Uint8Array(geneCount)
  const groups: Group[] = [...given]
  for (const group of given) for (const gene of group.genes) seen[gene] = 1
  for (const cluster of clusters) {
    const genes = cluster.filter((gene) => seen[gene] === 0).sort((a, b) => a - b)
    for (const gene of genes) seen[gene] = 1
    if (genes.length > 0) groups.push({ genes, source: 'clustered' })
  }
  for (let gene = 0; gene < geneCount; gene += 1)
    if (seen[gene] === 0) groups.push({ genes: [gene], source: 'clustered' })
  return groups.sort((a, b) => b.genes.length - a.genes.length || a.genes[0]! - b.genes[0]!)
}
