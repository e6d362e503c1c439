import {
  ArrowRight,
  Database,
  FlaskConical,
  GitCompare,
  GraduationCap,
  HardDrive,
  Search,
  Shapes,
  TestTubeDiagonal,
  Waypoints,
} from 'lucide-react'
import { type CSSProperties, type ReactNode, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { loadProgress, portalStageFraction } from '../../contracts/load-steps.ts'
import type { AssemblySummary, LackingSpace, LoadStatus, SpeciesSummary } from '../../contracts/species.ts'
import type { LocalizedText } from '../../contracts/text.ts'
import { type ToolCategory, toolCategories } from '../../contracts/tools/tool.ts'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { Answered, EmptyState, Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { Select } from '../../kit/ui/controls/field.tsx'
import { shortenNames } from '../../kit/ui/figures/shortened-names.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { SpeciesName, useAssemblyNames, useSpeciesNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { messages as kit } from '../../kit/ui/messages.ts'
import { useAssemblies, useSpecies, useToolStatuses } from '../../kit/ui/portal-data.ts'
import { useToolList } from '../../kit/ui/tool/tool-list.ts'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { useSession } from '../account/session.tsx'
import { CitationCopy } from '../citation-copy.tsx'
import { messages } from '../messages/home.ts'
import { messages as shell } from '../messages/shell.ts'
import { messages as tutorialTexts } from '../messages/tutorials.ts'
import { portalTitle } from '../portal-settings.ts'
import { exampleQueries } from '../shell/example-queries.ts'
import { PageTitle } from '../shell/page-title.tsx'
import { useRouteTitle } from '../shell/route-names.ts'
import { SearchBox, searchAddress } from '../shell/search-box.tsx'
import { useLoadStep } from './admin/load-step.ts'
import { chapterAddress, tutorialSpecies, tutorials } from './documents/chapters.ts'
import { GenomeRing } from './gene/genome-ring.tsx'
import './home-page.css'

const categoryIcons: Record<ToolCategory, typeof Search> = {
  find: Search,
  compare: GitCompare,
  express: TestTubeDiagonal,
  vary: Shapes,
  regulate: Waypoints,
}

/** Up to so many tools are told with their purpose; more would push the rest of the page out of sight. */
const fewTools = 9

/** Columns, at most so many, in which the last row lacks as few as can be. */
const balancedColumns = (count: number, most: number): number => Math.ceil(count / Math.ceil(count / most))

const referenceOf = (species: SpeciesSummary): AssemblySummary | undefined =>
  species.assemblies.find((one) => one.reference) ?? species.assemblies[0]

/** Between two bars, as home-page.css has it, and a letter of their names at most. */
const barGapPx = 3
const barLetterPx = 7
/** Below narrower bars names stand upright, in the height that home-page.css gives them. */
const narrowBarPx = 50
const uprightPx = 72
/** From this width on a bar has room for its length. */
const lengthBarPx = 60

/** How many of the assemblies are relatives from outside their species, and which. */
const useOutgroups = (): ((assemblies: readonly AssemblySummary[]) => { outgroups: number; names: string }) => {
  const format = useFormat()
  const assemblyName = useAssemblyNames()
  return (assemblies) => {
    const names = assemblies.flatMap(({ id, outgroup }) => (outgroup ? [assemblyName(id)] : []))
    return { outgroups: names.length, names: format.names(names) }
  }
}

/** Lengths as bars: the chromosomes of the reference, or the assemblies when a genome is a chromosome or two. */
const LengthBars = ({ species }: { species: SpeciesSummary }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>()
  const reference = referenceOf(species)
  if (reference === undefined) return null
  const byAssembly = reference.sequences.length <= 2 && species.assemblies.length > 1
  const bars = byAssembly
    ? species.assemblies.map((one) => ({ name: one.name, lengthBp: one.lengthBp, amber: false }))
    : reference.sequences
        .slice(0, 40)
        .map((one) => ({ name: one.name, lengthBp: one.lengthBp, amber: one.role === 'accessory' }))
  const longest = Math.max(1, ...bars.map((bar) => bar.lengthBp))
  const amber = bars.some((bar) => bar.amber)
  // Beyond so many, names would not have room.
  const named = bars.length <= 20 && bars.every((bar) => bar.name.length <= 8 || byAssembly)
  const barPx = width / Math.max(1, bars.length) - barGapPx
  const upright = named && barPx < narrowBarPx
  const lengths = byAssembly && barPx >= lengthBarPx
  const labels = shortenNames(
    bars.map(({ name }) => name),
    (upright ? uprightPx : barPx) / barLetterPx,
  )
  return (
    <div ref={root} className="home-bars-frame">
      <div
        className={`home-bars${named ? ' home-bars-named' : ''}${upright ? ' home-bars-upright' : ''}${lengths ? ' home-bars-lengths' : ''}`}
        role="img"
        aria-label={bars.map((bar) => `${bar.name} ${format.basePairs(bar.lengthBp)}`).join(', ')}
      >
        {bars.map((bar, number) => (
          <span key={bar.name} title={`${bar.name} · ${format.basePairs(bar.lengthBp)}`}>
            <i
              className={bar.amber ? 'home-bar-amber' : ''}
              style={{ blockSize: `calc(var(--longest-bar) * ${Math.max(0.05, bar.lengthBp / longest)})` }}
            />
            {named ? <small>{labels[number]}</small> : null}
            {lengths ? <small>{format.basePairs(bar.lengthBp)}</small> : null}
          </span>
        ))}
      </div>
      <p className="nv-quiet">
        {byAssembly
          ? t('home.barsAssemblies')
          : t('home.barsSequences', { name: reference.name, count: reference.sequenceCount })}
        {amber ? ` · ${t('home.barsAccessory')}` : ''}
      </p>
    </div>
  )
}

/** The genome first and what stands on it after; what annotation there is comes after the proteins that it is of. */
const typeOrder: readonly string[] = [
  ...['data.genome', 'data.genes', 'data.proteins', 'data.annotation'],
  ...['data.tracks', 'data.contacts', 'data.downloads', 'data.references'],
]
const typePlace = (type: string): number => typeOrder.indexOf(`data.${type.split(':')[0]}`)

const SpeciesCard = ({ species }: { species: SpeciesSummary }): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const reference = referenceOf(species)
  const types = new Map<string, number>()
  for (const assembly of species.assemblies)
    for (const [type, count] of Object.entries(assembly.dataTypes))
      if (count > 0) types.set(type, (types.get(type) ?? 0) + count)
  // A part of a kind ("annotation:GO") says more than the kind: it stands for it. What a tool makes for itself out of the
  // same data (its indexes) has no name here and is not shown.
  const shownTypes = [...types.keys()]
    .filter(
      (type) =>
        ![...types.keys()].some((other) => other.startsWith(`${type}:`)) &&
        (type.includes(':') || `data.${type}` in messages.en),
    )
    .sort((a, b) => typePlace(a) - typePlace(b))
  const titles = Object.assign({}, ...species.assemblies.map(({ termTitles }) => termTitles ?? {})) as Record<
    string,
    LocalizedText
  >
  const typeName = (type: string): string => {
    if (`data.${type}` in messages.en) return t(`data.${type}` as 'data.genome')
    const part = type.split(':').at(-1) ?? type
    return titles[part] === undefined ? part : format.text(titles[part])
  }
  const genes = species.assemblies.reduce((sum, one) => sum + one.geneCount, 0)
  const outgroupsOf = useOutgroups()
  // None stands for all: the address of the only species stays short, however many genomes it has.
  const all = useAssemblies()
  const browsedAssemblies =
    all.length === species.assemblies.length
      ? ''
      : species.assemblies.flatMap(({ id, geneCount }) => (geneCount > 0 ? [id] : [])).join(',')
  const browsed = useOpenings('genesOfAssemblies')
  const compared = useOpenings('comparedSpecies')
  const strains = species.assemblies.filter(({ outgroup }) => !outgroup)
  return (
    <article className="nv-card home-species">
      <h3>
        <SpeciesName id={species.id} />
        {species.simulated ? (
          <Tag tone="amber" title={k('simulated.why')}>
            {k('simulated.tag')}
          </Tag>
        ) : null}
      </h3>
      {species.commonName === null ? null : <p className="nv-quiet">{format.text(species.commonName)}</p>}
      <p className="nv-quiet">
        {t('home.cardLine', {
          assemblies: species.assemblies.length,
          ...outgroupsOf(species.assemblies),
          count: genes,
          genes: format.number(genes),
          reference: reference?.name ?? '–',
        })}
      </p>
      <LengthBars species={species} />
      <p className="home-tags">
        {shownTypes.map((type) => (
          <Tag key={type}>{typeName(type)}</Tag>
        ))}
      </p>
      {species.description === null ? null : (
        <p className="home-about" title={format.text(species.description)}>
          {format.text(species.description)}
        </p>
      )}
      <footer>
        {/* Genomes alone can be loaded: a list of no genes helps nobody. */}
        {genes === 0
          ? null
          : browsed.map(({ tool, label, address }) => (
              <Link key={tool.id} to={address({ assemblies: browsedAssemblies }, { run: true })}>
                {label} <ArrowRight size={14} aria-hidden />
              </Link>
            ))}
        {reference === undefined || strains.length < 2
          ? null
          : compared.map(({ tool, label, address }) => (
              <Link key={tool.id} to={address({ assembly: reference.id }, { run: true })}>
                {label}
              </Link>
            ))}
        <Link to={`/download?${new URLSearchParams({ species: species.id })}`}>{t('home.files')}</Link>
        <span className="nv-grow" />
        <span className="nv-quiet">{format.date(species.loadedAt)}</span>
      </footer>
    </article>
  )
}

/** Where the administrator sees what takes the room; nothing for anybody else. */
const MakeRoom = (): ReactNode => {
  const t = useText(messages)
  const { user } = useSession()
  return user?.access === 'admin' ? <Link to="/info?tab=storageTab">{t('home.spaceToDo')}</Link> : null
}

const HomePage = (): ReactNode => {
  const t = useText(messages)
  const s = useText(shell)
  const routeTitle = useRouteTitle()
  const k = useText(kit)
  const about = useText(tutorialTexts)
  const format = useFormat()
  const language = useLanguage()
  const navigate = useNavigate()
  const answer = useSpecies()
  const tools = useToolList()
  const statusesAnswer = useToolStatuses()
  const statuses = statusesAnswer.data ?? []
  const [scope, setScope] = useState('')
  const [ring, setRing] = useState<string | null>(null)
  const species = answer.data?.species ?? []
  const loads = answer.data?.loads ?? []
  // Of an empty portal that is told once.
  const isOff = (tool: string): boolean =>
    species.length > 0 && statuses.find(({ id }) => id === tool)?.available === false
  const ready = tools.filter(({ id }) => !isOff(id)).length
  const demoStage = answer.data?.demoStage ?? null
  const demoSpace = answer.data?.demoSpace ?? null
  const diskFull = answer.data?.diskFull ?? false
  const assemblies = useMemo(() => species.flatMap((one) => one.assemblies), [species])
  const scoped = species.find((one) => one.id === scope) ?? species[0]
  const shownRing =
    assemblies.find((one) => one.id === ring) ?? (scoped === undefined ? undefined : referenceOf(scoped))
  // They lead through data that another portal does not have.
  const hasTutorials = species.some(({ id }) => id === tutorialSpecies)
  const examples = exampleQueries(scoped === undefined ? undefined : referenceOf(scoped))
  const outgroups = useOutgroups()(assemblies)
  const genes = assemblies.reduce((sum, one) => sum + one.geneCount, 0)
  const bases = assemblies.reduce((sum, one) => sum + one.lengthBp, 0)
  const active = loads.filter((load) => load.state === 'running' || load.state === 'waiting')
  const failed = loads.filter((load) => load.state === 'failed')
  const running = loads.find((load) => load.state === 'running')
  /** What says so of itself need not be told once more. */
  const lacksSpace = demoSpace !== null || active.some((load) => load.space !== null)
  const spaceOf = ({ neededBytes, freeBytes }: LackingSpace): string =>
    neededBytes === null || freeBytes === null
      ? t('home.spaceElsewhere')
      : t('home.space', { needed: format.bytes(neededBytes), free: format.bytes(freeBytes) })
  const stepOf = useLoadStep()
  /** Of one that waits: for which, in which stage, and since when. */
  const stateOf = (load: LoadStatus): string => {
    if (load.state !== 'waiting') {
      const { fraction, leftMs } = loadProgress(load, Date.now())
      return [
        // What is computed after a load says in its step how far it is.
        load.fraction >= portalStageFraction || fraction === null ? null : format.percent(fraction, 0),
        stepOf(load.step),
        leftMs === null ? null : k('job.left', { time: format.roughDuration(leftMs) }),
      ]
        .filter((part) => part !== null)
        .join(' · ')
    }
    if (running === undefined) return t('home.loadWaitsTurn')
    return t('home.loadWaitsFor', {
      name: nameOf(running.species),
      step: stepOf(running.step),
      since: format.dateTime(running.stepSince ?? running.startedAt),
    })
  }
  const nameOf = (id: string): string => species.find((one) => one.id === id)?.name ?? speciesWords(id)
  const latest = species
    .map((one) => one.loadedAt)
    .sort()
    .at(-1)
  const [typed, setTyped] = useState('')
  const speciesName = useSpeciesNames()
  const assemblyName = useAssemblyNames()
  const citation = t('home.citeText', {
    portal: portalTitle(),
    address: location.origin,
    releases: format.series(
      species.map((one) => t('home.citeRelease', { name: speciesName(one.id), number: one.release })),
    ),
    date: format.date(new Date().toISOString()),
  })

  return (
    <main className="home">
      <PageTitle>{routeTitle('home')}</PageTitle>
      <section className="home-hero">
        <div className="home-hero-inner">
          <div className="home-ask">
            <h1>{t('home.title')}</h1>
            <p className="home-lead">
              {answer.data === undefined
                ? ' '
                : t('home.lead', {
                    species: species.length,
                    assemblies: assemblies.length,
                    ...outgroups,
                  })}
            </p>
            <form
              className="home-search"
              onSubmit={(event) => {
                event.preventDefault()
                const box = event.currentTarget.querySelector<HTMLInputElement>('[role=combobox]')
                const text = box?.value.trim() ?? ''
                if (text !== '') navigate(searchAddress(text, scope))
                else box?.focus()
              }}
            >
              <Select
                aria-label={t('home.speciesSelect')}
                value={scope}
                options={[
                  { value: '', label: t('home.allSpecies') },
                  ...species.map((one) => ({ value: one.id, label: speciesName(one.id) })),
                ]}
                onChoose={setScope}
              />
              <SearchBox species={scope} placeholder={t('home.placeholder')} initial={typed} />
              <Button type="submit" look="primary" size="large">
                {t('home.search')}
              </Button>
            </form>
            <p className="home-try">
              {examples.length === 0 ? null : <span>{t('home.try')}</span>}
              {examples.map((example) => (
                <button
                  key={example}
                  type="button"
                  onClick={() => {
                    setTyped(example)
                    navigate(searchAddress(example, scope))
                  }}
                >
                  {example}
                </button>
              ))}
            </p>
            <dl className="home-figures">
              {(
                [
                  [format.count(species.length), t('home.species')],
                  [format.count(assemblies.length), t('home.assemblies', { outgroups: outgroups.outgroups })],
                  [format.count(genes), t('home.genes')],
                  [format.basePairs(bases), t('home.bases')],
                ] as const
              ).map(([value, name]) => (
                <div key={name}>
                  <dd>{answer.data === undefined ? '–' : value}</dd>
                  <dt>{name}</dt>
                </div>
              ))}
              <div>
                <dd>{format.count(ready)}</dd>
                <dt>{t('home.tools')}</dt>
              </div>
            </dl>
          </div>
          <div className="home-genome">
            {shownRing === undefined ? null : (
              <>
                <GenomeRing assembly={shownRing} />
                {assemblies.length > 1 ? (
                  <Select
                    aria-label={t('home.ringChoose')}
                    value={shownRing.id}
                    options={assemblies.map((one) => ({
                      value: one.id,
                      label: assemblyName(one.id),
                      group: speciesName(one.species),
                    }))}
                    onChoose={setRing}
                  />
                ) : null}
              </>
            )}
          </div>
        </div>
      </section>

      <div className="nv-page home-body">
        {answer.data === undefined ? <Answered of={answer}>{() => null}</Answered> : null}
        {diskFull && !lacksSpace ? (
          <div className="nv-banner nv-banner-warn home-load home-space" role="status">
            <HardDrive size={18} aria-hidden />
            <strong>{t('home.diskFull')}</strong>
            <span>
              {t('home.diskFullWhy')} <MakeRoom />
            </span>
          </div>
        ) : null}
        {demoSpace === null ? null : (
          <div className="nv-banner nv-banner-warn home-load home-space" role="status">
            <HardDrive size={18} aria-hidden />
            <strong>{t('home.demoLacksSpace')}</strong>
            <span>
              {spaceOf(demoSpace)} <MakeRoom />
            </span>
          </div>
        )}
        {demoStage === null || demoSpace !== null ? null : (
          <div className="nv-banner nv-banner-info home-load" role="status">
            <Database size={18} aria-hidden />
            <strong>{t('home.demo')}</strong>
            <span>{demoStage[language]}</span>
            <progress className="nv-progress" aria-label={t('home.demo')} />
          </div>
        )}
        {active.flatMap((load) =>
          load.space === null
            ? []
            : [
                <div key={load.id} className="nv-banner nv-banner-warn home-load home-space" role="status">
                  <HardDrive size={18} aria-hidden />
                  <strong>{t('home.loadLacksSpace', { name: nameOf(load.species) })}</strong>
                  <span>
                    {spaceOf(load.space)} <MakeRoom />
                  </span>
                </div>,
              ],
        )}
        {active
          .filter((load) => load.space === null)
          .map((load) => (
            <div key={load.id} className="nv-banner nv-banner-info home-load" role="status">
              <Database size={18} aria-hidden />
              <strong>
                {t(
                  load.state === 'waiting'
                    ? 'home.loadWaits'
                    : load.fraction >= portalStageFraction
                      ? 'home.loadComputes'
                      : 'home.loading',
                  { name: nameOf(load.species) },
                )}
              </strong>
              <span>{stateOf(load)}</span>
              <progress
                className="nv-progress"
                max={1}
                value={load.state === 'waiting' ? undefined : (loadProgress(load, Date.now()).fraction ?? undefined)}
                aria-label={nameOf(load.species)}
              />
            </div>
          ))}
        {failed.map((load) => (
          <div key={load.id} className="nv-banner nv-banner-warn">
            {t('home.loadFailed', { name: nameOf(load.species) })} <Link to="/info">{routeTitle('info')}</Link>
          </div>
        ))}

        {answer.isSuccess &&
        species.length === 0 &&
        demoStage === null &&
        demoSpace === null &&
        active.length === 0 &&
        !diskFull ? (
          <EmptyState
            icon={<Database size={22} aria-hidden />}
            title={t('home.empty')}
            why={t('home.emptyWhy')}
            action={<ButtonLink to="/document">{t('home.emptyAction')}</ButtonLink>}
          />
        ) : null}

        {/* What stands below is out of sight from the first: the species do not push it down. */}
        {answer.isPending ? <div className="home-awaited" /> : null}
        {species.length === 0 ? null : (
          <section>
            <div className="home-head">
              <h2>{t('home.speciesHead')}</h2>
              {latest === undefined ? null : <span>{t('home.loaded', { date: format.date(latest) })}</span>}
            </div>
            <div
              className="home-species-grid"
              style={
                {
                  '--wide-columns': balancedColumns(species.length, 4),
                  '--columns': balancedColumns(species.length, 3),
                } as CSSProperties
              }
            >
              {species.map((one) => (
                <SpeciesCard key={one.id} species={one} />
              ))}
            </div>
          </section>
        )}

        <section>
          <div className="home-head">
            <h2>{t('home.toolsHead')}</h2>
            <span>{t('home.toolsAside', { count: ready })}</span>
          </div>
          {statusesAnswer.isError ? <Unanswered of={statusesAnswer} line /> : null}
          {tools.length <= fewTools ? (
            <div className="home-few-tools">
              {tools.map((tool) => {
                const off = isOff(tool.id)
                return (
                  <Link key={tool.id} to={tool.route} className="nv-card home-tool">
                    <tool.icon size={20} aria-hidden />
                    <span>
                      <strong>
                        {tool.title[language]}
                        {off ? <small>{s('tool.unavailable')}</small> : null}
                      </strong>
                      <span>{tool.summary[language]}</span>
                    </span>
                  </Link>
                )
              })}
            </div>
          ) : (
            <div className="nv-card home-tools">
              {toolCategories.map((category) => {
                const own = tools.filter((tool) => tool.category === category)
                if (own.length === 0) return null
                const Icon = categoryIcons[category]
                return (
                  <div key={category} className="home-task">
                    <h3>
                      <Icon size={18} aria-hidden /> {s(`question.${category}`)}
                    </h3>
                    <ul>
                      {own.map((tool) => {
                        const off = isOff(tool.id)
                        return (
                          <li key={tool.id}>
                            <Link to={tool.route} title={tool.summary[language]}>
                              <tool.icon size={16} aria-hidden />
                              <span>{tool.title[language]}</span>
                              {off ? <small>{s('tool.unavailable')}</small> : null}
                            </Link>
                          </li>
                        )
                      })}
                    </ul>
                  </div>
                )
              })}
            </div>
          )}
        </section>

        {hasTutorials ? (
          <section>
            <div className="home-head">
              <h2>{t('home.tutorials')}</h2>
              <span>{t('home.tutorialsAside')}</span>
            </div>
            <ul className="home-tutorials">
              {tutorials.map((id) => (
                <li key={id}>
                  <Link to={chapterAddress(id)} className="nv-card home-tool">
                    <GraduationCap size={20} aria-hidden />
                    <span>
                      <strong>{about(`chapter.${id}`)}</strong>
                      <span>{about(`about.${id}`)}</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ) : null}

        {species.length === 0 ? null : (
          <section className="home-foot">
            <div className="nv-card">
              <div className="nv-card-head">
                <h2>{t('home.news')}</h2>
              </div>
              <ul className="home-news">
                {[...species]
                  .sort((a, b) => b.loadedAt.localeCompare(a.loadedAt))
                  .slice(0, 6)
                  .map((one) => (
                    <li key={one.id}>
                      <time dateTime={one.loadedAt}>{format.date(one.loadedAt)}</time>
                      <span>
                        {t('home.newsRelease', {
                          name: speciesName(one.id),
                          number: one.release,
                          assemblies: one.assemblies.length,
                          count: one.assemblies.reduce((sum, each) => sum + each.geneCount, 0),
                          genes: format.number(one.assemblies.reduce((sum, each) => sum + each.geneCount, 0)),
                        })}
                        {one.source === null ? null : <small>{format.text(one.source)}</small>}
                      </span>
                    </li>
                  ))}
              </ul>
            </div>
            <div className="nv-card">
              <div className="nv-card-head">
                <h2>{t('home.cite')}</h2>
                <div className="nv-card-actions">
                  <CitationCopy citation={citation} />
                </div>
              </div>
              <div className="nv-card-body">
                <p className="home-citation">{citation}</p>
                <p className="nv-quiet">
                  <FlaskConical size={14} aria-hidden /> {t('home.citeHelp')}
                </p>
                {species.some((one) => one.simulated) ? <p className="nv-warn">{k('simulated.why')}</p> : null}
              </div>
            </div>
          </section>
        )}
      </div>
    </main>
  )
}

/** A species that is still loading is known only by its short name: "zymoseptoria-tritici" is "Zymoseptoria tritici". */
const speciesWords = (id: string): string => {
  const words = id.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export default HomePage
