import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { BookOpen, Highlighter, Layers, Link2, Search } from 'lucide-react'
import {
  Component,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { suggest } from '../../contracts/search.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { AssemblyMarks, AssemblyPicker } from '../../kit/ui/controls/assembly-picker.tsx'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Combobox } from '../../kit/ui/controls/combobox.tsx'
import { copyText } from '../../kit/ui/controls/copy-text.ts'
import { EmptyState, FailureState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SameLocusButton } from '../../kit/ui/gene/same-locus.tsx'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import { useAssemblies, useSpecies } from '../../kit/ui/portal-data.ts'
import { addressOf, basePath, call, RequestError } from '../../kit/ui/request.ts'
import { useTheme } from '../../kit/ui/theme.ts'
import { definePage } from '../../kit/ui/tool/define-screen.ts'
import { type BrowserAddress, formatLocus, isSameView, readAddress, readLocus, writeAddress } from './address.ts'
import { trackIdOf } from './browser-config.ts'
import type { BrowserHandle, BrowserState } from './browser-view.tsx'
import { getBrowserConfig } from './endpoints.ts'
import { hitsTrack } from './hits-track.ts'
import messages from './messages.ts'
import { type BrowserLocus, resultSchema } from './tool.ts'
import { TrackChooser } from './track-chooser.tsx'
import './screen.css'

const BrowserView = lazy(() => import('./browser-view.tsx'))

/** A defect inside JBrowse leaves the page and its address standing. */
class BrowserBoundary extends Component<
  { children: ReactNode; failed: (error: Error) => ReactNode },
  { error: Error | null }
> {
  override state: { error: Error | null } = { error: null }
  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }
  override render(): ReactNode {
    return this.state.error === null ? this.props.children : this.props.failed(this.state.error)
  }
}

/** The box that takes a gene, a region or the name of a sequence. */
const LocusField = ({
  assembly,
  example,
  onPosition,
}: {
  assembly: string
  example: string
  onPosition: (text: string) => void
}): ReactNode => {
  const t = useText(messages)
  const [typed, setTyped] = useState('')
  const late = useDeferredValue(typed.trim())
  const answer = useQuery({
    queryKey: ['suggest', late, assembly],
    enabled: late.length >= 2,
    queryFn: (context) => call(suggest, { q: late.slice(0, 200), assembly, limit: 10 }, context),
    staleTime: 60_000,
    retry: false,
  })
  const entries = (late.length >= 2 ? (answer.data?.entries ?? []) : []).filter(
    (entry) => entry.sequence !== null && entry.start !== null,
  )
  return (
    <div className="jbrowse-place">
      <Search size={15} aria-hidden />
      <Combobox
        label={t('page.search')}
        placeholder={t('page.searchPlaceholder', { region: example })}
        text={typed}
        onText={setTyped}
        choices={entries.map((entry) => ({
          value: `${entry.type}|${entry.id}`,
          label: (
            <>
              {entry.label === entry.id ? null : <i>{entry.label}</i>} <code>{entry.id}</code>{' '}
              <span className="nv-quiet">{entry.description}</span>
            </>
          ),
        }))}
        onChoose={(value) => {
          const entry = entries.find((one) => `${one.type}|${one.id}` === value)
          if (entry === undefined) return
          setTyped(entry.label)
          onPosition(entry.id)
        }}
        onFree={(text) => {
          if (text.trim() !== '') onPosition(text.trim())
        }}
      />
    </div>
  )
}

const sameAsked = (address: BrowserAddress): string =>
  JSON.stringify([
    ...[address.assembly, address.loc, address.gene, address.highlight, address.hits, address.tracks],
    ...[address.beside, address.besideLoc],
  ])

