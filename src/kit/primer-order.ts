// The order sheet of oligonucleotides, the same of every tool that designs some.

import { tableHead, tsvLine } from './write-table.ts'

/** Scale and purification that makers of oligonucleotides take for primers and for probes of this length. */
const orderDefaults = {
  primer: { scale: '25 nmol', purification: 'standard desalting' },
  probe: { scale: '100 nmol', purification: 'HPLC' },
} as const

export const orderColumns = [
  'Name',
  "Sequence (5' to 3')",
  'Scale',
  'Purification',
  'Length (nt)',
  'Tm (C)',
  'GC (%)',
  'Product (bp)',
  'Template',
  'Position',
] as const

export interface OrderedOligo {
  /** Unique within the order. */
  name: string
  /** As it is to be made, 5′ to 3′, tails included. */
  sequence: string
  kind: keyof typeof orderDefaults
  /** Of the part that anneals, °C; its GC content, percent. */
  tm: number
  gcPercent: number
  productBp: number
  template: string
  position: string
}

/** A name of an oligonucleotide that makers take: letters, digits, point, hyphen and underscore. */
export const orderName = (text: string): string => text.replace(/[^A-Za-z0-9._-]+/g, '_')

/** Rows of {@link orderColumns}, one an oligonucleotide. */
export const orderRows = (oligos: readonly OrderedOligo[]): (string | number)[][] =>
  oligos.map(({ name, sequence, kind, tm, gcPercent, productBp, template, position }) => {
    const { scale, purification } = orderDefaults[kind]
    return [name, sequence, scale, purification, sequence.length, tm, gcPercent, productBp, template, position]
  })

/** The order as tab-separated text; `head` are lines of comment. */
export const renderOrder = (oligos: readonly OrderedOligo[], head: readonly string[] = []): string =>
  tableHead(head, orderColumns, 'tsv') + orderRows(oligos).map(tsvLine).join('')
