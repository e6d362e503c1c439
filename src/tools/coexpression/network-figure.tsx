import {
  forceCenter,
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3'
import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { findModules } from '../../bio/graph-modules.ts'
import type { Receipt } from '../../contracts/receipt.ts'
import { Drawing } from '../../kit/ui/drawing.tsx'
import { Field, NumberInput } from '../../kit/ui/field.tsx'
import { FigureFrame } from '../../kit/ui/figure-frame.tsx'
import { geneAddress } from '../../kit/ui/gene-link.tsx'
import { GeneSetMenu } from '../../kit/ui/gene-set-picker.tsx'
import { useWidth } from '../../kit/ui/gene-structure.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { categoryColour } from '../../kit/ui/palette.ts'
import messages from './messages.ts'
import type { CoexpressionResult } from './tool.ts'

const height = 480
const shownModules = 9
const negativeColour = '#d55e00'

interface Node extends SimulationNodeDatum {
  id: string
  place: number
}

/** The highest round threshold at which four fifths of the genes still have a partner. */
const startThreshold = (nodes: number, pairs: CoexpressionResult['network']['pairs']): number => {
  for (let hundredths = 95; hundredths > 30; hundredths -= 5) {
    const joined = new Set<number>()
    for (const [a, b, r] of pairs) if (Math.abs(r) >= hundredths / 100) joined.add(a).add(b)
    if (joined.size >= 0.8 * nodes) return hundredths / 100
  }
  return 0.3
}

/** Genes as a network of the correlations above a threshold, its modules in colours; a module is a gene set. */
export const NetworkFigure = ({
  result,
  receipt,
  name,
}: {
  result: CoexpressionResult
  receipt: Receipt
  name: string
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const navigate = useNavigate()
  const [root, given] = useWidth<HTMLDivElement>()
  const width = Math.max(320, given)
  const { network, guides, rows, assembly } = result
  const [threshold, setThreshold] = useState<number | undefined>(() =>
    startThreshold(network.nodes.length, network.pairs),
  )
  const symbols = useMemo(
    () => new Map([...guides, ...rows].map(({ id, symbol }) => [id, symbol ?? id])),
    [guides, rows],
  )
  const asked = useMemo(() => new Set(guides.map(({ id }) => id)), [guides])
  const { edges, modules, nodes } = useMemo(() => {
    const kept = network.pairs.filter(([, , r]) => Math.abs(r) >= (threshold ?? 0.3))
    // Genes that fall when others rise are no module with them.
    const found = findModules(
      network.nodes.length,
      kept.filter(([, , r]) => r > 0),
    )
    const placed: Node[] = network.nodes.map((id, place) => ({ id, place }))
    forceSimulation(placed)
      .force('charge', forceManyBody().strength(-70).distanceMax(260))
      .force(
        'link',
        forceLink<Node, { source: number; target: number; r: number }>(
          kept.map(([source, target, r]) => ({ source, target, r })),
        )
          .distance(({ r }) => 26 + 90 * (1 - Math.abs(r)))
          .strength(0.25),
      )
      .force('center', forceCenter(0, 0))
      .force('x', forceX(0).strength(0.05))
      .force('y', forceY(0).strength(0.09))
      .force('collide', forceCollide(9))
      .stop()
      .tick(220)
    return { edges: kept, modules: found, nodes: placed }
  }, [network, threshold])
  const extent = (axis: 'x' | 'y'): [number, number] => [
    Math.min(...nodes.map((node) => node[axis] ?? 0)),
    Math.max(...nodes.map((node) => node[axis] ?? 0)),
  ]
  const [[x0, x1], [y0, y1]] = [extent('x'), extent('y')]
  const scale = Math.min((width - 90) / Math.max(1, x1 - x0), (height - 50) / Math.max(1, y1 - y0), 2.2)
  const x = (node: Node): number => width / 2 + ((node.x ?? 0) - (x0 + x1) / 2) * scale
  const y = (node: Node): number => height / 2 + ((node.y ?? 0) - (y0 + y1) / 2) * scale
  const sizes = new Map<number, string[]>()
  for (const [at, found] of modules.entries()) sizes.set(found, [...(sizes.get(found) ?? []), network.nodes[at]!])
  const real = [...sizes].filter(([, genes]) => genes.length > 1).sort(([a], [b]) => a - b)
  const degree = new Map<number, number>()
  for (const [a, b] of edges) {
    degree.set(a, (degree.get(a) ?? 0) + 1)
    degree.set(b, (degree.get(b) ?? 0) + 1)
  }
  return (
    <FigureFrame
      title={t('network.title')}
      name={name}
      receipt={receipt}
      method={t('network.method', { threshold: threshold ?? 0.3 })}
      numbers={{
        rows: edges,
        rowKey: ([a, b]) => `${a}/${b}`,
        columns: [
          { key: 'a', title: t('column.gene'), kind: 'id', value: ([a]) => network.nodes[a] },
          { key: 'b', title: t('column.partner'), kind: 'id', value: ([, b]) => network.nodes[b] },
          { key: 'r', title: t('column.correlation'), kind: 'number', digits: 4, value: ([, , r]) => r },
          {
            key: 'm',
            title: t('column.module'),
            kind: 'number',
            value: ([a, b]) => (modules[a] === modules[b] ? modules[a]! + 1 : null),
          },
        ],
      }}
    >
      <div className="coe-bar">
        <Field label={t('network.threshold')}>
          {(control) => (
            <NumberInput {...control} value={threshold} min={0.3} max={1} step={0.05} onNumber={setThreshold} />
          )}
        </Field>
        <span className="nv-quiet">
          {t('network.count', { nodes: network.nodes.length, edges: edges.length, modules: real.length })}
        </span>
      </div>
      <div ref={root} className="coe-figure">
        <Drawing width={width} height={height} label={t('network.title')}>
          <g>
            {edges.map(([a, b, r]) => (
              <line
                key={`${a}/${b}`}
                x1={x(nodes[a]!)}
                y1={y(nodes[a]!)}
                x2={x(nodes[b]!)}
                y2={y(nodes[b]!)}
                stroke={r < 0 ? negativeColour : 'var(--figure-axis)'}
                strokeDasharray={r < 0 ? '4 3' : undefined}
                strokeOpacity={0.12 + 0.5 * Math.max(0, (Math.abs(r) - 0.3) / 0.7) ** 2}
              />
            ))}
          </g>
          {nodes.map((node) => {
            const open = (): void => void navigate(geneAddress(node.id, assembly))
            const own = modules[node.place]!
            const alone = (sizes.get(own)?.length ?? 0) < 2
            const label = symbols.get(node.id) ?? node.id
            return (
              // biome-ignore lint/a11y/useSemanticElements: an SVG has no anchor that the router knows.
              <g
                key={node.id}
                role="link"
                tabIndex={0}
                aria-label={label}
                className="coe-node"
                onClick={open}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') open()
                }}
              >
                <title>{t('network.node', { gene: label, id: node.id, degree: degree.get(node.place) ?? 0 })}</title>
                <circle
                  cx={x(node)}
                  cy={y(node)}
                  r={asked.has(node.id) ? 8 : 5}
                  fill={alone || own >= shownModules ? '#9aa5a0' : categoryColour(own)}
                  stroke="var(--figure-ink)"
                  strokeWidth={asked.has(node.id) ? 2.2 : 0.6}
                />
                {nodes.length <= 70 || asked.has(node.id) ? (
                  <text x={x(node) + 8} y={y(node) + 3.5} fontSize={10.5} fontStyle="italic" fill="var(--figure-ink)">
                    {label}
                  </text>
                ) : null}
              </g>
            )
          })}
        </Drawing>
      </div>
      <ul className="coe-modules" aria-label={t('network.modules')}>
        {real.map(([own, genes]) => (
          <li key={own}>
            <span
              className="coe-swatch"
              style={{ background: own >= shownModules ? '#9aa5a0' : categoryColour(own) }}
              aria-hidden
            />
            <strong>{t('network.module', { number: own + 1, count: genes.length })}</strong>{' '}
            <span className="nv-quiet">
              {format.list(genes.slice(0, 5).map((id) => symbols.get(id) ?? id))}
              {genes.length > 5 ? ' …' : ''}
            </span>
            <GeneSetMenu genes={genes.map((id) => ({ id, assembly }))} />
          </li>
        ))}
      </ul>
    </FigureFrame>
  )
}
