import { variantType } from '../../../bio/variation/vcf.ts'
import { fieldError } from '../../../contracts/errors.ts'
import { noFilter, type OpenSet } from '../../../kit/data/variants/open-set.ts'
import { createEffectTeller } from '../../../kit/data/variants/told-effects.ts'
import { designMarkers, type MarkerTemplate, markerFlankBp } from '../../../kit/design-markers.ts'
import type { EngineContext } from '../../../kit/engine.ts'
import { type FoundRecord, listRows, readRecords } from '../find-variants.ts'
import type { MarkersResult } from '../tool.ts'
import { showSite } from './haplotype-task.ts'

/** Shown on each side for an order of a KASP assay. */
const orderedFlankBp = 60

interface Template extends MarkerTemplate {
  /** Other variants around it. */
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
  const start1 = Math.max(1, record.position1 - markerFlankBp)
  const last1 = record.position1 + record.reference.length - 1
  const end1 = Math.min(lengthBp, last1 + markerFlankBp)
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

export const designVariantMarkers = async (
  one: FoundRecord,
  open: OpenSet,
  context: EngineContext,
): Promise<MarkersResult> => {
  const template = await readTemplate(one, open, context)
  const { before, after, reference, alternate, neighbours } = template
  const [markers] = await designMarkers([template], context)
  return {
    ...markers!,
    variant: await showSite(one, null, createEffectTeller(context.data, open.set.assembly)),
    sequence: one.record.sequence,
    alternate,
    flanking: `${before.slice(-orderedFlankBp)}[${reference}/${alternate}]${after.slice(0, orderedFlankBp)}`,
    neighbours,
  }
}
