import {
  type GeneMatch,
  type MatchedGene,
  type MatchRule,
  namesInHeader,
  withoutPrefix,
  withoutVersion,
} from '../../../bio/annotation/gene-matches.ts'
import { PackedNames } from '../../../bio/text/packed-names.ts'
import { nameKinds } from '../../../database/genes.ts'

/** Kinds behind those of the catalogue: what ids of genes and of their products are without their prefix, and without their version. */
const bareKinds = {
  prefix: { [nameKinds.identifier]: 4, [nameKinds.product]: 5 },
  version: { [nameKinds.identifier]: 6, [nameKinds.product]: 7 },
} as const
const isShared = 128
const products = new Set<number>([nameKinds.product, 5, 7])

/** What a name without its version may be: a symbol with `.1` is the second of that symbol in R, and an alias is whole. */
const versioned = new Set<number>([nameKinds.identifier, nameKinds.product, 4, 5, 6, 7])

/**
 * Gene ids by any of their names, in any letters' case; a name that two genes share means neither. Identifiers win over symbols, symbols
 * over aliases, these over transcripts and proteins, and a name as it is over one without its prefix or version.
 */
export class GeneNames {
  readonly #ids = new PackedNames()
  readonly #names = new PackedNames()
  #owners = new Int32Array(1024)
  /** Kind of each name, and whether several genes have it as that. */
  #kinds = new Uint8Array(1024)
  #lastName: string | null = null
  #last: GeneMatch = null

  /** Takes a gene with all its names. */
  add(id: string, names: Iterable<{ name: string; kind: number }>): void {
    const position = this.#ids.add(id)
    for (const { name, kind } of names) {
      this.#add(name.toLowerCase(), kind, position)
      if (kind !== nameKinds.identifier && kind !== nameKinds.product) continue
      const bare = withoutPrefix(name)
      if (bare !== name) this.#add(bare.toLowerCase(), bareKinds.prefix[kind], position)
      const plain = withoutVersion(bare)
      if (plain !== bare) this.#add(plain.toLowerCase(), bareKinds.version[kind], position)
    }
  }

  #add(name: string, kind: number, owner: number): void {
    const before = this.#names.size
    const number = this.#names.add(name)
    if (number === this.#owners.length) {
      const owners = new Int32Array(number * 2)
      owners.set(this.#owners)
      this.#owners = owners
      const kinds = new Uint8Array(number * 2)
      kinds.set(this.#kinds)
      this.#kinds = kinds
    }
    const held = this.#kinds[number]! & ~isShared
    if (this.#names.size > before || kind < held) {
      this.#owners[number] = owner
      this.#kinds[number] = kind
    } else if (kind === held && this.#owners[number] !== owner) this.#kinds[number]! |= isShared
  }

  /** The gene of a name, or null: unknown, or of several genes. */
  find(name: string): string | null {
    const match = this.match(name)
    return match === null || match === 'ambiguous' ? null : match.gene
  }

  /** The gene of a name, and by what rule it is the one. */
  match(name: string): GeneMatch {
    if (name !== this.#lastName) {
      this.#lastName = name
      this.#last = this.#match(name)
    }
    return this.#last
  }

  #match(name: string): GeneMatch {
    if (this.#ids.find(name) !== null) return { gene: name, rule: 'name', isProduct: false }
    const own = this.#look(name)
    if (own !== null) return own
    const bare = withoutPrefix(name)
    if (bare !== name) {
      const found = this.#look(bare, 'prefix')
      if (found !== null) return found
    }
    // Both a version and the sign of a peptide may stand there: Potri.001G000100.1.p.
    for (let before = bare, at = 0; at < 2; at += 1) {
      const plain = withoutVersion(before)
      if (plain === before) break
      const found = this.#look(plain, 'version', versioned)
      if (found !== null) return found
      before = plain
    }
    // Programs that copy attributes of GFF3 as they stand (gffread) leave its escapes in the names of transcripts.
    const plain = unescaped(name)
    return plain === name ? this.#lookInHeader(name) : this.#match(plain)
  }

  #lookInHeader(name: string): GeneMatch {
    let matched: MatchedGene | null = null
    for (const part of namesInHeader(name)) {
      const found = this.#match(part)
      if (found === null || found === 'ambiguous') continue
      if (matched !== null && found.gene !== matched.gene) return 'ambiguous'
      matched ??= { ...found, rule: 'header' }
    }
    return matched
  }

  /** A name as it is, of these kinds; `rule` where it was cut from the one that the file has. */
  #look(name: string, rule: MatchRule | null = null, kinds: ReadonlySet<number> | null = null): GeneMatch {
    const number = this.#names.find(name.toLowerCase())
    if (number === null) return null
    const held = this.#kinds[number]!
    const kind = held & ~isShared
    if (kinds !== null && !kinds.has(kind)) return null
    if ((held & isShared) !== 0) return 'ambiguous'
    const gene = this.#ids.at(this.#owners[number]!)
    return {
      gene,
      rule: rule ?? ruleOf(kind, name, gene),
      // What is left of a transcript of another version of the annotation is the gene.
      isProduct: products.has(kind) || (rule === 'version' && kind === nameKinds.identifier),
    }
  }
}

/** `tP%28UGG%29A_tRNA` as `tP(UGG)A_tRNA`; what is no escape stays. */
const unescaped = (name: string): string => {
  if (!/%[0-9A-F]{2}/i.test(name)) return name
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const ruleOf = (kind: number, name: string, gene: string): MatchRule => {
  if (kind >= bareKinds.version[nameKinds.identifier]) return 'version'
  if (kind >= bareKinds.prefix[nameKinds.identifier]) return 'prefix'
  if (kind === nameKinds.product) return 'product'
  return kind === nameKinds.identifier && name !== gene ? 'case' : 'name'
}

/** Every name of a gene with its kind: identifiers, symbol, aliases, and ids of its transcripts and proteins. */
export const namesOfGene = (gene: {
  id: string
  symbol: string | null
  aliases: string[]
  transcripts: readonly { id: string; proteinId: string | null }[]
}): { name: string; kind: number }[] => [
  { name: gene.id, kind: nameKinds.identifier },
  ...(gene.symbol === null ? [] : [{ name: gene.symbol, kind: nameKinds.symbol }]),
  ...gene.aliases.map((name) => ({ name, kind: nameKinds.alias })),
  ...gene.transcripts.flatMap(({ id, proteinId }) => [
    { name: id, kind: nameKinds.product },
    ...(proteinId === null ? [] : [{ name: proteinId, kind: nameKinds.product }]),
  ]),
]
