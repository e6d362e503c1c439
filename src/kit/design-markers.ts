import type { BoulderRecord, DesignedOligo } from '../bio/sequence/boulder.ts'
import {
  type AlleleCut,
  type DerivedCut,
  findAlleleCuts,
  findCuts,
  findDerivedCuts,
  fragmentsOf,
} from '../bio/sequence/restriction-sites.ts'
import { reverseComplement } from '../bio/sequence/sequence.ts'
import type { CapsMarker, KaspAssay, MarkerPrimer } from '../contracts/markers.ts'
import type { EngineContext } from './engine.ts'
import { runPrimer3 } from './run-primer3.ts'

/** Bases on each side of a variant that primers may lie in. */
export const markerFlankBp = 400
const max = { kasp: 3, caps: 6, derived: 4 }

const shared = {
  PRIMER_TASK: 'generic',
  PRIMER_FIRST_BASE_INDEX: '1',
  PRIMER_EXPLAIN_FLAG: '1',
  PRIMER_PICK_INTERNAL_OLIGO: '0',
  PRIMER_MIN_GC: '20',
  PRIMER_MAX_GC: '80',
  PRIMER_MAX_NS_ACCEPTED: '0',
  PRIMER_TM_FORMULA: '1',
  PRIMER_SALT_CORRECTIONS: '1',
  PRIMER_SALT_MONOVALENT: '50',
  PRIMER_SALT_DIVALENT: '1.5',
  PRIMER_DNTP_CONC: '0.6',
  PRIMER_DNA_CONC: '50',
  PRIMER_THERMODYNAMIC_OLIGO_ALIGNMENT: '1',
}

/** KASP: short products and primers near 60 °C; the last base of two primers is the variant itself. */
const kaspSettings = {
  ...shared,
  PRIMER_NUM_RETURN: String(max.kasp),
  PRIMER_PRODUCT_SIZE_RANGE: '50-120 40-180',
  PRIMER_MIN_SIZE: '18',
  PRIMER_OPT_SIZE: '22',
  PRIMER_MAX_SIZE: '30',
  PRIMER_MIN_TM: '56',
  PRIMER_OPT_TM: '60',
  PRIMER_MAX_TM: '66',
  PRIMER_PAIR_MAX_DIFF_TM: '6',
  PRIMER_MAX_POLY_X: '6',
  // The 3' end is given: it cannot be chosen.
  PRIMER_MAX_END_STABILITY: '100',
}

const capsSettings = {
  ...shared,
  PRIMER_NUM_RETURN: '1',
  PRIMER_PRODUCT_SIZE_RANGE: '250-500 180-700',
  PRIMER_MIN_SIZE: '18',
  PRIMER_OPT_SIZE: '20',
  PRIMER_MAX_SIZE: '25',
  PRIMER_MIN_TM: '56',
  PRIMER_OPT_TM: '59',
  PRIMER_MAX_TM: '63',
}

/** dCAPS: a small product, so that the loss of a primer's length is seen on a gel; one primer ends just before the variant. */
const derivedSettings = {
  ...shared,
  PRIMER_NUM_RETURN: '1',
  PRIMER_PRODUCT_SIZE_RANGE: '100-250',
  PRIMER_MIN_SIZE: '22',
  PRIMER_OPT_SIZE: '26',
  PRIMER_MAX_SIZE: '34',
  PRIMER_MIN_TM: '54',
  PRIMER_OPT_TM: '60',
  PRIMER_MAX_TM: '68',
  PRIMER_PAIR_MAX_DIFF_TM: '8',
  PRIMER_MAX_POLY_X: '6',
  PRIMER_MAX_END_STABILITY: '100',
}

/** Two alleles and what lies around them, on the strand of the assembly. */
export interface MarkerTemplate {
  /** Place on the assembly of the template's first base. */
  start1: number
  /** Bases before and after the variant, N where another variant lies that primers are to be kept off. */
  before: string
  after: string
  /** The same without gaps for other variants: the sites of enzymes in the reference's own sequence. */
  plainBefore: string
  plainAfter: string
  /** Upper case; KASP and dCAPS are of alleles of one base. */
  reference: string
  alternate: string
}

export interface DesignedMarkers {
  /** Best first. */
  kasp: KaspAssay[]
  kaspWhy: 'onlySnv' | 'noPrimers' | null
  caps: CapsMarker[]
  /** Enzymes that cut one allele only, whether or not primers fit. */
  enzymes: { name: string; site: string; cutAllele: AlleleCut['cutAllele'] }[]
}

const sequenceOf = ({ before, reference, after }: MarkerTemplate): string => before + reference + after

