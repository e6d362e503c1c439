import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type CSSProperties, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { type FormerGene, type Gene, getGene } from '../../../contracts/genes.ts'
import { useIsAdministrator } from '../../../kit/ui/administrator.ts'
import { ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Card, Tag } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../../kit/ui/controls/expression-fields.tsx'
import { FoldingCard } from '../../../kit/ui/controls/folding-card.tsx'
import { SimulatedBelow } from '../../../kit/ui/figures/figure-frame.tsx'
import type { GeneGist, GenePanel } from '../../../kit/ui/gene/define-gene-panel.ts'
import { geneAddress } from '../../../kit/ui/gene/gene-link.tsx'
import { geneStatesAnchor } from '../../../kit/ui/gene/gene-states.tsx'
import { messages as stateWords } from '../../../kit/ui/gene/gene-states-messages.ts'
import { translator, useFormat, useLocale, useText } from '../../../kit/ui/language.tsx'
import { messages as kit } from '../../../kit/ui/messages.ts'
import { useAssemblies, useSpecies } from '../../../kit/ui/portal-data.ts'
import { call, RequestError } from '../../../kit/ui/request.ts'
import { messages } from '../../messages/pages.ts'
import { ErrorBoundary } from '../../shell/error-boundary.tsx'
import { PageTitle } from '../../shell/page-title.tsx'
import { FormerGeneNote, FormerGeneState, useFormerGenes } from './former-gene.tsx'
import { GeneActions } from './gene-actions.tsx'
import { GeneIndex } from './gene-index.tsx'
import { GeneStatesCard } from './gene-states-card.tsx'
import { GeneSummary } from './gene-summary.tsx'
import { type OwnSection, useOwnSections } from './own-sections.tsx'
import { orderSections } from './section-order.ts'
import { useFolds } from './use-folds.ts'
import './gene-page.css'

const panelFiles = import.meta.glob<{ default: GenePanel }>('../../../tools/*/gene-panel.tsx')

/** The panels of all tools; one that cannot be loaded does not take the page with it. */
const loadPanels = async (): Promise<GenePanel[]> => {
  const loaded = await Promise.allSettled(Object.values(panelFiles).map((load) => load()))
  return loaded.flatMap((one) => (one.status === 'fulfilled' ? [one.value.default] : []))
}

const usePanels = () =>
  useQuery({ queryKey: ['gene-panels'], queryFn: loadPanels, staleTime: Number.POSITIVE_INFINITY })

/** In place of the sections until the tools' are known: those of the page as high as they will be, and a head for each file of a tool. */
const SectionsToCome = ({ gene }: { gene: Gene }): ReactNode => {
  const open = useOwnSections(gene).filter(({ opened }) => opened)
  return (
    <div className="gene-to-come" aria-hidden>
      {open.map(({ id, title, heightPx }) => (
        <div key={id} style={{ '--held': `${heightPx}px` } as CSSProperties}>
          {title}
        </div>
      ))}
      {Object.keys(panelFiles).map((file) => (
        <div key={file} />
      ))}
    </div>
  )
}

/** What a section's gist says beside its text. */
type Told = { [Part in 'count' | 'title' | 'simulated']: GeneGist[Part] | undefined }

/** What a section says of its content in its head; what it counts and is called goes to the index. */
const Gist = ({
  section,
  gene,
  onTold,
}: {
  section: OwnSection
  gene: Gene
  onTold: (id: string, told: Told) => void
}): ReactNode => {
  const { id } = section
  const found = section.useGist?.(gene)
  const { count, title, simulated } = found ?? {}
  useEffect(() => {
    if (count !== undefined || title !== undefined || simulated !== undefined) onTold(id, { count, title, simulated })
  }, [id, count, title, simulated, onTold])
  return found?.text ?? null
}

