import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { transposonClass, transposonName, transposonOrderName } from '../../bio/repeats/transposon-classes.ts'
import type { ElementSummary } from '../../kit/data/element-data.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts } from '../../kit/ui/controls/card.tsx'
import { NoDataState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Segmented } from '../../kit/ui/controls/field.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { addressOf } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { callToolRoute } from '../../kit/ui/tool/tool-route.ts'
import { AgeFigure } from './age-figure.tsx'
import { browseAddress, CodeName, RateField, useRate } from './element-parts.tsx'
import { summaryAnswer } from './endpoints.ts'
import { LandscapeFigure } from './landscape-figure.tsx'
import messages from './messages.ts'
import tool from './tool.ts'

const Figures = ({ summary, assembly }: { summary: ElementSummary; assembly: string }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const assemblyName = useAssemblyNames()
  const receipt = useCatalogueReceipt(tool.id, 'bases of overlapping elements counted once', { assembly }, [assembly])
  const rate = useRate(summary.rate)
  const hasLtr = summary.ages.ltr.length > 0
  const hasConsensus = summary.ages.consensus.length > 0
  const [measure, setMeasure] = useState<'ltr' | 'consensus'>(hasLtr ? 'ltr' : 'consensus')
  const share = (bp: number): number => (100 * bp) / summary.genomeBp
  return (
    <>
      <Card title={assemblyName(assembly)}>
        <Facts
          facts={[
            { name: t('overview.count'), value: format.number(summary.count) },
            {
              name: t('overview.covered'),
              value: `${format.number(share(summary.coveredBp), 2)} % (${format.basePairs(summary.coveredBp)})`,
            },
            // Without a library nothing has a family: 0 would say that there are none.
            ...(summary.familyCount === 0
              ? []
              : [{ name: t('overview.families'), value: format.number(summary.familyCount) }]),
            {
              name: t('overview.full'),
              value: format.number(summary.codes.reduce((sum, { full }) => sum + full, 0)),
            },
            { name: t('overview.sources'), value: summary.sources.join(', ') },
          ]}
        />
        {summary.found === undefined ? null : (
          <details className="nv-quiet te-chosen">
            <summary>{t('chosen.title')}</summary>
            <p>{t('chosen.about', summary.found)}</p>
          </details>
        )}
      </Card>
      <Card
        title={t('overview.classes')}
        aside={t('overview.classesAbout')}
        actions={
          <>
            <ButtonLink to={browseAddress({ assembly })}>{t('overview.all')}</ButtonLink>
            <a
              className="nv-button nv-button-default nv-button-normal"
              href={addressOf(`/api/tools/${tool.id}/gff3?${new URLSearchParams({ assembly })}`)}
            >
              {t('overview.download')}
            </a>
          </>
        }
        flush
      >
        <ResultTable
          label={t('overview.classes')}
          name={`${assembly}-transposon-classes`}
          {...(receipt === undefined ? {} : { receipt })}
          rows={summary.codes}
          rowKey={({ code }) => code}
          plain
          columns={[
            {
              key: 'code',
              title: t('column.code'),
              kind: 'id',
              value: ({ code }) => code,
              render: ({ code }) => (
                <Link to={browseAddress({ assembly, codes: code })} title={t('overview.browse')}>
                  <CodeName code={code} />
                </Link>
              ),
            },
            { key: 'class', title: t('column.class'), value: ({ code }) => transposonName(code, language) },
            {
              key: 'order',
              title: t('column.order'),
              value: ({ code }) => transposonOrderName(transposonClass(code).order, language),
            },
            {
              key: 'masker',
              title: t('column.masker'),
              kind: 'id',
              value: ({ code }) => transposonClass(code).repeatMasker,
            },
            { key: 'site', title: t('column.site'), value: ({ code }) => transposonClass(code).targetSite },
            { key: 'count', title: t('column.count'), kind: 'number', value: ({ count }) => count },
            { key: 'full', title: t('column.full'), kind: 'number', value: ({ full }) => full },
            { key: 'solo', title: t('column.solo'), kind: 'number', value: ({ solo }) => solo },
            { key: 'families', title: t('column.families'), kind: 'number', value: ({ families }) => families },
            { key: 'bp', title: t('column.bp'), kind: 'number', value: ({ bp }) => bp },
            { key: 'share', title: t('column.share'), kind: 'number', digits: 3, value: ({ bp }) => share(bp) },
          ]}
        />
      </Card>
      <LandscapeFigure summary={summary} assembly={assembly} {...(receipt === undefined ? {} : { receipt })} />
      {hasLtr || hasConsensus ? (
        <>
          <div className="te-age-controls">
            {hasLtr && hasConsensus ? (
              <Segmented
                label={t('overview.age')}
                value={measure}
                onChoose={(value) => setMeasure(value === 'ltr' ? 'ltr' : 'consensus')}
                options={[
                  { value: 'ltr', label: t('overview.ageLtr') },
                  { value: 'consensus', label: t('overview.ageConsensus') },
                ]}
              />
            ) : null}
            {measure === 'ltr' ? <RateField stated={summary.rate} /> : null}
          </div>
          <AgeFigure
            summary={summary}
            measure={measure}
            rate={rate}
            name={`${assembly}-transposon-ages`}
            {...(receipt === undefined ? {} : { receipt })}
          />
        </>
      ) : (
        <p className="nv-quiet">{t('overview.ageNone')}</p>
      )}
      {summary.families.length === 0 ? null : (
        <Card title={t('overview.familyTitle')} flush>
          <ResultTable
            label={t('overview.familyTitle')}
            name={`${assembly}-transposon-families`}
            {...(receipt === undefined ? {} : { receipt })}
            rows={summary.families}
            rowKey={({ family }) => family}
            total={summary.familyCount}
            columns={[
              {
                key: 'family',
                title: t('column.family'),
                value: ({ family }) => family,
                render: ({ family }) => <Link to={browseAddress({ assembly, family })}>{family}</Link>,
              },
              {
                key: 'code',
                title: t('column.code'),
                kind: 'id',
                value: ({ code }) => code,
                render: ({ code }) => <CodeName code={code} />,
              },
              { key: 'class', title: t('column.class'), value: ({ code }) => transposonName(code, language) },
              { key: 'count', title: t('column.count'), kind: 'number', value: ({ count }) => count },
              { key: 'full', title: t('column.full'), kind: 'number', value: ({ full }) => full },
              { key: 'bp', title: t('column.bp'), kind: 'number', value: ({ bp }) => bp },
              { key: 'share', title: t('column.share'), kind: 'number', digits: 3, value: ({ bp }) => share(bp) },
            ]}
          />
        </Card>
      )}
    </>
  )
}

