import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DesignedOligo, parseRecords, readDesign, renderRecord } from '../../../bio/sequence/boulder.ts'
import { findAlleleCuts, findCuts, findDerivedCuts, fragmentsOf } from '../../../bio/sequence/restriction-sites.ts'
import { reverseComplement } from '../../../bio/sequence/sequence.ts'
import { variantType } from '../../../bio/variation/vcf.ts'
import { fieldError } from '../../../contracts/errors.ts'
import type { EngineContext } from '../../../kit/engine.ts'
import { type FoundRecord, listRows, readRecords } from '../find-variants.ts'
import { noFilter, type OpenSet } from '../open-set.ts'
import { createEffectTeller } from '../told-effects.ts'
import type { MarkerPrimer, MarkersResult } from '../tool.ts'
import { showSite } from './haplotype-task.ts'

/** Bases on each side of the variant that primers may lie in. */
const flankBp = 400
/** Shown on each side for an order of a KASP assay. */
const orderedFlankBp = 60
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

interface Template {
  sequence: string
  /** Place on the assembly of the template's first base. */
  start1: number
  /** Bases before the variant. */
  before: string
  after: string
  /** The same without gaps for other variants: the sites of enzymes in the reference's own sequence. */
  plainBefore: string
  plainAfter: string
  reference: string
  alternate: string
  neighbours: number
}

const readTemplate = async (one: FoundRecord, open: OpenSet, context: EngineContext): Promise<Template> => {
  const { record } = one
  const { data, signal } = context
  const { assembly } = open.set
  const alternate = record.alternates[0]
  if (alternate === undefined || variantType(record.reference, alternate) === 'other')
    throw fieldError(['id'], 'problem.noMarker', { alleles: `${record.reference} > ${record.alternates.join(', ')}` })
  const { lengthBp } = await data.getSequence(assembly, record.sequence)
  const start1 = Math.max(1, record.position1 - flankBp)
  const last1 = record.position1 + record.reference.length - 1
  const end1 = Math.min(lengthBp, last1 + flankBp)
  const plain = (await data.fetchSequence(assembly, record.sequence, start1, end1)).toUpperCase()
  const bases = plain.split('')
  // Neighbouring variants: a primer on one would fail in some accessions.
  const range = await open.findRange({ sequence: record.sequence, start1, end1 })
  let neighbours = 0
  const rows = await listRows(open, [range], noFilter, signal)
  for await (const other of readRecords(open, rows, signal)) {
    if (other.row === one.row) continue
    neighbours += 1
    for (let at = other.record.position1; at <= Math.min(end1, other.record.end1); at += 1) {
      if (at >= start1 && (at < record.position1 || at > last1)) bases[at - start1] = 'N'
    }
  }
  const text = bases.join('')
  const offset = record.position1 - start1
  return {
    sequence: text,
    start1,
    before: text.slice(0, offset),
    after: text.slice(offset + record.reference.length),
    plainBefore: plain.slice(0, offset),
    plainAfter: plain.slice(offset + record.reference.length),
    reference: record.reference.toUpperCase(),
    alternate: alternate.toUpperCase(),
    neighbours,
  }
}

interface Asked {
  id: string
  tags: Record<string, string>
}

const runPrimer3 = async (asked: readonly Asked[], context: EngineContext) => {
  if (asked.length === 0) return []
  const text = asked.map(({ id, tags }) => renderRecord({ SEQUENCE_ID: id, ...tags })).join('')
  await writeFile(join(context.directory, 'primer3.txt'), text)
  await context.runProgram({
    program: 'primer3_core',
    arguments: ['--strict_tags'],
    inputFile: 'primer3.txt',
    outputFile: 'primer3.out',
  })
  return parseRecords(await readFile(join(context.directory, 'primer3.out'), 'utf8')).map(readDesign)
}

