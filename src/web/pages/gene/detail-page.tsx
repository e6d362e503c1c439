import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { type Detail, detailTypes, getDetail } from '../../../contracts/details.ts'
import { type GeneSummary, geneIdsSchema } from '../../../contracts/genes.ts'
import { ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Card, Facts, Tag } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { GeneSetMenu } from '../../../kit/ui/controls/gene-set-picker.tsx'
import { useAspectName, useBiotypeName } from '../../../kit/ui/gene/biology-names.ts'
import type { ChosenGenes } from '../../../kit/ui/gene/chosen-genes.ts'
import { DataOfPublication } from '../../../kit/ui/gene/cited-data.tsx'
import { GeneLink } from '../../../kit/ui/gene/gene-link.tsx'
import { RoleOf, useRegionLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { call, RequestError } from '../../../kit/ui/request.ts'
import { ResultTable } from '../../../kit/ui/table/result-table.tsx'
import type { RecordOf, ToolRecords } from '../../../kit/ui/tool/define-records.ts'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'
import { useOpenings } from '../../../kit/ui/tool/tool-openings.ts'
import { callToolRoute } from '../../../kit/ui/tool/tool-route.ts'
import { messages } from '../../messages/detail.ts'
import { messages as routes } from '../../messages/routes.ts'
import { PageTitle } from '../../shell/page-title.tsx'
import { fillAddress } from '../../shell/search-box.tsx'
import '../account/account.css'

type Of<Type extends Detail['type']> = Extract<Detail, { type: Type }>

/** Address of the record of what is not a gene. */
const detailAddress = (type: string, id: string, scope: { assembly?: string; species?: string } = {}): string =>
  `/detail?${new URLSearchParams({ type, id, ...scope })}`

interface Fact {
  name: string
  value: ReactNode
  wide?: boolean
}
/** A fact only where there is something to say. */
const fact = (name: string, value: ReactNode, wide = false): Fact[] =>
  value === null || value === '' ? [] : [{ name, value, wide }]

const Genes = ({ genes, total, assembly }: { genes: GeneSummary[]; total: number; assembly: string }): ReactNode => {
  const t = useText(messages)
  return (
    <ResultTable
      label={t('detail.genes')}
      name={`genes-${assembly}`}
      pageSize={10}
      rows={genes}
      total={total}
      rowKey={(gene) => gene.id}
      gene={(gene) => ({ id: gene.id, assembly: gene.assembly })}
      columns={[
        {
          key: 'id',
          title: t('detail.gene'),
          kind: 'id',
          value: (gene) => gene.id,
          render: (gene) => <GeneLink id={gene.id} assembly={gene.assembly} />,
        },
        { key: 'symbol', title: t('detail.symbol'), kind: 'symbol', value: (gene) => gene.symbol },
        { key: 'description', title: t('detail.description'), long: true, value: (gene) => gene.description },
        {
          key: 'location',
          title: t('detail.location'),
          kind: 'region',
          value: ({ sequence, start, end, strand }) => `${sequence}:${start}..${end}(${strand})`,
          on: (gene) => gene,
        },
      ]}
    />
  )
}

const TranscriptRecord = ({ record }: { record: Of<'transcript'> }): ReactNode => {
  const t = useText(messages)
  const biotypeName = useBiotypeName()
  const format = useFormat()
  const regionOf = useRegionLabel()
  const { gene, transcript } = record
  return (
    <>
      <Card title={t('detail.summary')}>
        <Facts
          facts={[
            {
              name: t('detail.gene'),
              value: <GeneLink id={gene.id} assembly={gene.assembly} symbol={gene.symbol} />,
            },
            { name: t('detail.biotype'), value: biotypeName(transcript.biotype) },
            {
              name: t('detail.location'),
              value: regionOf(gene.assembly, { ...gene, start: transcript.start, end: transcript.end }),
            },
            { name: t('detail.assembly'), value: record.assembly },
            { name: t('detail.cdna'), value: format.basePairs(transcript.cdnaLengthBp) },
            ...fact(t('detail.cds'), transcript.cdsLengthBp === 0 ? null : format.basePairs(transcript.cdsLengthBp)),
            ...fact(
              t('detail.protein'),
              transcript.proteinLength === null
                ? null
                : [transcript.proteinId, t('detail.residues', { count: transcript.proteinLength })]
                    .filter((part) => part !== null)
                    .join(', '),
            ),
          ]}
        />
      </Card>
      <Card title={t('detail.exons')} flush>
        <ResultTable
          label={t('detail.exons')}
          name={`exons-${transcript.id}`}
          plain
          rows={transcript.exons.map((exon, index) => ({ ...exon, number: index + 1 }))}
          rowKey={(exon) => String(exon.number)}
          columns={[
            { key: 'number', title: t('detail.exon'), kind: 'number', value: (exon) => exon.number },
            { key: 'start', title: t('detail.start'), kind: 'number', value: (exon) => exon.start },
            { key: 'end', title: t('detail.end'), kind: 'number', value: (exon) => exon.end },
            { key: 'length', title: t('detail.length'), kind: 'number', value: (exon) => exon.end - exon.start + 1 },
          ]}
        />
      </Card>
    </>
  )
}

const TermRecord = ({ record }: { record: Of<'term'> }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const searches = useOpenings('genesOfTerm')
  const assemblyName = useAssemblyNames()
  const aspectName = useAspectName()
  const [search] = searches
  /** All of them, of which this page lists the first. */
  const genesOf = ({ assembly, geneCount, genes }: (typeof record.assemblies)[number]): ChosenGenes => {
    if (search === undefined || geneCount <= genes.length) return genes
    const { assemblies: _, ...question } = search.input({ term: record.id, assemblies: assembly })
    return {
      assembly,
      count: geneCount,
      total: geneCount,
      ask: async () =>
        (await callToolRoute('POST', search.tool.id, 'ids/', { ...question, assembly }, geneIdsSchema)).genes,
    }
  }
  const links = (terms: { id: string; name: string | null }[]): ReactNode =>
    terms.length === 0 ? null : (
      <ul className="account-list">
        {terms.map((term) => (
          <li key={term.id}>
            <Link to={detailAddress('term', term.id, { species: record.species })}>
              <code>{term.id}</code> {term.name}
            </Link>
          </li>
        ))}
      </ul>
    )
  return (
    <>
      <Card title={t('detail.summary')}>
        <Facts
          facts={[
            { name: t('detail.source'), value: record.source },
            ...fact(t('detail.namespace'), record.namespace === null ? null : aspectName(record.namespace)),
            ...fact(t('detail.definition'), record.definition, true),
            ...fact(t('detail.synonyms'), format.list(record.synonyms), true),
            ...fact(t('detail.alternative'), record.alternativeIds.join(', ')),
            ...fact(
              t('detail.replacedBy'),
              record.replacedBy === null ? null : (
                <Link to={detailAddress('term', record.replacedBy, { species: record.species })}>
                  <code>{record.replacedBy}</code>
                </Link>
              ),
            ),
            ...fact(t('detail.parents'), links(record.parents), true),
            ...fact(t('detail.children'), links(record.children), true),
          ]}
        />
      </Card>
      {record.assemblies.length === 0 ? <EmptyState title={t('detail.noGenes')} /> : null}
      {record.assemblies.map((part) => (
        <Card
          key={part.assembly}
          flush
          title={t('detail.genesCount', { count: part.geneCount, assembly: assemblyName(part.assembly) })}
          actions={
            <>
              <GeneSetMenu
                genes={genesOf(part)}
                name={t('detail.setName', { term: record.name ?? record.id, assembly: assemblyName(part.assembly) })}
              />
              {searches.map(({ tool, label, address }) => (
                <ButtonLink
                  key={tool.id}
                  size="small"
                  to={address({ term: record.id, assemblies: part.assembly }, { run: true })}
                >
                  {label}
                </ButtonLink>
              ))}
            </>
          }
        >
          <Genes genes={part.genes} total={part.geneCount} assembly={part.assembly} />
        </Card>
      ))}
    </>
  )
}

const ReferenceRecord = ({ record }: { record: Of<'reference'> }): ReactNode => {
  const t = useText(messages)
  const outside = (address: string, text: string): ReactNode => (
    <a href={address} rel="noreferrer" target="_blank">
      {text}
    </a>
  )
  const issue = [record.volume, record.issue === null ? null : `(${record.issue})`].filter(Boolean).join(' ')
  return (
    <Card title={t('detail.summary')}>
      <DataOfPublication species={record.species} id={record.id} title={record.title} />
      <Facts
        facts={[
          ...fact(t('detail.authors'), record.authors.join('; '), true),
          ...fact(t('detail.journal'), [record.journal, issue, record.pages].filter(Boolean).join(', ')),
          ...fact(t('detail.year'), record.year),
          ...fact(t('detail.publisher'), record.publisher),
          ...fact(t('detail.doi'), record.doi === null ? null : outside(`https://doi.org/${record.doi}`, record.doi)),
          ...fact(
            t('detail.pubmed'),
            record.pubmedId === null
              ? null
              : outside(`https://pubmed.ncbi.nlm.nih.gov/${record.pubmedId}/`, record.pubmedId),
          ),
          ...fact(
            t('detail.url'),
            record.url === null ? null : /^https?:/.test(record.url) ? outside(record.url, record.url) : record.url,
          ),
          ...fact(t('detail.keywords'), record.keywords.join(', '), true),
          ...fact(t('detail.abstract'), record.abstract, true),
        ]}
      />
    </Card>
  )
}

const SequenceRecord = ({ record }: { record: Of<'sequence'> }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const known = record.lengthBp - record.nCount
  return (
    <Card title={t('detail.summary')}>
      <Facts
        facts={[
          { name: t('detail.assembly'), value: record.assembly },
          { name: t('detail.role'), value: t(`role.${record.role}`) },
          ...fact(t('detail.aliases'), record.aliases.join(', ')),
          {
            name: t('detail.bases'),
            value: `${format.basePairs(record.lengthBp)} (${format.number(record.lengthBp)} bp)`,
          },
          ...fact(t('detail.gc'), known === 0 ? null : format.percent(record.gcCount / known, 2)),
          { name: t('detail.unknownBases'), value: format.number(record.nCount) },
          { name: t('detail.shape'), value: t(record.circular ? 'detail.circular' : 'detail.linear') },
          { name: t('detail.geneticCode'), value: record.geneticCode },
          { name: t('detail.geneCount'), value: format.number(record.geneCount) },
          { name: 'MD5', value: <code>{record.md5}</code> },
          { name: 'GA4GH', value: <code>{record.sha512t24u}</code>, wide: true },
        ]}
      />
    </Card>
  )
}

const headOf = (record: Detail): string => {
  switch (record.type) {
    case 'transcript':
      return record.transcript.id
    case 'term':
      return record.name ?? record.id
    case 'reference':
      return record.title ?? record.id
    default:
      return record.name
  }
}

const Actions = ({ record }: { record: Detail }): ReactNode => {
  const regions = useOpenings('region', 'assembly' in record ? (record.assembly ?? undefined) : undefined)
  const publications = useOpenings('publication')
  if (record.type === 'reference')
    return (
      <div className="nv-page-actions">
        {publications.map(({ tool, label, address }) => (
          <ButtonLink
            key={tool.id}
            to={address({ id: record.id, species: record.species, title: record.title ?? record.id })}
          >
            {label}
          </ButtonLink>
        ))}
      </div>
    )
  if (record.type !== 'sequence' && record.type !== 'transcript') return null
  const [assembly, sequence, start, end] =
    record.type === 'sequence'
      ? [record.assembly, record.name, 1, record.lengthBp]
      : [record.assembly, record.gene.sequence, record.transcript.start, record.transcript.end]
  return (
    <div className="nv-page-actions">
      {regions.map(({ tool, label, address }) => (
        <ButtonLink key={tool.id} to={address({ assembly, sequence, start, end })}>
          {label}
        </ButtonLink>
      ))}
    </div>
  )
}

/** Records that tools draw, by the file that does. */
const recordFiles = import.meta.glob<{ default: ToolRecords }>('../../../tools/*/records.tsx')
const drawn = new Map<string, ComponentType<RecordOf>>()

/** What draws a record of a tool's own type, loaded when it is asked for; null when no tool does. */
const useToolRecord = (type: string | null): ComponentType<RecordOf> | null => {
  const tools = useToolList()
  const tool = type === null ? undefined : tools.find((one) => Object.hasOwn(one.records, type))
  const load = tool === undefined ? undefined : recordFiles[`../../../tools/${tool.id}/records.tsx`]
  if (type === null || load === undefined) return null
  const known = drawn.get(type)
  if (known !== undefined) return known
  const Drawn = lazy(async () => {
    const own = (await load()).default[type]
    return { default: own ?? (() => <EmptyState title={type} />) }
  })
  drawn.set(type, Drawn)
  return Drawn
}

/** The record page of what is not a gene, by the type and id of its address. */
const DetailPage = (): ReactNode => {
  const t = useText(messages)
  const r = useText(routes)
  const [query] = useSearchParams()
  const type = detailTypes.find((one) => one === query.get('type'))
  const id = query.get('id') ?? ''
  const assembly = query.get('assembly') ?? undefined
  const species = query.get('species') ?? undefined
  const answer = useQuery({
    queryKey: ['detail', type, id, assembly, species],
    enabled: type !== undefined && id !== '',
    queryFn: (context) => call(getDetail, { type: type ?? 'term', id, assembly, species }, context),
  })
  const name = r('route.detail')
  const given = query.get('type') ?? ''
  const ToolRecord = useToolRecord(given)
  const tools = useToolList()
  if (type === undefined && ToolRecord !== null && id !== '' && species !== undefined)
    return (
      <main className="nv-page">
        <PageTitle>{id}</PageTitle>
        <Suspense fallback={<Waiting />}>
          <ToolRecord species={species} id={id} />
        </Suspense>
      </main>
    )
  // Other records that a tool brings have their page there.
  const own = tools.find(({ records }) => given in records)?.records[given]
  if (own !== undefined && id !== '' && !own.startsWith('/detail'))
    return <Navigate replace to={fillAddress(own, { type: given, id, assembly: assembly ?? null })} />
  if (type === undefined || id === '')
    return (
      <main className="nv-page">
        <PageTitle>{name}</PageTitle>
        <h1>{name}</h1>
        <EmptyState title={t('detail.none')} why={t('detail.noneWhy')} />
      </main>
    )
  const missing = answer.error instanceof RequestError && answer.error.status === 404
  const record = answer.data
  return (
    <main className="nv-page">
      <PageTitle>{record === undefined ? name : headOf(record)}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>
            {record === undefined ? id : headOf(record)}
            {record?.type === 'sequence' ? <RoleOf assembly={record.assembly} sequence={record.name} /> : null}
          </h1>
          <p className="nv-lead">
            <Tag tone="grey">{t(`detail.${type}`)}</Tag> {record?.type === 'term' ? <code>{record.id}</code> : null}{' '}
            {record?.type === 'term' && record.obsolete ? <Tag tone="amber">{t('detail.obsolete')}</Tag> : null}
          </p>
        </div>
        {record === undefined ? null : <Actions record={record} />}
      </header>
      {missing ? (
        <EmptyState
          title={t('detail.notFound', { type: t(`detail.${type}`), id })}
          why={t('detail.notFoundWhy')}
          action={<ButtonLink to={`/search?${new URLSearchParams({ q: id })}`}>{t('detail.search')}</ButtonLink>}
        />
      ) : answer.isError ? (
        <Unanswered of={answer} />
      ) : record === undefined ? (
        <Waiting />
      ) : (
        <div className="account-stack">
          {record.type === 'transcript' ? (
            <TranscriptRecord record={record} />
          ) : record.type === 'term' ? (
            <TermRecord record={record} />
          ) : record.type === 'reference' ? (
            <ReferenceRecord record={record} />
          ) : (
            <SequenceRecord record={record} />
          )}
        </div>
      )}
    </main>
  )
}

export default DetailPage
