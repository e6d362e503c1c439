import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { transposonClass, transposonOrderName } from '../../bio/repeats/transposon-classes.ts'
import { browserAddress } from '../../kit/ui/browser-address.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { RegionText } from '../../kit/ui/gene/region-text.tsx'
import { SameLocusButton } from '../../kit/ui/gene/same-locus.tsx'
import { useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { SequenceView } from '../../kit/ui/gene/sequence-view.tsx'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { RequestError } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { definePage } from '../../kit/ui/tool/define-screen.ts'
import { callToolRoute } from '../../kit/ui/tool/tool-route.ts'
import { nearColumns, useElementColumns } from './element-columns.tsx'
import { ageMy, browseAddress, CodeName, RateField, TransposonNav, useRate } from './element-parts.tsx'
import { type ElementAnswer, elementAnswer } from './endpoints.ts'
import messages from './messages.ts'
import { StructureFigure } from './structure-figure.tsx'
import type { Element } from './tool.ts'
import tool from './tool.ts'
import './screen.css'

const nearBp = 10_000
const flankBp = 3000
/** Longest sequence that goes to another tool by its address. */
const maxAddressBp = 6000

const Record = ({ answer }: { answer: ElementAnswer }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const regionOf = useRegionLabel()
  const { element, parts } = answer
  const { assembly } = element
  const rate = useRate(answer.rate)
  const receipt = useCatalogueReceipt(
    `${tool.id}/element`,
    'LTRs aligned globally, Kimura’s two-parameter distance K, T = K / 2r',
    { assembly, id: element.id, ...(rate === null ? {} : { rate }) },
    [assembly],
  )
  const withReceipt = receipt === undefined ? {} : { receipt }
  const columns = useElementColumns<Element>((one) => one, rate)
  const age = ageMy(element.ltrDivergence, rate)
  const about = transposonClass(element.code)
  const locus = `${element.sequence}:${element.start}..${element.end}`
  // One substitution in what was compared is the least that could be seen.
  const ltr = parts.find(({ type }) => type === 'LTR')
  const min = ltr === undefined ? null : ageMy(100 / (ltr.end - ltr.start + 1), rate)
  return (
    <>
      <Card>
        <Facts
          facts={[
            { name: t('info.class'), value: <CodeName code={element.code} full /> },
            { name: t('column.order'), value: transposonOrderName(about.order, language) },
            { name: t('column.masker'), value: <code>{about.repeatMasker}</code> },
            ...(answer.givenClass === null ? [] : [{ name: t('info.given'), value: <code>{answer.givenClass}</code> }]),
            {
              name: t('info.family'),
              value:
                element.family === null ? (
                  '–'
                ) : (
                  <>
                    <Link to={browseAddress({ assembly, family: element.family })}>{element.family}</Link>
                    {`, ${t('info.ofFamily', { count: answer.familyCount })}`}
                  </>
                ),
            },
            { name: t('column.form'), value: t(`form.${element.form}`) },
            {
              name: t('info.locus'),
              value: (
                <code>
                  <RegionText>{regionOf(assembly, element)}</RegionText>
                </code>
              ),
            },
            { name: t('column.length'), value: format.number(element.lengthBp) },
            { name: t('info.source'), value: answer.source },
            ...(answer.targetSite === null
              ? []
              : [{ name: t('column.targetSite'), value: <code>{answer.targetSite}</code> }]),
            ...(element.divergence === null
              ? []
              : [{ name: t('column.divergence'), value: format.number(element.divergence, 2) }]),
            {
              name: t('column.ltrIdentity'),
              value: element.ltrIdentity === null ? '–' : format.number(element.ltrIdentity, 2),
            },
            {
              name: t('column.ltrDivergence'),
              value: element.ltrDivergence === null ? '–' : format.number(element.ltrDivergence, 2),
            },
            {
              name: t('info.age'),
              value:
                age === null
                  ? t(element.ltrDivergence === null ? 'info.ageNone' : 'info.ageNoRate')
                  : age === 0 && min !== null
                    ? t('info.ageEqual', { my: format.statistic(min) })
                    : t('info.ageValue', { my: format.statistic(age) }),
            },
          ]}
        />
        {element.ltrDivergence === null ? null : <RateField stated={answer.rate} />}
        <div className="te-actions">
          <ButtonLink
            to={browserAddress(element, { marginBp: flankBp, lengthBp: answer.sequenceLengthBp, mark: true })}
          >
            {t('info.browser')}
          </ButtonLink>
          <SameLocusButton
            size="normal"
            region={{
              assembly,
              sequence: element.sequence,
              start: element.start,
              end: element.end,
              strand: element.strand === '-' ? '-' : '+',
            }}
          />
          {answer.bases === null || answer.bases.length > maxAddressBp ? null : (
            <ButtonLink
              to={`/tools/blast?${new URLSearchParams({ program: 'blastn', query: `>${element.id}\n${answer.bases}` })}`}
            >
              {t('info.blast')}
            </ButtonLink>
          )}
        </div>
      </Card>
      {parts.length === 0 ? (
        <p className="nv-quiet">{t('info.noParts')}</p>
      ) : (
        <StructureFigure
          name={element.id}
          start={element.start}
          end={element.end}
          strand={element.strand}
          parts={parts}
          {...withReceipt}
        />
      )}
      {parts.length === 0 ? null : (
        <Card title={t('info.parts')} flush>
          <ResultTable
            label={t('info.parts')}
            name={`${element.id}-parts`}
            {...withReceipt}
            rows={parts}
            rowKey={(part) => `${part.type}/${part.start}/${part.end}/${part.name}`}
            plain
            columns={[
              { key: 'part', title: t('column.part'), value: (part) => t(`part.${part.type as 'LTR'}`) },
              { key: 'name', title: t('column.name'), kind: 'id', value: (part) => part.name },
              { key: 'kind', title: t('column.kind'), kind: 'id', value: (part) => part.kind },
              { key: 'start', title: t('column.start'), kind: 'number', value: (part) => part.start },
              { key: 'end', title: t('column.end'), kind: 'number', value: (part) => part.end },
              { key: 'length', title: t('column.length'), kind: 'number', value: (part) => part.end - part.start + 1 },
              { key: 'evalue', title: t('column.evalue'), kind: 'statistic', value: (part) => part.evalue },
            ]}
          />
        </Card>
      )}
      <Card title={t('info.genes', { distance: format.basePairs(nearBp) })} flush>
        <ResultTable
          label={t('info.genes', { distance: format.basePairs(nearBp) })}
          name={`${element.id}-genes`}
          {...withReceipt}
          rows={answer.genes}
          rowKey={({ gene }) => gene.id}
          gene={({ gene }) => ({ id: gene.id, assembly: gene.assembly })}
          empty={<EmptyState title={t('info.noGenes', { distance: format.basePairs(nearBp) })} />}
          columns={[
            ...nearColumns<(typeof answer.genes)[number]>(t),
            { key: 'start', title: t('column.start'), kind: 'number', value: ({ gene }) => gene.start },
            { key: 'end', title: t('column.end'), kind: 'number', value: ({ gene }) => gene.end },
            { key: 'strand', title: t('column.strand'), kind: 'id', value: ({ gene }) => gene.strand },
            { key: 'description', title: t('column.description'), long: true, value: ({ gene }) => gene.description },
          ]}
        />
      </Card>
      {answer.overlapping.length === 0 ? null : (
        <Card title={t('info.overlapping')} flush>
          <ResultTable
            label={t('info.overlapping')}
            name={`${element.id}-overlapping`}
            {...withReceipt}
            rows={answer.overlapping}
            rowKey={({ id }) => id}
            columns={columns}
            plain
          />
        </Card>
      )}
      <Card title={t('info.sequence')}>
        {answer.bases === null ? (
          <p className="nv-quiet">{t('info.sequenceLong')}</p>
        ) : (
          <SequenceView
            sequence={answer.bases}
            header={`${element.id}#${about.repeatMasker} ${assembly} ${locus} (${element.strand})`}
            kind="nucleotide"
          />
        )}
      </Card>
    </>
  )
}

const Info = (): ReactNode => {
  const t = useText(messages)
  const [query] = useSearchParams()
  const assembly = query.get('assembly') ?? ''
  const id = query.get('id') ?? ''
  const answer = useQuery({
    queryKey: ['te-element', assembly, id],
    enabled: id !== '',
    queryFn: (context) =>
      callToolRoute(
        'GET',
        tool.id,
        'element/',
        { id, ...(assembly === '' ? {} : { assembly }) },
        elementAnswer,
        context,
      ),
    staleTime: 5 * 60_000,
    retry: false,
  })
  const back = <ButtonLink to={browseAddress(assembly === '' ? {} : { assembly })}>{t('info.back')}</ButtonLink>
  const missing = answer.error instanceof RequestError && answer.error.status === 404
  return (
    <main className="nv-page te-page">
      <title>{`${id === '' ? t('info.title') : id} · NovoDB`}</title>
      <header className="nv-page-head">
        <div>
          <h1>{id === '' ? t('info.title') : id}</h1>
          {answer.data === undefined ? null : (
            <p className="nv-lead">
              <CodeName code={answer.data.element.code} full /> · {answer.data.element.assembly}
            </p>
          )}
        </div>
      </header>
      <TransposonNav now="browse" assembly={assembly} />
      {id === '' ? (
        <EmptyState title={t('info.which')} why={t('info.whichWhy')} action={back} />
      ) : missing ? (
        <EmptyState title={t('info.notFound')} why={answer.error?.message} action={back} />
      ) : answer.isError ? (
        <Unanswered of={answer} />
      ) : answer.data === undefined ? (
        <Waiting />
      ) : (
        <Record key={id} answer={answer.data} />
      )}
    </main>
  )
}

export default definePage({ Page: Info })
