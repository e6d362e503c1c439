import type { ReactNode } from 'react'
import type { DifferenceSide, StructuralDifference } from '../../contracts/structural-differences.ts'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { Menu, type MenuItem } from '../../kit/ui/controls/menu.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import messages from './messages.ts'
import type { StrainReport } from './tool.ts'

/** So much of both genomes is shown on either side of a breakpoint. */
const shownBp = 1000
/** Primers across a junction lie within so many bases of it. */
const primersBp = 400
/** Less is no region that primers could lie in. */
const distinctBp = 50

/**
 * The last base before each breakpoint of a side. Of a place over the origin of a circle the end is beyond its length; its number on the
 * circle is what a page takes.
 */
const breakpointsOf = ({ start, end, lengthBp }: DifferenceSide, length: number | undefined): number[] => {
  // Between two bases there is one.
  if (lengthBp === 0) return [start]
  return [Math.max(1, start - 1), length !== undefined && end > length ? end - length : end]
}

/** What can be done with a difference: both breakpoints in the browser, primers that tell the two genomes apart, and its genes. */
export const DifferenceMenu = ({ one, report }: { one: StructuralDifference; report: StrainReport }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [beside, distinct, across] = [
    useOpenings('regionPair'),
    useOpenings('distinctRegion'),
    useOpenings('amplifiedRegion'),
  ]
  const { kind, copyIn, a, b, genes, genesOf, junctions } = one
  const { reference, strain } = report
  const lengthOf = (side: 'reference' | 'strain', sequence: string): number | undefined =>
    report.drawn?.[side].find(({ name }) => name === sequence)?.lengthBp
  const [lengthA, lengthB] = [lengthOf('reference', a.sequence), lengthOf('strain', b.sequence)]
  const around = (position: number, length: number | undefined, bp: number): { start: number; end: number } => ({
    start: Math.max(1, position - bp + 1),
    end: Math.min(length ?? position + bp, position + bp),
  })
  const textOf = ({ sequence }: DifferenceSide, { start, end }: { start: number; end: number }): string =>
    `${sequence}:${start}..${end}`
  const items: MenuItem[] = []

  const [onA, onB] = [breakpointsOf(a, lengthA), breakpointsOf(b, lengthB)]
  for (let at = 0; at < Math.max(onA.length, onB.length); at += 1) {
    const [placeA, placeB] = [onA[at] ?? onA[0]!, onB[at] ?? onB[0]!]
    for (const opening of beside)
      items.push({
        key: `${opening.tool.id} ${at}`,
        label: t('open.breakpoint', { tool: opening.label, place: format.number(placeA) }),
        href: opening.address({
          assembly: reference.id,
          loc: textOf(a, around(placeA, lengthA, shownBp)),
          otherAssembly: strain.id,
          otherLoc: textOf(b, around(placeB, lengthB, shownBp)),
        }),
      })
  }
  if (kind === 'deletion' || kind === 'insertion') {
    const [having, lacking, side] = kind === 'deletion' ? [reference, strain, a] : [strain, reference, b]
    if (side.lengthBp >= distinctBp)
      for (const opening of distinct)
        items.push({
          key: opening.tool.id,
          label: t('open.region', { tool: opening.label }),
          href: opening.address({
            assembly: having.id,
            sequence: side.sequence,
            start: side.start,
            end: side.end,
            genomes: having.id,
            otherGenomes: lacking.id,
          }),
        })
  }
  if (kind === 'duplication') {
    const [having, side, length] = copyIn === 'first' ? [reference, a, lengthA] : [strain, b, lengthB]
    for (const position of junctions.length > 0 ? junctions : breakpointsOf(side, length)) {
      const region = around(position, length, primersBp)
      const place = position - region.start + 1
      for (const opening of across)
        items.push({
          key: `${opening.tool.id} ${position}`,
          label: t('open.junction', {
            tool: opening.label,
            place: `${format.number(position)}^${format.number(position + 1)}`,
          }),
          href: opening.address({
            assembly: having.id,
            sequence: side.sequence,
            ...region,
            place: `${place}..${place + 1}`,
          }),
        })
    }
  }
  const assembly = genesOf === 'first' ? reference.id : strain.id
  return (
    <span className="strain-row-menus">
      {items.length === 0 ? null : <Menu size="small" label={t('column.open')} items={items} />}
      {genes.length === 0 ? null : <GeneSetMenu genes={genes.map((id) => ({ id, assembly }))} />}
    </span>
  )
}
