import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { geneAddress } from '../../../kit/ui/gene/gene-link.tsx'
import type { GeneModel } from '../tool.ts'

const lanePx = 26
const namePx = 11

interface Placed {
  gene: GeneModel
  lane: number
  from: number
  to: number
  text: string
  textX: number
}

/** Genes in lanes, so that neither they nor their names lie over each other, within the two edges of a drawing. */
export const layModels = (
  genes: readonly GeneModel[],
  x: (position: number) => number,
  left: number,
  right: number,
): { placed: Placed[]; heightPx: number } => {
  const lanes: number[] = []
  const placed = genes.map((gene) => {
    const [from, to] = [Math.max(left, x(gene.start)), Math.min(right, x(gene.end))]
    const name = gene.symbol ?? gene.id
    const text = gene.strand === '-' ? `← ${name}` : `${name} →`
    const textPx = labelWidth(text, namePx)
    const textX = Math.min(from, right - textPx)
    let lane = lanes.findIndex((end) => end < textX - 6)
    if (lane < 0) lane = lanes.length
    lanes[lane] = Math.max(to, textX + textPx)
    return { gene, lane, from, to, text, textX }
  })
  return { placed, heightPx: Math.max(1, lanes.length) * lanePx }
}

/** Genes with exons (pale) and coding sequence, their names below; a name leads to its gene. */
export const GeneModels = ({
  placed,
  assembly,
  x,
  left,
  right,
  top,
}: {
  placed: readonly Placed[]
  assembly: string
  x: (position: number) => number
  left: number
  right: number
  top: number
}): ReactNode => {
  const navigate = useNavigate()
  const inside = (start: number, end: number): { x: number; width: number } | null => {
    const [a, b] = [Math.max(left, x(start)), Math.min(right, x(end + 1))]
    return b <= a ? null : { x: a, width: Math.max(1, b - a) }
  }
  return placed.map(({ gene, lane, from, to, text, textX }) => {
    const at = top + lane * lanePx
    return (
      <g key={gene.id}>
        <line x1={from} x2={to} y1={at + 5} y2={at + 5} stroke="var(--figure-ink)" strokeOpacity={0.5} />
        {gene.exons.map(([start, end]) => {
          const box = inside(start, end)
          return box === null ? null : (
            <rect key={start} {...box} y={at + 2} height={6} fill="var(--primary)" fillOpacity={0.45} />
          )
        })}
        {gene.cds.map(([start, end]) => {
          const box = inside(start, end)
          return box === null ? null : <rect key={start} {...box} y={at} height={10} fill="var(--primary)" />
        })}
        <a
          href={geneAddress(gene.id, assembly)}
          onClick={(event) => {
            event.preventDefault()
            navigate(geneAddress(gene.id, assembly))
          }}
        >
          <text
            x={textX}
            y={at + 20}
            fontSize={namePx}
            fontStyle={gene.symbol === null ? undefined : 'italic'}
            fill="var(--figure-ink)"
          >
            {text}
          </text>
        </a>
      </g>
    )
  })
}

/** Lines from places on a sequence to the columns of a matrix that stand for them. */
export const SiteLines = ({
  sites,
  from,
  to,
  through = from,
}: {
  /** Places at the sequence and in the matrix, from the left. */
  sites: readonly { place: number; column: number }[]
  from: number
  to: number
  /** Where each line begins, straight up from its place: over what is drawn there. */
  through?: number
}): ReactNode => (
  <path
    d={sites.map(({ place, column }) => `M${place.toFixed(1)},${through}V${from}L${column.toFixed(1)},${to}`).join('')}
    stroke="var(--figure-axis)"
    strokeOpacity={0.55}
    strokeWidth={0.8}
    fill="none"
  />
)
