// Ontologies in OBO 1.2 and 1.4 (The OBO Flat File Format, https://owlcollab.github.io/oboformat/doc/obo-syntax.html).

import type { DefectLog } from './defects.ts'

export interface OboParent {
  id: string
  /** `is_a`, `part_of`, `regulates` … */
  relation: string
}

export interface OboTerm {
  id: string
  name: string | null
  namespace: string | null
  definition: string | null
  synonyms: string[]
  alternativeIds: string[]
  parents: OboParent[]
  obsolete: boolean
  replacedBy: string | null
}

/** Text between the first pair of quotes, escapes resolved; the whole value when it has none. */
const quoted = (value: string): string => {
  const match = /^"((?:[^"\\]|\\.)*)"/.exec(value)
  return match === null ? value : match[1]!.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))
}

/** A value without its trailing `! comment` and `{modifiers}`, which OBO allows on every line. */
const bare = (value: string): string => value.replace(/\s*(?:\{[^}]*\}\s*)?(?:!.*)?$/, '').trim()

/**
 * Reads an ontology line by line; `onTerm` gets each term at the end of its stanza, obsolete ones too. Header namespaces apply to
 * terms without their own.
 *
 * Example: the lines "[Term]", "id: GO:1", "name: a", "is_a: GO:0 ! root" give
 * `{id: 'GO:1', name: 'a', parents: [{id: 'GO:0', relation: 'is_a'}], …}`.
 */
export function createOboReader(options: { file: string; log: DefectLog; onTerm(term: OboTerm): void }) {
  const { file, log } = options
  const seen = new Map<string, number>()
  let defaultNamespace: string | null = null
  let stanza: string | null = null
  let stanzaLine = 0
  let termCount = 0
  let term: OboTerm | null = null

  const endStanza = (): void => {
    if (stanza === '[Term]' && term !== null) {
      if (term.id === '') log.report('obo-term-without-id', file, stanzaLine)
      else {
        const firstLine = seen.get(term.id)
        if (firstLine !== undefined) log.report('obo-duplicate-id', file, stanzaLine, { term: term.id, firstLine })
        seen.set(term.id, firstLine ?? stanzaLine)
        termCount += 1
        options.onTerm(term)
      }
    }
    term = null
  }

  return {
    addLine(line: string, lineNumber: number): void {
      const text = line.trim()
      if (text === '' || text.startsWith('!')) return
      if (text.startsWith('[')) {
        endStanza()
        stanza = bare(text)
        stanzaLine = lineNumber
        if (stanza === '[Term]') {
          term = {
            id: '',
            name: null,
            namespace: defaultNamespace,
            definition: null,
            synonyms: [],
            alternativeIds: [],
            parents: [],
            obsolete: false,
            replacedBy: null,
          }
        }
        return
      }
      const colon = text.indexOf(':')
      if (colon <= 0) {
        log.report('obo-bad-line', file, lineNumber)
        return
      }
      const tag = text.slice(0, colon)
      const value = text.slice(colon + 1).trim()
      if (stanza === null) {
        if (tag === 'default-namespace') defaultNamespace = bare(value)
        return
      }
      if (term === null) return
      switch (tag) {
        case 'id':
          term.id = bare(value)
          break
        case 'name':
          // Names may hold exclamation marks and braces: taken as they are.
          term.name = value
          break
        case 'namespace':
          term.namespace = bare(value)
          break
        case 'def':
          term.definition = quoted(value)
          break
        case 'synonym':
        case 'exact_synonym':
          term.synonyms.push(quoted(value))
          break
        case 'alt_id':
          term.alternativeIds.push(bare(value))
          break
        case 'is_a':
          term.parents.push({ id: bare(value), relation: 'is_a' })
          break
        case 'relationship': {
          const [relation, id] = bare(value).split(/\s+/)
          if (relation !== undefined && id !== undefined) term.parents.push({ id, relation })
          break
        }
        case 'is_obsolete':
          term.obsolete = bare(value) === 'true'
          break
        case 'replaced_by':
          term.replacedBy = bare(value)
          break
      }
    },
    end(): void {
      endStanza()
      if (termCount === 0) log.report('obo-no-terms', file, null)
    },
  }
}

/**
 * All ancestors of every term over the relations by which an annotation to the term holds for them too (is_a and part_of, as the
 * Gene Ontology's true path rule has it); the term itself is not among them, also in a cycle.
 *
 * Example: with a is_a b and b part_of c, `computeAncestors(terms).get('a')` is `['b', 'c']`.
 */
export function computeAncestors(
  terms: readonly { id: string; parents: readonly OboParent[] }[],
  relations: readonly string[] = ['is_a', 'part_of'],
): Map<string, string[]> {
  const parents = new Map<string, string[]>()
  for (const term of terms) {
    const own = term.parents.filter((parent) => relations.includes(parent.relation)).map((parent) => parent.id)
    parents.set(term.id, [...(parents.get(term.id) ?? []), ...own])
  }
  const ancestors = new Map<string, string[]>()
  for (const id of parents.keys()) {
    const found = new Set<string>()
    const open = [...parents.get(id)!]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === id || found.has(next)) continue
      found.add(next)
      open.push(...(parents.get(next) ?? []))
    }
    ancestors.set(id, [...found].sort())
  }
  return ancestors
}