/** Places on the assembly of a primer found on a template that may be turned round. */
const placePrimer = (
  template: MarkerTemplate,
  oligo: DesignedOligo,
  turned: boolean,
  side: 'left' | 'right',
  lengthBp: number,
): MarkerPrimer => {
  const { before, start1 } = template
  // Behind the variant an allele of another length shifts the template.
  const shift = lengthBp - sequenceOf(template).length
  const onTemplate = (at: number): number => {
    const forward = turned ? lengthBp - at + 1 : at
    return start1 - 1 + (forward > before.length + 1 ? forward - shift : forward)
  }
  const [a, b] = [onTemplate(oligo.start), onTemplate(oligo.end)]
  return {
    sequence: oligo.sequence.toUpperCase(),
    start: Math.min(a, b),
    end: Math.max(a, b),
    strand: (side === 'left') !== turned ? '+' : '-',
    tm: oligo.tm,
    gcPercent: oligo.gcPercent,
  }
}

const isSnv = ({ reference, alternate }: MarkerTemplate): boolean => reference.length === 1 && alternate.length === 1

type Run = (name: string, records: readonly BoulderRecord[]) => ReturnType<typeof runPrimer3>

/** Assays of each template: one of two alleles ends a primer on either strand, with the best common primers. */
const designKasp = async (templates: readonly MarkerTemplate[], run: Run): Promise<KaspAssay[][]> => {
  const asked = templates.flatMap((template, number) =>
    isSnv(template) ? [false, true].map((turned) => ({ template, number, turned })) : [],
  )
  const recordOf = ({ template, turned }: (typeof asked)[number], allele: string): BoulderRecord => {
    const whole = template.before + allele + template.after
    return {
      ...kaspSettings,
      SEQUENCE_TEMPLATE: turned ? reverseComplement(whole) : whole,
      SEQUENCE_FORCE_LEFT_END: String((turned ? template.after.length : template.before.length) + 1),
    }
  }
  const first = await run(
    'kasp-reference',
    asked.map((one, at) => ({ SEQUENCE_ID: `reference-${at}`, ...recordOf(one, one.template.reference) })),
  )
  const found = asked.flatMap((one, at) => (first[at]?.pairs ?? []).map((pair) => ({ ...one, pair })))
  const second = await run(
    'kasp-alternate',
    found.map((one, at) => ({
      SEQUENCE_ID: `alternate-${at}`,
      ...recordOf(one, one.template.alternate),
      PRIMER_NUM_RETURN: '1',
      SEQUENCE_PRIMER_REVCOMP: one.pair.right.sequence,
    })),
  )
  const assays: KaspAssay[][] = templates.map(() => [])
  for (const [at, { template, number, turned, pair }] of found.entries()) {
    const other = second[at]?.pairs[0]
    if (other === undefined) continue
    const { length } = sequenceOf(template)
    assays[number]!.push({
      reference: placePrimer(template, pair.left, turned, 'left', length),
      alternate: placePrimer(template, other.left, turned, 'left', length),
      common: placePrimer(template, pair.right, turned, 'right', length),
      productBp: pair.productBp,
      penalty: Number((pair.penalty + other.left.penalty).toFixed(3)),
    })
  }
  return assays.map((list) => list.sort((a, b) => a.penalty - b.penalty).slice(0, max.kasp))
}

const withBase = (text: string, distance: number, base: string): string => {
  const end = text.length - distance
  return `${text.slice(0, end)}${base}${text.slice(end + 1)}`
}

interface Enzymes {
  cuts: AlleleCut[]
  derived: DerivedCut[]
}

const findEnzymes = (template: MarkerTemplate): Enzymes => {
  const { before, after, plainBefore, plainAfter, reference, alternate } = template
  // An enzyme tells the alleles apart whatever the variants beside it are, and in the reference's own sequence.
  const inPlain = new Map(
    findAlleleCuts(plainBefore, reference, alternate, plainAfter).map(({ enzyme, cutAllele }) => [enzyme, cutAllele]),
  )
  return {
    cuts: findAlleleCuts(before, reference, alternate, after).filter(
      ({ enzyme, cutAllele }) => inPlain.get(enzyme) === cutAllele,
    ),
    derived: isSnv(template)
      ? findDerivedCuts(before, reference, alternate, after)
          .filter(({ enzyme, distance, to }) =>
            findAlleleCuts(withBase(plainBefore, distance, to), reference, alternate, plainAfter).some(
              (cut) => cut.enzyme === enzyme,
            ),
          )
          .slice(0, 3 * max.derived)
      : [],
  }
}

