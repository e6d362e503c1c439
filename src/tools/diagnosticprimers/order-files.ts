// What is ordered of diagnostic primers, and their products as a table.

import { kaspTails } from '../../contracts/markers.ts'
import { type OrderedOligo, renderOrder } from '../../kit/primer-order.ts'
import { tableHead, tsvLine } from '../../kit/write-table.ts'
import type { DiagnosticPair, DiagnosticResult, Oligo } from './tool.ts'

const suffixes: Record<Oligo['role'], string> = { forward: 'F', reverse: 'R', fam: 'FAM', hex: 'HEX', common: 'C' }

/** Name of a pair in files: `pair_1`, `control`. */
export const pairName = ({ kind, rank }: Pick<DiagnosticPair, 'kind' | 'rank'>): string =>
  kind === 'control' ? 'control' : `${kind === 'pcr' ? 'pair' : kind}_${rank}`

/** An oligonucleotide as it is made: the allele-specific primers of KASP with their tails. */
export const orderedSequence = ({ role, sequence }: Oligo): string =>
  role === 'fam' || role === 'hex' ? kaspTails[role] + sequence : sequence

/** The oligonucleotides of pairs as they are ordered. */
export const orderedOligos = (pairs: readonly DiagnosticPair[]): OrderedOligo[] =>
  pairs.flatMap((pair) =>
    pair.oligos.map(
      (oligo): OrderedOligo => ({
        name: `${pairName(pair)}_${suffixes[oligo.role]}`,
        sequence: orderedSequence(oligo),
        kind: 'primer',
        tm: oligo.tm,
        gcPercent: oligo.gcPercent,
        productBp: pair.productBp,
        template: pair.enzyme === null ? pair.assembly : `${pair.assembly} (${pair.enzyme.name})`,
        position: `${pair.assembly}:${pair.sequence}:${oligo.start}-${oligo.end}`,
      }),
    ),
  )

/** All pairs of a result with its control. */
export const allPairs = ({ pairs, control }: DiagnosticResult): DiagnosticPair[] =>
  control === null ? pairs : [...pairs, control]

export const renderDiagnosticOrder = (pairs: readonly DiagnosticPair[], head: readonly string[] = []): string =>
  renderOrder(orderedOligos(pairs), head)

export const productColumns = [
  'Pair',
  'Genome',
  'Group',
  'As expected',
  'Product (bp)',
  'Sequence',
  'Start',
  'End',
  'Mismatches',
  "Mismatches at the 3' end",
  'Fragments (bp)',
  'Allele',
] as const

/** Rows of {@link productColumns}: a line a product, and a line for each genome without one. */
export const productRows = (pairs: readonly DiagnosticPair[]): (string | number | null)[][] =>
  pairs.flatMap((pair) =>
    pair.outcomes.flatMap(({ assembly, group, asAsked, bands, fragments, allele }) => {
      const first = [pairName(pair), assembly, group, asAsked === null ? null : asAsked ? 'yes' : 'no']
      const last = [fragments.length === 0 ? null : fragments.join('+'), allele]
      return bands.length === 0
        ? [[...first, null, null, null, null, null, null, ...last]]
        : bands.map((band) => [
            ...first,
            band.lengthBp,
            band.sequence,
            band.start,
            band.end,
            band.mismatches,
            band.threePrimeMismatches,
            ...last,
          ])
    }),
  )

export const renderProducts = (pairs: readonly DiagnosticPair[], head: readonly string[] = []): string =>
  tableHead(head, productColumns, 'tsv') + productRows(pairs).map(tsvLine).join('')
