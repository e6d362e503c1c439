import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Copy, Download, Wrench } from 'lucide-react'
import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { geneGff3Lines } from '../../../bio/annotation/gene-gff3.ts'
import { type Gene, type GeneTerm, getGene } from '../../../contracts/genes.ts'
import { type Receipt, receiptLines } from '../../../contracts/tools/receipt.ts'
import { AssemblyMarks } from '../../../kit/ui/controls/assembly-picker.tsx'
import { Button, ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Card, Facts, Tag } from '../../../kit/ui/controls/card.tsx'
import { copyText } from '../../../kit/ui/controls/copy-text.ts'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { GeneSetMenu } from '../../../kit/ui/controls/gene-set-picker.tsx'
import { Menu } from '../../../kit/ui/controls/menu.tsx'
import { Tabs } from '../../../kit/ui/controls/tabs.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { GeneStructure } from '../../../kit/ui/figures/gene-structure.tsx'
import { useAspectName, useBiotypeName } from '../../../kit/ui/gene/biology-names.ts'
import type { GenePanel } from '../../../kit/ui/gene/define-gene-panel.ts'
import { geneAddress } from '../../../kit/ui/gene/gene-link.tsx'
import { geneStatesAnchor } from '../../../kit/ui/gene/gene-states.tsx'
import { messages as stateWords } from '../../../kit/ui/gene/gene-states-messages.ts'
import { SameLocus } from '../../../kit/ui/gene/same-locus.tsx'
import { RoleOf } from '../../../kit/ui/gene/sequence-name.tsx'
import { type Translate, translator, useFormat, useLanguage, useLocale, useText } from '../../../kit/ui/language.tsx'
import { messages as kit } from '../../../kit/ui/messages.ts'
import { useAssemblies, useSpecies } from '../../../kit/ui/portal-data.ts'
import { call, RequestError } from '../../../kit/ui/request.ts'
import { downloadJson, downloadText, fileName } from '../../../kit/ui/table/export.ts'
import { ResultTable } from '../../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../../kit/ui/tool/catalogue-receipt.ts'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'
import { type Opening, useOpenings } from '../../../kit/ui/tool/tool-openings.ts'
import { commentLines, formatLine } from '../../../kit/write-table.ts'
import { messages } from '../../messages/pages.ts'
import { portalTitle } from '../../portal-settings.ts'
import { ErrorBoundary } from '../../shell/error-boundary.tsx'
import { PageTitle } from '../../shell/page-title.tsx'
import { useEntryAddress } from '../../shell/search-box.tsx'
import { GeneNeighbourhood } from './gene-neighbourhood.tsx'
import { GeneSequences } from './gene-sequences.tsx'
import { GeneStatesCard } from './gene-states-card.tsx'
import './gene-page.css'

const panelFiles = import.meta.glob<{ default: GenePanel }>('../../../tools/*/gene-panel.tsx')

/** The panels of all tools, in their order; a panel that cannot be loaded does not take the page with it. */
const loadPanels = async (): Promise<GenePanel[]> => {
  const loaded = await Promise.allSettled(Object.values(panelFiles).map((load) => load()))
  return loaded
    .flatMap((one) => (one.status === 'fulfilled' ? [one.value.default] : []))
    .sort((a, b) => a.order - b.order || a.id.localeCompare(b.id))
}

interface Section {
  id: string
  title: string
  count?: number
}

