import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { splitIdentifiers } from '../../contracts/tools/tool.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { useDatasets } from '../../kit/ui/controls/expression-fields.tsx'
import { Field, Segmented } from '../../kit/ui/controls/field.tsx'
import { GeneInput, maxIdentifierCharacters } from '../../kit/ui/controls/gene-input.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { TextBox } from '../../kit/ui/controls/text-box.tsx'
import { findGeneSet } from '../../kit/ui/gene/gene-sets.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call, RequestError } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { definePage } from '../../kit/ui/tool/define-screen.ts'
import { enrichmentAddress, mapAddress, mapGeneAddress } from './addresses.ts'
import { parseGeneValues } from './colour-genes.ts'
import { DrawnMap, type MapColours, useValueText } from './drawn-map.tsx'
import { getExpressionValues, getPathway, type MapNode, type PathwayAnswer } from './endpoints.ts'
import { type Comparison, ExpressionChoice, readComparison } from './expression-choice.tsx'
import messages from './messages.ts'
import { UndrawnMap } from './network-map.tsx'
import tool, { limits } from './tool.ts'
import './screen.css'

const addressLimit = 1500
const kinds = ['none', 'set', 'values', 'expression'] as const
type Kind = (typeof kinds)[number]

/** The part of the values from which colours are full: a few extremes do not pale the rest. */
const fullShare = 0.98

