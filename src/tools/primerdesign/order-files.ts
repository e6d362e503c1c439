// What is ordered and kept of designed pairs: tables, sequences and features as text.

import { formatGff3Attributes } from '../../bio/annotation/feature.ts'
import { wrapFasta } from '../../bio/sequence/sequence.ts'
import { receiptNote } from '../../contracts/tools/receipt.ts'
import { type OrderedOligo, orderName, renderOrder } from '../../kit/primer-order.ts'
import { commentLines, formatLine } from '../../kit/write-table.ts'
import type { Design, Oligo, Pair } from './tool.ts'

export interface ChosenPair {
  design: Design
  pair: Pair
}

const labelOf = ({ design, pair }: ChosenPair): string => `${orderName(design.symbol ?? design.name)}_${pair.rank}`

const oligosOf = ({ pair }: ChosenPair): { suffix: string; oligo: Oligo; probe: boolean }[] => [
  { suffix: 'F', oligo: pair.left, probe: false },
  { suffix: 'R', oligo: pair.right, probe: false },
  ...(pair.internal === null ? [] : [{ suffix: 'P', oligo: pair.internal, probe: true }]),
]

const locusText = (design: Design, oligo: Oligo): string => {
  const sequence = design.blocks[0]?.sequence
  return sequence === undefined || oligo.loci.length === 0
    ? `${design.name}:${oligo.start}-${oligo.end}`
    : `${design.assembly}:${sequence}:${oligo.loci.map(({ start, end }) => `${start}-${end}`).join(',')}`
}

/** The oligonucleotides of pairs as they are ordered; names are unique: a symbol that repeats gets the gene's id. */
export const orderedOligos = (chosen: readonly ChosenPair[]): OrderedOligo[] => {
  const labels = uniqueLabels(chosen)
  return chosen.flatMap((one, at) =>
    oligosOf(one).map(
      ({ suffix, oligo, probe }): OrderedOligo => ({
        name: `${labels[at]}_${suffix}`,
        sequence: oligo.sequence,
        kind: probe ? 'probe' : 'primer',
        tm: oligo.tm,
        gcPercent: oligo.gcPercent,
        productBp: one.pair.productBp,
        template: one.design.name,
        position: locusText(one.design, oligo),
      }),
    ),
  )
}

const uniqueLabels = (chosen: readonly ChosenPair[]): string[] => {
  const counts = new Map<string, number>()
  for (const one of chosen) counts.set(labelOf(one), (counts.get(labelOf(one)) ?? 0) + 1)
  return chosen.map((one) =>
    counts.get(labelOf(one)) === 1 ? labelOf(one) : `${labelOf(one)}_${orderName(one.design.name)}`,
  )
}

/** The order as tab-separated text; `head` are lines of comment. */
export const renderPairOrder = (chosen: readonly ChosenPair[], head: readonly string[] = []): string =>
  renderOrder(orderedOligos(chosen), head)

/** Primers (and probes) as FASTA; the head is told in each description. */
export const renderPrimerFasta = (chosen: readonly ChosenPair[], head: readonly string[]): string => {
  const note = receiptNote(head)
  const labels = uniqueLabels(chosen)
  return chosen
    .flatMap((one, at) =>
      oligosOf(one).map(({ suffix, oligo }) =>
        wrapFasta(
          `${labels[at]}_${suffix} ${locusText(one.design, oligo)} tm=${oligo.tm} gc=${oligo.gcPercent} product=${one.pair.productBp}bp ${note}`,
          oligo.sequence,
        ),
      ),
    )
    .join('')
}

/** Feature lines want genomic coordinates where there are some, else those of the template. */
const spanOf = (design: Design, oligo: Oligo, own: '+' | '-') => {
  const sequence = design.blocks[0]?.sequence
  return sequence === undefined || oligo.loci.length === 0
    ? { sequence: design.name, pieces: [{ start: oligo.start, end: oligo.end, strand: own }] }
    : { sequence, pieces: oligo.loci }
}

/** GFF3 of the products and their oligonucleotides, by the terms of the Sequence Ontology. */
export const renderGff3 = (chosen: readonly ChosenPair[], head: readonly string[] = []): string => {
  const labels = uniqueLabels(chosen)
  const lines = ['##gff-version 3', ...(head.length === 0 ? [] : [commentLines(head).trimEnd()])]
  for (const [at, one] of chosen.entries()) {
    const { design, pair } = one
    const label = labels[at]!
    const spans = [spanOf(design, pair.left, '+'), spanOf(design, pair.right, '-')]
    const pieces = spans.flatMap((span) => span.pieces)
    const sequence = spans[0]!.sequence.replace(/[^A-Za-z0-9.:^*$@!+_?|-]/g, (letter) => encodeURIComponent(letter))
    const row = (
      type: string,
      start: number,
      end: number,
      strand: string,
      attributes: Record<string, string[]>,
    ): string =>
      [
        sequence,
        'Primer3',
        type,
        start,
        end,
        type === 'PCR_product' ? pair.penalty : '.',
        strand,
        '.',
        formatGff3Attributes(attributes),
      ].join('\t')
    lines.push(
      row(
        'PCR_product',
        Math.min(...pieces.map((piece) => piece.start)),
        Math.max(...pieces.map((piece) => piece.end)),
        spans[0]!.pieces[0]!.strand,
        { ID: [label], Name: [label], product_size: [String(pair.productBp)] },
      ),
    )
    for (const { suffix, oligo, probe } of oligosOf(one))
      for (const piece of spanOf(design, oligo, suffix === 'R' ? '-' : '+').pieces)
        lines.push(
          row(
            suffix === 'F' ? 'forward_primer' : suffix === 'R' ? 'reverse_primer' : 'oligo',
            piece.start,
            piece.end,
            piece.strand,
            {
              ID: [`${label}_${suffix}`],
              Parent: [label],
              sequence: [oligo.sequence],
              tm: [String(oligo.tm)],
              ...(probe ? { role: ['probe'] } : {}),
            },
          ),
        )
  }
  return `${lines.join('\n')}\n`
}

/** BED6 of the oligonucleotides, counted from 0; the score is 0. */
export const renderBed = (chosen: readonly ChosenPair[], head: readonly string[] = []): string => {
  const labels = uniqueLabels(chosen)
  const lines = chosen.flatMap((one, at) =>
    oligosOf(one).flatMap(({ suffix, oligo }) => {
      const { sequence, pieces } = spanOf(one.design, oligo, suffix === 'R' ? '-' : '+')
      return pieces.map((piece) =>
        formatLine([sequence, piece.start - 1, piece.end, `${labels[at]}_${suffix}`, 0, piece.strand]),
      )
    }),
  )
  return commentLines(head) + lines.join('')
}
