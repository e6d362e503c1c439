// The rule file: which domains make a protein a member of a family. Blocks of `Key:value` lines ended by `//`, in the way of iTAK
// (Zheng et al. 2016, Molecular Plant 9, 1667-1670, doi:10.1016/j.molp.2016.09.014), whose own files are read as they are.

/** `copies` of a domain, at least. */
export interface DomainCount {
  domain: string
  copies: number
}

/** All of the members must be there; of each member any one alternative. */
export type Combination = DomainCount[][]

export interface FamilyRule {
  id: string
  /** The family that is assigned. */
  name: string
  /** Families above it, outermost first; empty when there is none. */
  within: string[]
  /** TF, a transcription factor, or TR, another regulator of transcription; further words of a lab are kept. */
  type: string
  /** Any of these combinations; never empty. */
  required: Combination[]
  /** None of these may be there. */
  forbidden: Combination[]
  /** Often there; told, and counted when two rules fit equally well. */
  auxiliary: Combination[]
  description: string | null
  /** For which organisms the rule was made, such as `plants` or `fungi`; null when the file does not say. */
  group: string | null
  /** Sources of the rule. */
  citation: string | null
  line: number
}

/** What else a domain is called: names and accessions that mean the same. */
export interface DomainNames {
  domain: string
  name: string | null
  others: string[]
}

export interface RuleFile {
  rules: FamilyRule[]
  domains: DomainNames[]
}

export interface RuleDefect {
  line: number
  reason: 'key' | 'no-id' | 'no-name' | 'no-required' | 'expression' | 'twice' | 'unfinished'
  text: string
}

/** Keys as they are written, iTAK's misspelt one among them. */
const keys: Record<string, string> = {
  id: 'id',
  name: 'name',
  family: 'family',
  required: 'required',
  auxiliary: 'auxiliary',
  auxiiary: 'auxiliary',
  forbidden: 'forbidden',
  type: 'type',
  desc: 'description',
  group: 'group',
  cite: 'citation',
  domain: 'domain',
  also: 'also',
}

/**
 * Reads an expression of domains: `;` parts alternatives, `--` joins what must stand together, `:` parts the alternatives of one
 * member, `#n` says at least n copies (1 when absent). `NA` or nothing is no condition. Null when it cannot be read.
 *
 * Example: `parseExpression('PF00847#1--PF02362:IPR003340')` is
 * `[[[{domain: 'PF00847', copies: 1}], [{domain: 'PF02362', copies: 1}, {domain: 'IPR003340', copies: 1}]]]`.
 */
export const parseExpression = (text: string): Combination[] | null => {
  const given = text.trim()
  if (given === '' || given.toUpperCase() === 'NA') return []
  const combinations: Combination[] = []
  for (const part of given.split(';')) {
    const members: DomainCount[][] = []
    for (const member of part.split('--')) {
      const alternatives: DomainCount[] = []
      for (const one of member.split(':')) {
        const match = /^([^\s#:;,()]+)(?:#([1-9]\d?))?$/.exec(one.trim())
        if (match === null) return null
        alternatives.push({ domain: match[1]!, copies: Number(match[2] ?? 1) })
      }
      members.push(alternatives)
    }
    combinations.push(members)
  }
  return combinations
}

const renderCount = ({ domain, copies }: DomainCount): string => (copies === 1 ? domain : `${domain}#${copies}`)

/** The expression of combinations, as {@link parseExpression} reads it; copies are written from two on. */
export const renderExpression = (combinations: Combination[]): string =>
  combinations.map((members) => members.map((one) => one.map(renderCount).join(':')).join('--')).join('; ')

/** Reads a rule file. What cannot be read is told with its line; the blocks around it are kept. */
export const parseRuleFile = (text: string): { file: RuleFile; defects: RuleDefect[] } => {
  const file: RuleFile = { rules: [], domains: [] }
  const defects: RuleDefect[] = []
  let block = new Map<string, string>()
  let start = 0
  const seen = new Set<string>()
  const finish = (): void => {
    if (block.size === 0) return
    const wrong = (reason: RuleDefect['reason'], about: string): void => {
      defects.push({ line: start, reason, text: about })
    }
    const get = (key: string): string | null => {
      const value = block.get(key)?.trim() ?? ''
      return value === '' || value === 'NA' ? null : value
    }
    const domain = get('domain')
    if (domain !== null) {
      const others = (get('also') ?? '').split(',').map((one) => one.trim())
      file.domains.push({ domain, name: get('name'), others: others.filter((one) => one !== '') })
      return
    }
    const id = get('id')
    const name = get('name')
    if (id === null) {
      wrong('no-id', name ?? '')
      return
    }
    if (name === null) {
      wrong('no-name', id)
      return
    }
    if (seen.has(id)) {
      wrong('twice', id)
      return
    }
    const parsed = ['required', 'forbidden', 'auxiliary'].map((key) => parseExpression(block.get(key) ?? ''))
    const [required, forbidden, auxiliary] = parsed
    if (required == null || forbidden == null || auxiliary == null) {
      wrong('expression', block.get(['required', 'forbidden', 'auxiliary'][parsed.indexOf(null)]!) ?? '')
      return
    }
    if (required.length === 0) {
      wrong('no-required', id)
      return
    }
    seen.add(id)
    const path = (get('family') ?? name).split('->').map((one) => one.trim())
    file.rules.push({
      id,
      name,
      within: path.filter((one) => one !== '' && one !== name),
      type: get('type') ?? 'TF',
      required,
      forbidden,
      auxiliary,
      description: get('description'),
      group: get('group'),
      citation: get('citation'),
      line: start,
    })
  }
  const lines = text.split(/\r\n|\r|\n/)
  for (const [at, whole] of lines.entries()) {
    const line = whole.trim()
    if (line === '' || line.startsWith('#')) continue
    if (line.startsWith('//')) {
      finish()
      block = new Map()
      continue
    }
    const colon = line.indexOf(':')
    const key = keys[line.slice(0, Math.max(0, colon)).trim().toLowerCase()]
    if (key === undefined) {
      defects.push({ line: at + 1, reason: 'key', text: line })
      continue
    }
    if (block.size === 0) start = at + 1
    if (!block.has(key)) block.set(key, line.slice(colon + 1).trim())
  }
  if (block.size > 0) defects.push({ line: start, reason: 'unfinished', text: block.get('id') ?? '' })
  return { file, defects }
}

/** Every domain that an expression names. */
export const domainsOf = (combinations: Combination[]): string[] => [
  ...new Set(combinations.flatMap((members) => members.flatMap((one) => one.map(({ domain }) => domain)))),
]
