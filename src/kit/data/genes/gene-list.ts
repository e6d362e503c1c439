import { readFile } from 'node:fs/promises'
import { RecentAnswers } from '../../recent-answers.ts'

/** Ids of genes in the order of the rows of a matrix beside them. */
export interface GeneList {
  genes: string[]
  /** Row of each gene, from 0. */
  rows: ReadonlyMap<string, number>
}

/** By their files, which never change. */
const lists = new RecentAnswers<GeneList>(24)

/** Reads a baked list of genes, an id a line with a line feed behind each; rejects as the file system does. */
export const readGeneList = (file: string): Promise<GeneList> =>
  lists.get(file, async () => {
    const genes = (await readFile(file, 'utf8')).split('\n').slice(0, -1)
    return { genes, rows: new Map(genes.map((gene, row) => [gene, row])) }
  })
