import './buffer-global.ts'
import { createViewState, JBrowseApp } from '@jbrowse/react-app2'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useState } from 'react'
import { currentLocale, translator } from '../../kit/ui/language.tsx'
import { addressOf } from '../../kit/ui/request.ts'
import type { Theme } from '../../kit/ui/theme.ts'
import { jbrowseLocus, readVisible } from './address.ts'
import { type BrowserConfig, completeAddresses, trackIdOf } from './browser-config.ts'
import { geneDetails, PortalSearchPlugin, searchAdapterType } from './browser-plugin.ts'
import messages from './messages.ts'
import { makeOwnFilesFetch } from './own-files-fetch.ts'
import { sequenceColors } from './sequence-colors.ts'
import type { BrowserLocus, Place } from './tool.ts'

const ownFiles = `${location.origin}${addressOf('')}/data/`
const hitsFile = /\/api\/tools\/blast\/jobs\/[^/]+\/hits\.gff3/

// JBrowse's readers call the page's own `fetch` and cannot be given another; all other requests pass through unchanged.
globalThis.fetch = makeOwnFilesFetch(globalThis.fetch.bind(globalThis), {
  isOwn: (address) => address.startsWith(ownFiles) || hitsFile.test(address),
  explain: (status, name) => {
    const t = translator(messages, currentLocale())
    return status === 404 || status === 410
      ? t('problem.fileGone', { name })
      : t('problem.fileFailed', { name, status })
  },
})

/** What the page can ask of a running browser. Track ids are the configuration's. */
export interface BrowserHandle {
  go(loci: Place[]): void
  showTracks(trackIds: string[]): void
  highlight(loci: Place[]): void
}

export interface BrowserState {
  /** What is in sight: regions with blanks between, as addresses hold them. */
  loc: string
  trackIds: string[]
}

// Of JBrowse's models, the parts used here; its own types describe them as `any`.
interface GenomeView {
  type: string
  initialized: boolean
  coarseVisibleLocStrings: string
  tracks: { configuration: { trackId: string } }[]
  navToLocString(text: string, assembly: string): Promise<void>
  showTrack(trackId: string): unknown
  hideTrack(trackId: string): unknown
  setHighlight(regions: { assemblyName: string; refName: string; start: number; end: number }[]): void
}

interface ViewState {
  pluginManager: { evaluateAsyncExtensionPoint(name: string, about: object): Promise<unknown> }
  session: {
    views: GenomeView[]
    setThemeName(name: string): void
    notify(text: string, level: string): void
  }
  jbrowse: {
    configuration: { theme: { set(value: object): void } }
    assemblies: { refNameColors: { set(value: string[]): void } }[]
  }
}

interface Mobx {
  autorun(run: () => void, options?: { delay?: number }): () => void
}

/** How long a view rests before its address is written: browsers bound how often a page may do so. */
const settleMs = 450

/** Most tracks that one address may open at once. */
const maxTracks = 60

/** JBrowse's colours are those of the portal's bar and marks; see kit/ui/tokens.css. */
const themes: Record<Theme, object> = {
  light: {
    palette: {
      mode: 'light',
      primary: { main: '#15251f' },
      secondary: { main: '#0f7a55' },
      tertiary: { main: '#2f6b55' },
      quaternary: { main: '#d9911f' },
      background: { default: '#ffffff', paper: '#ffffff' },
      text: { primary: '#12231d', secondary: '#3f544b' },
    },
  },
  dark: {
    palette: {
      mode: 'dark',
      primary: { main: '#14211c' },
      secondary: { main: '#34b78a' },
      tertiary: { main: '#2c6450' },
      quaternary: { main: '#e9ac4c' },
      background: { default: '#141e1a', paper: '#141e1a' },
      text: { primary: '#e3ebe7', secondary: '#a9bcb3' },
    },
  },
}

const fontOf = (): string => getComputedStyle(document.documentElement).getPropertyValue('--font-text').trim()

const themeOf = (theme: Theme): object => ({
  ...themes[theme],
  typography: { fontFamily: fontOf(), fontSize: 12 },
})

const marks = (assembly: string, loci: Place[]) =>
  loci.map((locus) => ({
    assemblyName: assembly,
    refName: locus.sequence,
    start: locus.start - 1,
    end: locus.end,
  }))

/** What stands beside the view, with the pairs of genes between the two. */
type Beside = NonNullable<BrowserLocus['beside']>

const pairsTrack = (assembly: string, beside: string): { trackId: string } & Record<string, unknown> => {
  const query = new URLSearchParams({ first: assembly, second: beside })
  return {
    type: 'SyntenyTrack',
    trackId: trackIdOf(assembly, `pairs-${beside}`),
    name: `${assembly} – ${beside}`,
    assemblyNames: [assembly, beside],
    adapter: {
      type: 'PAFAdapter',
      assemblyNames: [assembly, beside],
      pafLocation: { uri: `/api/tools/jbrowse/pairs.paf?${query}`, locationType: 'UriLocation' },
    },
  }
}

