import type { BoulderRecord } from '../../bio/sequence/boulder.ts'
import { primer3webSettings } from '../../bio/sequence/primer3web-settings.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { runPrimer3 } from '../../kit/run-primer3.ts'
import type { DiagnosticPair, Dimer, Multiplex, Oligo } from './tool.ts'

/** Pairs whose dimers are computed: a choice among more would take long and gain little. */
const maxPairs = 10
/** Primers of one reaction anneal together: their melting temperatures lie within so many degrees (°C). */
export const maxTmRange = 5
/** primer3web's bounds for the dimers of a pair, °C, kept between all primers of a multiplex. */
const maxAnyTm = Number(primer3webSettings.PRIMER_PAIR_MAX_COMPL_ANY_TH)
const maxEndTm = Number(primer3webSettings.PRIMER_PAIR_MAX_COMPL_END_TH)
const shownDimers = 6
/** primer3 refuses two primers that are the reverse complement of each other: no dimer is more stable. */
const perfectTm = 100

/** Both primers are given and nothing is refused: primer3 says of them how they bind each other. */
const dimerSettings: BoulderRecord = {
  ...primer3webSettings,
  PRIMER_NUM_RETURN: '1',
  PRIMER_PICK_ANYWAY: '1',
  PRIMER_PRODUCT_SIZE_RANGE: '40-300',
  PRIMER_MIN_SIZE: '10',
  PRIMER_MAX_SIZE: '36',
  PRIMER_MIN_TM: '0',
  PRIMER_MAX_TM: '100',
  PRIMER_MIN_GC: '0',
  PRIMER_MAX_GC: '100',
  PRIMER_MAX_POLY_X: '36',
  PRIMER_MAX_END_STABILITY: '100',
  PRIMER_PAIR_MAX_DIFF_TM: '100',
  PRIMER_MAX_SELF_ANY_TH: '1000',
  PRIMER_MAX_SELF_END_TH: '1000',
  PRIMER_MAX_HAIRPIN_TH: '1000',
  PRIMER_PAIR_MAX_COMPL_ANY_TH: '1000',
  PRIMER_PAIR_MAX_COMPL_END_TH: '1000',
}

/**
 * Melting temperatures of the most stable dimers of each two primers (°C), anywhere and at a 3′ end, by primer3's nearest-neighbour
 * model, in the order asked. `first` and `second` are their names.
 */
export const computeDimers = async (
  asked: readonly { first: string; second: string; firstBases: string; secondBases: string }[],
  context: Pick<EngineContext, 'directory' | 'runProgram'>,
): Promise<Dimer[]> => {
  const answers = await runPrimer3(
    asked.map(({ firstBases, secondBases }, at) => ({
      SEQUENCE_ID: `dimer-${at}`,
      SEQUENCE_TEMPLATE: `${firstBases}${'N'.repeat(40)}${reverseComplement(secondBases)}`,
      SEQUENCE_PRIMER: firstBases,
      SEQUENCE_PRIMER_REVCOMP: secondBases,
      ...dimerSettings,
    })),
    context,
    { name: 'dimers' },
  )
  return asked.map(({ first, second }, at) => {
    const pair = answers[at]?.pairs[0]
    return { first, second, anyTm: pair?.complAny ?? perfectTm, endTm: pair?.complEnd ?? perfectTm }
  })
}

const primerName = (rank: number, role: Oligo['role']): string => `${rank} ${role}`
const key = (a: string, b: string): string => (a < b ? `${a}|${b}` : `${b}|${a}`)
const tmOf = (pairs: readonly DiagnosticPair[]): number[] => pairs.flatMap(({ oligos }) => oligos.map(({ tm }) => tm))
const rangeOf = (numbers: readonly number[]): number => Math.max(...numbers) - Math.min(...numbers)

/** Whether all bands of two pairs are told apart in every genome, and their products lie in different places. */
const isApart = (a: DiagnosticPair, b: DiagnosticPair, minDifferenceBp: number): boolean =>
  !(a.assembly === b.assembly && a.sequence === b.sequence && a.start <= b.end && b.start <= a.end) &&
  Math.abs(a.productBp - b.productBp) >= minDifferenceBp &&
  a.outcomes.every(({ assembly, bands }) =>
    bands.every((band) =>
      (b.outcomes.find((one) => one.assembly === assembly)?.bands ?? []).every(
        (other) => Math.abs(band.lengthBp - other.lengthBp) >= minDifferenceBp,
      ),
    ),
  )

/**
 * Pairs that can be run in one tube: products told apart in every genome, melting temperatures within {@link maxTmRange}, no stable dimer
 * between their primers. Begins with the control, where there is one, then takes the surest that fit. Null where fewer than two fit.
 */
export const suggestMultiplex = async (
  pairs: readonly DiagnosticPair[],
  control: DiagnosticPair | null,
  count: number,
  minDifferenceBp: number,
  context: Pick<EngineContext, 'directory' | 'runProgram'>,
): Promise<Multiplex | null> => {
  const usable = [
    ...(control === null ? [] : [control]),
    ...pairs.filter((one) => one.discriminates && one.kind === 'pcr'),
  ].slice(0, maxPairs)
  if (count < 2 || usable.length < 2) return null
  const primers = usable.flatMap((pair) =>
    pair.oligos.map(({ role, sequence }) => ({ pair, name: primerName(pair.rank, role), sequence })),
  )
  const asked = primers.flatMap((first, at) =>
    primers
      .slice(at + 1)
      .filter((second) => second.pair !== first.pair)
      .map((second) => ({
        first: first.name,
        second: second.name,
        firstBases: first.sequence,
        secondBases: second.sequence,
      })),
  )
  const dimers = new Map((await computeDimers(asked, context)).map((one) => [key(one.first, one.second), one]))
  const between = (a: DiagnosticPair, b: DiagnosticPair): Dimer[] =>
    a.oligos.flatMap((one) =>
      b.oligos.flatMap((other) => dimers.get(key(primerName(a.rank, one.role), primerName(b.rank, other.role))) ?? []),
    )
  const fits = (chosen: readonly DiagnosticPair[], next: DiagnosticPair): boolean =>
    rangeOf(tmOf([...chosen, next])) <= maxTmRange &&
    chosen.every(
      (one) =>
        isApart(one, next, minDifferenceBp) &&
        between(one, next).every(({ anyTm, endTm }) => anyTm <= maxAnyTm && endTm <= maxEndTm),
    )
  let best: DiagnosticPair[] = []
  for (const first of usable) {
    const chosen = [first]
    for (const next of usable)
      if (chosen.length < count && !chosen.includes(next) && fits(chosen, next)) chosen.push(next)
    if (chosen.length > best.length) best = chosen
    if (best.length >= count) break
  }
  if (best.length < 2) return null
  const temperatures = tmOf(best)
  return {
    ranks: best.map(({ rank }) => rank).sort((a, b) => a - b),
    tmMin: Math.min(...temperatures),
    tmMax: Math.max(...temperatures),
    dimers: best
      .flatMap((one, at) => best.slice(at + 1).flatMap((other) => between(one, other)))
      .sort((a, b) => Math.max(b.anyTm, b.endTm) - Math.max(a.anyTm, a.endTm))
      .slice(0, shownDimers),
  }
}
