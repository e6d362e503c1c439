import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** What is needed of an ontology to go up from a term: names, and parents over is_a and part_of, by primary id. */
export interface TermTree {
  names: Map<string, string>
  parents: Map<string, string[]>
  /** Primary id of merged ids. */
  primary: Map<string, string>
}

/** Reads the terms of an OBO file (1.2 or 1.4), obsolete ones left out. */
export async function readTermTree(file: string): Promise<TermTree> {
  const tree: TermTree = { names: new Map(), parents: new Map(), primary: new Map() }
  let id = ''
  let name = ''
  let parents: string[] = []
  let others: string[] = []
  let inTerm = false
  let obsolete = false
  const keep = () => {
    if (inTerm && id && !obsolete) {
      tree.names.set(id, name)
      tree.parents.set(id, parents)
      for (const other of others) tree.primary.set(other, id)
    }
    id = ''
    name = ''
    parents = []
    others = []
    obsolete = false
  }
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.startsWith('[')) {
      keep()
      inTerm = line.startsWith('[Term]')
    } else if (line.startsWith('id: ')) id = line.slice(4).trim()
    else if (line.startsWith('name: ')) name = line.slice(6).trim()
    else if (line.startsWith('alt_id: ')) others.push(line.slice(8).trim())
    else if (line.startsWith('is_a: ')) parents.push(line.slice(6).split(/\s/, 1)[0]!)
    else if (line.startsWith('relationship: part_of ')) parents.push(line.slice(22).split(/\s/, 1)[0]!)
    else if (line.startsWith('is_obsolete: true')) obsolete = true
  }
  keep()
  return tree
}

/** All terms above a term, itself left out. */
export function findAncestors(tree: TermTree, term: string): Set<string> {
  const found = new Set<string>()
  const open = [term]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const parent of tree.parents.get(next) ?? [])
      if (!found.has(parent)) {
        found.add(parent)
        open.push(parent)
      }
  found.delete(term)
  return found
}

/**
 * The terms of a set that stand above no other term of it. A table in which every ancestor was written out becomes the
 * annotation it was made from; what is above follows from the ontology again.
 */
export function findMostSpecific(tree: TermTree, terms: ReadonlySet<string>): string[] {
  const above = new Set<string>()
  for (const term of terms) for (const ancestor of findAncestors(tree, term)) above.add(ancestor)
  return [...terms].filter((term) => !above.has(term)).sort()
}