const makeState = (given: {
  config: BrowserConfig
  loci: Place[]
  trackIds: string[]
  highlights: Place[]
  theme: Theme
  extraTracks: object[]
  beside: Beside | null
}): { state: ViewState; mobx: Mobx } => {
  const { config } = given
  const { jbrowse } = completeAddresses(config, `${location.origin}${addressOf('')}`)
  let mobx: Mobx | null = null
  const { beside } = given
  const pairs = beside === null ? [] : [pairsTrack(config.assembly, beside.assembly)]
  class ReactivityPlugin {
    name = 'NovoDbReactivityPlugin'
    install(pluginManager: { jbrequire(name: string): unknown }): void {
      // The models live in JBrowse's own copy of MobX; only that one can watch them.
      mobx = pluginManager.jbrequire('mobx') as Mobx
    }
    configure(): void {
      // Nothing to do after all plugins are there.
    }
  }
  const state = createViewState({
    plugins: [PortalSearchPlugin, ReactivityPlugin] as never,
    config: {
      ...jbrowse,
      assemblies: jbrowse.assemblies.map((assembly) => ({
        ...assembly,
        refNameColors: sequenceColors[given.theme],
      })),
      tracks: [
        ...jbrowse.tracks.map((track) => {
          const [assembly] = track.assemblyNames as string[]
          return assembly !== undefined && track.trackId === trackIdOf(assembly, 'genes')
            ? { ...track, formatDetails: geneDetails(assembly) }
            : track
        }),
        ...completeAddresses([...given.extraTracks, ...pairs], `${location.origin}${addressOf('')}`),
      ],
      aggregateTextSearchAdapters: jbrowse.assemblies.map((assembly) => ({
        type: searchAdapterType,
        textSearchAdapterId: `search-${String(assembly.name)}`,
        assemblyNames: [assembly.name],
      })),
      configuration: {
        // Its web worker is made for another bundler; reading in the page's own thread needs none.
        rpc: { defaultDriver: 'MainThreadRpcDriver' },
        disableAnalytics: true,
        theme: themeOf(given.theme),
      },
      defaultSession: {
        name: config.assembly,
        // Beside each other the two are launched when JBrowse stands.
        views:
          beside !== null
            ? []
            : [
                {
                  id: 'genome',
                  type: 'LinearGenomeView',
                  trackLabels: 'offset',
                  highlight: marks(config.assembly, given.highlights),
                  init: {
                    assembly: config.assembly,
                    loc: given.loci.map(jbrowseLocus).join(' '),
                    tracks: given.trackIds.slice(0, maxTracks),
                  },
                },
              ],
      },
    } as never,
  }) as unknown as ViewState
  // A theme chosen in a JBrowse elsewhere on this origin would be taken over from its storage.
  state.session.setThemeName('default')
  if (beside !== null) {
    const views = [
      { assembly: config.assembly, loc: given.loci[0], tracks: [trackIdOf(config.assembly, 'genes')] },
      { assembly: beside.assembly, loc: beside.loci[0], tracks: [trackIdOf(beside.assembly, 'genes')] },
    ].map((view) => ({ ...view, loc: view.loc === undefined ? '' : jbrowseLocus(view.loc) }))
    void state.pluginManager
      .evaluateAsyncExtensionPoint('LaunchView-LinearSyntenyView', {
        session: state.session,
        views,
        tracks: pairs.map(({ trackId }) => trackId),
      })
      // JBrowse tells its reader itself.
      .catch(() => undefined)
  }
  if (mobx === null) throw new Error('JBrowse did not install its plugins')
  return { state, mobx }
}

const genomeView = (state: ViewState): GenomeView | undefined =>
  state.session.views.find((view) => view.type === 'LinearGenomeView')

/** JBrowse 2 over one assembly; what its reader does is told through `onState`, what the page wants goes through `ref`. */
const BrowserView = ({
  config,
  loci,
  trackIds,
  highlights,
  theme,
  extraTracks,
  beside = null,
  onState,
  ref,
}: {
  config: BrowserConfig
  loci: Place[]
  trackIds: string[]
  highlights: Place[]
  theme: Theme
  extraTracks: object[]
  beside?: Beside | null
  onState: (state: BrowserState) => void
  ref?: Ref<BrowserHandle>
}): ReactNode => {
  const [{ state, mobx }] = useState(() =>
    makeState({ config, loci: loci, trackIds, highlights, theme, extraTracks, beside }),
  )

  useEffect(() => {
    // A slot of JBrowse's configuration is an object of its own with a setter.
    state.jbrowse.configuration.theme.set(themeOf(theme))
    for (const assembly of state.jbrowse.assemblies) assembly.refNameColors.set(sequenceColors[theme])
  }, [state, theme])

  useEffect(
    () =>
      mobx.autorun(
        () => {
          const view = genomeView(state)
          if (view?.initialized !== true) return
          const visible = readVisible(view.coarseVisibleLocStrings)
          const open = view.tracks.map((track) => track.configuration.trackId)
          if (visible !== '') onState({ loc: visible, trackIds: open })
        },
        { delay: settleMs },
      ),
    [state, mobx, onState],
  )

  useImperativeHandle(
    ref,
    () => ({
      go: (wanted) => {
        const text = wanted.map(jbrowseLocus).join(' ')
        genomeView(state)
          ?.navToLocString(text, config.assembly)
          .catch((error: unknown) => state.session.notify(String(error), 'warning'))
      },
      showTracks: (wanted) => {
        const view = genomeView(state)
        if (view === undefined) return
        const open = view.tracks.map((track) => track.configuration.trackId)
        for (const id of open) if (!wanted.includes(id)) view.hideTrack(id)
        for (const id of wanted.slice(0, maxTracks)) if (!open.includes(id)) view.showTrack(id)
      },
      highlight: (wanted) => genomeView(state)?.setHighlight(marks(config.assembly, wanted)),
    }),
    [state, config.assembly],
  )

  return <JBrowseApp viewState={state as never} />
}

export default BrowserView