/** The section in sight, for the left index. */
const useSectionInSight = (ids: string[]): string | undefined => {
  const [seen, setSeen] = useState<string | undefined>(ids[0])
  const key = ids.join(' ')
  useEffect(() => {
    const look = (): void => {
      const above = key
        .split(' ')
        .filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < 140)
      setSeen(above.at(-1) ?? key.split(' ')[0])
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [key])
  return seen
}

/** Length of the gene's sequence when that is circular: the end of a gene across the origin lies beyond it. */
const useCircularLength = (gene: Gene): number | null => {
  const assembly = useAssemblies().find((one) => one.id === gene.assembly)
  const sequence = assembly?.sequences.find((one) => one.name === gene.sequence)
  return sequence?.circular ? sequence.lengthBp : null
}

const Summary = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const biotypeName = useBiotypeName()
  const format = useFormat()
  const assembly = useAssemblies().find((one) => one.id === gene.assembly)
  const species = useSpecies().data?.species.find((one) => one.id === gene.species)
  const citation = t('gene.citeText', {
    gene: gene.symbol === null ? gene.id : `${gene.symbol} (${gene.id})`,
    species: gene.speciesName,
    assembly: assembly?.name ?? gene.assembly,
    release: species?.release ?? 1,
    portal: portalTitle(),
    address: `${location.origin}${geneAddress(gene.id, gene.assembly)}`,
    date: format.date(new Date().toISOString()),
  })
  const longest = [...gene.transcripts].sort(
    (a, b) => b.cdsLengthBp - a.cdsLengthBp || b.cdnaLengthBp - a.cdnaLengthBp,
  )[0]
  const strands = { '+': t('gene.strandPlus'), '-': t('gene.strandMinus'), '.': t('gene.strandNone') }
  const hidden = new Set([
    'id',
    'name',
    'gene',
    'symbol',
    'description',
    'product',
    'parent',
    'biotype',
    'gene_biotype',
    'locus_tag',
    'alias',
  ])
  const more = Object.entries(gene.attributes).filter(
    ([name, values]) => !hidden.has(name.toLowerCase()) && values.length > 0,
  )
  const circularBp = useCircularLength(gene)
  return (
    <Card id="summary">
      <Facts
        facts={[
          {
            name: t('gene.location'),
            value: (
              <>
                <code>
                  {circularBp !== null && gene.end > circularBp
                    ? `${format.region(gene.sequence, gene.start, circularBp)}, 1..${format.number(gene.end - circularBp)}`
                    : format.region(gene.sequence, gene.start, gene.end)}
                </code>
                <RoleOf assembly={gene.assembly} sequence={gene.sequence} />
              </>
            ),
          },
          { name: t('gene.strand'), value: strands[gene.strand] },
          { name: t('gene.length'), value: `${format.number(gene.end - gene.start + 1)} bp` },
          { name: t('gene.type'), value: biotypeName(gene.biotype) },
          { name: t('gene.species'), value: <i>{gene.speciesName}</i> },
          {
            name: t('gene.assembly'),
            value: (
              <>
                {assembly?.name ?? gene.assembly}{' '}
                {assembly === undefined ? null : <AssemblyMarks assembly={assembly} />}
              </>
            ),
          },
          ...(longest === undefined
            ? []
            : [
                {
                  name: t('gene.transcripts'),
                  value: t('gene.transcriptsValue', { count: gene.transcripts.length, exons: longest.exons.length }),
                },
              ]),
          ...(longest?.proteinLength === null || longest === undefined
            ? []
            : [
                {
                  name: t('gene.protein'),
                  value: (
                    <>
                      {t('gene.proteinLength', { count: longest.proteinLength })}{' '}
                      {longest.proteinId === null ? null : <code className="nv-quiet">{longest.proteinId}</code>}
                    </>
                  ),
                },
              ]),
          ...(gene.aliases.length === 0
            ? []
            : [{ name: t('gene.aliases'), value: gene.aliases.join(', '), wide: gene.aliases.length > 4 }]),
          {
            name: t('gene.cite'),
            wide: true,
            value: (
              <>
                {citation}{' '}
                <Button
                  size="small"
                  look="quiet"
                  icon={<Copy size={14} aria-hidden />}
                  onClick={() => void copyText(citation, t('home.copied'))}
                >
                  {t('home.copy')}
                </Button>
              </>
            ),
          },
        ]}
      />
      {more.length === 0 ? null : (
        <details className="nv-advanced gene-more">
          <summary>{t('gene.attributes')}</summary>
          <Facts facts={more.map(([name, values]) => ({ name: <code>{name}</code>, value: values.join(', ') }))} />
        </details>
      )}
    </Card>
  )
}