const MapView = ({ pathway }: { pathway: PathwayAnswer }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query, change] = useAddressValues()
  const { assembly, source } = pathway
  const asked = findGeneSet(query.get('set') ?? '')?.genes.join('\n') ?? query.get('genes')?.replaceAll(',', '\n') ?? ''
  const [kind, setKind] = useState<Kind>(
    query.has('dataset') ? 'expression' : query.has('values') ? 'values' : asked === '' ? 'none' : 'set',
  )
  const [setText, changeSetText] = useState(asked)
  const [valueText, setValueText] = useState(query.get('values') ?? '')
  const [applied, setApplied] = useState({ set: asked, values: query.get('values') ?? '' })
  const [node, setNode] = useState<MapNode | null>(null)
  const highlighted = query.get('gene') ?? ''
  const receipt = useCatalogueReceipt(
    `${tool.id}/map`,
    'genes of the pathway and of all pathways below it, as loaded',
    useMemo(() => ({ assembly, source, id: pathway.id }), [assembly, source, pathway.id]),
    [assembly],
  )
  const [chosen, setChosen] = useState<Comparison | null>(() => readComparison(query))
  const expression = useQuery({
    queryKey: ['pathway-values', assembly, source, pathway.id, chosen],
    queryFn: (context) => call(getExpressionValues, { assembly, source, id: pathway.id, ...chosen! }, context),
    enabled: kind === 'expression' && chosen !== null,
    staleTime: 5 * 60_000,
    retry: false,
  })
  const { data: datasets } = useDatasets(tool.id, assembly)
  const measured = useMemo((): string | undefined => {
    const dataset = datasets?.find(({ id }) => id === chosen?.dataset)
    if (kind !== 'expression' || chosen === null || dataset === undefined) return undefined
    const contrast = dataset.contrasts.find(({ id }) => id === chosen.contrast)
    const compared = contrast === undefined ? t('colour.level', { level: chosen.level }) : format.text(contrast.name)
    return t('colour.scale', { dataset: format.text(dataset.name), compared })
  }, [datasets, chosen, kind, t, format])
  const parsed = useMemo(() => parseGeneValues(applied.values, limits.values), [applied.values])
  const colours = useMemo((): MapColours => {
    const names = (gene: PathwayAnswer['genes'][number]): string[] =>
      [gene.id, gene.symbol ?? ''].map((name) => name.toLowerCase())
    const given =
      kind === 'set'
        ? new Map(splitIdentifiers(applied.set).map((name) => [name.toLowerCase(), 1]))
        : kind === 'values'
          ? parsed.values
          : kind === 'expression'
            ? new Map((expression.data?.values ?? []).map(({ gene, value }) => [gene.toLowerCase(), value]))
            : new Map<string, number>()
    const values = new Map(
      pathway.genes.flatMap((gene) => {
        const value = names(gene).flatMap((name) => given.get(name) ?? [])[0]
        return value === undefined ? [] : [[gene.id, value] as const]
      }),
    )
    const uncounted = new Set(kind === 'expression' ? expression.data?.uncounted : [])
    const sizes = [...given.values()].map(Math.abs).sort((a, b) => a - b)
    const max = sizes[Math.floor((sizes.length - 1) * fullShare)] ?? 1
    return {
      kind: values.size === 0 && uncounted.size === 0 ? 'none' : kind === 'expression' ? 'values' : kind,
      values,
      max: max === 0 ? 1 : max,
      isClipped: [...values.values()].some((value) => Math.abs(value) > max && max > 0),
      uncounted,
      counted: expression.data?.counted ?? 'reads',
      ...(measured === undefined ? {} : { title: measured }),
    }
  }, [kind, applied.set, parsed, expression.data, pathway, measured])
  const apply = (): void => {
    setApplied({ set: setText, values: valueText })
    const ids = splitIdentifiers(setText).join(',')
    change(
      {
        set: null,
        dataset: null,
        contrast: null,
        level: null,
        genes: kind === 'set' && ids !== '' && ids.length <= addressLimit ? ids : null,
        values: kind === 'values' && valueText !== '' && valueText.length <= addressLimit ? valueText : null,
      },
      true,
    )
  }
  const shownValue = useValueText()
  const nodesOf = useMemo(() => {
    const boxes = new Map<string, string[]>()
    for (const one of pathway.drawing?.nodes ?? [])
      for (const gene of one.genes) boxes.set(gene, [...new Set([...(boxes.get(gene) ?? []), one.label])])
    return boxes
  }, [pathway.drawing])
  const rows = node === null ? pathway.genes : pathway.genes.filter(({ id }) => node.genes.includes(id))
  const title = node === null ? t('map.genes') : t('map.genesOf', { label: node.label })
  const all = pathway.genes.map(({ id }) => ({ id, assembly }))
  const withReceipt = receipt === undefined ? {} : { receipt }
  return (
    <>
      <Card>
        <div className="path-colour">
          <Field label={t('colour.title')}>
            {() => (
              <Segmented
                label={t('colour.title')}
                value={kind}
                onChoose={(chosen) => setKind(chosen as Kind)}
                options={kinds.map((value) => ({ value, label: t(`colour.${value}`) }))}
              />
            )}
          </Field>
          {kind === 'set' ? (
            <div className="path-colour-input">
              <GeneInput value={setText} onValue={changeSetText} assembly={assembly} maximum={limits.genes} rows={2} />
            </div>
          ) : null}
          {kind === 'values' ? (
            <div className="path-colour-input">
              <Field
                label={t('colour.values')}
                help={t('colour.valuesHelp')}
                problems={
                  parsed.problem === null
                    ? []
                    : [t(`colour.${parsed.problem.kind}`, { limit: limits.values, ...parsed.problem })]
                }
              >
                {(control) => (
                  <TextBox
                    {...control}
                    rows={3}
                    max={maxIdentifierCharacters}
                    placeholder={t('colour.placeholder')}
                    value={valueText}
                    onText={setValueText}
                  />
                )}
              </Field>
            </div>
          ) : null}
          {kind === 'expression' ? (
            <ExpressionChoice
              assembly={assembly}
              chosen={chosen}
              onChoose={(next) => {
                setChosen(next)
                change(
                  {
                    set: null,
                    genes: null,
                    values: null,
                    dataset: next.dataset,
                    contrast: next.contrast === '' ? null : next.contrast,
                    level: next.contrast === '' ? next.level : null,
                  },
                  true,
                )
              }}
              problem={expression.error === null ? null : expression.error.message}
              matched={expression.data === undefined ? null : colours.values.size}
            />
          ) : null}
          {kind === 'none' || kind === 'expression' ? null : (
            <div className="path-actions">
              <Button look="primary" size="small" onClick={apply}>
                {t('colour.apply')}
              </Button>
              <span className="nv-quiet">{t('colour.matched', { count: colours.values.size })}</span>
            </div>
          )}
          {highlighted === '' ? null : <p className="nv-quiet">{t('map.from', { gene: highlighted })}</p>}
        </div>
      </Card>
      {pathway.drawing === null ? (
        <UndrawnMap pathway={pathway} colours={colours} highlighted={highlighted} receipt={receipt} />
      ) : (
        <DrawnMap pathway={pathway} colours={colours} highlighted={highlighted} onNode={setNode} receipt={receipt} />
      )}
      <Card
        title={title}
        id="genes"
        flush
        actions={
          <>
            {node === null ? null : (
              <Button size="small" onClick={() => setNode(null)}>
                {t('map.allGenes')}
              </Button>
            )}
            <ButtonLink
              size="small"
              to={enrichmentAddress(
                rows.map(({ id }) => id),
                assembly,
                '',
              )}
            >
              {t('list.enrich')}
            </ButtonLink>
            <GeneSetMenu genes={node === null ? all : rows.map(({ id }) => ({ id, assembly }))} />
          </>
        }
      >
        <ResultTable
          label={title}
          name={`${pathway.id}-genes`}
          {...withReceipt}
          rows={rows}
          rowKey={({ id }) => id}
          marked={highlighted === '' ? null : highlighted}
          gene={({ id }) => ({ id, assembly })}
          columns={[
            {
              key: 'gene',
              title: t('column.gene'),
              kind: 'id',
              value: ({ id }) => id,
              render: ({ id }) => (
                <Link to={mapGeneAddress(id, assembly, pathway)} className="nv-gene-link">
                  <code>{id}</code>
                </Link>
              ),
            },
            { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ symbol }) => symbol },
            ...(colours.kind === 'values'
              ? [
                  {
                    key: 'value',
                    title: t('column.value'),
                    kind: 'number' as const,
                    digits: 3,
                    value: ({ id }: PathwayAnswer['genes'][number]) => colours.values.get(id) ?? null,
                    ...(colours.uncounted.size === 0
                      ? {}
                      : {
                          render: ({ id }: PathwayAnswer['genes'][number]) => (
                            <span className={colours.uncounted.has(id) ? 'nv-quiet' : undefined}>
                              {shownValue(id, colours) ?? '–'}
                            </span>
                          ),
                        }),
                  },
                ]
              : []),
            { key: 'description', title: t('column.description'), long: true, value: ({ description }) => description },
            {
              key: 'locus',
              title: t('column.locus'),
              kind: 'region',
              value: ({ sequence, start, end, strand }) => `${sequence}:${start}..${end}(${strand})`,
              on: ({ sequence }) => ({ assembly, sequence }),
            },
            {
              key: 'nodes',
              title: t('column.nodes'),
              value: ({ id }) => nodesOf.get(id)?.join('; ') ?? null,
              hidden: pathway.drawing === null,
            },
          ]}
        />
      </Card>
      {pathway.related.length === 0 ? null : (
        <Card title={t('map.related')} flush>
          <ResultTable
            plain
            label={t('map.related')}
            name={`${pathway.id}-related`}
            {...withReceipt}
            rows={pathway.related}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'name',
                title: t('column.name'),
                value: ({ name, id }) => name ?? id,
                render: ({ name, id }) => <Link to={mapAddress({ source, id }, assembly)}>{name ?? id}</Link>,
              },
              { key: 'id', title: t('column.id'), kind: 'id', value: ({ id }) => id },
              { key: 'genes', title: t('column.genes'), kind: 'number', value: ({ geneCount }) => geneCount },
              { key: 'shared', title: t('column.shared'), kind: 'number', value: ({ shared }) => shared.length },
            ]}
          />
        </Card>
      )}
    </>
  )
}

