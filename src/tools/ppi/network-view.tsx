import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { type NetworkFile, renderCytoscape, renderGraphMl } from '../../bio/networks/network-files.ts'
import { type Receipt, receiptLines } from '../../contracts/tools/receipt.ts'
import { Checkbox, Field, NumberInput, SelectField } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { CategoryRest } from '../../kit/ui/figures/category-marks.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import {
  extremesOf,
  groupColour,
  NetworkDrawing,
  NetworkGroups,
  NetworkKey,
} from '../../kit/ui/figures/network-figure.tsx'
import { type NetworkLayout, networkLayouts } from '../../kit/ui/figures/network-layout.ts'
import { categoryColour, colourAlone, distinctColours, otherColour } from '../../kit/ui/figures/palette.ts'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { downloadText } from '../../kit/ui/table/export.ts'
import { useEvidenceName } from './evidence-names.ts'
import messages from './messages.ts'
import { countsRecords, shownChannels, useEdgeColumns, useOrigin } from './network-tables.tsx'
import type { NetworkEdge, NetworkResult } from './tool.ts'

type Colouring = 'cluster' | 'shell'
type EdgeStyle = 'score' | 'evidence'

/** Position among the channels of the strongest evidence; null for an interaction that was transferred as a whole. */
const strongest = (edge: NetworkEdge, channels: readonly { at: number }[]): number | null => {
  if (edge.evidence === null) return null
  let best = 0
  for (const [index, { at }] of channels.entries())
    if (edge.evidence[at]! > edge.evidence[channels[best]!.at]!) best = index
  return best
}

/** The network as files hold it: of a node its names and cluster, of an edge all that the table says. */
const networkFile = (
  { nodes, edges }: Pick<NetworkResult, 'nodes' | 'edges'>,
  columns: { title: string; key: string; value: (edge: NetworkEdge) => unknown }[],
  about: string[],
): NetworkFile => ({
  about,
  nodes: nodes.map(({ id, symbol, description, shell, degree, cluster }) => ({
    id,
    values: { name: symbol ?? id, description, shell, degree, cluster },
  })),
  edges: edges.map((edge) => ({
    a: edge.a,
    b: edge.b,
    values: Object.fromEntries(columns.map(({ key, value }) => [key, (value(edge) ?? null) as string | number | null])),
  })),
})

/** Colours that the first clusters have: interactions have others, since both stand in one drawing. */
const clusterColours = 8
const evidenceColours = distinctColours - clusterColours
const evidenceColour = (channel: number): string => colourAlone(channel < 0 ? channel : channel + clusterColours)