const Terms = ({ gene, receipt }: { gene: Gene; receipt: Receipt | undefined }): ReactNode => {
  const t = useText(messages)
  const aspectName = useAspectName()
  const format = useFormat()
  const [chosen, setChosen] = useState('')
  const titles = useAssemblies().find((one) => one.id === gene.assembly)?.termTitles
  const sourceName = (source: string): string => format.text(titles?.[source] ?? source)
  const entryAddress = useEntryAddress()
  const sources = [...new Set(gene.terms.map((term) => term.source))]
  const shown = chosen === '' ? gene.terms : gene.terms.filter((term) => term.source === chosen)
  const where = (term: GeneTerm): string | null =>
    term.start === null || term.end === null ? null : `${format.number(term.start)}–${format.number(term.end)}`
  const has = (value: (term: GeneTerm) => unknown): boolean =>
    gene.terms.some((term) => value(term) !== null && value(term) !== '')
  const count = (source: string): number => gene.terms.filter((term) => term.source === source).length
  return (
    <Card id="function" title={t('gene.function')} flush={gene.terms.length > 0}>
      {gene.terms.length === 0 ? (
        <EmptyState title={t('gene.terms.none')} why={t('gene.terms.noneWhy')} />
      ) : (
        <>
          {sources.length < 2 ? null : (
            <Tabs
              label={t('gene.function')}
              chosen={chosen}
              onChoose={setChosen}
              tabs={[
                { key: '', label: t('search.facetAll'), count: gene.terms.length },
                ...sources.map((source) => ({ key: source, label: sourceName(source), count: count(source) })),
              ]}
            />
          )}
          <ResultTable
            key={chosen}
            plain
            label={t('gene.function')}
            name={fileName(gene.id, chosen === '' ? 'terms' : chosen)}
            receipt={receipt}
            rows={shown}
            rowKey={(term) =>
              `${term.source}|${term.term}|${term.evidence}|${term.qualifier}|${term.start}|${term.end}`
            }
            columns={[
              {
                key: 'source',
                title: t('gene.source'),
                value: (term) => sourceName(term.source),
                hidden: sources.length < 2 || chosen !== '',
              },
              {
                key: 'term',
                title: t('gene.term'),
                kind: 'id',
                value: (term) => term.term,
                render: (term) => (
                  <Link
                    to={entryAddress({
                      type: 'term',
                      id: term.term,
                      assembly: null,
                      species: gene.species,
                    })}
                  >
                    {term.term}
                  </Link>
                ),
              },
              { key: 'name', title: t('gene.termName'), value: (term) => term.name },
              {
                key: 'namespace',
                title: t('gene.namespace'),
                value: (term) => term.namespace,
                render: (term) => (term.namespace === null ? '–' : aspectName(term.namespace)),
                hidden: !has((term) => term.namespace),
              },
              {
                key: 'qualifier',
                title: t('gene.qualifier'),
                value: (term) => term.qualifier,
                hidden: !has((term) => term.qualifier),
              },
              {
                key: 'evidence',
                title: t('gene.evidence'),
                value: (term) => term.evidence,
                hidden: !has((term) => term.evidence),
              },
              { key: 'where', title: t('gene.where'), value: where, hidden: !has(where) },
            ]}
          />
        </>
      )}
    </Card>
  )
}