/** The sections of the page and of the tools in their order; none while the tools' are not known. */
const usePageSections = (gene: Gene, panels: readonly GenePanel[] | null): OwnSection[] => {
  const locale = useLocale()
  const own = useOwnSections(gene)
  const assemblies = useAssemblies()
  const assembly = assemblies.find((one) => one.id === gene.assembly)
  const genomes = assemblies.filter(({ species }) => species === gene.species).length
  return useMemo(() => {
    if (panels === null) return []
    const told = panels.flatMap(({ id, messages: words, needs, section }): OwnSection[] => {
      if (section === undefined) return []
      const replaced = own.find((one) => one.id === section.standsFor)
      return [
        {
          ...section,
          id,
          opened: section.opened ?? false,
          heightPx: typeof section.heightPx === 'number' ? section.heightPx : section.heightPx(genomes),
          title: replaced?.title ?? translator(words, locale)('panel.title'),
          // Where all is simulated, nothing is more real than the rest.
          simulated: needs !== undefined && assembly?.simulated === false && assembly.simulatedTypes.includes(needs),
          content: <section.Panel gene={gene} own={replaced?.content ?? null} />,
        },
      ]
    })
    return orderSections([...own.filter(({ id }) => !told.some(({ standsFor }) => standsFor === id)), ...told])
  }, [gene, panels, own, assembly, genomes, locale])
}

