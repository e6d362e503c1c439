import { toolQuestions } from 'virtual:tool-questions'
import { useQuery } from '@tanstack/react-query'
import { Download, MapPin, Search, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { listGenesInRegion } from '../../contracts/genes.ts'
import { type SearchAnswer, type SearchEntry, search } from '../../contracts/search.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox, TextInput } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { SameLocusButton } from '../../kit/ui/gene/same-locus.tsx'
import { RoleOf, useLocusLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { SpeciesName, useAssemblyNames, useSpeciesNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { showNotice } from '../../kit/ui/notices.ts'
import { useAssemblies, useSpecies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { downloadJson, downloadTable, fileName, type TableFormat } from '../../kit/ui/table/export.ts'
import { Pager } from '../../kit/ui/table/table-frame.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { useToolList } from '../../kit/ui/tool/tool-list.ts'
import { type Opening, useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { useMedia } from '../../kit/ui/use-media.ts'
import { messages as home } from '../messages/home.ts'
import { messages } from '../messages/pages.ts'
import { exampleQueries } from '../shell/example-queries.ts'
import { findTools } from '../shell/find-tools.ts'
import { groupOrthologs } from '../shell/group-orthologs.ts'
import { readOrigin } from '../shell/over-origin.ts'
import { PageTitle } from '../shell/page-title.tsx'
import { SearchBox, useEntryAddress, useTypeName } from '../shell/search-box.tsx'
import { FormerGeneState, useFormerGenes } from './gene/former-gene.tsx'
import { AbsenceCard, ChangeCard } from './search-answers.tsx'
import './search-page.css'

const smallPage = 25
/** Where strains of one species are searched: the same gene in several of them is shown as one result. */
const strainsPage = 100
/** Most pages that the search gives (contracts/search.ts): the bound of a full export. */
const exportPages = 500
const exportPageSize = 100
/** Parts that are selected at once: a list of more genes is narrowed first. */
const selectPages = 50

/** Genes of a region that are named here; its table holds all. */
const regionGenes = 60
/** Tools that are named where a name finds nothing. */
const otherTools = 4
/** Most that are listed at once (contracts/genes.ts), as many as a gene set holds. */
const maxRegionGenes = 5000

/** A text with what was searched for marked in it: words that begin with a word of the question. */
const Marked = ({ text, words }: { text: string; words: string[] }): ReactNode => {
  if (words.length === 0) return text
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text
    .split(new RegExp(`((?<![\\p{L}\\p{N}])(?:${escaped.join('|')})[\\p{L}\\p{N}]*)`, 'giu'))
    .map((part, index) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity than their place.
      index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
    )
}

const keyOf = (entry: SearchEntry): string => `${entry.type}|${entry.assembly ?? ''}|${entry.id}`

/** That nothing was found; of an id of an earlier annotation, what has become of its gene. */
const NothingFound = ({ q, ...rest }: { q: string } & Parameters<typeof EmptyState>[0]): ReactNode => {
  const name = q.trim()
  const [former] = useFormerGenes(name, undefined, name.length <= 200 && !/\s/.test(name)).data?.former ?? []
  return former === undefined ? <EmptyState {...rest} /> : <FormerGeneState former={former} />
}

/** Questions that have an answer here, and the tools that find a gene without its name. */
const OtherWays = ({
  exampleOf,
  onAsk,
}: {
  exampleOf: AssemblySummary | undefined
  onAsk: (question: string) => void
}): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const tools = useToolList().filter(({ category }) => category === 'find')
  return (
    <>
      <span className="search-examples">
        {exampleQueries(exampleOf).map((example) => (
          <button key={example} type="button" className="nv-chip" onClick={() => onAsk(example)}>
            <code>{example}</code>
          </button>
        ))}
      </span>
      {tools.length === 0 ? null : (
        <p className="search-tools">
          {t('search.otherWays')}{' '}
          {tools.slice(0, otherTools).map((tool) => (
            <Link key={tool.id} to={tool.route} title={tool.summary[language]}>
              {tool.title[language]}
            </Link>
          ))}
        </p>
      )}
    </>
  )
}

/** Tools that do what was searched for: who asks for primers wants to design some. */
const ToolsFound = ({ q }: { q: string }): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const tools = findTools(useToolList(), toolQuestions, q)
  return tools.length === 0 ? null : (
    <p className="search-tools">
      {t('search.tools')}{' '}
      {tools.map((tool) => (
        <Link key={tool.id} to={tool.route} title={tool.summary[language]}>
          <tool.icon size={15} aria-hidden /> {tool.title[language]}
        </Link>
      ))}
    </p>
  )
}

const Facet = ({
  title,
  counts,
  min,
  chosen,
  onChoose,
  nameOf,
}: {
  title: string
  counts: Record<string, number>
  /** They were not counted to the end. */
  min: boolean
  chosen: string
  onChoose: (value: string) => void
  nameOf: (value: string) => ReactNode
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const entries = Object.entries(counts).sort((a, b) => b[1] - a[1])
  if (entries.length === 0 && chosen === '') return null
  const shown =
    chosen !== '' && !entries.some(([value]) => value === chosen)
      ? [[chosen, 0] as [string, number], ...entries]
      : entries
  return (
    <section className="search-facet">
      <h2>{title}</h2>
      <button type="button" aria-pressed={chosen === ''} onClick={() => onChoose('')}>
        <span>{t('search.facetAll')}</span>
      </button>
      {shown.map(([value, count]) => (
        <button
          key={value}
          type="button"
          aria-pressed={chosen === value}
          onClick={() => onChoose(chosen === value ? '' : value)}
        >
          <span>{nameOf(value)}</span>
          <small>{`${min ? '≥ ' : ''}${format.number(count)}`}</small>
        </button>
      ))}
    </section>
  )
}

/** What a place of a circular sequence has to do with its origin; nothing of any other. */
const OriginNote = ({ region }: { region: NonNullable<SearchAnswer['region']> }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const sequence = useAssemblies()
    .find(({ id }) => id === region.assembly)
    ?.sequences.find(({ name }) => name === region.sequence)
  const origin = sequence === undefined ? null : readOrigin(region, sequence)
  if (origin === null) return null
  if ('over' in origin) {
    const { before, after } = origin.over
    return (
      <p className="nv-quiet">
        {t('search.overOrigin', { before: format.number(before), after: format.number(after) })}
      </p>
    )
  }
  const { start, end } = origin.instead
  const locus = `${region.sequence}:${start}..${end}`
  return (
    <p className="nv-quiet">
      {t('search.overOriginInstead', { bases: format.basePairs(end - start + 1) })}{' '}
      <Link to={`/search?${new URLSearchParams({ q: locus, assembly: region.assembly })}`}>
        <code>{locus}</code>
      </Link>
    </p>
  )
}

const RegionCard = ({ region }: { region: NonNullable<SearchAnswer['region']> }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const placeOf = useLocusLabel()
  const tables = useOpenings('genesInRegion', region.assembly)
  const openings = useOpenings('region', region.assembly)
  const button = ({ tool, look, label, address }: Opening<'genesInRegion' | 'region'>): ReactNode => (
    <ButtonLink key={tool.id} size="small" look={look} to={address(region, { run: true })}>
      {label}
    </ButtonLink>
  )
  const answer = useQuery({
    queryKey: ['region', region],
    queryFn: (context) =>
      call(
        listGenesInRegion,
        {
          assembly: region.assembly,
          sequence: region.sequence,
          start: region.start,
          end: region.end,
          limit: maxRegionGenes,
        },
        context,
      ),
  })
  const genes = answer.data?.genes ?? []
  return (
    <section className="nv-card search-region" aria-label={placeOf(region.assembly, region)}>
      <MapPin size={20} aria-hidden />
      <div>
        <strong>
          <code>{format.locus(region)}</code>
          <RoleOf assembly={region.assembly} sequence={region.sequence} /> <Tag tone="grey">{region.assembly}</Tag>
        </strong>
        <p className="nv-quiet">
          {format.basePairs(region.end - region.start + 1)}
          {answer.data === undefined
            ? ''
            : ` · ${t(answer.data.truncated ? 'search.regionGenesMore' : 'search.regionGenes', { count: genes.length })}`}
        </p>
        <OriginNote region={region} />
      </div>
      <div className="nv-page-actions">
        {genes.length === 0 ? null : tables.map((opening) => button(opening))}
        {genes.length === 0 ? null : <GeneSetMenu genes={genes} />}
        {openings.map((opening) => button(opening))}
        <SameLocusButton region={region} />
      </div>
      {answer.isError ? <Unanswered of={answer} line /> : null}
      {genes.length === 0 ? null : (
        <ul className="search-region-genes">
          {genes.slice(0, regionGenes).map((gene) => (
            <li key={gene.id}>
              <Link to={geneAddress(gene.id, gene.assembly)} title={gene.description ?? undefined}>
                {gene.symbol === null ? <code>{gene.id}</code> : <i>{gene.symbol}</i>}
              </Link>
            </li>
          ))}
          {genes.length > regionGenes ? (
            <li className="nv-quiet">
              {t('search.regionFurther', { count: format.number(genes.length - regionGenes) })}
            </li>
          ) : null}
        </ul>
      )}
    </section>
  )
}

/** The tools that a feature's place can be opened in. */
const FeatureLinks = ({ entry }: { entry: SearchEntry }): ReactNode => {
  const { assembly, sequence, start, end, strand } = entry
  const openings = useOpenings('region', assembly ?? undefined)
  if (assembly === null || sequence === null || start === null || end === null) return null
  const region = { assembly, sequence, start, end, ...(strand === '-' ? { strand: '-' as const } : {}) }
  return (
    <span className="nv-links">
      {openings.map(({ tool, label, address }) => (
        <Link key={tool.id} title={label} aria-label={label} to={address(region, { run: true })}>
          <tool.icon size={15} aria-hidden />
        </Link>
      ))}
    </span>
  )
}

/** Of several parts, by which the portal knows a record; nobody calls it so. */
const isKey = (id: string): boolean => id.includes('|')

/** Ticks a gene for a gene set; nothing else can be in one. */
const Tick = ({ entry, selected, onSelect }: { entry: SearchEntry } & Selection): ReactNode => {
  const t = useText(messages)
  const key = keyOf(entry)
  if (entry.type !== 'gene') return <span />
  return (
    <Checkbox
      label={t('search.select', { label: entry.label })}
      checked={selected.has(key)}
      onCheck={(checked) => {
        const next = new Map(selected)
        if (checked) next.set(key, entry)
        else next.delete(key)
        onSelect(next)
      }}
    />
  )
}

const Place = ({ entry }: { entry: SearchEntry }): ReactNode => {
  const format = useFormat()
  const { assembly, sequence, start, end, strand } = entry
  if (sequence === null || start === null || end === null) return null
  return (
    <>
      <code>{format.region(sequence, start, end, strand ?? undefined)}</code>
      {assembly === null ? null : <RoleOf assembly={assembly} sequence={sequence} />}
    </>
  )
}

interface Selection {
  selected: Map<string, SearchEntry>
  onSelect: (selected: Map<string, SearchEntry>) => void
}

/** One result; a gene with its orthologs of the other strains, which open on demand. */
const Result = ({
  entry,
  others,
  words,
  ...selection
}: { entry: SearchEntry; others: SearchEntry[]; words: string[] } & Selection): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const typeName = useTypeName()
  const entryAddress = useEntryAddress()
  const assemblyName = useAssemblyNames()
  const named = entry.label !== entry.id
  return (
    <li className={selection.selected.has(keyOf(entry)) ? 'search-selected' : ''}>
      <Tick entry={entry} {...selection} />
      <div>
        <p className="search-name">
          <Link to={entryAddress(entry)}>
            {named ? entry.type === 'gene' ? <i>{entry.label}</i> : entry.label : <code>{entry.id}</code>}
          </Link>
          {named && !isKey(entry.id) ? <code>{entry.id}</code> : null}
          <Tag tone={entry.type === 'gene' ? 'green' : 'grey'}>{typeName(entry.type)}</Tag>
        </p>
        {entry.description === null ? null : (
          <p className="search-about" title={entry.description}>
            <Marked text={entry.description} words={words} />
          </p>
        )}
      </div>
      <p className="search-where">
        {entry.assembly === null ? <SpeciesName id={entry.species} /> : assemblyName(entry.assembly)}
        <Place entry={entry} />
        {entry.type === 'feature' ? <FeatureLinks entry={entry} /> : null}
      </p>
      {others.length === 0 ? null : (
        <details className="search-others">
          <summary>
            {t('search.others', {
              count: new Set(others.map(({ assembly }) => assembly)).size,
              names: format.names([...new Set(others.map(({ assembly }) => assemblyName(assembly ?? '')))]),
            })}
          </summary>
          <p className="nv-quiet">{t('search.othersWhy')}</p>
          <ul>
            {others.map((other) => (
              <li key={keyOf(other)}>
                <Tick entry={other} {...selection} />
                <Link to={entryAddress(other)}>
                  {other.label === other.id ? null : (
                    <>
                      <i>{other.label}</i>{' '}
                    </>
                  )}
                  <code>{other.id}</code>
                </Link>
                <span>{assemblyName(other.assembly ?? '')}</span>
                <span className="nv-quiet">
                  <Place entry={other} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

const SearchPage = (): ReactNode => {
  const t = useText(messages)
  const h = useText(home)
  const format = useFormat()
  const typeName = useTypeName()
  const [query, setQuery] = useSearchParams()
  const { isPending } = useSpecies()
  const assemblies = useAssemblies()
  const assemblyName = useAssemblyNames()
  const speciesName = useSpeciesNames()
  const [selected, setSelected] = useState<Map<string, SearchEntry>>(new Map())
  const [exporting, setExporting] = useState<number | null>(null)
  const [cut, setCut] = useState<number | null>(null)
  const [selecting, setSelecting] = useState(false)
  // On a phone the filters are folded, so that the results come first.
  const wide = useMedia('(min-width: 900px)')

  const q = query.get('q') ?? ''
  const filters = {
    type: query.get('type') ?? '',
    species: query.get('species') ?? '',
    assembly: query.get('assembly') ?? '',
    sequence: query.get('sequence') ?? '',
  }
  // Of a species its reference comes first.
  const exampleOf =
    assemblies.find(({ species }) => species === filters.species) ??
    assemblies.find((one) => one.reference) ??
    assemblies[0]
  const page = Math.max(1, Number(query.get('page') ?? '1') || 1)
  const filtered = Object.values(filters).some((value) => value !== '')
  // Filters alone are no question: they narrow the one that is typed next.
  const asked = q.trim() !== ''
  const scope = Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, value === '' ? undefined : value]),
  )

  const searched = assemblies.filter(
    ({ id, species }) =>
      (filters.assembly === '' || id === filters.assembly) && (filters.species === '' || species === filters.species),
  )
  const pageSize = new Set(searched.map(({ species }) => species)).size < searched.length ? strainsPage : smallPage

  const answer = useQuery({
    queryKey: ['search', q, filters, page, pageSize],
    // Of how many strains it is asked decides how much makes a page.
    enabled: asked && !isPending,
    queryFn: (context) => call(search, { q, ...scope, page, pageSize, orthologs: 'true' }, context),
    placeholderData: (previous) => previous,
    staleTime: 30_000,
  })
  const found = answer.data
  const hasNone = found !== undefined && found.entries.length === 0 && found.region === null && found.absence === null
  // What the filters hide is counted: they are cleared for something, or for nothing.
  const unfiltered = useQuery({
    queryKey: ['search-unfiltered', q],
    enabled: hasNone && filtered,
    queryFn: (context) => call(search, { q, pageSize: 1 }, context),
    staleTime: 30_000,
  }).data

  // What else could be chosen stays in the list where one is chosen.
  const wider = useQuery({
    queryKey: ['search-wider', q, filters.type],
    enabled: asked && (filters.species !== '' || filters.assembly !== ''),
    queryFn: (context) =>
      call(search, { q, pageSize: 1, ...(filters.type === '' ? {} : { type: filters.type }) }, context),
    placeholderData: (previous) => previous,
    staleTime: 30_000,
  }).data?.facets
  const ofSpecies = new Set(
    assemblies.filter(({ species }) => filters.species === '' || species === filters.species).map(({ id }) => id),
  )
  const speciesCounts = { ...wider?.species, ...found?.facets.species }
  const assemblyCounts = {
    ...Object.fromEntries(Object.entries(wider?.assembly ?? {}).filter(([id]) => ofSpecies.has(id))),
    ...found?.facets.assembly,
  }

  // Until that count is there, and where it cannot be had, the filters may be what hides all.
  const hidesFound = filtered && unfiltered?.total !== 0

  const turnTo = (to: number): void => {
    set({ page: String(to) }, true)
    // Its first results are what one wants to see.
    window.scrollTo({ top: 0 })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another question, another selection.
  useEffect(() => {
    setSelected(new Map())
    setCut(null)
  }, [q])

  const set = (changes: Record<string, string>, keepPage = false): void => {
    const next = new URLSearchParams(query)
    if (!keepPage) next.delete('page')
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    setQuery(next)
  }

  /** All entries that are found, part after part, up to so many parts; what came so far is told. */
  const readAll = async (
    more: { type?: string },
    maxPages: number,
    onCount: (count: number) => void,
  ): Promise<{ rows: SearchEntry[]; isCut: boolean }> => {
    const rows: SearchEntry[] = []
    for (let at = 1; at <= maxPages; at += 1) {
      const part = await call(search, { q, ...scope, ...more, page: at, pageSize: exportPageSize })
      rows.push(...part.entries)
      onCount(rows.length)
      if (part.entries.length < exportPageSize) return { rows, isCut: false }
    }
    return { rows, isCut: true }
  }

  const selectAll = async (): Promise<void> => {
    setSelecting(true)
    try {
      const { rows, isCut } = await readAll({ type: 'gene' }, selectPages, () => undefined)
      setSelected(new Map(rows.map((entry) => [keyOf(entry), entry])))
      if (isCut)
        showNotice({
          kind: 'message',
          level: 'info',
          text: t('search.selectCut', { count: format.number(rows.length) }),
        })
    } catch {
      // Said by the request layer.
    } finally {
      setSelecting(false)
    }
  }

  const download = async (which: TableFormat | 'json'): Promise<void> => {
    setExporting(0)
    setCut(null)
    try {
      const { rows, isCut } = await readAll({}, exportPages, setExporting)
      if (isCut) setCut(rows.length)
      const columns = [
        'id',
        'label',
        'type',
        'description',
        'species',
        'assembly',
        'sequence',
        'start',
        'end',
        'strand',
      ] as const
      const name = fileName('search', q, filters.type, filters.assembly)
      if (which === 'json') downloadJson({ entries: rows, receipt }, `${name}.json`)
      else
        await downloadTable(
          {
            columns: columns.map((column) => t(`search.column.${column}`)),
            rows: rows.map((row) => columns.map((column) => row[column])),
            receipt,
          },
          name,
          which,
        )
    } catch {
      // Said by the request layer.
    } finally {
      setExporting(null)
    }
  }

  const genes = [...selected.values()].flatMap((entry) =>
    entry.type === 'gene' && entry.assembly !== null ? [{ id: entry.id, assembly: entry.assembly }] : [],
  )
  const pageGenes = (found?.entries ?? []).filter((entry) => entry.type === 'gene')
  const pages = found === undefined ? 1 : Math.min(500, Math.max(1, Math.ceil(found.total / pageSize)))
  const groups = groupOrthologs(
    found?.entries ?? [],
    assemblies.map(({ id }) => id),
  )
  const showDownloads = found !== undefined && found.entries.length > 0
  const corrections = found?.corrections ?? []
  // Of a region alone, and of nothing, there is nothing to filter.
  const narrows = filtered || (found?.total ?? 0) > 0
  const words = [q, ...corrections.map((one) => one.read)]
    .join(' ')
    .split(/[^\p{L}\p{N}_.-]+/u)
    .filter((word) => word.length > 1)
  const receipt = useCatalogueReceipt(
    'search',
    'names by their beginning, words of descriptions by their stem; ranked',
    { q, ...scope },
    filters.assembly === '' ? [] : [filters.assembly],
  )

  return (
    <main className="nv-page search">
      <PageTitle>{q === '' ? t('search.title') : `${q} · ${t('search.title')}`}</PageTitle>
      <header className="search-head">
        <h1>{t('search.title')}</h1>
        <SearchBox
          className="search-box"
          initial={q}
          species={filters.species}
          placeholder={h('home.placeholder')}
          onSearch={(text) => set({ q: text })}
          autoFocus={q === ''}
        />
        <p className="nv-quiet">{t('search.lead')}</p>
      </header>
      {!asked ? (
        <EmptyState
          icon={<Search size={22} aria-hidden />}
          title={t('search.start')}
          why={t('search.startWhy')}
          action={<OtherWays exampleOf={exampleOf} onAsk={(example) => set({ q: example })} />}
        />
      ) : answer.isError ? (
        <Unanswered of={answer} />
      ) : found === undefined ? (
        <Waiting />
      ) : (
        <div className={narrows ? 'search-grid' : undefined}>
          {narrows ? (
            <details className="search-facets" open={wide}>
              <summary>
                <SlidersHorizontal size={15} aria-hidden /> {t('search.filters')}
              </summary>
              <div className="search-facets-list">
                <Facet
                  title={t('search.facetType')}
                  counts={found.facets.type}
                  min={!found.totalExact}
                  chosen={filters.type}
                  onChoose={(type) => set({ type })}
                  nameOf={typeName}
                />
                <Facet
                  title={t('search.facetSpecies')}
                  counts={speciesCounts}
                  min={!found.totalExact}
                  chosen={filters.species}
                  onChoose={(value) => set({ species: value, assembly: '', sequence: '' })}
                  nameOf={(id) => <SpeciesName id={id} />}
                />
                <Facet
                  title={t('search.facetAssembly')}
                  counts={assemblyCounts}
                  min={!found.totalExact}
                  chosen={filters.assembly}
                  onChoose={(assembly) => set({ assembly, sequence: '' })}
                  nameOf={assemblyName}
                />

                <form
                  className="search-facet"
                  onSubmit={(event) => {
                    event.preventDefault()
                    set({ sequence: String(new FormData(event.currentTarget).get('sequence') ?? '').trim() })
                  }}
                >
                  <h2>
                    <label htmlFor="search-sequence">{t('search.sequence')}</label>
                  </h2>
                  <TextInput
                    id="search-sequence"
                    name="sequence"
                    className="nv-mono"
                    defaultValue={filters.sequence}
                    key={filters.sequence}
                  />
                </form>
              </div>
            </details>
          ) : null}
          <div className="search-results" aria-busy={answer.isFetching}>
            {page > 1 ? null : <ToolsFound q={q} />}
            {found.change === null || page > 1 ? null : <ChangeCard change={found.change} />}
            {found.absence === null || page > 1 ? null : <AbsenceCard absence={found.absence} />}
            {corrections.length === 0 ? null : (
              <p className="nv-banner nv-banner-info" role="status">
                {t('search.corrected', {
                  read: corrections.map((one) => one.read).join(' '),
                  typed: corrections.map((one) => one.typed).join(' '),
                })}
              </p>
            )}
            {found.narrowed === null ? null : (
              <p className="nv-banner nv-banner-info" role="status">
                {t('search.narrowed', {
                  typed: found.narrowed.typed,
                  assemblies:
                    found.narrowed.species.length === 0
                      ? found.narrowed.assemblies.map(assemblyName).join(', ')
                      : found.narrowed.species.map(speciesName).join(', '),
                })}
              </p>
            )}
            {found.anyWord ? (
              <p className="nv-banner nv-banner-info" role="status">
                {t('search.anyWord', {
                  searched: format.series(found.anyOf?.searched ?? []),
                  dropped: format.series(found.anyOf?.dropped ?? []),
                  left: found.anyOf?.dropped.length ?? 0,
                })}
              </p>
            ) : null}
            {found.near.length === 0 ? null : (
              <p className="nv-banner nv-banner-info" role="status">
                {t('search.near')}{' '}
                {found.near.map((name) => (
                  <button key={name} type="button" className="nv-chip" onClick={() => set({ q: name })}>
                    <code>{name}</code>
                  </button>
                ))}
              </p>
            )}
            {found.region === null ? null : <RegionCard region={found.region} />}
            <div className="search-bar">
              {/* Of a region its genes are the answer; that there is nothing else is no news, and else it is said below. */}
              {found.total === 0 ? null : (
                <strong role="status">
                  {found.totalExact
                    ? t('search.results', {
                        // Those of one page are what one sees; of several pages nobody has put them together.
                        count: pages === 1 ? groups.length : found.total,
                        q,
                      })
                    : t('search.resultsMore', { count: format.number(found.total), q })}
                </strong>
              )}
              {groups.length === found.entries.length ? null : (
                <span className="nv-quiet">
                  {t(pages === 1 ? 'search.entries' : 'search.entriesOfPages', { count: found.total })}
                </span>
              )}
              <span className="nv-grow" />
              {genes.length === 0 ? null : <GeneSetMenu genes={genes} look="primary" />}
              {exporting !== null ? (
                <span className="nv-quiet">{t('search.exporting', { count: format.number(exporting) })}</span>
              ) : null}
              {showDownloads ? (
                <Menu
                  size="small"
                  icon={<Download size={15} aria-hidden />}
                  label={t('search.export')}
                  items={(['tsv', 'csv', 'xlsx', 'json'] as const).map((which) => ({
                    key: which,
                    label: which.toUpperCase(),
                    run: () => void download(which),
                  }))}
                />
              ) : null}
            </div>
            {cut === null ? null : <p className="nv-warn">{t('search.exportCut', { count: format.number(cut) })}</p>}
            {hasNone ? (
              <div role="status">
                <NothingFound
                  q={q}
                  title={t(hidesFound ? 'search.noneHere' : 'search.none', { q })}
                  why={
                    !hidesFound
                      ? t(/\p{Script=Han}/u.test(q) ? 'search.noneHan' : 'search.noneWhy')
                      : unfiltered === undefined
                        ? null
                        : t(unfiltered.totalExact ? 'search.noneFiltered' : 'search.noneFilteredMore', {
                            count: unfiltered.total,
                          })
                  }
                  action={
                    hidesFound ? (
                      <Button onClick={() => set({ type: '', species: '', assembly: '', sequence: '' })}>
                        {t('search.clearFilters')}
                      </Button>
                    ) : (
                      <OtherWays exampleOf={exampleOf} onAsk={(example) => set({ q: example })} />
                    )
                  }
                />
              </div>
            ) : null}
            {pageGenes.length === 0 ? null : (
              <div className="search-all">
                <Checkbox
                  checked={pageGenes.every((entry) => selected.has(keyOf(entry)))}
                  indeterminate={
                    pageGenes.some((entry) => selected.has(keyOf(entry))) &&
                    !pageGenes.every((entry) => selected.has(keyOf(entry)))
                  }
                  onCheck={(checked) => {
                    const next = new Map(selected)
                    for (const entry of pageGenes) {
                      if (checked) next.set(keyOf(entry), entry)
                      else next.delete(keyOf(entry))
                    }
                    setSelected(next)
                  }}
                >
                  <span className="nv-quiet">{t('search.selectPage')}</span>
                </Checkbox>
                {pages < 2 ? null : (
                  <Button size="small" look="quiet" busy={selecting} onClick={() => void selectAll()}>
                    {t('search.selectAll')}
                  </Button>
                )}
              </div>
            )}
            <ul className="search-list">
              {groups.map((group) => (
                <Result key={keyOf(group.entry)} {...group} words={words} selected={selected} onSelect={setSelected} />
              ))}
            </ul>
            {pages > 1 ? <Pager page={page} pages={pages} onPage={turnTo} /> : null}
          </div>
        </div>
      )}
    </main>
  )
}

export default SearchPage
