import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { BookOpen, Download, Search, SlidersHorizontal, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { z } from 'zod'
import { runTool } from '../../contracts/tools/jobs.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { useIsAdministrator } from '../../kit/ui/administrator.ts'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { EmptyState, NoDataState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Select, TextInput } from '../../kit/ui/controls/field.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { SpeciesName, useAssemblyNames, useSpeciesNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { messages as kit } from '../../kit/ui/messages.ts'
import { call } from '../../kit/ui/request.ts'
import { Pager } from '../../kit/ui/table/table-frame.tsx'
import { definePage } from '../../kit/ui/tool/define-screen.ts'
import { ReceiptView } from '../../kit/ui/tool/receipt.tsx'
import { downloadToolRoute } from '../../kit/ui/tool/tool-route.ts'
import { useMedia } from '../../kit/ui/use-media.ts'
import messages from './messages.ts'
import { PublicationItem } from './publication-item.tsx'
import tool, { type FoundPublication, sortKeys } from './tool.ts'
import { YearFigure } from './year-figure.tsx'
import './screen.css'

const fields = [
  'words',
  'species',
  'assembly',
  'gene',
  'geneAssembly',
  'keyword',
  'yearFrom',
  'yearTo',
  'sort',
] as const
type Field = (typeof fields)[number]
const pageSizes = [10, 25, 50, 100]
const exportFormats = ['bibtex', 'ris', 'csl', 'text', 'tsv'] as const
const manifestLines = 'references:\n  - references.bib\n  - { file: more.ris, assemblies: [H37Rv] }'

const keyOf = (publication: { species: string; key: string }): string => `${publication.species}/${publication.key}`

interface Choice {
  value: string
  name: ReactNode
  count: number
}

const Facet = ({
  title,
  choices,
  chosen,
  onChoose,
}: {
  title: string
  choices: Choice[]
  chosen: string
  onChoose: (value: string | null) => void
}): ReactNode =>
  choices.length === 0 ? null : (
    <section className="ref-facet" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {choices.map(({ value, name, count }) => (
          <li key={value}>
            <button
              type="button"
              aria-pressed={value === chosen}
              onClick={() => onChoose(value === chosen ? null : value)}
            >
              <span>{name}</span>
              <small>{count}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )

const ReferencesPage = (): ReactNode => {
  const t = useText(messages)
  const isAdministrator = useIsAdministrator()
  const k = useText(kit)
  const format = useFormat()
  const [query, change] = useAddressValues()
  const asked = Object.fromEntries(
    fields.flatMap((field) => {
      const value = query.get(field)
      return value === null || value === '' ? [] : [[field, value]]
    }),
  ) as Partial<Record<Field, string>>
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1)
  const pageSize = pageSizes.find((size) => size === Number(query.get('pageSize'))) ?? 25
  const parsed = tool.input.safeParse({ ...asked, page, pageSize })
  // An address typed by hand may hold what no form would send: then all is listed.
  const input: z.input<(typeof tool)['input']> = parsed.success ? parsed.data : { page: 1, pageSize }
  const answer = useQuery({
    queryKey: ['run', tool.id, JSON.stringify(input)],
    queryFn: async (context) => {
      const got = await call(runTool, { ...input, tool: tool.id }, context)
      if (!('result' in got)) throw new Error('The list of publications is never a job.')
      return { result: tool.result.parse(got.result), receipt: got.receipt }
    },
    placeholderData: keepPreviousData,
  })
  const [typed, setTyped] = useState(asked.words ?? '')
  useEffect(() => setTyped(asked.words ?? ''), [asked.words])
  const [chosen, setChosen] = useState<Map<string, { species: string; key: string }>>(new Map())
  const wide = useMedia('(min-width: 900px)')

  const set = (values: Partial<Record<Field, string | null>>): void => change({ page: null, ...values })
  const search = (event: FormEvent): void => {
    event.preventDefault()
    set({ words: typed.trim() === '' ? null : typed.trim() })
  }
  const choose = (publication: FoundPublication, on: boolean): void => {
    const next = new Map(chosen)
    if (on) next.set(keyOf(publication), { species: publication.species, key: publication.key })
    else next.delete(keyOf(publication))
    setChosen(next)
  }
  const save = (which: (typeof exportFormats)[number], some: boolean): void => {
    const { page: _, pageSize: __, ...all } = input
    const ending = { bibtex: 'bib', ris: 'ris', csl: 'json', text: 'txt', tsv: 'tsv' }[which]
    void downloadToolRoute(
      tool.id,
      'file',
      { ...(some ? { keys: [...chosen.values()] } : all), format: which },
      `references.${ending}`,
    )
  }
  const items = (some: boolean) =>
    exportFormats.map((which) => ({ key: which, label: t(`export.${which}`), run: () => save(which, some) }))

  const found = answer.data?.result
  const nameOfAssembly = useAssemblyNames()
  const speciesName = useSpeciesNames()
  const years = [asked.yearFrom, asked.yearTo]
  const chips: { field: Partial<Record<Field, null>>; name: ReactNode; plain: string }[] = []
  const chip = (fieldsOf: Partial<Record<Field, null>>, plain: string, name: ReactNode = plain): void =>
    void chips.push({ field: fieldsOf, plain, name })
  if (asked.words !== undefined) chip({ words: null }, t('chip.words', { name: `“${asked.words}”` }))
  if (asked.gene !== undefined) chip({ gene: null, geneAssembly: null }, t('chip.gene', { name: asked.gene }))
  if (asked.species !== undefined) {
    chip({ species: null }, speciesName(asked.species), <SpeciesName id={asked.species} />)
  }
  if (asked.assembly !== undefined) chip({ assembly: null }, nameOfAssembly(asked.assembly))
  if (asked.keyword !== undefined) chip({ keyword: null }, asked.keyword)
  if (years[0] !== undefined || years[1] !== undefined)
    chip(
      { yearFrom: null, yearTo: null },
      t('chip.years', { name: years[0] === years[1] ? years[0] : `${years[0] ?? '…'}–${years[1] ?? '…'}` }),
    )
  const clear = (): void => set(Object.fromEntries(fields.map((field) => [field, null])))
  const pages = found === undefined ? 1 : Math.max(1, Math.ceil(found.total / found.pageSize))

  return (
    <main className="nv-page ref">
      <title>{`${t('title')} · NovoDB`}</title>
      <header className="nv-page-head">
        <div>
          <h1>{t('title')}</h1>
          <p className="nv-lead">{t('summary')}</p>
        </div>
        <div className="nv-page-actions">
          <ButtonLink look="quiet" to={`/document/${tool.id}`} icon={<BookOpen size={15} aria-hidden />}>
            {k('tool.usage')}
          </ButtonLink>
          {found === undefined || found.total === 0 ? null : (
            <Menu icon={<Download size={15} aria-hidden />} label={t('export.all')} items={items(false)} />
          )}
        </div>
      </header>
      {answer.isError ? (
        <Unanswered of={answer} />
      ) : found === undefined || answer.data === undefined ? (
        <Waiting />
      ) : found.loaded === 0 ? (
        <NoDataState
          title={t('empty.title')}
          how={
            <>
              <p>{t('empty.why')}</p>
              <pre className="ref-how">{manifestLines}</pre>
            </>
          }
          action={isAdministrator ? <ButtonLink to="/document/data-formats">{t('empty.how')}</ButtonLink> : undefined}
        />
      ) : (
        <>
          <search>
            <form className="ref-search" onSubmit={search}>
              <TextInput
                type="search"
                aria-label={t('search.label')}
                placeholder={t('search.placeholder')}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
              <Button type="submit" look="primary" icon={<Search size={15} aria-hidden />}>
                {t('search.run')}
              </Button>
            </form>
          </search>
          <div className="ref-grid">
            <details className="ref-facets" open={wide}>
              <summary>
                <SlidersHorizontal size={15} aria-hidden /> {t('search.filters')}
              </summary>
              <div className="ref-facets-list">
                <YearFigure
                  key={`${asked.yearFrom}-${asked.yearTo}`}
                  years={found.facets.years}
                  from={asked.yearFrom === undefined ? null : Number(asked.yearFrom)}
                  to={asked.yearTo === undefined ? null : Number(asked.yearTo)}
                  onYears={(from, to) =>
                    set({ yearFrom: from === null ? null : `${from}`, yearTo: to === null ? null : `${to}` })
                  }
                />
                <Facet
                  title={t('field.species')}
                  chosen={asked.species ?? ''}
                  onChoose={(species) => set({ species, assembly: null })}
                  choices={found.facets.species.map(({ species, count }) => ({
                    value: species,
                    name: <SpeciesName id={species} />,
                    count,
                  }))}
                />
                <Facet
                  title={t('field.assembly')}
                  chosen={asked.assembly ?? ''}
                  onChoose={(assembly) => set({ assembly })}
                  choices={found.facets.assemblies.map(({ assembly, count }) => ({
                    value: assembly,
                    name: nameOfAssembly(assembly),
                    count,
                  }))}
                />
                <Facet
                  title={t('field.keyword')}
                  chosen={asked.keyword ?? ''}
                  onChoose={(keyword) => set({ keyword })}
                  choices={found.facets.keywords.map(({ keyword, count }) => ({
                    value: keyword,
                    name: keyword,
                    count,
                  }))}
                />
              </div>
            </details>
            <div className="ref-results" aria-busy={answer.isFetching}>
              <div className="ref-bar">
                <h2 className="ref-total">
                  <span role="status">{t('head.total', { total: found.total, loaded: found.loaded })}</span>
                </h2>
                {chips.map(({ field, name, plain }) => (
                  <button
                    key={plain}
                    type="button"
                    className="nv-chip"
                    aria-label={t('search.remove', { name: plain })}
                    onClick={() => set(field)}
                  >
                    {name} <X size={12} aria-hidden />
                  </button>
                ))}
                {chips.length > 1 ? (
                  <Button size="small" look="quiet" onClick={clear}>
                    {t('search.clear')}
                  </Button>
                ) : null}
                <span className="ref-bar-end">
                  {chosen.size === 0 ? null : (
                    <>
                      <span>{t('head.selected', { count: chosen.size })}</span>
                      <Menu
                        size="small"
                        look="primary"
                        icon={<Download size={14} aria-hidden />}
                        label={t('export.some')}
                        items={items(true)}
                      />
                    </>
                  )}
                  <Select
                    aria-label={t('field.sort')}
                    value={input.sort ?? 'relevance'}
                    options={sortKeys.map((value) => ({ value, label: t(`sort.${value}`) }))}
                    onChoose={(sort) => set({ sort: sort === 'relevance' ? null : sort })}
                  />
                </span>
              </div>
              {found.corrections.map(({ typed: was, read }) => (
                <p key={was} className="nv-quiet">
                  {t('head.read', { typed: was, read })}
                </p>
              ))}
              {found.gene === null ? null : (
                <p className="nv-quiet">
                  {found.gene.genes.length === 0
                    ? t('head.noGene', { name: found.gene.query })
                    : t('head.gene', {
                        gene: format.list([
                          ...new Set(found.gene.genes.slice(0, 8).map((gene) => gene.symbol ?? gene.id)),
                        ]),
                      })}
                </p>
              )}
              {found.total === 0 ? (
                <EmptyState
                  title={t('head.total', { total: 0, loaded: 0 })}
                  why={t('none.why')}
                  action={<Button onClick={clear}>{t('search.clear')}</Button>}
                />
              ) : (
                <ol className="ref-list" start={(found.page - 1) * found.pageSize + 1}>
                  {found.publications.map((publication) => (
                    <PublicationItem
                      key={keyOf(publication)}
                      publication={publication}
                      chosen={chosen.has(keyOf(publication))}
                      onChoose={(on) => choose(publication, on)}
                      onKeyword={(keyword) => set({ keyword })}
                    />
                  ))}
                </ol>
              )}
              {found.total > pageSizes[0]! ? (
                <Pager
                  page={found.page}
                  pages={pages}
                  onPage={(to) => change({ page: String(to) })}
                  size={{
                    value: pageSize,
                    sizes: pageSizes,
                    onSize: (size) => change({ page: null, pageSize: String(size) }),
                  }}
                />
              ) : null}
              <ReceiptView receipt={answer.data.receipt} />
            </div>
          </div>
        </>
      )}
    </main>
  )
}

export default definePage({ Page: ReferencesPage })
