// Ontologies in OBO format. Source: OBO flat file format 1.2 and 1.4 (OBO Foundry).

import type { DefectLog } from '../text/defects.ts'
import { oboDefects } from './obo-defects.ts'

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
  obsolete: boolean
  /** The term to use instead of an obsolete one; the first where several are named. */
  replacedBy: string | null
  /** Terms to consider instead, where none replaces it outright. */
  consider: string[]
  synonyms: string[]
  alternativeIds: string[]
  /** Links upwards, in the order of the file; each leads to a term of the file. */
  parents: OboParent[]
  /** Line of its [Term], counted from 1. */
  line: number
}

export interface OboReaderOptions {
  /** Name of the file, for defects. */
  file: string
  log: DefectLog
  onTerm(term: OboTerm): void
}

/** Relations over which what is annotated to a term holds for the term above it (true path rule of the Gene Ontology). */
const propagatingRelations: ReadonlySet<string> = new Set(['is_a', 'part_of'])

/**
 * Reads OBO line by line; `end` gives all terms in the order of the file to `onTerm`, after links to terms that are not in
 * the file were taken out and double definitions merged. A term that is its own ancestor is reported, and kept.
 *
 * Example: the lines "[Term]", "id: GO:0000001", "is_a: GO:0048308 ! organelle inheritance" give a term with the parent
 * `{id: 'GO:0048308', relation: 'is_a'}`, if GO:0048308 is in the file.
 */
export function createOboReader(options: OboReaderOptions): {
  addLine(line: string, lineNumber: number): void
  end(): void
} {
  const { file, log, onTerm } = options
  const terms = new Map<string, OboTerm>()
  let defaultNamespace: string | null = null
  let stanza: 'header' | 'term' | 'other' = 'header'
  let term: OboTerm | null = null

  const closeTerm = () => {
    if (!term) return
    const closed = term
    term = null
    if (closed.id === '') {
      log.report(oboDefects, 'obo-term-without-id', file, closed.line)
      return
    }
    const known = terms.get(closed.id)
    if (!known) {
      terms.set(closed.id, closed)
      return
    }
    log.report(oboDefects, 'obo-duplicate-id', file, closed.line, { term: closed.id, firstLine: known.line })
    known.name ??= closed.name
    known.definition ??= closed.definition
    known.replacedBy ??= closed.replacedBy
    known.obsolete ||= closed.obsolete
    known.consider.push(...closed.consider)
    known.synonyms = [...new Set([...known.synonyms, ...closed.synonyms])]
    known.alternativeIds = [...new Set([...known.alternativeIds, ...closed.alternativeIds])]
    for (const parent of closed.parents) addParent(known, parent)
  }

  return {
    addLine(rawLine, lineNumber) {
      const line = rawLine.trim()
      if (line === '' || line.startsWith('!')) return
      if (line.startsWith('[')) {
        closeTerm()
        stanza = /^\[term\]/i.test(line) ? 'term' : 'other'
        if (stanza === 'term') {
          term = {
            id: '',
            name: null,
            namespace: defaultNamespace,
            definition: null,
            obsolete: false,
            replacedBy: null,
            consider: [],
            synonyms: [],
            alternativeIds: [],
            parents: [],
            line: lineNumber,
          }
        }
        return
      }
      const colon = line.indexOf(':')
      if (colon <= 0) {
        log.report(oboDefects, 'obo-bad-line', file, lineNumber)
        return
      }
      const tag = line.slice(0, colon).trim()
      const value = line.slice(colon + 1).trim()
      if (stanza === 'header') {
        if (tag === 'default-namespace') defaultNamespace = value
      } else if (term) readTag(term, tag, value)
    },
    end() {
      closeTerm()
      if (terms.size === 0) {
        if (log.count('text-empty') === 0) log.report(oboDefects, 'obo-no-terms', file, null)
        return
      }
      for (const one of terms.values()) {
        one.parents = one.parents.filter((parent) => {
          if (terms.has(parent.id)) return true
          log.report(oboDefects, 'obo-parent-missing', file, one.line, { term: one.id, parent: parent.id })
          return false
        })
      }
      for (const id of findCycles([...terms.values()]))
        log.report(oboDefects, 'obo-cycle', file, terms.get(id)!.line, { term: id })
      for (const one of terms.values()) onTerm(one)
    },
  }
}

