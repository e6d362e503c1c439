import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DefectLog } from '../../bio/text/defects.ts'
import { refuseLeftOut } from '../../bio/text/left-out.ts'
import type { OrthogroupSource } from '../../database/homologs.ts'
import type { PortalBakeContext } from '../../kit/loader.ts'
import { readTextIfPresent } from '../../store/baked-text.ts'
import toolDefects from './defects.ts'
import { inflation } from './method.ts'
import { parseOrthogroupTable } from './orthogroup-table.ts'
import type { Proteome } from './proteome.ts'
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

/** Groups of the tables that labs gave; a gene that two tables have counts for the first. */
export const readGivenGroups = async (
  proteomes: Proteome[],
  offsets: number[],
  context: PortalBakeContext,
): Promise<Group[]> => {
  const taken = new Set<number>()
  const groups: Group[] = []
  for (const { fetchFiles, species } of context.species) {
    // A species may bring blocks and no table.
    const text = await readTextIfPresent(join(await fetchFiles([tableFile]), tableFile))
    if (text === null) continue
    const table = parseOrthogroupTable(text)
    // The portal's own clusters would take the place of the lab's groups, and nobody would know.
    if (!('columns' in table)) throw new Error(`The orthogroups of ${species} cannot be read: ${table.reason}.`)
    const columns = table.columns.map((column) => {
      const at = findProteome(column, proteomes, species)
      if (at === null)
        context.report(toolDefects, {
          code: 'orthogroup-column',
          file: tableFile,
          line: null,
          params: { column },
        })
      return at === null ? null : { at, column, names: nameGenes(proteomes[at]!), unknown: [] as string[], known: 0 }
    })
    for (const { members } of table.groups) {
      const genes: number[] = []
      for (const [number, names] of members.entries()) {
        const column = columns[number]
        if (!column) continue
        for (const name of names) {
          const gene = column.names.get(name)
          if (gene === undefined) column.unknown.push(name)
          else {
            column.known += 1
            if (taken.has(offsets[column.at]! + gene)) continue
            taken.add(offsets[column.at]! + gene)
            genes.push(offsets[column.at]! + gene)
          }
        }
      }
      if (genes.length > 0) groups.push({ genes: genes.sort((a, b) => a - b), source: 'table' })
    }
    for (const column of columns) {
      if (!column || column.unknown.length === 0) continue
      context.report(toolDefects, {
        code: 'orthogroup-gene',
        file: tableFile,
        line: null,
        params: {
          count: column.unknown.length,
          column: column.column,
          assembly: proteomes[column.at]!.assembly.id,
          example: column.unknown[0]!,
        },
      })
      const log = new DefectLog()
      const count = column.unknown.length
      const example = `${column.column}: ${column.unknown[0]!}`
      refuseLeftOut(log, tableFile, { why: 'unknown', count, total: count + column.known, line: null, example })
      for (const defect of log.defects) context.forward(defect)
    }
  }
  return groups
}

/** OrthoFinder names columns by the FASTA files, whose ends people leave on or off. */
const findProteome = (column: string, proteomes: Proteome[], species: string): number | null => {
  const names = [column, column.replace(/\.(fa|faa|fasta|pep|pep\.fa)$/i, '')]
  const fits = proteomes.flatMap(({ assembly }, at) =>
    names.some((name) => name.toLowerCase() === assembly.id.toLowerCase())
      ? [{ at, own: assembly.species === species }]
      : [],
  )
  return (fits.find(({ own }) => own) ?? fits[0])?.at ?? null
}

/** Genes by their ids and by those of their transcripts. */
export const nameGenes = ({ genes, transcripts }: Proteome): Map<string, number> => {
  const names = new Map(transcripts.map((name, gene) => [name, gene]))
  for (const [gene, name] of genes.entries()) names.set(name, gene)
  return names
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
