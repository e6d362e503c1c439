import type { ReactNode } from 'react'

/** Parts of a text in its order, of which every second is one of the names: `['', 'esxA', ': 4 tracks']`. */
export const splitAtNames = (text: string, names: readonly string[]): string[] => {
  const wanted = [...new Set(names)].filter((name) => name !== '').sort((a, b) => b.length - a.length)
  if (wanted.length === 0) return [text]
  const letters = wanted.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  // Not within a longer name: `esx` is no part of `esxA`, nor `mce1` of `mce1-like`.
  return text.split(new RegExp(`(?<![\\w-])(${letters})(?![\\w-])`))
}

/** A text with the gene symbols in it in italics, as the field writes them; ids of genes stay upright. */
export const WithSymbols = ({
  text,
  genes,
}: {
  text: string
  /** Genes that the text may name; those without a symbol are left out. */
  genes: readonly { symbol: string | null }[]
}): ReactNode =>
  splitAtNames(
    text,
    genes.flatMap(({ symbol }) => symbol ?? []),
  ).map((part, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order.
    return at % 2 === 1 ? <i key={at}>{part}</i> : part
  })
