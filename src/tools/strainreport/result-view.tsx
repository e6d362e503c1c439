import { Printer, Rows3 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { ChromosomeFigure } from './chromosome-figure.tsx'
import { DensityFigure } from './density-figure.tsx'
import { densityRows } from './density-rows.ts'
import { ElementCard } from './element-card.tsx'
import { FactsCard } from './facts-card.tsx'
import { GeneCard } from './gene-card.tsx'
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

/** The report of one strain, or all strains of a species. */
export const ResultView = ({ input, result, receipt }: Props): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const { report, all } = result
  if (all !== null)
    return <SpeciesTable all={all} minimumBp={input.minimumBp} reference={input.reference} receipt={receipt} />
  if (report === null) return null
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
      <FactsCard report={report} receipt={receipt} />
      {report.drawn === null ? null : <ChromosomeFigure report={report} receipt={receipt} />}
      <UnpairedCard report={report} receipt={receipt} />
      <StructureCard report={report} minimumBp={input.minimumBp} receipt={receipt} />
      <GeneCard report={report} receipt={receipt} />
      <VariantCard report={report} receipt={receipt} />
      <PrivateCard report={report} receipt={receipt} />
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
    </div>
  )
}