const Structure = ({ gene, receipt }: { gene: Gene; receipt: Receipt | undefined }): ReactNode => {
  const t = useText(messages)
  const biotypeName = useBiotypeName()
  const circularBp = useCircularLength(gene)
  return (
    <FigureFrame
      id="structure"
      title={t('gene.structure')}
      name={`structure-${gene.id}`}
      method={t('gene.method')}
      receipt={receipt}
      numbers={{
        rows: gene.transcripts,
        rowKey: (one) => one.id,
        columns: [
          { key: 'id', title: t('gene.transcript'), kind: 'id', value: (one) => one.id },
          {
            key: 'biotype',
            title: t('gene.type'),
            value: (one) => one.biotype,
            render: (one) => biotypeName(one.biotype),
          },
          { key: 'start', title: t('gene.start'), kind: 'number', value: (one) => one.start },
          { key: 'end', title: t('gene.end'), kind: 'number', value: (one) => one.end },
          { key: 'exons', title: t('gene.exons'), kind: 'number', value: (one) => one.exons.length },
          { key: 'cdna', title: t('gene.cdna'), kind: 'number', value: (one) => one.cdnaLengthBp },
          { key: 'cds', title: t('gene.cds'), kind: 'number', value: (one) => one.cdsLengthBp },
          { key: 'residues', title: t('gene.residues'), kind: 'number', value: (one) => one.proteinLength },
          { key: 'protein', title: t('gene.proteinId'), kind: 'id', value: (one) => one.proteinId },
        ],
      }}
    >
      <GeneStructure gene={gene} circularBp={circularBp} />
    </FigureFrame>
  )
}

const PanelCard = ({
  panel,
  gene,
  onCount,
}: {
  panel: GenePanel
  gene: Gene
  onCount: (id: string, count: number) => void
}): ReactNode => {
  const own = useText(panel.messages) as Translate<string>
  const report = useCallback((count: number) => onCount(panel.id, count), [onCount, panel.id])
  return (
    <Card id={panel.id} title={own('panel.title')}>
      <ErrorBoundary name={`${panel.id}${gene.id}`}>
        <Suspense fallback={<Waiting />}>
          <panel.Panel gene={gene} report={report} />
        </Suspense>
      </ErrorBoundary>
    </Card>
  )
}

/** Shown on either side of a gene where a place is opened. */
const aroundBp = 2000