const Record = ({
  gene,
  alternatives,
  asked,
  former,
}: {
  gene: Gene
  alternatives: { id: string; symbol: string | null; assembly: string }[]
  asked: string
  /** What the name that was asked for was in earlier annotations. */
  former: readonly FormerGene[]
}): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const locale = useLocale()
  const location = useLocation()
  const isAdministrator = useIsAdministrator()
  const assembly = useAssemblies().find((one) => one.id === gene.assembly)
  const species = useSpecies().data?.species.find((one) => one.id === gene.species)
  const answer = usePanels()
  const [filled, missing] = useMemo(() => {
    const has = ({ needs }: GenePanel): boolean => needs === undefined || (assembly?.dataTypes[needs] ?? 0) > 0
    const panels = answer.data ?? []
    return [panels.filter(has), assembly === undefined ? [] : panels.filter((panel) => !has(panel))]
  }, [answer.data, assembly])
  const [told, setTold] = useState<Record<string, Told>>({})
  const onTold = useCallback((id: string, one: Told) => setTold((before) => ({ ...before, [id]: one })), [])
  const hasOthers = (species?.assemblies.length ?? 0) > 1
  // Not before the tools' sections are known, which stand among those of the page.
  const sections = usePageSections(gene, answer.isPending ? null : filled)
  const folds = useFolds()
  const stateText = useText(stateWords)
  // The section of families, by what it opens: a page without it says nothing of families.
  const familyId = sections.find(({ tellsFamily }) => tellsFamily === true)?.id
  const entries = [
    { id: 'summary', title: t('gene.summary') },
    ...(hasOthers ? [{ id: geneStatesAnchor, title: stateText('title') }] : []),
    ...sections.map(({ id, title }) => ({ id, title: told[id]?.title ?? title, count: told[id]?.count, folds: true })),
  ]

  // Another address of the same page may open at a section: the one for re-sequencing at the variants.
  const wanted = sections.find(({ opensAt }) => opensAt === location.pathname)?.id ?? location.hash.slice(1)
  const ready = wanted !== '' && entries.some(({ id }) => id === wanted)
  const { open } = folds
  useEffect(() => {
    if (!ready) return
    open(wanted)
    // Once it is open: the last ones else have no room below them.
    const frame = requestAnimationFrame(() => document.getElementById(wanted)?.scrollIntoView())
    return () => cancelAnimationFrame(frame)
  }, [wanted, ready, open])

  const title = gene.symbol ?? gene.id
  return (
    <main className="nv-page gene">
      <PageTitle>{`${title} · ${gene.speciesName}`}</PageTitle>
      <GeneIndex
        sections={entries}
        onOpen={folds.open}
        allOpen={sections.every(folds.isOpen)}
        onAll={(all) =>
          folds.remember(
            sections.map(({ id }) => id),
            all,
          )
        }
      />
      <div className="gene-column">
        <header className="nv-page-head gene-head">
          <div>
            <h1>
              {gene.symbol === null ? <span className="gene-id-title">{gene.id}</span> : <i>{gene.symbol}</i>}
              {gene.symbol === null ? null : <code>{gene.id}</code>}
              {assembly?.simulated === true || species?.simulated === true ? (
                <Tag tone="amber" title={t('gene.simulated')}>
                  {k('simulated.tag')}
                </Tag>
              ) : null}
            </h1>
            <p className="nv-lead gene-lead">
              {gene.description ?? gene.name}
              {gene.description === null && gene.name === null ? null : ' · '}
              <i>{gene.speciesName}</i> {assembly?.name ?? gene.assembly}
            </p>
            <p className="gene-walk">
              {gene.previous === null ? null : (
                <Link to={geneAddress(gene.previous.id, gene.assembly)} title={t('gene.previous')}>
                  <ChevronLeft size={14} aria-hidden />{' '}
                  {gene.previous.symbol === null ? <code>{gene.previous.id}</code> : <i>{gene.previous.symbol}</i>}
                </Link>
              )}
              {gene.next === null ? null : (
                <Link to={geneAddress(gene.next.id, gene.assembly)} title={t('gene.next')}>
                  {gene.next.symbol === null ? <code>{gene.next.id}</code> : <i>{gene.next.symbol}</i>}{' '}
                  <ChevronRight size={14} aria-hidden />
                </Link>
              )}
            </p>
          </div>
          <div className="nv-page-actions">
            <GeneActions gene={gene} panels={filled} />
          </div>
        </header>
        {former.map((one) => (
          <FormerGeneNote key={`${one.assembly}/${one.id}`} former={one} />
        ))}
        {alternatives.length === 0 ? null : (
          <p className="nv-banner nv-banner-info">
            {t('gene.alternatives', { id: asked })}{' '}
            {alternatives.map((one) => (
              <Link
                key={`${one.assembly}/${one.id}`}
                to={geneAddress(one.id, one.assembly)}
                className="gene-alternative"
              >
                <code>{one.id}</code> {one.assembly}
              </Link>
            ))}
          </p>
        )}
        {assembly?.partial === null || assembly === undefined ? null : (
          <p className="nv-banner nv-banner-warn">
            {t('gene.partial')} {format.text(assembly.partial)}
          </p>
        )}
        <GeneSummary gene={gene} />
        {hasOthers ? <GeneStatesCard gene={gene} familyId={familyId} /> : null}
        {answer.isPending ? <SectionsToCome gene={gene} /> : null}
        {sections.map((section) => (
          <FoldingCard
            key={section.id}
            id={section.id}
            title={told[section.id]?.title ?? section.title}
            tag={<SimulatedTag simulated={section.simulated || told[section.id]?.simulated === true} />}
            gist={() => <Gist section={section} gene={gene} onTold={onTold} />}
            open={folds.isOpen(section)}
            onOpen={(open) => folds.remember([section.id], open)}
            heightPx={section.heightPx}
            narrowPx={section.narrowPx}
            flush={section.flush ?? false}
          >
            <ErrorBoundary name={`${section.id}${gene.id}`}>
              <SimulatedBelow value={section.simulated || told[section.id]?.simulated === true}>
                <Suspense fallback={<Waiting />}>{section.content}</Suspense>
              </SimulatedBelow>
            </ErrorBoundary>
          </FoldingCard>
        ))}
        {missing.length === 0 ? null : (
          <Card id="nodata">
            <details className="nv-advanced">
              <summary>{t('gene.nodataOf', { count: missing.length })}</summary>
              <p className="nv-quiet">{t('gene.nodataLead', { assembly: assembly?.name ?? gene.assembly })}</p>
              <ul className="gene-nodata">
                {missing.map((panel) => {
                  const own = translator(panel.messages, locale)
                  return (
                    <li key={panel.id}>
                      <strong>{own('panel.title')}</strong>{' '}
                      {isAdministrator && 'panel.add' in panel.messages.en ? own('panel.add') : null}{' '}
                      <Link to={`/document/${panel.id}`}>
                        {isAdministrator ? t('gene.nodataHow') : k('tool.usage')}
                      </Link>
                    </li>
                  )
                })}
              </ul>
            </details>
          </Card>
        )}
      </div>
    </main>
  )
}

