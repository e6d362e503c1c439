import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { findModules } from '../../bio/statistics/graph-modules.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Checkbox, Field, NumberInput } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import {
  extremesOf,
  groupColour,
  NetworkDrawing,
  NetworkGroups,
  NetworkKey,
} from '../../kit/ui/figures/network-figure.tsx'
import { colourAlone } from '../../kit/ui/figures/palette.ts'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { CoexpressionResult } from './tool.ts'

/** Not one that the first modules have. */
const negativeColour = colourAlone(11)
/** Genes from which on a group is called a module and has a colour: pairs are many, and seen without. */
const minModule = 3
/** Correlations below are no edges at any threshold. */
const minEdge = 0.3

const strengthOf = (r: number): number => Math.max(0, (r - minEdge) / (1 - minEdge))

/** The highest round threshold at which four fifths of the genes still have a partner. */
const startThreshold = (nodes: number, pairs: CoexpressionResult['network']['pairs']): number => {
  for (let hundredths = 95; hundredths > 100 * minEdge; hundredths -= 5) {
    const joined = new Set<number>()
    for (const [a, b, r] of pairs) if (Math.abs(r) >= hundredths / 100) joined.add(a).add(b)
    if (joined.size >= 0.8 * nodes) return hundredths / 100
  }
  return minEdge
}

/** Genes as a network of the correlations above a threshold, its modules in colours; a module or a choice is a gene set. */
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
  const { network, guides, rows, assembly } = result
  const [given, setThreshold] = useState<number | undefined>(() => startThreshold(network.nodes.length, network.pairs))
  const threshold = given ?? minEdge
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [withSingle, setWithSingle] = useState(false)
  const symbols = useMemo(
    () => new Map([...guides, ...rows].map(({ id, symbol }) => [id, symbol ?? id])),
    [guides, rows],
  )
  const labelOf = (id: string): string => symbols.get(id) ?? id
  const { ids, pairs, modules, layoutEdges } = useMemo(() => {
    const above = network.pairs.filter(([, , r]) => Math.abs(r) >= threshold)
    // Genes asked for are drawn in any case.
    const joined = new Set(guides.map(({ id }) => network.nodes.indexOf(id)))
    for (const [a, b] of above) joined.add(a).add(b)
    const shown = [...network.nodes.keys()].filter((at) => withSingle || joined.has(at))
    const place = new Map(shown.map((at, index) => [at, index]))
    const kept = above.map(([a, b, r]): [number, number, number] => [place.get(a)!, place.get(b)!, r])
    // Genes that fall when others rise are no module with them.
    const found = findModules(
      shown.length,
      kept.filter(([, , r]) => r > 0),
    )
    return {
      ids: shown.map((at) => network.nodes[at]!),
      pairs: kept,
      modules: found,
      layoutEdges: kept.map(([a, b, r]): [number, number, number] => [a, b, Math.abs(r)]),
    }
  }, [network, guides, threshold, withSingle])
  const real = useMemo(() => {
    const members = new Map<number, string[]>()
    for (const [at, found] of modules.entries()) members.set(found, [...(members.get(found) ?? []), ids[at]!])
    return [...members].filter(([, genes]) => genes.length >= minModule).sort(([a], [b]) => a - b)
  }, [modules, ids])
  const groups = useMemo(() => {
    const shared = new Set(real.map(([own]) => own))
    return modules.map((own) => (shared.has(own) ? own : null))
  }, [modules, real])
  const nodes = useMemo(() => {
    const asked = new Set(guides.map(({ id }) => id))
    const degrees = new Uint32Array(ids.length)
    for (const [a, b] of pairs) {
      degrees[a]! += 1
      degrees[b]! += 1
    }
    return ids.map((id, at) => {
      const label = symbols.get(id) ?? id
      return {
        id,
        label,
        asked: asked.has(id),
        colour: groupColour(groups[at]!),
        title: t('network.node', { gene: label, id, degree: degrees[at]! }),
      }
    })
  }, [guides, ids, pairs, groups, symbols, t])
  const edges = useMemo(
    () =>
      pairs.map(([a, b, r]) => ({
        a,
        b,
        dashed: r < 0,
        strength: strengthOf(Math.abs(r)),
        ...(r < 0 ? { colour: negativeColour } : {}),
        title: `${nodes[a]!.label} – ${nodes[b]!.label}: ${format.number(r, 3)}`,
      })),
    [pairs, nodes, format],
  )
  return (
    <FigureFrame
      title={t('network.title')}
      name={name}
      receipt={receipt}
      method={t('network.method', { threshold })}
      actions={chosen.size === 0 ? null : <GeneSetMenu genes={[...chosen].map((id) => ({ id, assembly }))} />}
      numbers={{
        rows: pairs,
        rowKey: ([a, b]) => `${a}/${b}`,
        columns: [
          { key: 'a', title: t('column.gene'), kind: 'id', value: ([a]) => ids[a] },
          { key: 'b', title: t('column.partner'), kind: 'id', value: ([, b]) => ids[b] },
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
      <div className="nv-figure-bar">
        <div className="nv-figure-fields">
          <Field label={t('network.threshold')}>
            {(control) => (
              <NumberInput {...control} value={given} min={minEdge} max={1} step={0.05} onNumber={setThreshold} />
            )}
          </Field>
          <Checkbox checked={withSingle} onCheck={setWithSingle}>
            {t('network.single')}
          </Checkbox>
        </div>
        <span className="nv-quiet">
          {t('network.count', { nodes: ids.length, edges: pairs.length, modules: real.length })}
        </span>
      </div>
      <NetworkDrawing
        nodes={nodes}
        edges={edges}
        layoutEdges={layoutEdges}
        groups={groups}
        label={t('network.title')}
        chosen={chosen}
        onChoose={setChosen}
        onOpen={(id) => void navigate(geneAddress(id, assembly))}
      />
      <NetworkKey
        edges={extremesOf(pairs.map(([, , r]) => Math.abs(r))).map((r) => ({
          strength: strengthOf(r),
          label: t('network.strength', { r: format.fixed(r, 2) }),
        }))}
        asked={nodes.some(({ asked }) => asked) ? t('network.asked') : null}
      />
      {pairs.every(([, , r]) => r > 0) ? null : (
        <ul className="nv-legend" data-legend>
          <li>
            <i className="nv-key" style={{ background: negativeColour }} /> {t('network.negative')}
          </li>
        </ul>
      )}
      <NetworkGroups
        label={t('network.modules')}
        assembly={assembly}
        title={(number, count) => t('network.module', { number, count })}
        groups={real.map(([group, genes]) => ({ group, genes: genes.map((id) => ({ id, label: labelOf(id) })) }))}
        onPoint={(ids) => setChosen(new Set(ids))}
      />
    </FigureFrame>
  )
}