/** The network, with what is looked at and how: the choice here hides and colours, it computes nothing anew. */
export const NetworkView = ({
  result,
  receipt,
  name,
  asked,
  height = 560,
}: {
  result: NetworkResult
  receipt: Receipt
  name: string
  /** The score, or the number of records, from which interactions were asked for. */
  asked: number
  height?: number
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const navigate = useNavigate()
  const nameOf = useEvidenceName()
  const originOf = useOrigin()
  const columns = useEdgeColumns(result)
  const { nodes: all, edges: allEdges, assembly, clustering } = result
  const records = countsRecords(result)
  const [given, setThreshold] = useState<number | undefined>()
  const [layout, setLayout] = useState<NetworkLayout>('force')
  const [colouring, setColouring] = useState<Colouring>('cluster')
  const [edgeStyle, setEdgeStyle] = useState<EdgeStyle>('score')
  const [alone, setAlone] = useState(true)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const min = useMemo(
    () => allEdges.reduce((low, { score }) => Math.min(low, score), records ? 1 : 0.999),
    [allEdges, records],
  )
  const max = useMemo(() => allEdges.reduce((high, { score }) => Math.max(high, score), 0), [allEdges])
  // Where the weakest were cut, what is shown begins higher than was asked.
  const threshold = given ?? (result.edgeTotal > allEdges.length ? min : Math.min(asked, min))
  const kept = useMemo(() => allEdges.filter(({ score }) => score >= threshold), [allEdges, threshold])
  /** Places of the nodes that are drawn, and of each node among those. */
  const { indexes, placeOf } = useMemo(() => {
    const joined = new Set((alone ? allEdges : kept).flatMap(({ a, b }) => [a, b]))
    const shown = [...all.keys()].filter((at) => alone || joined.has(at))
    return { indexes: shown, placeOf: new Map(shown.map((at, index) => [at, index])) }
  }, [all, allEdges, kept, alone])
  const strengthOf = useMemo(() => {
    const floor = Math.min(min, records ? 0 : 0.15)
    // Records grow without bound: their logarithm is drawn.
    const scale = (score: number): number => (records ? Math.log1p(score) : score)
    return (score: number): number => (scale(score) - scale(floor)) / Math.max(1e-9, scale(max) - scale(floor))
  }, [min, max, records])
  const layoutEdges = useMemo(
    () =>
      allEdges.flatMap(({ a, b, score }): [number, number, number][] => {
        const [from, to] = [placeOf.get(a), placeOf.get(b)]
        return from === undefined || to === undefined ? [] : [[from, to, Math.min(1, Math.max(0, strengthOf(score)))]]
      }),
    [allEdges, placeOf, strengthOf],
  )
  const groups = useMemo(
    () => indexes.map((at) => (all[at]!.cluster === null ? null : all[at]!.cluster - 1)),
    [indexes, all],
  )
  const shells = useMemo(() => indexes.map((at) => all[at]!.shell), [indexes, all])
  const channels = useMemo(() => shownChannels(result), [result])
  const nodes = useMemo(
    () =>
      indexes.map((at, index) => {
        const { id, symbol, shell, degree, description } = all[at]!
        const title = t('network.node', { gene: symbol ?? id, id, degree })
        return {
          id,
          label: symbol ?? id,
          asked: shell === 0,
          colour: colouring === 'shell' ? categoryColour(shell) : groupColour(groups[index]!),
          title: description === null ? title : `${title}\n${description}`,
        }
      }),
    [indexes, all, groups, colouring, t],
  )
  const edges = useMemo(
    () =>
      kept.flatMap((edge) => {
        const [a, b] = [placeOf.get(edge.a), placeOf.get(edge.b)]
        if (a === undefined || b === undefined) return []
        const kind = strongest(edge, channels)
        const { interolog } = edge
        const evidence = channels.flatMap(({ name: channel, at }) =>
          (edge.evidence?.[at] ?? 0) > 0 ? [`${nameOf(channel)} ${format.number(edge.evidence![at]!, 3)}`] : [],
        )
        return [
          {
            a,
            b,
            strength: strengthOf(edge.score),
            dashed: edge.transferred,
            ...(edgeStyle === 'evidence' && channels.length > 0 ? { colour: evidenceColour(kind ?? -1) } : {}),
            title: [
              `${nodes[a]!.label} – ${nodes[b]!.label}: ${format.number(edge.score, 3)}`,
              ...evidence,
              ...(interolog === null
                ? edge.transferred
                  ? [t('edge.transferred')]
                  : []
                : [t('edge.interolog', { a: interolog.a, b: interolog.b, assembly: interolog.assembly })]),
            ].join('\n'),
          },
        ]
      }),
    [kept, placeOf, channels, edgeStyle, strengthOf, nodes, nameOf, format, t],
  )
  const clusters = useMemo(() => {
    const members = new Map<number, { id: string; label: string }[]>()
    for (const { id, symbol, cluster } of all)
      if (cluster !== null) members.set(cluster - 1, [...(members.get(cluster - 1) ?? []), { id, label: symbol ?? id }])
    return [...members].sort(([a], [b]) => a - b).map(([group, genes]) => ({ group, genes }))
  }, [all])
  const file = (): NetworkFile => networkFile({ nodes: all, edges: kept }, columns, receiptLines(receipt))
  const usedKinds = [...new Set(edges.flatMap(({ colour }) => (colour === undefined ? [] : [colour])))]
  return (
    <FigureFrame
      title={t('network.title')}
      name={`${name}-network`}
      receipt={receipt}
      method={t('network.method', {
        threshold: format.number(threshold, 3),
        clusters: t(`method.${clustering.method}`, { inflation: format.number(clustering.inflation, 2) }),
      })}
      actions={
        <>
          {chosen.size === 0 ? null : (
            <>
              <span className="nv-quiet">{t('network.chosen', { count: chosen.size })}</span>
              <GeneSetMenu genes={[...chosen].map((id) => ({ id, assembly }))} />
            </>
          )}
          <Menu
            size="small"
            look="quiet"
            label={t('network.files')}
            items={[
              {
                key: 'graphml',
                label: 'GraphML',
                run: () => downloadText(renderGraphMl(file()), `${name}.graphml`, 'application/xml'),
              },
              {
                key: 'cytoscape',
                label: 'Cytoscape JSON',
                run: () => downloadText(renderCytoscape(file()), `${name}.cyjs`, 'application/json'),
              },
            ]}
          />
        </>
      }
      numbers={{ rows: kept, rowKey: ({ a, b }) => `${a}/${b}`, columns }}
    >
      <div className="nv-figure-bar">
        <div className="nv-figure-fields">
          <Field label={t(records ? 'network.thresholdRecords' : 'network.threshold')}>
            {(control) => (
              <NumberInput
                {...control}
                value={given ?? Number(threshold.toFixed(3))}
                min={0}
                max={Math.ceil(max)}
                step={records ? 1 : 0.05}
                onNumber={setThreshold}
              />
            )}
          </Field>
          <SelectField
            label={t('network.layout')}
            value={layout}
            onChoose={(value) => setLayout(value as NetworkLayout)}
            options={networkLayouts.map((value) => ({ value, label: t(`layout.${value}`) }))}
          />
          <SelectField
            label={t('network.colour')}
            value={colouring}
            onChoose={(value) => setColouring(value as Colouring)}
            options={(['cluster', 'shell'] as const).map((value) => ({ value, label: t(`colour.${value}`) }))}
          />
          {channels.length === 0 ? null : (
            <SelectField
              label={t('network.edges')}
              value={edgeStyle}
              onChoose={(value) => setEdgeStyle(value as EdgeStyle)}
              options={(['score', 'evidence'] as const).map((value) => ({ value, label: t(`edges.${value}`) }))}
            />
          )}
        </div>
        <Checkbox checked={alone} onCheck={setAlone}>
          {t('network.alone')}
        </Checkbox>
        <span className="nv-quiet">{t('network.count', { nodes: nodes.length, edges: edges.length })}</span>
      </div>
      <NetworkDrawing
        nodes={nodes}
        edges={edges}
        layoutEdges={layoutEdges}
        groups={groups}
        shells={shells}
        layout={layout}
        height={height}
        label={t('network.title')}
        chosen={chosen}
        onChoose={setChosen}
        onOpen={(id) => void navigate(geneAddress(id, assembly))}
      />
      <NetworkKey
        edges={extremesOf(kept.map(({ score }) => score)).map((score) => ({
          strength: strengthOf(score),
          label: t('network.strength', {
            kind: records ? 'records' : 'score',
            value: records ? format.number(score) : format.fixed(score, 2),
          }),
        }))}
        asked={nodes.some(({ asked: isAsked }) => isAsked) ? t('network.asked') : null}
      />
      {edgeStyle === 'evidence' && channels.length > 0 ? (
        <ul className="ppi-legend" data-legend aria-label={t('network.edges')}>
          {channels.map(({ name: channel }, at) =>
            at < evidenceColours && usedKinds.includes(evidenceColour(at)) ? (
              <li key={channel}>
                <span style={{ background: evidenceColour(at) }} aria-hidden />
                {nameOf(channel)}
              </li>
            ) : null,
          )}
          {usedKinds.includes(otherColour) && <CategoryRest count={channels.length - evidenceColours} />}
          {usedKinds.includes(otherColour) && result.interologSource !== null ? (
            <li>
              <span style={{ background: otherColour }} aria-hidden />
              {originOf({
                ...allEdges.find(({ evidence }) => evidence === null)!,
              })}
            </li>
          ) : null}
        </ul>
      ) : null}
      {clusters.length === 0 ? null : (
        <NetworkGroups
          label={t('network.clusters')}
          assembly={assembly}
          title={(number, count) => t('network.cluster', { number, count })}
          groups={clusters}
          onPoint={(ids) => setChosen(new Set(ids))}
        />
      )}
    </FigureFrame>
  )
}