const designCaps = async (
  templates: readonly MarkerTemplate[],
  enzymes: readonly Enzymes[],
  run: Run,
): Promise<CapsMarker[][]> => {
  const records: BoulderRecord[] = []
  const places = templates.map((template, number) => {
    const { before, reference, after } = template
    const left = Math.min(20, before.length)
    const plain = enzymes[number]!.cuts.length === 0 ? null : records.length
    if (plain !== null)
      records.push({
        SEQUENCE_ID: `caps-${number}`,
        ...capsSettings,
        SEQUENCE_TEMPLATE: sequenceOf(template),
        SEQUENCE_TARGET: `${before.length + 1 - left},${reference.length + left + 20}`,
      })
    const derived = enzymes[number]!.derived.map((cut) => {
      records.push({
        SEQUENCE_ID: `dcaps-${number}-${records.length}`,
        ...derivedSettings,
        SEQUENCE_TEMPLATE: withBase(before, cut.distance, cut.to) + reference + after,
        SEQUENCE_FORCE_LEFT_END: String(before.length),
      })
      return { cut, record: records.length - 1 }
    })
    return { plain, derived }
  })
  const designs = await run('caps', records)
  return templates.map((template, number) => {
    const { plainBefore, plainAfter, reference, alternate } = template
    const { length } = sequenceOf(template)
    const caps: CapsMarker[] = []
    const { plain, derived } = places[number]!
    const pair = plain === null ? undefined : designs[plain]?.pairs[0]
    if (pair !== undefined) {
      const cutsOf = (enzyme: AlleleCut['enzyme'], allele: string): number[] => {
        const amplified = (plainBefore + allele + plainAfter).slice(
          pair.left.start - 1,
          pair.right.end + allele.length - reference.length,
        )
        return fragmentsOf(amplified.length, findCuts(amplified, enzyme))
      }
      const ranked = enzymes[number]!.cuts.map((cut) => ({
        ...cut,
        fragments: { reference: cutsOf(cut.enzyme, reference), alternate: cutsOf(cut.enzyme, alternate) },
      }))
        // Few pieces are read most easily.
        .sort(
          (a, b) =>
            a.fragments.reference.length +
            a.fragments.alternate.length -
            (b.fragments.reference.length + b.fragments.alternate.length),
        )
      for (const { enzyme, cutAllele, fragments } of ranked.slice(0, max.caps))
        caps.push({
          enzyme: enzyme.name,
          site: enzyme.site,
          cutAllele,
          fragments,
          productBp: pair.productBp,
          derived: null,
          left: placePrimer(template, pair.left, false, 'left', length),
          right: placePrimer(template, pair.right, false, 'right', length),
        })
    }
    let count = 0
    for (const { cut, record } of derived) {
      const found = designs[record]?.pairs[0]
      if (found === undefined || count >= max.derived) continue
      count += 1
      const { enzyme, cutAllele, distance, from, to } = cut
      const pieces = (allele: string): number[] => {
        const amplified = (withBase(plainBefore, distance, to) + allele + plainAfter).slice(
          found.left.start - 1,
          found.right.end,
        )
        return fragmentsOf(amplified.length, findCuts(amplified, enzyme))
      }
      caps.push({
        enzyme: enzyme.name,
        site: enzyme.site,
        cutAllele,
        productBp: found.productBp,
        fragments: { reference: pieces(reference), alternate: pieces(alternate) },
        left: placePrimer(template, found.left, false, 'left', length),
        right: placePrimer(template, found.right, false, 'right', length),
        derived: { distance, from, to },
      })
    }
    return caps
  })
}

/** Runs of primer3: of KASP one for each allele, and of CAPS one. */
const designRuns = 3

/**
 * KASP assays and CAPS or dCAPS markers of variants, designed by primer3 in a few runs for all of them; answers in the order of the
 * templates.
 */
export const designMarkers = async (
  templates: readonly MarkerTemplate[],
  context: Pick<EngineContext, 'directory' | 'runProgram'>,
  /** Hears how far the design is, as a share of 1. */
  onProgress: (fraction: number) => void = () => undefined,
): Promise<DesignedMarkers[]> => {
  let begun = 0
  const run: Run = (name, records) => {
    const before = begun++
    return runPrimer3(records, context, {
      name,
      onDone: (done) => onProgress(Math.min(1, (before + done / records.length) / designRuns)),
    })
  }
  const kasp = await designKasp(templates, run)
  const enzymes = templates.map(findEnzymes)
  const caps = await designCaps(templates, enzymes, run)
  return templates.map((template, number) => ({
    kasp: kasp[number]!,
    kaspWhy: !isSnv(template) ? 'onlySnv' : kasp[number]!.length === 0 ? 'noPrimers' : null,
    caps: caps[number]!,
    enzymes: enzymes[number]!.cuts.map(({ enzyme, cutAllele }) => ({
      name: enzyme.name,
      site: enzyme.site,
      cutAllele,
    })),
  }))
}
