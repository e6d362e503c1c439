import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { computeAncestors, createOboReader, type OboTerm } from '../src/bio/annotation/obo.ts'
import { DefectLog } from '../src/bio/text/defects.ts'

/** What is needed of an ontology to go up from a term, by primary id, obsolete terms left out. */
export interface TermTree {
  names: Map<string, string>
  /** All terms above over is_a and part_of. */
  ancestors: Map<string, string[]>
  /** Primary id of merged ids. */
  primary: Map<string, string>
}

export async function readTermTree(file: string): Promise<TermTree> {
  const terms: OboTerm[] = []
  const reader = createOboReader({
    file,
    log: new DefectLog(),
    onTerm: (term) => {
      if (!term.obsolete) terms.push(term)
    },
  })
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
    reader.addLine(line, ++number)
  reader.end()
  return {
    names: new Map(terms.map(({ id, name }) => [id, name ?? id])),
    ancestors: computeAncestors(terms),
    primary: new Map(terms.flatMap(({ id, alternativeIds }) => alternativeIds.map((other) => [other, id] as const))),
  }
}

/**
 * The terms of a set that stand above no other term of it. A table in which every ancestor was written out becomes the
 * annotation it was made from; what is above follows from the ontology again.
 */
export function findMostSpecific(tree: TermTree, terms: ReadonlySet<string>): string[] {
  const above = new Set<string>()
  for (const term of terms) for (const ancestor of tree.ancestors.get(term) ?? []) above.add(ancestor)
  return [...terms].filter((term) => !above.has(term)).sort()
}
