import { Download } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { z } from 'zod'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts } from '../../kit/ui/controls/card.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { addressOf } from '../../kit/ui/request.ts'
import type { ResultProps } from '../../kit/ui/tool/define-screen.ts'
import type { ScanSource } from './addresses.ts'
import { LambdaNote } from './figures/parts.tsx'
import { ScanFigures } from './figures/scan-figures.tsx'
import messages from './messages.ts'
import tool, { type AssociationRun } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

const filesOf = (model: AssociationRun['model']): string[] => [
  'associations.bed.gz',
  ...(model === 'lmm'
    ? ['gemma.assoc.txt', 'gemma.log.txt']
    : [model === 'linear' ? 'plink2.linear.tsv' : 'plink2.logistic.tsv']),
  'samples.tsv',
]

/** What was computed, in figures, with the files of the run. */
export const RunResult = ({ input, result, receipt, job }: ResultProps<Input, AssociationRun>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const source = useMemo<ScanSource | null>(() => (job === null ? null : { job }), [job])
  const { heritability, covariatesLeftOut = [] } = result
  const told = [
    t(`model.${result.model}`, { test: input.test }),
    `${t('about.samples')} ${format.number(result.samples)}`,
    `${t('about.tests')} ${format.number(result.tested)}`,
    `P ≤ ${result.threshold.toExponential(2)}`,
    ...(result.lambda === null ? [] : [`λ ${format.fixed(result.lambda, 2)}`]),
  ].join(' · ')
  return (
    <>
      <Card>
        <details className="nv-advanced">
          <summary>
            {t('about.run')} <span className="nv-quiet gwas-told">{told}</span>
          </summary>
          <Facts
            facts={[
              { name: t('about.model'), value: t(`model.${result.model}`, { test: input.test }) },
              {
                name: t('about.samples'),
                value: t('about.samplesValue', { count: result.samples, out: result.samplesLeftOut }),
              },
              { name: t('about.tests'), value: format.number(result.tested) },
              {
                name: t('about.leftOut'),
                value: t('about.leftOutValue', {
                  rare: result.rare,
                  missing: result.missing,
                  constant: result.constant,
                  untested: result.untested,
                }),
              },
              {
                name: t('about.threshold'),
                value: `${result.threshold.toExponential(2)} (${t(`option.significance.${result.thresholdBy}`)}, ${format.number(result.tests)})`,
              },
              ...(result.lambda === null ? [] : [{ name: t('about.lambda'), value: format.fixed(result.lambda, 2) }]),
              ...(heritability === null
                ? []
                : [
                    {
                      name: t('about.heritability'),
                      value: `${format.fixed(heritability.value, 2)}${heritability.se === null ? '' : ` ± ${format.fixed(heritability.se, 2)}`}`,
                    },
                  ]),
              ...(result.covariates.length === 0
                ? []
                : [{ name: t('about.covariates'), value: result.covariates.join(', ') }]),
              ...(result.cases === null
                ? []
                : [
                    {
                      name: t('about.cases'),
                      value: t('about.casesValue', { cases: result.cases, controls: result.samples - result.cases }),
                    },
                  ]),
            ]}
          />
          {result.ploidy === 1 ? <p className="nv-quiet">{t('about.haploid')}</p> : null}
          {result.ploidy > 2 ? <p className="nv-quiet">{t('about.polyploid', { ploidy: result.ploidy })}</p> : null}
          {result.repeated === 0 ? null : <p className="nv-quiet">{t('about.repeated', { count: result.repeated })}</p>}
          {job === null ? null : (
            <p className="gwas-links">
              {filesOf(result.model).map((name) => (
                <ButtonLink
                  key={name}
                  external
                  size="small"
                  icon={<Download size={14} aria-hidden />}
                  to={addressOf(`/api/tools/${tool.id}/jobs/${job}/file?${new URLSearchParams({ name })}`)}
                >
                  {name}
                </ButtonLink>
              ))}
            </p>
          )}
        </details>
        <LambdaNote lambda={result.lambda} patterns={result.patterns} />
        {result.unknownCount === 0 ? null : (
          <p className="nv-warn">
            {t('about.unknown', { count: result.unknownCount, names: result.unknown.join(', ') })}
          </p>
        )}
        {covariatesLeftOut.length === 0 ? null : (
          <p className="nv-warn">{t('about.covariatesLeftOut', { names: covariatesLeftOut.join(', ') })}</p>
        )}
      </Card>
      {source === null ? null : (
        <ScanFigures
          source={source}
          title={result.traitName === undefined ? result.trait : format.text(result.traitName)}
          receipt={receipt}
        />
      )}
    </>
  )
}