function readTag(term: OboTerm, tag: string, value: string): void {
  switch (tag) {
    case 'id':
      term.id = firstWord(value)
      break
    case 'name':
      term.name = unescapeText(stripComment(value)) || null
      break
    case 'namespace':
      term.namespace = firstWord(value)
      break
    case 'def':
      term.definition = readQuoted(value)
      break
    case 'is_obsolete':
      term.obsolete = /^true\b/i.test(value)
      break
    case 'replaced_by':
      term.replacedBy ??= firstWord(value)
      break
    case 'consider':
      term.consider.push(firstWord(value))
      break
    case 'alt_id':
      term.alternativeIds.push(firstWord(value))
      break
    case 'is_a':
      addParent(term, { id: firstWord(value), relation: 'is_a' })
      break
    case 'relationship': {
      const [relation, id] = stripComment(value).split(/\s+/)
      if (relation && id) addParent(term, { id, relation })
      break
    }
    // 1.0 wrote exact_synonym, narrow_synonym …
    case 'synonym':
    case 'exact_synonym':
    case 'narrow_synonym':
    case 'broad_synonym':
    case 'related_synonym': {
      const synonym = readQuoted(value)
      if (synonym && !term.synonyms.includes(synonym)) term.synonyms.push(synonym)
    }
  }
}

function addParent(term: OboTerm, parent: OboParent): void {
  if (!term.parents.some(({ id, relation }) => id === parent.id && relation === parent.relation)) {
    term.parents.push(parent)
  }
}

function firstWord(value: string): string {
  return value.split(/[\s{!]/, 1)[0]!
}

/** The text before " ! comment" and "{modifiers}", both outside of quotes. */
function stripComment(value: string): string {
  return value
    .replace(/\s+!\s.*$/, '')
    .replace(/\s*\{[^{}"]*(?:"[^"]*"[^{}"]*)*\}\s*$/, '')
    .trim()
}

function readQuoted(value: string): string | null {
  const quoted = /^"((?:[^"\\]|\\.)*)"/s.exec(value)
  const text = unescapeText(quoted ? quoted[1]! : stripComment(value)).trim()
  return text === '' ? null : text
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, (_, sign: string) =>
    sign === 'n' ? '\n' : sign === 't' ? '\t' : sign === 'W' ? ' ' : sign,
  )
}

/**
 * All terms above each term over the propagating relations (is_a and part_of unless given), the term itself left out, nearest
 * first. Cycles are walked once.
 *
 * Example: with b is_a a and c part_of b, the ancestors of c are `['b', 'a']`.
 */
export function computeAncestors(
  terms: Iterable<{ id: string; parents: readonly OboParent[] }>,
  relations: ReadonlySet<string> = propagatingRelations,
): Map<string, string[]> {
  const parentsOf = new Map<string, string[]>()
  for (const { id, parents } of terms) {
    const ids = parents.filter(({ relation }) => relations.has(relation)).map((parent) => parent.id)
    parentsOf.set(id, [...new Set(ids)])
  }
  const ancestors = new Map<string, string[]>()
  for (const id of parentsOf.keys()) {
    // A set keeps the order in which its members came: breadth first is nearest first.
    const found = new Set<string>(parentsOf.get(id))
    for (const one of found) for (const parent of parentsOf.get(one) ?? []) found.add(parent)
    found.delete(id)
    ancestors.set(id, [...found])
  }
  return ancestors
}

/** Terms that can be reached from themselves over the propagating relations. */
function findCycles(terms: readonly OboTerm[]): string[] {
  const parentsOf = new Map(
    terms.map(({ id, parents }) => [
      id,
      parents.filter(({ relation }) => propagatingRelations.has(relation)).map((parent) => parent.id),
    ]),
  )
  // Taking away terms whose parents are all gone leaves the cycles and what lies below them (Kahn 1962).
  const children = new Map<string, string[]>()
  const open = new Map<string, number>()
  for (const [id, parents] of parentsOf) {
    open.set(id, parents.length)
    for (const parent of parents) {
      const known = children.get(parent)
      if (known) known.push(id)
      else children.set(parent, [id])
    }
  }
  const free = [...open].filter(([, count]) => count === 0).map(([id]) => id)
  for (let next = free.pop(); next !== undefined; next = free.pop()) {
    open.delete(next)
    for (const child of children.get(next) ?? []) {
      const left = open.get(child)! - 1
      open.set(child, left)
      if (left === 0) free.push(child)
    }
  }
  return [...open.keys()].filter((id) => {
    const found = new Set<string>(parentsOf.get(id))
    for (const one of found) for (const parent of parentsOf.get(one) ?? []) found.add(parent)
    return found.has(id)
  })
}
