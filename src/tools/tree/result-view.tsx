import { useQuery } from '@tanstack/react-query'
import { FileDown, Maximize2, ZoomIn, ZoomOut } from 'lucide-react'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { summarizeColumns } from '../../bio/alignment/alignment-columns.ts'
import { parseNewick, renderNewick } from '../../bio/phylogeny/newick.ts'
import { listLeaves, listNodes, type PhyloTree } from '../../bio/phylogeny/phylogeny.ts'
import { renderNexus, renderPhyloXml } from '../../bio/phylogeny/tree-files.ts'
import { receiptLines } from '../../contracts/tools/receipt.ts'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { copyText } from '../../kit/ui/controls/copy-text.ts'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox, Field, NumberInput, Segmented, Select, TextInput } from '../../kit/ui/controls/field.tsx'
import { maxIdentifierCharacters } from '../../kit/ui/controls/gene-input.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { TextBox } from '../../kit/ui/controls/text-box.tsx'
import { CategoryRest } from '../../kit/ui/figures/category-marks.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { addressOf } from '../../kit/ui/request.ts'
import { downloadReceipt, downloadText } from '../../kit/ui/table/export.ts'
import type { TableColumn } from '../../kit/ui/table/result-table.tsx'
import type { ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { callToolRoute } from '../../kit/ui/tool/tool-route.ts'
import { type ColourGroups, groupLeaves, parseColourTable } from './colour-table.ts'
import messages from './messages.ts'
import { type AlignmentPaint, residueGroups } from './paint.ts'
import tool, { alignmentSchema, type Leaf, type TreeInput, type TreeResult } from './tool.ts'
import { TreeCanvas, type TreeCanvasHandle } from './tree-canvas.tsx'
import { type PlacedNode, placeTree } from './tree-view.ts'
import {
  colourings,
  labelKinds,
  layouts,
  schemes,
  supportViews,
  useViewSettings,
  type ViewSettings,
} from './view-settings.ts'

/** Strongest value of each kind; a file's values are judged by their greatest. */
const fullSupport = (tree: PhyloTree, kind: TreeResult['supportKind']): number => {
  if (kind === 'sh') return 1
  if (kind !== 'file') return 100
  const values = listNodes(tree.root).flatMap(({ support }) => support)
  return values.some((value) => value > 1) ? 100 : 1
}

type LeafRow = Leaf & { distance: number }

const noGroups: ColourGroups = { groups: new Map(), colours: new Map(), grey: new Set() }

/** The tree with what can be done to it, beside its alignment. */
export const TreeResultView = ({ result, receipt, job }: ResultProps<TreeInput, TreeResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const canvas = useRef<TreeCanvasHandle>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const [wanted, setWanted] = useState('')
  const [table, setTable] = useState('')
  const parsed = useMemo((): PhyloTree => ({ root: parseNewick(result.newick).root, rooted: result.rooted }), [result])
  const byName = useMemo(() => new Map(result.leaves.map((leaf) => [leaf.name, leaf])), [result])
  const assemblies = useMemo(() => new Set(result.leaves.map(({ assembly }) => assembly)).size, [result])
  /** A symbol that an assembly has twice does not tell which gene is meant. */
  const symbolCounts = useMemo(() => {
    const counts = new Map<string, number>()
    for (const { symbol, assembly } of result.leaves)
      counts.set(`${symbol}\0${assembly}`, (counts.get(`${symbol}\0${assembly}`) ?? 0) + 1)
    return counts
  }, [result])
  const species = useMemo(() => new Set(result.leaves.map((leaf) => leaf.species)).size, [result])
  const hasGenes = result.leaves.some(({ gene }) => gene !== null)
  const [settings, change] = useViewSettings({
    colouring: hasGenes && assemblies > 1 ? 'assembly' : 'none',
    labels: hasGenes ? 'symbol' : 'name',
    root:
      result.rooted === true || (result.source === 'tree' && parsed.root.children.length === 2) ? 'given' : 'midpoint',
  })
  const placed = useMemo(() => placeTree(parsed, settings), [parsed, settings])

  const got = useQuery({
    queryKey: ['tree-alignment', job],
    enabled: job !== null && result.alignment !== null,
    queryFn: (context) => callToolRoute('GET', tool.id, `jobs/${job}/alignment/`, {}, alignmentSchema, context),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
  const alignment = useMemo((): AlignmentPaint | null => {
    if (got.data === undefined || result.alignment === null) return null
    const { names, rows } = got.data
    const row = new Map(names.map((name, at) => [name, rows[at]!]))
    const kept = new Uint8Array(result.alignment.columns)
    for (const [from, to] of result.alignment.kept) kept.fill(1, from, to)
    return {
      alphabet: result.alignment.alphabet,
      rows: new Map(
        listLeaves(parsed.root).flatMap(({ id, name }) => (row.has(name) ? [[id, row.get(name)!] as const] : [])),
      ),
      columns: result.alignment.columns,
      summary: summarizeColumns(rows),
      kept,
      scheme: 'chemistry',
    }
  }, [got.data, result, parsed])

  const groups = useMemo(
    () =>
      settings.colouring === 'table'
        ? parseColourTable(table, result.leaves)
        : settings.colouring === 'none'
          ? noGroups
          : groupLeaves(result.leaves, settings.colouring),
    [settings.colouring, table, result],
  )

  const labelOf = useCallback(
    (node: PlacedNode): string => {
      if (node.collapsed) return t('node.clade', { count: node.leaves })
      const { name } = node.node
      const leaf = byName.get(name)
      if (leaf === undefined || settings.labels === 'name') return name
      const own = leaf.symbol ?? leaf.gene
      const twice = leaf.symbol !== null && (symbolCounts.get(`${leaf.symbol}\0${leaf.assembly}`) ?? 0) > 1
      const short =
        own === null
          ? name
          : `${own}${twice ? ` (${leaf.gene})` : ''}${assemblies > 1 && leaf.assembly !== null ? ` ${nameOf(leaf.assembly)}` : ''}`
      return settings.labels === 'symbol' || leaf.description === null
        ? short
        : `${short} · ${leaf.description.slice(0, 60)}`
    },
    [byName, symbolCounts, settings.labels, assemblies, nameOf, t],
  )

  const slantedOf = useCallback(
    (node: PlacedNode): number =>
      node.collapsed || settings.labels === 'name' ? 0 : (byName.get(node.node.name)?.symbol?.length ?? 0),
    [byName, settings.labels],
  )

  /** Colours of clades go down to all their branches. */
  const cladeColours = useMemo(() => {
    const colours = new Map<PlacedNode, string>()
    for (const node of placed.nodes) {
      const own = settings.clades.get(node.id)
      const colour =
        own === undefined ? (node.parent === null ? undefined : colours.get(node.parent)) : categoryColour(own)
      if (colour !== undefined) colours.set(node, colour)
    }
    return colours
  }, [placed, settings.clades])

  const needle = wanted.trim().toLowerCase()
  const found = useMemo(() => {
    const ids = new Set<number>()
    if (needle === '') return ids
    for (const { id, name } of listLeaves(placed.tree.root)) {
      const leaf = byName.get(name)
      const text = [name, leaf?.symbol, leaf?.assembly, leaf?.species, leaf?.description].join('\n').toLowerCase()
      if (text.includes(needle)) ids.add(id)
    }
    return ids
  }, [needle, placed, byName])

  const node = chosen === null ? undefined : placed.nodes.find(({ id }) => id === chosen)
  const leavesBelow = useMemo(() => (node === undefined ? [] : listLeaves(node.node).map(({ name }) => name)), [node])
  const geneReferences = (names: readonly string[]): { id: string; assembly: string }[] =>
    names.flatMap((name) => {
      const leaf = byName.get(name)
      return leaf?.gene === null || leaf?.gene === undefined || leaf.assembly === null
        ? []
        : [{ id: leaf.gene, assembly: leaf.assembly }]
    })

  const describe = (id: number): string => {
    const one = placed.nodes.find((other) => other.id === id)
    if (one === undefined) return ''
    const leaf = byName.get(one.node.name)
    return [
      one.children.length === 0 && !one.collapsed
        ? t('node.leaf', { name: labelOf(one) })
        : t('node.clade', { count: one.leaves }),
      ...(one.children.length > 0 && one.node.name !== '' ? [one.node.name] : []),
      ...(leaf?.description === null || leaf?.description === undefined ? [] : [leaf.description]),
      ...(one.node.support.length === 0 ? [] : [t('node.support', { value: one.node.support.join(' / ') })]),
      ...(one.node.length === null ? [] : [t('node.length', { value: format.statistic(one.node.length) })]),
    ].join(' · ')
  }

  const toggle = (set: ReadonlySet<number>, id: number): Set<number> => {
    const next = new Set(set)
    if (!next.delete(id)) next.add(id)
    return next
  }
  const actions = {
    root: () => node !== undefined && node.parent !== null && change({ root: node.id, only: null }),
    collapse: () =>
      node !== undefined &&
      node.parent !== null &&
      node.node.children.length > 0 &&
      change({ collapsed: toggle(settings.collapsed, node.id) }),
    swap: () =>
      node !== undefined && node.node.children.length > 0 && change({ swapped: toggle(settings.swapped, node.id) }),
  }
  const onKey = (key: string): boolean => {
    const action = { r: actions.root, c: actions.collapse, s: actions.swap }[key]
    action?.()
    return action !== undefined
  }

  const unit = fullSupport(parsed, result.supportKind)
  const fileBase = `tree-${job?.slice(0, 8) ?? 'novodb'}`
  const lines = receiptLines(receipt)
  const supportName = result.supportKind === null ? 'support' : result.supportKind
  const rootedWord =
    settings.layout === 'unrooted'
      ? 'hidden'
      : settings.root === 'midpoint'
        ? 'midpoint'
        : settings.root === 'given'
          ? result.rooted === true
            ? 'given'
            : 'none'
          : 'chosen'
  const method =
    result.source === 'tree'
      ? t('figure.methodFile', { rooted: rootedWord, lengths: placed.hasLengths ? 'yes' : 'no' })
      : t('figure.method', {
          rooted: rootedWord,
          support: result.supportKind === null ? 'none' : t(`supportKind.${result.supportKind}`),
          lengths: placed.hasLengths ? 'yes' : 'no',
        })

  const leafRows = useMemo((): LeafRow[] => {
    const distance = new Map<string, number>()
    const depth = new Map<object, number>()
    for (const one of listNodes(placed.tree.root)) {
      const own = depth.get(one) ?? 0
      for (const child of one.children) depth.set(child, own + Math.max(0, child.length ?? 0))
      if (one.children.length === 0) distance.set(one.name, own)
    }
    return [...distance].map(([name, value]) => ({ ...byName.get(name)!, name, distance: value }))
  }, [placed, byName])
  const columns: TableColumn<LeafRow>[] = [
    { key: 'name', title: t('column.name'), kind: 'id', value: (row) => row.name },
    ...(hasGenes
      ? ([
          { key: 'gene', title: t('column.gene'), kind: 'id', value: (row) => row.gene },
          { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: (row) => row.symbol },
          {
            key: 'assembly',
            title: t('column.assembly'),
            value: (row) => (row.assembly === null ? null : nameOf(row.assembly)),
          },
          { key: 'species', title: t('column.species'), value: (row) => row.species },
        ] satisfies TableColumn<LeafRow>[])
      : []),
    { key: 'description', title: t('column.description'), long: true, value: (row) => row.description },
    { key: 'distance', title: t('column.distance'), kind: 'number', digits: 4, value: (row) => row.distance },
  ]

  const select = <Value extends string>(
    label: string,
    value: Value,
    values: readonly Value[],
    nameOf: (value: Value) => string,
    set: (value: Value) => void,
  ): ReactNode => (
    <div className="tree-select">
      <span aria-hidden>{label}</span>
      <Select
        aria-label={label}
        value={value}
        options={values.map((one) => ({ value: one, label: nameOf(one) }))}
        onChoose={(one) => set(one as Value)}
      />
    </div>
  )

  const saveTree = (kind: 'nwk' | 'nex' | 'xml'): void => {
    const tree = placed.tree
    if (kind === 'nwk') downloadText(`${renderNewick(tree)}\n`, `${fileBase}.nwk`)
    else if (kind === 'nex') downloadText(renderNexus(tree, lines), `${fileBase}.nex`)
    else downloadText(renderPhyloXml(tree, supportName, lines.join('\n')), `${fileBase}.xml`, 'application/xml')
  }
  const jobFile = (name: string): string => addressOf(`/api/tools/${tool.id}/jobs/${job}/${name}`)

  return (
    <>
      {result.notes.length === 0 ? null : (
        <ul className="tree-notes">
          {result.notes.map(({ id, params }) => (
            <li key={id}>{t(id as 'note.three', params)}</li>
          ))}
        </ul>
      )}
      {result.problems.length === 0 ? null : (
        <details className="tree-notes" open={result.problems.length <= 5}>
          <summary>
            {t('missing.title')} ({format.number(result.problems.length)})
          </summary>
          <ul>
            {result.problems.map(({ query, id, params }) => (
              <li key={`${query}-${id}`}>{t(id as 'problem.noGene', params)}</li>
            ))}
          </ul>
        </details>
      )}
      <FigureFrame
        title={t('figure.title')}
        name={fileBase}
        receipt={receipt}
        method={method}
        numbers={{ columns, rows: leafRows, rowKey: (row) => row.name }}
        renderFile={() => canvas.current?.renderSvg(t('figure.title'), [method, ...lines].join('\n')) ?? null}
        actions={
          <>
            {hasGenes ? (
              <GeneSetMenu look="quiet" genes={geneReferences(result.leaves.map(({ name }) => name))} />
            ) : null}
            <Menu
              look="quiet"
              size="small"
              icon={<FileDown size={14} aria-hidden />}
              label={t('files.menu')}
              items={[
                { key: 'nwk', label: t('files.newick'), run: () => saveTree('nwk') },
                { key: 'nex', label: t('files.nexus'), run: () => saveTree('nex') },
                { key: 'xml', label: t('files.phyloxml'), run: () => saveTree('xml') },
                ...(job === null || result.alignment === null
                  ? []
                  : [
                      { key: 'alignment', label: t('files.alignment'), href: jobFile('alignment.fa') },
                      ...(result.source === 'tree'
                        ? []
                        : [{ key: 'columns', label: t('files.columns'), href: jobFile('trimmed.fa') }]),
                    ]),
                { key: 'receipt', label: t('files.receipt'), run: () => downloadReceipt(receipt, fileBase) },
              ]}
            />
          </>
        }
      >
        <div className="tree-bar">
          <Segmented
            label={t('view.layout')}
            value={settings.layout}
            options={layouts.map((one) => ({ value: one, label: t(`view.${one}`) }))}
            onChoose={(layout) => change({ layout: layout as ViewSettings['layout'] })}
          />
          <div className="tree-search">
            <TextInput
              aria-label={t('view.search')}
              type="search"
              value={wanted}
              placeholder={t('view.search')}
              onChange={(event) => setWanted(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                const first = placed.rows.find((row) => found.has(row.id))
                if (first === undefined) return
                setChosen(first.id)
                canvas.current?.show(first.id)
              }}
            />
          </div>
          <span className="nv-quiet" role="status">
            {needle === '' ? '' : t('view.found', { count: found.size })}
          </span>
          <span className="nv-grow" />
          <span className="tree-zoom">
            <Button
              size="small"
              look="quiet"
              icon={<ZoomOut size={15} aria-hidden />}
              aria-label={t('view.zoomOut')}
              title={t('view.zoomOut')}
              onClick={() => canvas.current?.zoom(0.8)}
            />
            <Button
              size="small"
              look="quiet"
              icon={<ZoomIn size={15} aria-hidden />}
              aria-label={t('view.zoomIn')}
              title={t('view.zoomIn')}
              onClick={() => canvas.current?.zoom(1.25)}
            />
            <Button
              size="small"
              look="quiet"
              icon={<Maximize2 size={14} aria-hidden />}
              onClick={() => canvas.current?.fit()}
            >
              {t('view.fit')}
            </Button>
          </span>
        </div>
        <details className="tree-options">
          <summary>{t('view.options')}</summary>
          <div className="tree-bar">
            {select(
              t('view.root'),
              typeof settings.root === 'number' ? 'chosen' : settings.root,
              ['midpoint', 'given', ...(typeof settings.root === 'number' ? (['chosen'] as const) : [])],
              (one) => t(`view.root.${one}`),
              (root) => root !== 'chosen' && change({ root }),
            )}
            {select(
              t('view.order'),
              settings.order,
              ['up', 'down', 'given'],
              (one) => t(`view.order.${one}`),
              (order) => change({ order }),
            )}
            {select(
              t('view.colour'),
              settings.colouring,
              colourings.filter(
                (one) =>
                  one === 'none' || one === 'table' || (hasGenes && (one === 'assembly' ? assemblies : species) > 0),
              ),
              (one) => t(`view.colour.${one}`),
              (colouring) => change({ colouring }),
            )}
            {hasGenes || result.leaves.some(({ description }) => description !== null)
              ? select(
                  t('view.labels'),
                  settings.labels,
                  labelKinds,
                  (one) => t(`view.labels.${one}`),
                  (labels) => change({ labels }),
                )
              : null}
            {result.supportKind === null ? null : (
              <>
                {select(
                  t('view.support'),
                  settings.support,
                  supportViews,
                  (one) => t(`view.support.${one}`),
                  (support) => change({ support }),
                )}
                <div className="tree-select">
                  <span aria-hidden>{t('view.threshold')}</span>
                  <NumberInput
                    aria-label={t('view.threshold')}
                    value={settings.threshold}
                    min={0}
                    max={unit}
                    step={unit / 20}
                    onNumber={(threshold) => change({ threshold: threshold ?? 0 })}
                  />
                </div>
              </>
            )}
            <Checkbox checked={settings.lengths} onCheck={(lengths) => change({ lengths })}>
              {t('view.lengths')}
            </Checkbox>
            <Checkbox checked={settings.aligned} onCheck={(aligned) => change({ aligned })}>
              {t('view.aligned')}
            </Checkbox>
            {result.alignment === null ? null : (
              <>
                <Checkbox checked={settings.alignment} onCheck={(shown) => change({ alignment: shown })}>
                  {t('view.alignment')}
                </Checkbox>
                {select(
                  t('view.scheme'),
                  settings.scheme,
                  schemes,
                  (one) => t(`view.scheme.${one}`),
                  (scheme) => change({ scheme }),
                )}
              </>
            )}
          </div>
          {settings.colouring === 'table' ? (
            <Field
              label={t('view.table')}
              help={t('view.tableHelp')}
              aside={t('view.tableMatched', { count: groups.groups.size })}
              problems={groups.problem === undefined ? [] : [t(`view.table.${groups.problem.kind}`, groups.problem)]}
            >
              {(control) => (
                <TextBox {...control} rows={4} max={maxIdentifierCharacters} value={table} onText={setTable} />
              )}
            </Field>
          ) : null}
        </details>
        {got.isError ? <Unanswered of={got} line /> : null}
        {result.alignment !== null && got.isPending && job !== null ? (
          <p className="nv-quiet">{t('view.loading')}</p>
        ) : null}
        <TreeCanvas
          handle={canvas}
          paint={{
            tree: placed,
            labelOf,
            slantedOf,
            leafColour: (one) => groups.colours.get(groups.groups.get(one.node.name) ?? '') ?? null,
            branchColour: (one) => cladeColours.get(one) ?? null,
            support: settings.support,
            supportFull: unit,
            threshold: settings.threshold,
            chosen,
            found,
          }}
          layout={settings.layout}
          alignment={settings.alignment && alignment !== null ? { ...alignment, scheme: settings.scheme } : null}
          aligned={settings.aligned}
          onChoose={setChosen}
          onKey={onKey}
          describe={describe}
        />
        {groups.colours.size === 0 ? null : (
          <ul className="tree-legend" data-legend>
            {[...groups.colours]
              .filter(([group]) => !groups.grey.has(group))
              .map(([group, colour]) => (
                <li key={group}>
                  <span style={{ background: colour }} aria-hidden />
                  {settings.colouring === 'assembly' ? nameOf(group) : group}
                </li>
              ))}
            <CategoryRest count={groups.grey.size} />
          </ul>
        )}
        {!settings.alignment || alignment === null || settings.scheme === 'conservation' ? null : (
          <ul className="tree-legend" data-legend>
            {residueGroups[alignment.alphabet].map(({ key, letters, colour }) => (
              <li key={letters}>
                <span style={{ background: colour }} aria-hidden />
                {key === 'base'
                  ? letters.split('').join('/')
                  : t('residues.group', { letters, name: t(`residues.${key}`) })}
              </li>
            ))}
          </ul>
        )}
        <div className="tree-node" aria-live="polite">
          {node === undefined ? (
            <p className="nv-quiet">{t('view.hint')}</p>
          ) : (
            <>
              <p>{describe(node.id)}</p>
              <div className="tree-bar">
                <Button size="small" disabled={node.parent === null} onClick={actions.root}>
                  {t('node.root')}
                </Button>
                {node.node.children.length === 0 ? null : (
                  <>
                    <Button size="small" disabled={node.parent === null} onClick={actions.collapse}>
                      {t(node.collapsed ? 'node.expand' : 'node.collapse')}
                    </Button>
                    <Button size="small" disabled={node.collapsed} onClick={actions.swap}>
                      {t('node.swap')}
                    </Button>
                    <Button size="small" disabled={node.parent === null} onClick={() => change({ only: node.id })}>
                      {t('node.only')}
                    </Button>
                  </>
                )}
                <Menu
                  size="small"
                  label={t('node.colour')}
                  items={[
                    ...Array.from({ length: 8 }, (_, at) => ({
                      key: String(at),
                      icon: <span className="tree-swatch" style={{ background: categoryColour(at) }} aria-hidden />,
                      label: format.number(at + 1),
                      run: () => change({ clades: new Map([...settings.clades, [node.id, at]]) }),
                    })),
                    {
                      key: 'none',
                      label: t('node.noColour'),
                      run: () => change({ clades: new Map([...settings.clades].filter(([id]) => id !== node.id)) }),
                    },
                  ]}
                />
                {geneReferences(leavesBelow).length === 0 ? null : <GeneSetMenu genes={geneReferences(leavesBelow)} />}
                {leavesBelow.length === 1 && geneReferences(leavesBelow)[0] !== undefined ? (
                  <ButtonLink
                    size="small"
                    to={geneAddress(geneReferences(leavesBelow)[0]!.id, geneReferences(leavesBelow)[0]!.assembly)}
                  >
                    {t('node.page')}
                  </ButtonLink>
                ) : null}
                <Button
                  size="small"
                  look="quiet"
                  onClick={() => void copyText(leavesBelow.join('\n'), t('node.copied'))}
                >
                  {t('node.copy')}
                </Button>
                {leavesBelow.length < 2 ? null : (
                  <Button
                    size="small"
                    look="quiet"
                    onClick={() =>
                      downloadText(
                        `${renderNewick({ root: { ...node.node, length: null, support: [] }, rooted: true })}\n`,
                        `${fileBase}-clade.nwk`,
                      )
                    }
                  >
                    {t('node.newick')}
                  </Button>
                )}
              </div>
            </>
          )}
          <div className="tree-bar">
            {settings.only === null ? null : (
              <Button size="small" onClick={() => change({ only: null })}>
                {t('node.whole')}
              </Button>
            )}
            {typeof settings.root === 'number' ||
            settings.swapped.size + settings.collapsed.size + settings.clades.size > 0 ? (
              <Button
                size="small"
                look="quiet"
                onClick={() => change({ root: undefined, swapped: new Set(), collapsed: new Set(), clades: new Map() })}
              >
                {t('node.clear')}
              </Button>
            ) : null}
          </div>
        </div>
      </FigureFrame>
    </>
  )
}