const Page = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query] = useAddressValues()
  const value = (name: string): string => query.get(name) ?? ''
  const [id, source, assembly] = [value('id'), value('source'), value('assembly')]
  const answer = useQuery({
    queryKey: ['pathway', id, source, assembly],
    queryFn: (context) => call(getPathway, { id, source, assembly }, context),
    enabled: id !== '',
    staleTime: 5 * 60_000,
    retry: false,
  })
  const pathway = answer.data
  const links = (list: { id: string; name: string | null }[]): ReactNode =>
    list.map((one, at) => (
      <span key={one.id}>
        {at === 0 ? '' : '; '}
        <Link to={mapAddress({ source: pathway!.source, id: one.id }, pathway!.assembly)}>{one.name ?? one.id}</Link>
      </span>
    ))
  const unknown = answer.error instanceof RequestError && answer.error.errorCode === 'NOT_FOUND'
  return (
    <main className="nv-page path-page">
      <title>{`${pathway?.name ?? t('map.page')} · NovoDB`}</title>
      <header className="nv-page-head">
        <div>
          <p className="nv-quiet">
            <Link to={`${tool.route}${assembly === '' ? '' : `?${new URLSearchParams({ assembly })}`}`}>
              {t('map.back')}
            </Link>
          </p>
          <h1>{pathway?.name ?? (id === '' ? t('map.page') : id)}</h1>
          {pathway?.description === null || pathway === undefined ? null : (
            <p className="nv-lead path-description">{pathway.description}</p>
          )}
        </div>
      </header>
      {id === '' || unknown ? (
        <Card>
          <EmptyState
            title={t('map.unknown', { id, assembly })}
            action={<ButtonLink to={tool.route}>{t('map.back')}</ButtonLink>}
          />
        </Card>
      ) : answer.isError ? (
        <Unanswered of={answer} />
      ) : pathway === undefined ? (
        <Waiting />
      ) : (
        <>
          <Card>
            <Facts
              facts={[
                { name: t('column.id'), value: <code>{pathway.id}</code> },
                {
                  name: t('column.source'),
                  value: pathway.title === null ? pathway.source : format.text(pathway.title),
                },
                { name: t('column.genes'), value: format.number(pathway.genes.length) },
                ...(pathway.parents.length === 0 ? [] : [{ name: t('map.above'), value: links(pathway.parents) }]),
                ...(pathway.children.length === 0
                  ? []
                  : [{ name: t('map.below'), value: links(pathway.children), wide: true }]),
              ]}
            />
          </Card>
          <MapView key={`${pathway.source} ${pathway.id} ${pathway.assembly}`} pathway={pathway} />
        </>
      )}
    </main>
  )
}

export default definePage({ Page })
