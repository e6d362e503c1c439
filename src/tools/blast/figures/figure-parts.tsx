import type { KeyboardEvent } from 'react'

/** Narrower than this a drawing with labels is not to be read; it then scrolls. */
export const narrowestPx = 600

/** What makes a part of a drawing a button, to the pointer and to the keyboard. */
export const pressable = (press: () => void) => ({
  role: 'button',
  tabIndex: 0,
  onClick: press,
  onKeyDown: (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    press()
  },
})

/** A name cut to what a drawing has room for. */
export const shortName = (name: string, max: number): string =>
  name.length > max ? `${name.slice(0, max - 1)}…` : name

/** The sequence of an assembly that a hit is; null of a gene, a protein or what was pasted. */
export const sequenceOf = (hit: {
  subject: string
  assembly: string | null
  kind: string | null
}): { assembly: string; sequence: string } | null =>
  hit.kind === 'genome' && hit.assembly !== null ? { assembly: hit.assembly, sequence: hit.subject } : null

interface Labelled {
  subject: string
  symbol: string | null
  assembly: string | null
  kind: string | null
}

/**
 * Names of hits beside their drawings: a hit in a genome by the genome, with its sequence where several of that genome are hit; others by
 * the gene's symbol or the subject, and by the genome where there are several. What does not fit is cut at its end.
 *
 * Example: hits on NC_000962.2 of H37Rv and on two scaffolds of MA2 are `H37Rv`, `scaffold_1 · MA2` and `scaffold_2 · MA2`.
 */
export const hitLabels = (
  hits: readonly Labelled[],
  nameOf: (assembly: string) => string,
  letters: number,
): string[] => {
  const genomes = new Set(hits.map(({ assembly }) => assembly))
  return hits.map(({ subject, symbol, assembly, kind }) => {
    if (assembly === null) return shortName(symbol ?? subject, letters)
    const name = nameOf(assembly)
    const isAlone =
      kind === 'genome'
        ? !hits.some((other) => other.assembly === assembly && other.subject !== subject)
        : genomes.size === 1
    if (isAlone) return shortName(kind === 'genome' ? name : (symbol ?? subject), letters)
    return shortName(`${symbol ?? subject} · ${name}`, letters)
  })
}
