import { type ReactNode, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { browserAddress } from '../../kit/ui/browser-address.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts } from '../../kit/ui/controls/card.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { addressWith, type ScanSource } from './addresses.ts'
import type { ScanView } from './endpoints.ts'
import { geneOf, LambdaNote, pInLine, ScanNav, useTraitName } from './figures/parts.tsx'
import { ScanFigures } from './figures/scan-figures.tsx'
import messages from './messages.ts'
import tool from './tool.ts'

const About = ({ view }: { view: ScanView }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { trait, set } = view
  const best = trait.best
  return (
    <Card>
      <p className="nv-headline">
        {t('head.scan', {
          count: trait.count,
          complete: String(trait.complete),
          reported: trait.significant === null ? 'none' : 'some',
          significant: trait.significant ?? 0,
          loci: view.loci.length,
          best: best === null ? '–' : best.id,
          gene: geneOf(best, view.loci),
          p: best === null ? '–' : pInLine(best.logP),
        })}{' '}
        <SimulatedTag simulated={set?.simulated === true} />
      </p>
      <Facts
        facts={[
          ...(set === null
            ? []
            : [
                {
                  name: t('about.set'),
                  value: format.text(set.name),
                },
                ...(set.description === null
                  ? []
                  : [{ name: t('about.description'), value: format.text(set.description), wide: true }]),
              ]),
          { name: t('about.tests'), value: format.number(trait.count) },
          ...(trait.lambda === null ? [] : [{ name: t('about.lambda'), value: format.fixed(trait.lambda, 2) }]),
          ...(trait.threshold === null
            ? []
            : [
                {
                  name: t('about.threshold'),
                  value: `${trait.threshold.toExponential(2)} (${t(`by.${trait.thresholdBy ?? 'stated'}`)})`,
                },
              ]),
          ...(set?.unit == null ? [] : [{ name: t('about.unit'), value: set.unit }]),
          ...(set?.variants == null ? [] : [{ name: t('about.variants'), value: set.variants }]),
          ...(set?.phenotypes == null ? [] : [{ name: t('about.phenotypes'), value: set.phenotypes }]),
          ...(set?.licence == null ? [] : [{ name: t('about.licence'), value: set.licence }]),
        ]}
      />
      <LambdaNote lambda={trait.lambda} />
      {trait.complete ? null : <p className="nv-warn">{t('about.hitsOnly')}</p>}
    </Card>
  )
}

/** The record of a trait's scan: figures, loci and hits. */
export const ScanPage = (): ReactNode => {
  const t = useText(messages)
  const [query] = useSearchParams()
  const assembly = query.get('assembly') ?? ''
  const scan = query.get('scan') ?? ''
  const trait = query.get('trait') ?? ''
  const source = useMemo<ScanSource>(
    () => ({ ...(assembly === '' ? {} : { assembly }), scan, ...(trait === '' ? {} : { trait }) }),
    [assembly, scan, trait],
  )
  const receipt = useCatalogueReceipt(
    tool.id,
    'stored p-values; lambda = median chi-square / 0.4549',
    { assembly, scan, trait },
    [assembly],
  )
  const nameOf = useTraitName(assembly === '' ? undefined : assembly)
  const title = trait === '' ? scan : nameOf(scan, trait)
  return (
    <main className="nv-page gwas-page">
      <title>{`${title} · NovoDB`}</title>
      <header className="nv-page-head">
        <div>
          <h1>{title}</h1>
          <p className="nv-lead">{t('scan.lead')}</p>
        </div>
        <div className="nv-page-actions">
          <ButtonLink to={addressWith({ assembly })}>{t('nav.overview')}</ButtonLink>
        </div>
      </header>
      <ScanNav now="overview" assembly={assembly} />
      <ScanFigures
        source={source}
        title={title}
        receipt={receipt}
        shown={(view) => (
          <>
            <About view={view} />
            {view.set === null || view.trait.best === null ? null : (
              <p className="gwas-links">
                <ButtonLink
                  size="small"
                  to={browserAddress(
                    {
                      assembly: view.assembly,
                      sequence: view.trait.best.sequence,
                      start: view.trait.best.position,
                      end: view.trait.best.position,
                    },
                    { marginBp: view.windowBp, more: { tracks: `gwas-${view.set.id}` } },
                  )}
                >
                  {t('scan.browser')}
                </ButtonLink>
                <ButtonLink
                  size="small"
                  to={`/download?${new URLSearchParams({ assembly: view.assembly, kind: 'gwas' })}`}
                >
                  {t('scan.download')}
                </ButtonLink>
              </p>
            )}
          </>
        )}
      />
    </main>
  )
}