const Record = ({
  gene,
  alternatives,
  asked,
}: {
  gene: Gene
  alternatives: { id: string; symbol: string | null; assembly: string }[]
  asked: string
}): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const locale = useLocale()
  const language = useLanguage()
  const navigate = useNavigate()
  const location = useLocation()
  const tools = useToolList()
  const openings = useOpenings('gene')
  const sequences = useOpenings('geneSequences')
  const assembly = useAssemblies().find((one) => one.id === gene.assembly)
  const species = useSpecies().data?.species.find((one) => one.id === gene.species)
  const panels =
    useQuery({ queryKey: ['gene-panels'], queryFn: loadPanels, staleTime: Number.POSITIVE_INFINITY }).data ?? []
  const [counts, setCounts] = useState<Record<string, number>>({})
  const onCount = useCallback(
    (id: string, count: number) => setCounts((before) => (before[id] === count ? before : { ...before, [id]: count })),
    [],
  )
  const reportNeighbours = useCallback((count: number) => onCount('neighbourhood', count), [onCount])

  const receipt = useCatalogueReceipt(
    'gene',
    'record of the gene as loaded; coordinates 1-based, inclusive',
    { id: gene.id, assembly: gene.assembly },
    [gene.assembly],
  )
  const receiptHead = (): string => commentLines(receipt === undefined ? [] : receiptLines(receipt))
  const circularBp = useCircularLength(gene)
  const saveGff3 = (): void => {
    const written = {
      ...gene,
      sequenceName: gene.sequence,
      start1: gene.start,
      end1: gene.end,
      transcripts: gene.transcripts.map((one) => ({
        ...one,
        start1: one.start,
        end1: one.end,
        exons: one.exons.map(({ start, end }) => ({ start1: start, end1: end })),
        cds: one.cds.map(({ start, end, phase }) => ({ start1: start, end1: end, phase })),
        readingOrder: one.readingOrder?.map(({ start, end, strand }) => ({ start1: start, end1: end, strand })),
      })),
    }
    const lines = geneGff3Lines(written, circularBp ?? undefined)
    downloadText(`##gff-version 3\n${receiptHead()}${lines.join('\n')}\n`, `${fileName(gene.id)}.gff3`, 'text/x-gff3')
  }
  const saveBed = (): void =>
    downloadText(
      `${receiptHead()}${formatLine([gene.sequence, gene.start - 1, gene.end, gene.id, 0, gene.strand])}`,
      `${fileName(gene.id)}.bed`,
      'text/x-bed',
    )

  const hasOthers = (species?.assemblies.length ?? 0) > 1
  const filled = panels.filter((panel) => panel.needs === undefined || (assembly?.dataTypes[panel.needs] ?? 0) > 0)
  const missing = assembly === undefined ? [] : panels.filter((panel) => !filled.includes(panel))
  const stateText = useText(stateWords)
  // The panel of families, by what it opens: a page without it says nothing of families.
  const familyId = filled.find((panel) => panel.tellsFamily === true)?.id
  const sections: Section[] = [
    ...(hasOthers ? [{ id: geneStatesAnchor, title: stateText('title') }] : []),
    { id: 'summary', title: t('gene.summary') },
    { id: 'structure', title: t('gene.structure'), count: gene.transcripts.length },
    { id: 'sequences', title: t('gene.sequences') },
    { id: 'function', title: t('gene.function'), count: gene.terms.length },
    { id: 'neighbourhood', title: t('gene.neighbourhood'), count: counts.neighbourhood },
    ...(hasOthers ? [{ id: 'samelocus', title: k('lift.title') }] : []),
    ...filled.map((panel) => ({
      id: panel.id,
      title: translator(panel.messages, locale)('panel.title'),
      count: counts[panel.id],
    })),
  ]
  const seen = useSectionInSight(sections.map((section) => section.id))
  const index = useRef<HTMLElement>(null)
  // The index follows the page; not by `scrollIntoView`, which would move the page as well.
  useEffect(() => {
    const entry = seen === undefined ? null : index.current?.querySelector('[aria-current]')
    if (index.current === null || !entry) return
    const [box, own] = [index.current.getBoundingClientRect(), entry.getBoundingClientRect()]
    index.current.scrollBy(
      Math.min(0, own.left - box.left) + Math.max(0, own.right - box.right),
      Math.min(0, own.top - box.top) + Math.max(0, own.bottom - box.bottom),
    )
  }, [seen])

  // Another address of the same page may open at a panel: the one for re-sequencing at the variants.
  const wanted = filled.find((panel) => panel.opensAt === location.pathname)?.id ?? location.hash.slice(1)
  const ready = filled.some((panel) => panel.id === wanted) || sections.some((section) => section.id === wanted)
  useEffect(() => {
    if (wanted !== '' && ready) document.getElementById(wanted)?.scrollIntoView()
  }, [wanted, ready])

  const values = {
    gene: gene.id,
    assembly: gene.assembly,
    sequence: gene.sequence,
    start: gene.start,
    end: gene.end,
    from: Math.max(1, gene.start - aroundBp),
    to: gene.end + aroundBp,
  }
  const button = ({ tool, look, label, address }: Opening<'gene'>): ReactNode => (
    <ButtonLink key={tool.id} look={look} to={address(values)}>
      {label}
    </ButtonLink>
  )
  const others = tools.filter(
    (tool) => tool.fields.includes('genes') && !openings.some((opening) => opening.tool.id === tool.id),
  )
  const title = gene.symbol ?? gene.id

  return (
    <main className="nv-page gene">
      <PageTitle>{`${title} · ${gene.speciesName}`}</PageTitle>
      <nav className="gene-index" ref={index} aria-label={t('gene.contents')}>
        {sections.map((section) => (
          <a key={section.id} href={`#${section.id}`} aria-current={seen === section.id ? 'location' : undefined}>
            <span>{section.title}</span>
            {section.count === undefined ? null : <small>{format.number(section.count)}</small>}
          </a>
        ))}
      </nav>
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
          </div>
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
          <div className="nv-page-actions">
            <GeneSetMenu size="normal" genes={[{ id: gene.id, assembly: gene.assembly }]} />
            {openings.filter((opening) => opening.look !== 'primary').map(button)}
            {others.length === 0 ? null : (
              <Menu
                label={t('gene.tools')}
                icon={<Wrench size={15} aria-hidden />}
                items={others.map((tool) => ({
                  key: tool.id,
                  icon: <tool.icon size={15} aria-hidden />,
                  label: tool.title[language],
                  run: () =>
                    void navigate(`${tool.route}?${new URLSearchParams({ genes: gene.id, assembly: gene.assembly })}`),
                }))}
              />
            )}
            <Menu
              label={t('gene.download')}
              icon={<Download size={15} aria-hidden />}
              // A file says which data it is of.
              disabled={receipt === undefined}
              items={[
                ...sequences.map(({ tool, address }) => ({
                  key: tool.id,
                  label: `${t('gene.sequences')} (FASTA)`,
                  run: () => void navigate(address(values)),
                })),
                { key: 'gff3', label: t('gene.downloadGff3'), run: saveGff3 },
                { key: 'bed', label: t('gene.downloadBed'), run: saveBed },
                {
                  key: 'json',
                  label: t('gene.downloadJson'),
                  run: () => downloadJson({ gene, receipt }, `${fileName(gene.id)}.json`),
                },
              ]}
            />
            {openings.filter((opening) => opening.look === 'primary').map(button)}
          </div>
        </header>
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
        {hasOthers ? <GeneStatesCard gene={gene} familyId={familyId} /> : null}
        <Summary gene={gene} />
        <Structure gene={gene} receipt={receipt} />
        <GeneSequences gene={gene} id="sequences" />
        <Terms gene={gene} receipt={receipt} />
        <GeneNeighbourhood gene={gene} id="neighbourhood" report={reportNeighbours} />
        {hasOthers ? (
          <Card id="samelocus" title={k('lift.title')}>
            <SameLocus
              region={{
                assembly: gene.assembly,
                sequence: gene.sequence,
                start: gene.start,
                end: gene.end,
                strand: gene.strand === '-' ? '-' : '+',
              }}
            />
          </Card>
        ) : null}
        {filled.map((panel) => (
          <PanelCard key={panel.id} panel={panel} gene={gene} onCount={onCount} />
        ))}
        {missing.length === 0 ? null : (
          <Card id="nodata" title={t('gene.nodata')}>
            <p className="nv-quiet">{t('gene.nodataLead', { assembly: assembly?.name ?? gene.assembly })}</p>
            <ul className="gene-nodata">
              {missing.map((panel) => {
                const own = translator(panel.messages, locale)
                return (
                  <li key={panel.id}>
                    <strong>{own('panel.title')}</strong> {'panel.add' in panel.messages.en ? own('panel.add') : null}{' '}
                    <Link to={`/document/${panel.id}`}>{t('gene.nodataHow')}</Link>
                  </li>
                )
              })}
            </ul>
          </Card>
        )}
      </div>
    </main>
  )
}

