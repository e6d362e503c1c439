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

/**
 * Name of a hit beside its drawing: the gene's symbol or the subject, and the assembly when there is one; `short` where there is room for
 * one of them, which for a chromosome is the assembly.
 */
export const hitLabel = (
  hit: { subject: string; symbol: string | null; assembly: string | null; kind: string | null },
  short = false,
): string => {
  if (short)
    return shortName(hit.kind === 'genome' && hit.assembly !== null ? hit.assembly : (hit.symbol ?? hit.subject), 16)
  return `${shortName(hit.symbol ?? hit.subject, 18)}${hit.assembly === null || hit.assembly === hit.subject ? '' : ` · ${shortName(hit.assembly, 14)}`}`
}