/** Before anything is run: the transposable elements that are loaded of the form's assembly. */
export const StartView = (): ReactNode => {
  const t = useText(messages)
  const [query] = useAddressValues()
  const assemblyName = useAssemblyNames()
  const assemblies = useAssemblies()
  const reports = useOpenings('comparedAssembly')
  const asked = query.get('assembly') ?? ''
  const answer = useQuery({
    queryKey: ['te-summary', asked],
    queryFn: (context) =>
      callToolRoute('GET', tool.id, 'summary/', asked === '' ? {} : { assembly: asked }, summaryAnswer, context),
    staleTime: 5 * 60_000,
    retry: false,
  })
  if (answer.data === undefined) return answer.isError ? <Unanswered of={answer} /> : <Waiting />
  const { summary } = answer.data
  const assembly = answer.data.assembly ?? asked
  const species = assemblies.find(({ id }) => id === assembly)?.species ?? assemblies[0]?.species
  const own = assemblies.filter((one) => one.species === species && one.geneCount > 0 && !one.outgroup)
  const reference = own.find((one) => one.reference)
  const strain =
    reference && (own.find(({ id }) => id === assembly && id !== reference.id) ?? own.find((one) => one !== reference))
  return summary === null ? (
    <NoDataState
      title={t('overview.none')}
      how={t('overview.noneWhy')}
      meanwhile={t('overview.noneMeanwhile', { strains: strain === undefined ? 0 : reports.length })}
      action={
        strain === undefined || reference === undefined
          ? undefined
          : reports.map(({ tool: report, label, address }) => (
              <ButtonLink key={report.id} to={address({ assembly: strain.id, reference: reference.id }, { run: true })}>
                {`${assemblyName(strain.id)}: ${label}`}
              </ButtonLink>
            ))
      }
    />
  ) : (
    <Figures key={assembly} summary={summary} assembly={assembly} />
  )
}
