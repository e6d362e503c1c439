import type { ReactNode } from 'react'
import type { Trait } from '../../contracts/phenotypes.ts'
import { Facts } from '../../kit/ui/controls/card.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { PhenotypeResult, TraitReport } from './tool.ts'

const significant = 0.05

/** What is to be said of a trait: how it was measured, and the figures of it. */
export const TraitFacts = ({
  trait,
  dataset,
  report,
}: {
  trait: Trait
  dataset: PhenotypeResult['dataset']
  report?: TraitReport
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { heritability } = trait
  const fact = (name: string, value: ReactNode, wide = false) =>
    value === null || value === '' ? [] : [{ name, value, wide }]
  const outliers = (kind: 'mild' | 'far'): number => report?.rows.filter((row) => row.outlier === kind).length ?? 0
  return (
    <>
      <Facts
        facts={[
          ...fact(t('column.description'), format.text(trait.description), true),
          {
            name: t('fact.type'),
            value: t(trait.stated ? 'fact.stated' : 'fact.guessed', { type: t(`type.${trait.type}`) }),
          },
          {
            name: t('fact.accessions'),
            value: t('fact.accessionsOf', { count: trait.accessions, total: trait.accessions + trait.missing }),
          },
          { name: t('fact.value'), value: t(`method.${trait.method}`) },
          {
            name: t('fact.observations'),
            value:
              trait.environments.length === 0
                ? format.number(trait.observations)
                : t('fact.observationsIn', { count: trait.observations, environments: trait.environments.length }),
          },
          ...fact(t('fact.model'), trait.model === null ? null : <code>{trait.model}</code>),
          ...(heritability === null
            ? []
            : [
                { name: t('fact.heritability'), value: format.number(heritability.value, 3) },
                {
                  name: t('fact.components'),
                  wide: true,
                  value: `${t('fact.componentsOf', {
                    accession: format.statistic(heritability.accessionVariance),
                    interaction:
                      heritability.interactionVariance === null
                        ? 'none'
                        : format.statistic(heritability.interactionVariance),
                    residual: format.statistic(heritability.residualVariance),
                  })}${heritability.truncated ? ` (${t('fact.truncated')})` : ''}`,
                },
              ]),
          ...(report === undefined || report.normality === null
            ? []
            : [
                {
                  name: t('fact.normality'),
                  value: t('fact.normalityOf', {
                    w: format.number(report.normality.w, 4),
                    p: format.pValue(report.normality.pValue),
                    verdict: report.normality.pValue < significant ? 'not' : 'normal',
                  }),
                },
              ]),
          ...fact(
            t('fact.skewness'),
            report === undefined || report.skewness === null ? null : format.number(report.skewness, 2),
          ),
          ...(report === undefined || trait.type !== 'quantitative'
            ? []
            : [
                {
                  name: t('fact.outliers'),
                  value: t('fact.outliersOf', { mild: outliers('mild'), far: outliers('far') }),
                },
              ]),
          ...fact(t('fact.source'), format.text(dataset.source)),
          ...fact(t('fact.licence'), dataset.licence),
        ]}
      />
      {trait.unconnected === 0 ? null : (
        <p className="nv-warn">{t('fact.unconnected', { count: trait.unconnected })}</p>
      )}
    </>
  )
}