const Browser = (): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const theme = useTheme()
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const species = useSpecies()
  const assemblies = useAssemblies()
  const handle = useRef<BrowserHandle>(null)
  const [choosing, setChoosing] = useState(false)
  const [state, setState] = useState<BrowserState | null>(null)
  const [attempt, setAttempt] = useState(0)

  // The address as last written here: any other comes from outside (a link, back, forward) and is looked up.
  const written = useRef<string | null>(null)
  const [asked, setAsked] = useState<BrowserAddress>(() => readAddress(query))
  useEffect(() => {
    const now = query.toString()
    if (now === written.current) return
    written.current = now
    const next = readAddress(query)
    setAsked((before) => (sameAsked(before) === sameAsked(next) ? before : next))
  }, [query])

  const loaded = (species.data?.species.length ?? 0) > 0
  const locus = useQuery({
    queryKey: [
      ...['jbrowse-place', asked.assembly, asked.loc, asked.gene, asked.highlight],
      ...[asked.beside, asked.besideLoc],
    ],
    enabled: loaded,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // What was shown stays while the next place is looked up.
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const answer = await call(
        runTool,
        {
          tool: 'jbrowse',
          assembly: asked.assembly ?? undefined,
          loc: asked.loc ?? undefined,
          gene: asked.gene ?? undefined,
          highlight: asked.highlight ?? undefined,
          beside: asked.beside ?? undefined,
          besideLoc: asked.besideLoc ?? undefined,
        },
        context,
      )
      return resultSchema.parse('result' in answer ? answer.result : null)
    },
  })
  const found = locus.isPlaceholderData ? undefined : locus.data
  // The last place that was found: a mistyped gene does not take the view away.
  const [target, setTarget] = useState<BrowserLocus | null>(null)
  useEffect(() => {
    if (found !== undefined) setTarget(found)
  }, [found])

  const assembly = target?.assembly ?? null
  const config = useQuery({
    queryKey: ['jbrowse-config', assembly, language],
    enabled: assembly !== null,
    queryFn: (context) => call(getBrowserConfig, { assembly: assembly ?? '' }, context),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const ready = config.data !== undefined && config.data.assembly === assembly ? config.data : null

  const extra = useMemo(
    () => (asked.hits === null || assembly === null ? null : hitsTrack(assembly, asked.hits, t)),
    [asked.hits, assembly, t],
  )
  const listed = useMemo(
    () => (ready === null ? [] : extra === null ? ready.tracks : [...ready.tracks, extra.listed]),
    [ready, extra],
  )
  const wantedTracks = useMemo(() => {
    if (ready === null || assembly === null) return []
    const known = new Set(listed.map((track) => track.id))
    const ids = (asked.tracks ?? ready.defaultTracks).filter((id) => known.has(id))
    const all = extra === null || ids.includes(extra.listed.id) ? ids : [...ids, extra.listed.id]
    return all.map((id) => trackIdOf(assembly, id))
  }, [ready, assembly, listed, asked.tracks, extra])

  // An address from outside moves a browser that is open already.
  const shownTarget = useRef<BrowserLocus | null>(null)
  useEffect(() => {
    if (target === null) return
    const before = shownTarget.current
    shownTarget.current = target
    if (before === null || before.assembly !== target.assembly) return
    handle.current?.go(target.loci)
    handle.current?.highlight(target.highlights)
  }, [target])
  const shownTracks = useRef<string[] | null>(null)
  useEffect(() => {
    if (ready === null) return
    if (shownTracks.current !== null && asked.tracks !== null) handle.current?.showTracks(wantedTracks)
    shownTracks.current = wantedTracks
  }, [wantedTracks, ready, asked.tracks])

  const highlight = target === null ? null : target.highlights.map(formatLocus).join(' ')
  const hits = asked.hits
  const write = useCallback(
    (next: { loc: string; tracks: string[]; highlight: string | null }, replace: boolean): void => {
      if (assembly === null) return
      const text = new URLSearchParams(writeAddress({ assembly, ...next, hits })).toString()
      if (text === written.current) return
      // This page stays until the code of the next has come: where the reader has gone on to it, writing would bring them back.
      if (location.pathname.replace(/\/$/, '') !== addressOf('/jbrowse')) return
      written.current = text
      void navigate(`/jbrowse/?${writeAddress({ assembly, ...next, hits })}`, { replace, preventScrollReset: true })
    },
    [assembly, hits, navigate],
  )
  const onState = useCallback((next: BrowserState) => setState(next), [])
  const shortIds = useCallback(
    (trackIds: string[]): string[] =>
      assembly === null
        ? []
        : trackIds
            .filter((id) => id.startsWith(trackIdOf(assembly, '')))
            .map((id) => id.slice(trackIdOf(assembly, '').length)),
    [assembly],
  )
  const looking = locus.isFetching
  useEffect(() => {
    // While a place is looked up the view still shows the one before: writing that would undo the reader's wish.
    if (state === null || looking || locus.isError) return
    // JBrowse rounds to pixels: a view within a hundredth of what the address asks is what it asks.
    const loc =
      target !== null && isSameView(state.loc, target.loci) ? target.loci.map(formatLocus).join(' ') : state.loc
    write({ loc, tracks: shortIds(state.trackIds), highlight }, true)
  }, [state, target, looking, locus.isError, highlight, shortIds, write])

  const open = (next: { assembly: string | null; loc?: string }): void => {
    const address = new URLSearchParams()
    if (next.assembly !== null) address.set('assembly', next.assembly)
    if (next.loc !== undefined) address.set('loc', next.loc)
    if (next.assembly === assembly && state !== null) address.set('tracks', shortIds(state.trackIds).join(','))
    if (hits !== null) address.set('hits', hits)
    setQuery(address, { preventScrollReset: true })
  }

  const summary = assemblies.find((one) => one.id === assembly)
  const first = summary?.sequences[0]
  const chosenAssembly = assembly ?? asked.assembly ?? ''
  const visible = (state === null ? null : readLocus(state.loc)) ?? target?.loci[0] ?? null
  const openIds = state === null ? wantedTracks : state.trackIds

  const body = (): ReactNode => {
    if (species.isError) return <Unanswered of={species} />
    if (species.isPending) return <Waiting label={t('page.loading')} />
    if (!loaded)
      return (
        <EmptyState
          title={t('page.empty')}
          why={t('page.emptyWhy')}
          action={<ButtonLink to="/document">{t('page.emptyAction')}</ButtonLink>}
        />
      )
    if (target === null) {
      if (!locus.isError) return <Waiting label={t('page.loading')} />
      const known = locus.error instanceof RequestError && locus.error.status < 500
      return known ? (
        <EmptyState
          title={t('page.nowhere')}
          why={locus.error.message}
          action={
            <Button onClick={() => open({ assembly: asked.assembly !== null && summary ? asked.assembly : null })}>
              {t('page.start')}
            </Button>
          }
        />
      ) : (
        <Unanswered of={locus} title={t('page.failed')} />
      )
    }
    if (config.isError) return <Unanswered of={config} title={t('page.failed')} />
    if (ready === null) return <Waiting label={t('page.loading')} />
    return (
      <BrowserBoundary
        // Two beside each other are launched once; another pair is another browser.
        key={`${ready.assembly}/${hits}/${attempt}/${JSON.stringify(target.beside === null ? null : [target.loci, target.beside])}`}
        failed={(error) => (
          <FailureState
            title={t('page.crashed')}
            why={
              <>
                <p>{t('page.crashedWhy')}</p>
                <details>
                  <summary>{t('page.crashedDetail')}</summary>
                  <code>{error.message}</code>
                </details>
              </>
            }
            onRetry={() => setAttempt(attempt + 1)}
          />
        )}
      >
        <Suspense fallback={<Waiting label={t('page.loading')} />}>
          <BrowserView
            ref={handle}
            config={ready}
            loci={target.loci}
            highlights={target.highlights}
            trackIds={wantedTracks}
            extraTracks={extra === null ? [] : [extra.configured]}
            beside={target.beside}
            theme={theme}
            onState={onState}
          />
        </Suspense>
      </BrowserBoundary>
    )
  }

  return (
    <main className="jbrowse-page">
      <title>{`${summary?.name ?? ''} ${t('page.title')} · NovoDB`.trim()}</title>
      <div className="jbrowse-bar">
        <h1>{t('page.title')}</h1>
        {loaded ? (
          <>
            <div className="jbrowse-assembly">
              <AssemblyPicker value={chosenAssembly} onChoose={(id) => open({ assembly: id })} />
            </div>
            {summary === undefined ? null : <AssemblyMarks assembly={summary} />}
            <LocusField
              key={assembly}
              assembly={chosenAssembly}
              example={first === undefined ? 'chr1:1000..2000' : `${first.name}:1000..2000`}
              onPosition={(text) => open({ assembly: chosenAssembly === '' ? null : chosenAssembly, loc: text })}
            />
            <Button icon={<Layers size={15} aria-hidden />} disabled={ready === null} onClick={() => setChoosing(true)}>
              {t('page.tracks')}
              {ready === null ? null : (
                <span className="nv-quiet">{t('page.tracksOpen', { open: openIds.length, all: listed.length })}</span>
              )}
            </Button>
            {assembly === null || visible === null ? null : (
              <SameLocusButton size="normal" region={{ assembly, ...visible }} />
            )}
            <span className="jbrowse-grow" />
            <Button
              look="quiet"
              icon={<Highlighter size={15} aria-hidden />}
              disabled={state === null}
              onClick={() => {
                if (state === null) return
                const next = highlight === null || highlight === '' ? state.loc : ''
                setQuery(
                  writeAddress({
                    assembly: chosenAssembly,
                    loc: state.loc,
                    tracks: shortIds(state.trackIds),
                    highlight: next,
                    hits,
                  }),
                  { preventScrollReset: true },
                )
              }}
            >
              {highlight === null || highlight === '' ? t('page.highlight') : t('page.unmark')}
            </Button>
            <Button
              look="quiet"
              icon={<Link2 size={15} aria-hidden />}
              disabled={state === null}
              onClick={() => void copyText(location.href, t('page.linked'))}
            >
              {t('page.link')}
            </Button>
          </>
        ) : (
          <span className="jbrowse-grow" />
        )}
        <Link className="nv-button nv-button-quiet nv-button-normal" to="/document/jbrowse">
          <BookOpen size={15} aria-hidden />
          {t('page.usage')}
        </Link>
      </div>
      {target !== null && locus.isError ? (
        <p className="nv-banner nv-banner-warn jbrowse-problem" role="alert">
          {locus.error.message}
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: catches the links to gene pages that JBrowse's details draw; their keys are their own. */}
      <div
        className="jbrowse-frame"
        onClick={(event) => {
          const anchor = (event.target as Element).closest?.('a[href]')
          const gene = `${location.origin}${basePath()}/gene?`
          if (!(anchor instanceof HTMLAnchorElement) || !anchor.href.startsWith(gene)) return
          event.preventDefault()
          void navigate(`/gene?${anchor.href.slice(gene.length)}`)
        }}
      >
        {body()}
      </div>
      {ready === null ? null : (
        <TrackChooser
          open={choosing}
          onClose={() => setChoosing(false)}
          assembly={summary?.name ?? ready.assembly}
          tracks={listed}
          undrawn={ready.undrawnMaps}
          chosen={openIds}
          onChosen={(trackIds) => {
            handle.current?.showTracks(trackIds)
            // The tick stands at once; what JBrowse made of it is told when the view has settled.
            setState((before) => (before === null ? null : { ...before, trackIds }))
          }}
        />
      )}
    </main>
  )
}

export default definePage({ Page: Browser })
