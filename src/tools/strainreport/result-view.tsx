import { Printer, Rows3 } from 'lucide-react'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { TextField } from '../../kit/ui/controls/text-field.tsx'
import { useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { ChromosomeFigure } from './chromosome-figure.tsx'
import { DensityFigure } from './density-figure.tsx'
import { densityRows } from './density-rows.ts'
import { ElementCard } from './element-card.tsx'
import { FactsCard } from './facts-card.tsx'
import { GeneCard } from './gene-card.tsx'
import { filterGenes } from './gene-filter.ts'
import messages from './messages.ts'
import { PrivateCard } from './private-card.tsx'
import { reportAddress, SpeciesTable } from './species-table.tsx'
import { StructureCard } from './structure-card.tsx'
import type tool from './tool.ts'
import type { StrainReport, StrainResult } from './tool.ts'
import { UnpairedCard } from './unpaired-card.tsx'
import { VariantCard } from './variant-card.tsx'
import './screen.css'

type Input = z.output<(typeof tool)['input']>
type Props = ResultProps<Input, StrainResult>

/** SNPs and indels in words. */
const DensityLead = ({ report }: { report: StrainReport }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const density = report.density!
  const indels = density.insertions + density.deletions
  if (!density.toldApart) return <p className="strain-head">{t('density.indelsOnly', { indels })}</p>
  const [peak] = densityRows(density)
    .filter(({ snps }) => snps !== null)
    .sort((a, b) => b.snps! - a.snps!)
  return (
    <p className="strain-head">
      {t('density.head', {
        snps: density.substitutions,
        rate: format.number(density.comparedBp === 0 ? 0 : (1000 * density.substitutions) / density.comparedBp, 3),
        indels,
        compared: format.basePairs(density.comparedBp),
        place: peak === undefined ? '–' : regionOf(density.assembly, peak),
        peak: format.number(peak?.snps ?? 0, 2),
      })}
    </p>
  )
}

/**
 * What the strain has lost, gained and broken comes first, with what the genes do; then where, copies of elements, small variants, and what
 * the two assemblies are.
 */
const Report = ({ input, report, receipt }: Pick<Props, 'input' | 'receipt'> & { report: StrainReport }): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const nameOf = useAssemblyNames()
  const [typed, setTyped] = useState('')
  const lateTyped = useDeferredValue(typed)
  const filter = useMemo(() => filterGenes(lateTyped, report), [lateTyped, report])
  const { density } = report
  return (
    <div className="strain-report">
      <div className="strain-actions" data-screen-only>
        <Button
          icon={<Rows3 size={16} aria-hidden />}
          onClick={() =>
            navigate(
              reportAddress({
                task: 'all',
                assembly: report.strain.id,
                reference: input.reference,
                minimumBp: String(input.minimumBp),
              }),
            )
          }
        >
          {t('action.all')}
        </Button>
        <Button icon={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
          {t('action.print')}
        </Button>
      </div>
      {[report.strain, report.reference].map((one) => (
        <div key={one.id}>
          {one.partial ? <p className="nv-warn">{t('facts.partial', { assembly: nameOf(one.id) })}</p> : null}
          {one.outgroup ? <p className="nv-warn">{t('facts.outgroup', { assembly: nameOf(one.id) })}</p> : null}
        </div>
      ))}
      <div className="strain-filter" data-screen-only>
        <TextField label={t('filter.genes')} help={t('filter.help')} value={typed} onText={setTyped} />
      </div>
      <GeneCard report={report} filter={filter} receipt={receipt} />
      <PrivateCard report={report} filter={filter} receipt={receipt} />
      {report.drawn === null ? null : <ChromosomeFigure report={report} receipt={receipt} />}
      <StructureCard report={report} filter={filter} minimumBp={input.minimumBp} receipt={receipt} />
      <ElementCard report={report} receipt={receipt} />
      {density === null ? (
        <Card title={t('density.title')}>
          <EmptyState title={t('density.none')} />
        </Card>
      ) : (
        <>
          <DensityLead report={report} />
          <DensityFigure density={density} isReference={density.assembly === report.reference.id} receipt={receipt} />
        </>
      )}
      <VariantCard report={report} filter={filter} receipt={receipt} />
      <UnpairedCard report={report} receipt={receipt} />
      <FactsCard report={report} receipt={receipt} />
    </div>
  )
}

/** The report of one strain, or all strains of a species. */
export const ResultView = ({ input, result: { report, all }, receipt }: Props): ReactNode => {
  if (all !== null)
    return <SpeciesTable all={all} minimumBp={input.minimumBp} reference={input.reference} receipt={receipt} />
  return report === null ? null : <Report input={input} report={report} receipt={receipt} />
}