const isUnknown = (error: RequestError): boolean => error.status === 404

const GenePage = (): ReactNode => {
  const t = useText(messages)
  const [query] = useSearchParams()
  const id = query.get('id') ?? ''
  const assembly = query.get('assembly') ?? undefined
  const answer = useQuery({
    queryKey: ['gene', id, assembly],
    enabled: id !== '',
    // Of a name that no gene has the page itself tells, in place of the gene.
    queryFn: (context) => call(getGene, { id, assembly }, { ...context, skipErrorHandler: isUnknown }),
    staleTime: 300_000,
  })
  const species = useSpecies()
  // Beside the gene, not after it: their files are many.
  usePanels()
  const isMissing = answer.error instanceof RequestError && isUnknown(answer.error)
  const formerAnswer = useFormerGenes(
    id,
    answer.data?.gene.assembly ?? assembly,
    answer.data !== undefined || isMissing,
  )
  const former = formerAnswer.data?.former ?? []
  if (id === '')
    return (
      <main className="nv-page">
        <PageTitle>{t('gene.title')}</PageTitle>
        <header className="nv-page-head">
          <h1>{t('gene.title')}</h1>
        </header>
        <EmptyState
          title={t('gene.missing')}
          why={t('gene.missingWhy')}
          action={<ButtonLink to="/search">{t('search.title')}</ButtonLink>}
        />
      </main>
    )
  const found = answer.data?.gene
  // Several genes have taken the place of the one that was asked for, and none of them has its name.
  const isSplit = former.some(({ relation }) => relation === 'split') && found?.id.toLowerCase() !== id.toLowerCase()
  const instead = found === undefined || isSplit ? former[0] : undefined
  if (instead !== undefined)
    return (
      <main className="nv-page">
        <PageTitle>{id}</PageTitle>
        <header className="nv-page-head">
          <h1>{t('gene.title')}</h1>
        </header>
        <FormerGeneState former={instead} />
      </main>
    )
  if (answer.isError && !formerAnswer.isLoading)
    return (
      <main className="nv-page">
        <PageTitle>{id}</PageTitle>
        <header className="nv-page-head">
          <h1>{t('gene.title')}</h1>
        </header>
        {isMissing ? (
          <EmptyState
            title={t('gene.notFound', { id })}
            why={t('gene.notFoundWhy')}
            action={<ButtonLink to={`/search?${new URLSearchParams({ q: id })}`}>{t('search.title')}</ButtonLink>}
          />
        ) : (
          <Unanswered of={answer} />
        )}
      </main>
    )
  // With the catalogue: what is drawn first depends on the other assemblies of the species.
  if (answer.data === undefined || species.isPending)
    return (
      <main className="nv-page">
        <Waiting />
      </main>
    )
  const { gene, alternatives } = answer.data
  // Of a name with several meanings it is first known whether they are parts of one gene.
  if (alternatives.length > 0 && formerAnswer.isLoading)
    return (
      <main className="nv-page">
        <Waiting />
      </main>
    )
  return (
    <Record key={`${gene.assembly}/${gene.id}`} gene={gene} alternatives={alternatives} asked={id} former={former} />
  )
}

export default GenePage