const GenePage = (): ReactNode => {
  const t = useText(messages)
  const [query] = useSearchParams()
  const id = query.get('id') ?? ''
  const assembly = query.get('assembly') ?? undefined
  const answer = useQuery({
    queryKey: ['gene', id, assembly],
    enabled: id !== '',
    queryFn: (context) => call(getGene, { id, assembly }, context),
    staleTime: 300_000,
  })
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
  if (answer.isError)
    return (
      <main className="nv-page">
        <PageTitle>{id}</PageTitle>
        <header className="nv-page-head">
          <h1>{t('gene.title')}</h1>
        </header>
        {answer.error instanceof RequestError && answer.error.status === 404 ? (
          <EmptyState
            title={t('gene.notFound', { id })}
            why={answer.error.message}
            action={<ButtonLink to={`/search?${new URLSearchParams({ q: id })}`}>{t('search.title')}</ButtonLink>}
          />
        ) : (
          <Unanswered of={answer} />
        )}
      </main>
    )
  if (answer.data === undefined)
    return (
      <main className="nv-page">
        <Waiting />
      </main>
    )
  const { gene, alternatives } = answer.data
  return <Record key={`${gene.assembly}/${gene.id}`} gene={gene} alternatives={alternatives} asked={id} />
}

export default GenePage