export const designMarkers = async (
  one: FoundRecord,
  open: OpenSet,
  context: EngineContext,
): Promise<MarkersResult> => {
  const template = await readTemplate(one, open, context)
  const { before, after, plainBefore, plainAfter, reference, alternate, start1 } = template
  const isSnv = reference.length === 1 && alternate.length === 1
  /** Places on the assembly of a primer found on a template that may be turned round. */
  const placed = (oligo: DesignedOligo, turned: boolean, side: 'left' | 'right', lengthBp: number): MarkerPrimer => {
    // Behind the variant an allele of another length shifts the template.
    const shift = lengthBp - template.sequence.length
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
  const kasp: MarkersResult['kasp'] = []
  let kaspWhy: string | null = null
  if (!isSnv) kaspWhy = 'onlySnv'
  else {
    for (const turned of [false, true]) {
      const templateOf = (allele: string): string => {
        const whole = before + allele + after
        return turned ? reverseComplement(whole) : whole
      }
      const index = turned ? after.length + 1 : before.length + 1
      const [first] = await runPrimer3(
        [
          {
            id: 'reference',
            tags: { ...kaspSettings, SEQUENCE_TEMPLATE: templateOf(reference), SEQUENCE_FORCE_LEFT_END: String(index) },
          },
        ],
        context,
      )
      const second = await runPrimer3(
        (first?.pairs ?? []).map((pair, rank) => ({
          id: `alternate-${rank}`,
          tags: {
            ...kaspSettings,
            PRIMER_NUM_RETURN: '1',
            SEQUENCE_TEMPLATE: templateOf(alternate),
            SEQUENCE_FORCE_LEFT_END: String(index),
            SEQUENCE_PRIMER_REVCOMP: pair.right.sequence,
          },
        })),
        context,
      )
      for (const [rank, pair] of (first?.pairs ?? []).entries()) {
        const other = second[rank]?.pairs[0]
        if (other === undefined) continue
        kasp.push({
          reference: placed(pair.left, turned, 'left', template.sequence.length),
          alternate: placed(other.left, turned, 'left', template.sequence.length),
          common: placed(pair.right, turned, 'right', template.sequence.length),
          productBp: pair.productBp,
          penalty: Number((pair.penalty + other.left.penalty).toFixed(3)),
        })
      }
    }
    kasp.sort((a, b) => a.penalty - b.penalty)
    kasp.splice(max.kasp)
    if (kasp.length === 0) kaspWhy = 'noPrimers'
  }
  // An enzyme tells the alleles apart whatever the variants beside it are, and in the reference's own sequence.
  const inPlain = new Map(
    findAlleleCuts(plainBefore, reference, alternate, plainAfter).map(({ enzyme, cutAllele }) => [enzyme, cutAllele]),
  )
  const cuts = findAlleleCuts(before, reference, alternate, after).filter(
    ({ enzyme, cutAllele }) => inPlain.get(enzyme) === cutAllele,
  )
  const derivedCuts = isSnv ? findDerivedCuts(before, reference, alternate, after) : []
  const target = `${before.length + 1 - Math.min(20, before.length)},${reference.length + Math.min(20, before.length) + 20}`
  const [amplicon] = await runPrimer3(
    [{ id: 'caps', tags: { ...capsSettings, SEQUENCE_TEMPLATE: template.sequence, SEQUENCE_TARGET: target } }],
    context,
  )
  const caps: MarkersResult['caps'] = []
  const pair = amplicon?.pairs[0]
  if (pair !== undefined) {
    const cutsOf = (enzyme: (typeof cuts)[number]['enzyme'], allele: string): number[] => {
      const amplified = (plainBefore + allele + plainAfter).slice(
        pair.left.start - 1,
        pair.right.end + allele.length - reference.length,
      )
      return fragmentsOf(amplified.length, findCuts(amplified, enzyme))
    }
    const ranked = cuts
      .map((cut) => ({
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
        left: placed(pair.left, false, 'left', template.sequence.length),
        right: placed(pair.right, false, 'right', template.sequence.length),
      })
  }
  const derived = derivedCuts.slice(0, 3 * max.derived)
  const designs = await runPrimer3(
    derived.map(({ distance, to }, number) => {
      const changed = `${before.slice(0, before.length - distance)}${to}${before.slice(before.length - distance + 1)}`
      return {
        id: `dcaps-${number}`,
        tags: {
          ...derivedSettings,
          SEQUENCE_TEMPLATE: changed + reference + after,
          SEQUENCE_FORCE_LEFT_END: String(before.length),
        },
      }
    }),
    context,
  )
  for (const [number, { enzyme, cutAllele, distance, from, to }] of derived.entries()) {
    const found = designs[number]?.pairs[0]
    if (found === undefined || caps.filter((one) => one.derived !== null).length >= max.derived) continue
    const end = plainBefore.length - distance
    const changed = `${plainBefore.slice(0, end)}${to}${plainBefore.slice(end + 1)}`
    if (!findAlleleCuts(changed, reference, alternate, plainAfter).some((cut) => cut.enzyme === enzyme)) continue
    const pieces = (allele: string): number[] => {
      const amplified = (changed + allele + plainAfter).slice(found.left.start - 1, found.right.end)
      return fragmentsOf(amplified.length, findCuts(amplified, enzyme))
    }
    caps.push({
      enzyme: enzyme.name,
      site: enzyme.site,
      cutAllele,
      productBp: found.productBp,
      fragments: { reference: pieces(reference), alternate: pieces(alternate) },
      left: placed(found.left, false, 'left', template.sequence.length),
      right: placed(found.right, false, 'right', template.sequence.length),
      derived: { distance, from, to },
    })
  }
  return {
    variant: await showSite(one, null, createEffectTeller(context.data, open.set.assembly)),
    sequence: one.record.sequence,
    alternate,
    flanking: `${before.slice(-orderedFlankBp)}[${reference}/${alternate}]${after.slice(0, orderedFlankBp)}`,
    neighbours: template.neighbours,
    kasp,
    kaspWhy,
    caps,
    enzymes: cuts.map(({ enzyme, cutAllele }) => ({ name: enzyme.name, site: enzyme.site, cutAllele })),
  }
}
