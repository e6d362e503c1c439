import { useSyncExternalStore } from 'react'
import { z } from 'zod'

/** A named list of genes of one assembly; `assembly` is null when genes of several are mixed. */
const geneSetSchema = z.object({
  id: z.string(),
  name: z.string().min(1).max(200),
  assembly: z.string().nullable(),
  genes: z.array(z.string().min(1).max(200)),
  created: z.string(),
})
export type GeneSet = z.infer<typeof geneSetSchema>

/** Where a reader's sets are listed, with an account and without. */
export const geneSetsAnchor = 'gene-sets'
export const geneSetsAddress = `/notebook#${geneSetsAnchor}`

/** Where a visitor's sets live: this browser only. */
const storageKey = 'novodb_gene_sets'
const listeners = new Set<() => void>()
let read: { text: string | null; sets: GeneSet[] } = { text: null, sets: [] }

/** Sets of this browser, newest first. What cannot be read as sets is passed over, not thrown. */
export const listGeneSets = (): GeneSet[] => {
  const text = localStorage.getItem(storageKey)
  if (text === read.text) return read.sets
  let sets: GeneSet[] = []
  try {
    const parsed = z.array(geneSetSchema).safeParse(JSON.parse(text ?? '[]'))
    sets = parsed.success ? parsed.data : []
  } catch {
    sets = []
  }
  read = { text, sets }
  return sets
}

/** Puts these sets in the place of all there were. */
export const replaceGeneSets = (sets: GeneSet[]): void => {
  localStorage.setItem(storageKey, JSON.stringify(sets))
  for (const listener of listeners) listener()
}

const unique = (genes: string[]): string[] => [...new Set(genes)]

export const findGeneSet = (id: string): GeneSet | undefined => listGeneSets().find((set) => set.id === id)

export const createGeneSet = (fields: { name: string; assembly: string | null; genes: string[] }): GeneSet => {
  const set: GeneSet = {
    ...fields,
    id: Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    genes: unique(fields.genes),
    created: new Date().toISOString(),
  }
  replaceGeneSets([set, ...listGeneSets()])
  return set
}

/** Adds genes to a set; gives back how many were new to it. The assembly becomes null when genes of another come in. */
export const addToGeneSet = (id: string, genes: string[], assembly: string | null): number => {
  let added = 0
  replaceGeneSets(
    listGeneSets().map((set) => {
      if (set.id !== id) return set
      const merged = unique([...set.genes, ...genes])
      added = merged.length - set.genes.length
      return { ...set, genes: merged, assembly: set.assembly === assembly ? assembly : null }
    }),
  )
  return added
}

export const renameGeneSet = (id: string, name: string): void =>
  replaceGeneSets(listGeneSets().map((set) => (set.id === id ? { ...set, name } : set)))

export const deleteGeneSet = (id: string): void => replaceGeneSets(listGeneSets().filter((set) => set.id !== id))

/**
 * Reads sets from a file: JSON as exported here, or GMT (name, description, genes; tab-separated, one set a line, as
 * the Broad Institute's GSEA documents it). Gives back null when the text is neither.
 */
export const parseGeneSets = (text: string, now: string): Omit<GeneSet, 'id'>[] | null => {
  if (/^\s*\[/.test(text)) {
    try {
      const parsed = z.array(geneSetSchema).safeParse(JSON.parse(text))
      return parsed.success ? parsed.data.map(({ id: _, ...set }) => set) : null
    } catch {
      return null
    }
  }
  const rows = text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map((cell) => cell.trim()))
    .filter((cells) => cells.length >= 3 && cells[0] !== '')
  if (rows.length === 0) return null
  return rows.map(([name = '', , ...genes]) => ({
    name: name.slice(0, 200),
    assembly: null,
    genes: unique(genes.filter((gene) => gene !== '')),
    created: now,
  }))
}

/** Adds the sets of a file to this browser's; gives back how many, or null when the file holds none. */
export const importGeneSets = (text: string): number | null => {
  const sets = parseGeneSets(text, new Date().toISOString())
  if (sets === null) return null
  for (const set of sets) createGeneSet(set)
  return sets.length
}

/** Calls the listener at every change, here or in another tab; gives back how to end it. */
export const subscribeGeneSets = (listener: () => void): (() => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

export const useGeneSets = (): GeneSet[] => useSyncExternalStore(subscribeGeneSets, listGeneSets)
