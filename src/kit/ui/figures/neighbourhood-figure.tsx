import { type ReactNode, useCallback, useLayoutEffect, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { brokenStates } from '../../../bio/comparative/gene-presence.ts'
import { isOrtholog } from '../../../bio/comparative/orthology.ts'
import { type GeneGap, type GeneLocus, mostBetween } from '../../../contracts/gene-loci.ts'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { GeneSetMenu } from '../controls/gene-set-picker.tsx'
import { choicesByAssembly, type GeneChoice } from '../gene/chosen-genes.ts'
import { geneAddress } from '../gene/gene-link.tsx'
import { messages as presenceMessages } from '../gene/presence-messages.ts'
import { RoleNote, useRoleStyle } from '../gene/sequence-name.tsx'
import { useAssemblyNames } from '../gene/species-names.tsx'
import { useFormat, useText } from '../language.tsx'
import { useAssemblies } from '../portal-data.ts'
import { ScaleBar } from './axis.tsx'
import { BrokenArrow, BrokenKey } from './broken-arrow.tsx'
import { CategorySwatch, CategoryTextures, categoryEdge, categoryFill, useTextureId } from './category-marks.tsx'
import { FigureFrame } from './figure-frame.tsx'
import { geneNamePx, nameSlant, placeGeneNames } from './gene-names.ts'
import { messages } from './neighbourhood-messages.ts'
import { categoryColour } from './palette.ts'
import { shortenNames } from './shortened-names.ts'
import { labelWidth } from './text-width.ts'
import { useWidth } from './use-width.ts'

const arrowHeight = 18
/** Below the arrows of a row: ribbons to the next, and what is said of a gap. */
const belowArrows = 24
/** Above what is written of a row's genes: the name of its assembly, where it does not stand beside. */
const aboveNames = { above: 18, beside: 4 } as const
/** Names beside rows have so much at least, and up to so much where there is room. */
const [besidePx, mostBesidePx] = [112, 190] as const
const narrowestPx = 640
/** Letters of a name beside its row, and pixels of one above it. */
const besideLetters = 15
const besideLetterPx = 7.4
const aboveLetterPx = 6.8
/** Bold letters are so much wider. */
const boldShare = 1.1
/** Slanted names of genes nearer than this would touch. */
const narrowestSlotPx = 22
/** On a phone, where a row is moved sideways in any case, genes are wide enough for a finger. */
const phonePx = 560
const phoneSlotPx = 62

/** Further groups are told by their genes and in the table of numbers. */
const maxLegendEntries = 60
const scaleBarHeight = 30

/** Rows at most: further assemblies without a homolog are told by whoever draws the figure. */
const mostRows = 20

/** Less is no more than genes that begin elsewhere. */
const leastLostBp = 50

/** Of the mark that joins the ends of a gap, from the genes downwards: its words end above the name of the next row. */
const bracketPx = 4

const noGaps: readonly GeneGap[] = []
const noAssemblies: readonly string[] = []

type Neighbour = GeneLocus['genes'][number]

interface Drawn {
  gene: Neighbour
  x: number
  width: number
  forward: boolean
}

/** Around the place of a gene that is not there: from one of its neighbours' counterparts to the other, whatever stands between them. */
const Gap = ({
  y,
  ends: [from, to],
  place,
  parts,
  label,
  title,
}: {
  y: number
  /** Middles of the two. */
  ends: [number, number]
  /** Left free for the gene, where rows are not to scale and no gene stands there. */
  place: { middle: number; width: number } | null
  /** What is deleted of it where that is not the whole: each deletion below the genes that it takes, with its size. */
  parts: readonly { from: number; to: number; label: string }[]
  label: string
  title: string
}): ReactNode => {
  const top = y + arrowHeight / 2 + 2
  const boxes =
    parts.length > 0 || place === null
      ? parts
      : [{ from: place.middle - place.width / 2, to: place.middle + place.width / 2, label: '' }]
  const isWithin = parts.length === 0 && place !== null && place.width > labelWidth(label, 11) + 8
  return (
    <g>
      <title>{title}</title>
      {boxes.map((box) => (
        <g key={box.from}>
          <rect
            x={box.from}
            y={y - arrowHeight / 2}
            width={box.to - box.from}
            height={arrowHeight}
            fill="var(--surface)"
            stroke="var(--figure-axis)"
            strokeDasharray="4 3"
          />
          {labelWidth(box.label, 10) + 6 > box.to - box.from ? null : (
            <text
              x={(box.from + box.to) / 2}
              y={y}
              textAnchor="middle"
              dominantBaseline="central"
              fontSize={10}
              fill="var(--figure-ink)"
            >
              {box.label}
            </text>
          )}
        </g>
      ))}
      {isWithin ? null : (
        <path
          d={`M${from},${top}v${bracketPx}H${to}v${-bracketPx}`}
          fill="none"
          stroke="var(--figure-axis)"
          strokeWidth={1.2}
        />
      )}
      <text
        x={isWithin ? place.middle : (from + to) / 2}
        y={isWithin ? y : top + bracketPx + 6}
        textAnchor="middle"
        dominantBaseline="central"
        fontSize={isWithin ? 11 : 10}
        fill="var(--figure-ink)"
        stroke="var(--surface)"
        strokeWidth={3}
        paintOrder="stroke"
      >
        {label}
      </text>
    </g>
  )
}

/** A row as it is laid out: around a gene, around the place where one would lie, or an assembly of which there is nothing to draw. */
interface Row {
  key: string
  assembly: string
  sequence: string | null
  genes: Neighbour[]
  /** The gene in the middle. */
  gene: string | null
  /** Indexes of the two genes about the place where one would lie. */
  ends: [number, number] | null
  /** Index of what is in the middle; between two genes where nothing is there. */
  at: number
  /** In bases. */
  centre: number
  turned: boolean
  /** Of a gap: what the gene's own assembly has there. */
  lost: GeneGap['lost']
  /** Of a gap that is as wide as what is missing: places of the two ends, in genes from the middle. */
  spread: [before: number, after: number] | null
}

const middleOf = ({ start, end, originShift = 0 }: Neighbour): number => (start + end) / 2 + originShift

/** Rows of genes, of gaps, and of assemblies that have neither; read so that the gene in the middle of the first points to the right. */
export const layRows = (loci: readonly GeneLocus[], gaps: readonly GeneGap[], lacking: readonly string[]): Row[] => {
  const rows = loci.map((locus): Row => {
    const at = locus.genes.findIndex(({ id }) => id === locus.gene)
    const own = locus.genes[at]
    return {
      ...locus,
      key: `${locus.assembly}/${locus.gene}`,
      ends: null,
      at,
      centre: own === undefined ? 0 : middleOf(own),
      turned: own?.strand === '-',
      lost: null,
      spread: null,
    }
  })
  const turned = rows[0]?.turned ?? false
  const spreadOf = (lost: GeneGap['lost']): Row['spread'] => {
    if (lost === null) return null
    return turned ? [lost.before + 1, -lost.after - 1] : [-lost.before - 1, lost.after + 1]
  }
  return [
    ...rows.slice(0, 1),
    // Beside the row that has the gene, so that what is missing is seen at once.
    ...gaps.flatMap((gap): Row[] => {
      const { assembly, sequence, genes, before, after } = gap
      const [first, second] = [genes.findIndex(({ id }) => id === before), genes.findIndex(({ id }) => id === after)]
      const ends = [genes[first], genes[second]] as const
      // A place of which an end is not in view is none that could be shown.
      if (ends[0] === undefined || ends[1] === undefined) return []
      return [
        {
          key: assembly,
          assembly,
          sequence,
          genes,
          gene: null,
          ends: [first, second],
          at: (first + second) / 2,
          centre: (middleOf(ends[0]) + middleOf(ends[1])) / 2,
          turned: turned !== first > second,
          lost: gap.lost,
          spread: spreadOf(gap.lost),
        },
      ]
    }),
    ...rows.slice(1),
    ...lacking.map(
      (assembly): Row => ({
        key: assembly,
        assembly,
        sequence: null,
        genes: [],
        gene: null,
        ends: null,
        at: 0,
        centre: 0,
        turned: false,
        lost: null,
        spread: null,
      }),
    ),
  ]
}

/** Genes from the middle of a row: none is in it where that is between two. Beside a gap the ends have the places of their counterparts. */
export const stepsFromMiddle = (
  { at, turned, ends, spread }: Pick<Row, 'at' | 'turned' | 'ends' | 'spread'>,
  number: number,
): number => {
  if (spread !== null && ends !== null) {
    const [before, after] = ends
    const [fromBefore, fromAfter] = [number - before, number - after].map((steps) => (turned ? -steps : steps))
    const isBetween = number > Math.min(before, after) && number < Math.max(before, after)
    if (isBetween) return spread[0] + ((spread[1] - spread[0]) * (number - before)) / (after - before)
    return Math.abs(fromBefore!) < Math.abs(fromAfter!) ? spread[0] + fromBefore! : spread[1] + fromAfter!
  }
  const steps = turned ? at - number : number - at
  return Number.isInteger(at) ? steps : steps + Math.sign(steps) / 2
}

/** Genes of a row with what is in its middle at `middle`. */
const layPlace = (
  row: Row,
  { middle, slot, perBase, besides }: { middle: number; slot: number; perBase: number | null; besides: number },
): Drawn[] => {
  const { turned, centre } = row
  return row.genes.flatMap((gene, number) => {
    // What is beside a gap as wide as what is missing may lie beyond the other rows.
    if (row.spread !== null && perBase === null && Math.abs(stepsFromMiddle(row, number)) > besides) return []
    const forward = turned ? gene.strand === '-' : gene.strand !== '-'
    if (perBase === null)
      return [{ gene, forward, x: middle + stepsFromMiddle(row, number) * slot - slot / 2 + 2, width: slot - 4 }]
    const [start, end] = [gene.start, gene.end].map((at) => at + (gene.originShift ?? 0) - centre) as [number, number]
    const [left, right] = turned ? [-end, -start] : [start, end]
    return [{ gene, forward, x: middle + left * perBase, width: Math.max(2, (right - left) * perBase) }]
  })
}

/** Middles of two of the genes, from left to right; of one that lies beyond the row, the row's end on its side. */
const endsOf = (
  drawn: readonly Drawn[],
  { genes }: Row,
  [first, second]: readonly [number, number],
  [left, right]: readonly [number, number],
): [number, number] => {
  const [a, b] = [first, second].map((number) => {
    const found = drawn.find(({ gene }) => gene === genes[number])
    return found === undefined ? null : found.x + found.width / 2
  })
  if (a === null || b === null) return [left, right]
  return [Math.min(a!, b!), Math.max(a!, b!)]
}

/**
 * Of the genes that stand in a gap, those that each deletion takes, from left to right in pixels; of a gene that two of them take a part of
 * each has half. None where one deletion is all of it, which the gap itself says.
 */
export const placeDeletions = (
  genes: readonly { start: number; end: number; x: number; width: number }[],
  deletions: readonly { start: number; end: number; lengthBp: number }[],
): { from: number; to: number; lengthBp: number }[] => {
  const found = deletions
    .flatMap(({ start, end, lengthBp }) => {
      const taken = genes.filter((gene) => gene.start <= end && gene.end >= start)
      if (taken.length === 0) return []
      return [
        {
          from: Math.min(...taken.map(({ x }) => x)),
          to: Math.max(...taken.map(({ x, width }) => x + width)),
          lengthBp,
        },
      ]
    })
    .sort((p, q) => p.from - q.from || p.to - q.to)
  for (const [at, part] of found.entries()) {
    const before = found[at - 1]
    if (before === undefined || before.to <= part.from) continue
    const middle = (part.from + before.to) / 2
    before.to = middle - 2
    part.from = middle + 2
  }
  return deletions.length < 2 ? [] : found.filter(({ from, to }) => to > from)
}

const arrow = (x: number, y: number, width: number, forward: boolean): string => {
  const h = arrowHeight / 2
  const head = Math.min(8, width / 2)
  return forward
    ? `M${x},${y - h}H${x + width - head}L${x + width},${y}L${x + width - head},${y + h}H${x}Z`
    : `M${x + width},${y - h}H${x + head}L${x},${y}L${x + head},${y + h}H${x + width}Z`
}

interface MarkedGroup {
  orthogroup: string
  /** Of the first row that has one: what a legend says. */
  name: string
  isSymbol: boolean
  genes: number
}

/** A gene with its neighbours, and where it is known how it is related to the gene of the first row. */
type RelatedLocus = GeneLocus & { relation?: string | null }

/**
 * Orthologs of the gene of the first row that are in another orthogroup, with the orthogroup that they are drawn as: of genes with close
 * paralogs a graph of best hits may cut one family into two, and pairs of orthologs go across the cut.
 */
export const orthologsAcross = (loci: readonly RelatedLocus[]): Map<Neighbour, string> => {
  const centralOf = ({ genes, gene }: RelatedLocus): Neighbour | undefined => genes.find(({ id }) => id === gene)
  const [first] = loci
  const group = first === undefined ? null : (centralOf(first)?.orthogroup ?? null)
  const across = new Map<Neighbour, string>()
  if (group === null) return across
  for (const locus of loci) {
    const central = centralOf(locus)
    if (isOrtholog(locus) && central !== undefined && central.orthogroup !== group) across.set(central, group)
  }
  return across
}

const ownGroup = ({ orthogroup }: Neighbour): string | null => orthogroup

/**
 * Orthogroups of more than one gene in view, each a category of its own by its place in the list: the group of the genes in the middle
 * first, then by how many genes show it. What stands once has no relative in view, and no colour.
 */
export const markGroups = (
  loci: readonly Pick<GeneLocus, 'genes'>[],
  middle: string | null,
  groupOf: (gene: Neighbour) => string | null = ownGroup,
): MarkedGroup[] => {
  const groups = new Map<string, MarkedGroup>()
  for (const { genes } of loci)
    for (const gene of genes) {
      const { id, symbol } = gene
      const orthogroup = groupOf(gene)
      if (orthogroup === null) continue
      const known = groups.get(orthogroup)
      if (known === undefined)
        groups.set(orthogroup, { orthogroup, name: symbol ?? id, isSymbol: symbol !== null, genes: 1 })
      else known.genes += 1
    }
  return [...groups.values()]
    .filter(({ genes }) => genes > 1)
    .sort((a, b) => Number(b.orthogroup === middle) - Number(a.orthogroup === middle) || b.genes - a.genes)
}

/**
 * A gene and its homologs with their neighbours, a row each, and so what other assemblies have in its place; one colour is one orthogroup.
 * A click leads to the gene's page.
 */
export const NeighbourhoodFigure = ({
  loci,
  gaps = noGaps,
  without = noAssemblies,
  receipt,
  scale = 'genes',
  onGene,
}: {
  loci: RelatedLocus[]
  /** Of assemblies without a homolog: where the gene would lie. */
  gaps?: readonly GeneGap[]
  /** Assemblies without a homolog; those that have no gap either are told by a row without genes. */
  without?: readonly string[]
  receipt: Receipt
  /** Each gene as wide as the next, or as long as it is. */
  scale?: 'genes' | 'bases'
  /** In place of leading to the gene's page. */
  onGene?: (gene: { id: string; assembly: string }) => void
}): ReactNode => {
  const t = useText(messages)
  const presence = useText(presenceMessages)
  const format = useFormat()
  const navigate = useNavigate()
  const styleOf = useRoleStyle()
  const nameOf = useAssemblyNames()
  const partial = new Set(useAssemblies().flatMap((one) => (one.partial === null ? [] : [one.id])))
  const [root, given] = useWidth<HTMLDivElement>()
  const rows = useMemo(() => {
    const known = new Set(gaps.map(({ assembly }) => assembly))
    const lacking = without.filter((assembly) => !known.has(assembly))
    return layRows(loci, gaps, lacking.slice(0, Math.max(0, mostRows - loci.length - gaps.length)))
  }, [loci, gaps, without])
  const [middle] = loci
  const named = middle?.genes.find(({ id }) => id === middle.gene)?.symbol ?? middle?.gene ?? ''
  const central: GeneChoice = {
    key: 'central',
    label: t('loci.central', { count: loci.length }),
    name: t('loci.setCentral', { gene: named }),
    genes: loci.map(({ gene, assembly }) => ({ id: gene, assembly })),
  }
  const allGenes = [...loci, ...gaps].flatMap(({ genes, assembly }) => genes.map(({ id }) => ({ id, assembly })))
  const nameIn = (assembly: string): string => (assembly === '' ? 'none' : nameOf(assembly))
  const choices: [GeneChoice, ...GeneChoice[]] = [
    central,
    ...choicesByAssembly(allGenes, (count, assembly) =>
      t('loci.drawn', { count, assembly: nameIn(assembly ?? '') }),
    ).map((choice) => ({ ...choice, name: t('loci.setDrawn', { gene: named, assembly: nameIn(choice.key) }) })),
  ]
  const besides = Math.max(
    1,
    ...rows.flatMap((row) =>
      row.spread === null ? row.genes.map((_, number) => Math.abs(stepsFromMiddle(row, number))) : [],
    ),
  )
  const slots = 2 * besides + 1
  const width = Math.max(narrowestPx, given, besidePx + slots * (given < phonePx ? phoneSlotPx : narrowestSlotPx))
  // Of rows that are moved sideways the names stand above them and stay in view: beside them they would go out of it.
  const scrolls = width > given
  const longest = Math.max(...rows.map(({ assembly }) => nameOf(assembly).length))
  const beside = Math.max(besidePx, Math.min(mostBesidePx, longest * besideLetterPx + 8))
  const labelPx = scrolls ? 0 : beside
  const letters = Math.max(besideLetters, Math.floor(beside / besideLetterPx))
  const names = shortenNames(
    rows.map(({ assembly }) => nameOf(assembly)),
    scrolls ? Math.max(besideLetters, given / aboveLetterPx - besideLetters - 2) : letters,
  )
  const sequences = shortenNames(
    rows.map(({ sequence }) => sequence ?? ''),
    letters + 1,
  )
  // Where not all of a row is seen, its middle is: the gene that was asked for.
  useLayoutEffect(() => {
    const middle = labelPx + (width - labelPx) / 2
    if (scrolls) root.current?.scrollTo({ left: middle - given / 2 })
  }, [root, width, given, labelPx, scrolls])
  const across = useMemo(() => orthologsAcross(loci), [loci])
  const groupOf = useCallback((gene: Neighbour): string | null => across.get(gene) ?? gene.orthogroup, [across])
  const marked = useMemo(() => {
    const own = loci[0]?.genes.find(({ id }) => id === loci[0]!.gene)
    return markGroups(rows, own?.orthogroup ?? null, groupOf)
  }, [loci, rows, groupOf])
  const numberOf = useMemo(() => new Map(marked.map(({ orthogroup }, number) => [orthogroup, number])), [marked])
  const figure = useTextureId()
  const inner = width - labelPx
  const broken = brokenStates.filter((state) =>
    rows.some(({ genes }) => genes.some((gene) => gene.broken?.state === state)),
  )
  const brokenText = ({ broken: about }: Neighbour): string =>
    about === undefined
      ? ''
      : t('loci.broken', {
          state: presence(`state.${about.state}`),
          gene: about.of,
          share: about.state === 'disrupted' ? 'none' : format.percent(about.share),
        })
  const reach = Math.max(
    1,
    ...rows.flatMap(({ centre, genes }) =>
      genes.flatMap(({ start, end }) => [Math.abs(start - centre), Math.abs(end - centre)]),
    ),
  )
  const geometryOf = (room: number) => ({
    middle: labelPx + room / 2,
    slot: room / slots,
    perBase: scale === 'bases' ? room / 2 / reach : null,
    besides,
  })
  const layNames = (laid: readonly Drawn[][]) =>
    laid.map((genes, row) =>
      placeGeneNames(
        genes.map(({ gene, x, width: across }) => ({
          name: gene.symbol ?? gene.id,
          at: x + across / 2,
          rank: gene.id === rows[row]!.gene ? 0 : gene.symbol === null ? 2 : 1,
        })),
      ),
    )
  // Slanted names of the last genes need room beside them.
  const beyond = Math.max(
    0,
    ...layNames(rows.map((row) => layPlace(row, geometryOf(inner)))).map((one) => (one.slanted ? one.beyond : 0)),
  )
  const geometry = geometryOf(inner - Math.max(0, beyond - inner / slots / 2))
  const drawn = rows.map((row) => layPlace(row, geometry))
  const geneNames = layNames(drawn)
  const aboveOf = (row: number): number => aboveNames[scrolls ? 'above' : 'beside'] + geneNames[row]!.height
  const tops = [0]
  for (const row of rows.keys()) tops.push(tops[row]! + Math.ceil(aboveOf(row) + arrowHeight + belowArrows))
  const rowsHeight = tops.at(-1)!
  const middleY = (row: number): number => tops[row]! + aboveOf(row) + arrowHeight / 2
  /** Where nothing stands in a gap of a row that is not to scale. */
  const placeOf = ({ at, ends, spread }: Row): { middle: number; width: number } | null => {
    if (geometry.perBase !== null || ends === null) return null
    const { middle, slot } = geometry
    if (spread === null || Math.abs(ends[0] - ends[1]) > 1)
      return Number.isInteger(at) || spread !== null ? null : { middle, width: slot - 4 }
    // As far as the rows go: what is missing may be more than they show.
    const from = Math.max(-besides - 0.5, Math.min(...spread) + 0.5)
    const to = Math.min(besides + 0.5, Math.max(...spread) - 0.5)
    return { middle: middle + ((from + to) / 2) * slot, width: (to - from) * slot - 4 }
  }
  const height = rowsHeight + (geometry.perBase === null ? 4 : scaleBarHeight)
  // Of a part of a genome it is not known that a gene is absent.
  const isPartial = (assembly: string): 'yes' | 'no' => (partial.has(assembly) ? 'yes' : 'no')
  const lackingOf = ({ assembly }: Row): string => t('loci.lacking', { partial: isPartial(assembly) })
  const gapOf = ({ assembly, lost }: Row): string => {
    const genes = lost === null ? 0 : lost.before + lost.after + 1
    if (lost !== null && lost.deletions !== null) {
      const sizes = lost.deletions.map(({ lengthBp }) => format.number(lengthBp)).join(' + ')
      return t('loci.gapDeleted', { count: lost.deletions.length, sizes, genes })
    }
    return lost === null || lost.bp < leastLostBp
      ? t('loci.gap', { partial: isPartial(assembly) })
      : t('loci.gapSize', { partial: isPartial(assembly), genes, size: format.basePairs(lost.bp) })
  }
  /** Deletions of a gap below the genes of the first row that they take: its places are those of the first row where it is as wide. */
  const partsOf = (row: Row): { from: number; to: number; label: string }[] => {
    const place = placeOf(row)
    if (place === null || row.spread === null || row.lost?.deletions == null) return []
    const [from, to] = [place.middle - place.width / 2, place.middle + place.width / 2]
    const within = drawn[0]!.filter(({ x, width: across }) => x + across / 2 > from && x + across / 2 < to)
    return placeDeletions(
      within.map(({ gene, x, width: across }) => ({ start: gene.start, end: gene.end, x, width: across })),
      row.lost.deletions,
    ).map(({ lengthBp, ...part }) => ({ ...part, label: t('loci.deletedBp', { size: lengthBp }) }))
  }
  const numbers = rows.flatMap((locus): { locus: Row; gene: Neighbour | null }[] =>
    locus.genes.length === 0 ? [{ locus, gene: null }] : locus.genes.map((gene) => ({ locus, gene })),
  )
  return (
    <FigureFrame
      title={t('loci.title')}
      name={`neighbourhood-${loci[0]?.gene ?? ''}`}
      receipt={receipt}
      method={t('loci.method', {
        scale,
        gaps: rows.some(({ ends }) => ends !== null) ? 'yes' : 'no',
        most: mostBetween,
        broken: broken.length > 0 ? 'yes' : 'no',
        across: across.size > 0 ? 'yes' : 'no',
      })}
      actions={<GeneSetMenu choices={choices} />}
      numbers={{
        rows: numbers,
        rowKey: ({ locus, gene }) => `${locus.key}/${gene?.id ?? ''}`,
        columns: [
          { key: 'assembly', title: t('loci.assembly'), value: ({ locus }) => nameOf(locus.assembly) },
          { key: 'center', title: t('loci.center'), kind: 'id', value: ({ locus }) => locus.gene },
          {
            key: 'sequence',
            title: t('loci.sequence'),
            kind: 'id',
            value: ({ locus }) => locus.sequence,
            on: ({ locus: { assembly, sequence } }) => (sequence === null ? null : { assembly, sequence }),
          },
          { key: 'gene', title: t('loci.geneId'), kind: 'id', value: ({ gene }) => gene?.id ?? null },
          { key: 'symbol', title: t('loci.symbol'), kind: 'symbol', value: ({ gene }) => gene?.symbol ?? null },
          { key: 'start', title: t('loci.start'), kind: 'number', value: ({ gene }) => gene?.start ?? null },
          { key: 'end', title: t('loci.end'), kind: 'number', value: ({ gene }) => gene?.end ?? null },
          { key: 'strand', title: t('loci.strand'), kind: 'id', value: ({ gene }) => gene?.strand ?? null },
          { key: 'orthogroup', title: t('loci.orthogroup'), kind: 'id', value: ({ gene }) => gene?.orthogroup ?? null },
          {
            key: 'broken',
            title: t('loci.brokenHead'),
            value: ({ gene }) => (gene?.broken === undefined ? null : brokenText(gene)),
          },
          {
            key: 'note',
            title: t('loci.note'),
            value: ({ locus }) => (locus.gene !== null ? null : locus.ends === null ? lackingOf(locus) : gapOf(locus)),
          },
        ],
      }}
    >
      <RoleNote sequences={loci} />
      <div ref={root} className="nv-loci">
        {/* The same names as in the drawing, which scroll with it: these stay. */}
        {scrolls ? (
          <div className="nv-loci-names" aria-hidden>
            {rows.map((locus, row) => (
              <span
                key={locus.key}
                style={{
                  insetBlockStart: tops[row]!,
                  // A row without genes has room for all of its words.
                  ...(locus.sequence === null ? { inlineSize: given, whiteSpace: 'normal' } : {}),
                }}
              >
                <b>{names[row]}</b>{' '}
                {locus.sequence === null ? (
                  <i>{lackingOf(locus)}</i>
                ) : (
                  <i style={{ fontStyle: styleOf(locus.assembly, locus.sequence) }}>{sequences[row]}</i>
                )}
              </span>
            ))}
          </div>
        ) : null}
        <svg data-figure width={width} height={height}>
          <title>{t('loci.title')}</title>
          <CategoryTextures figure={figure} count={marked.length} />
          {drawn.slice(1).map((row, number) => {
            const from = middleY(number) + arrowHeight / 2
            const to = middleY(number + 1) - arrowHeight / 2
            return row.flatMap((below) =>
              drawn[number]!.filter(
                (above) => groupOf(below.gene) !== null && groupOf(above.gene) === groupOf(below.gene),
              ).map((above) => (
                <path
                  key={`${rows[number]!.key}/${below.gene.id}/${above.gene.id}`}
                  d={`M${above.x},${from}H${above.x + above.width}L${below.x + below.width},${to}H${below.x}Z`}
                  fill={categoryColour(numberOf.get(groupOf(below.gene)!) ?? -1)}
                  opacity={0.18}
                />
              )),
            )
          })}
          {rows.map((locus, row) => {
            const y = middleY(row)
            const nameY = tops[row]! + 8
            return (
              <g key={locus.key}>
                <text
                  x={0}
                  y={scrolls ? nameY : y - 7}
                  dominantBaseline="central"
                  fontSize={12}
                  fontWeight={600}
                  fill="var(--figure-ink)"
                >
                  <title>{nameOf(locus.assembly)}</title>
                  {names[row]}
                </text>
                <text
                  x={scrolls ? boldShare * labelWidth(names[row]!, 12) + 6 : 0}
                  y={scrolls ? nameY : y + 9}
                  dominantBaseline="central"
                  fontSize={11}
                  fontStyle={locus.sequence === null ? undefined : styleOf(locus.assembly, locus.sequence)}
                  fill="var(--figure-axis)"
                >
                  <title>{locus.sequence}</title>
                  {locus.sequence === null && scrolls ? lackingOf(locus) : sequences[row]}
                </text>
                <line x1={labelPx} x2={width} y1={y} y2={y} stroke="var(--figure-grid)" />
                {locus.ends === null ? null : (
                  <Gap
                    y={y}
                    ends={endsOf(drawn[row]!, locus, locus.ends, [labelPx, width])}
                    place={placeOf(locus)}
                    parts={partsOf(locus)}
                    label={gapOf(locus)}
                    title={t('loci.gapOf', {
                      gene: loci[0]?.gene ?? '',
                      assembly: nameOf(locus.assembly),
                      partial: isPartial(locus.assembly),
                    })}
                  />
                )}
                {locus.sequence === null && !scrolls ? (
                  <text
                    x={geometry.middle}
                    y={y}
                    textAnchor="middle"
                    dominantBaseline="central"
                    fontSize={11}
                    fill="var(--figure-ink)"
                    stroke="var(--surface)"
                    strokeWidth={6}
                    paintOrder="stroke"
                  >
                    {lackingOf(locus)}
                  </text>
                ) : null}
                {drawn[row]!.map(({ gene, x, width: across, forward }, number) => {
                  const shownGroup = groupOf(gene)
                  const group = shownGroup === null ? undefined : numberOf.get(shownGroup)
                  const own = gene.id === locus.gene
                  const name = gene.symbol ?? gene.id
                  const isNamed = geneNames[row]!.written[number]!
                  const [nameX, nameBottom] = [x + across / 2, y - arrowHeight / 2 - 4]
                  const label = t('loci.gene', {
                    gene: gene.id,
                    symbol: gene.symbol ?? '',
                    group: gene.orthogroup ?? '–',
                    broken: gene.broken === undefined ? 'none' : brokenText(gene),
                  })
                  const open = (): void =>
                    onGene === undefined
                      ? void navigate(geneAddress(gene.id, locus.assembly))
                      : onGene({ id: gene.id, assembly: locus.assembly })
                  return (
                    // biome-ignore lint/a11y/useSemanticElements: an SVG has no anchor that the router knows.
                    <g
                      key={gene.id}
                      role="link"
                      tabIndex={0}
                      className="nv-loci-gene"
                      onClick={open}
                      onKeyDown={(event) => {
                        if (event.key === 'Enter') open()
                      }}
                    >
                      {/* Its name for assistive technology, too: a label beside it would not have a name that is drawn shortened. */}
                      <title>{label}</title>
                      {gene.broken === undefined ? (
                        <path
                          d={arrow(x, y, across, forward)}
                          fill={group === undefined ? 'var(--surface)' : categoryFill(figure, group)}
                          stroke={own ? 'var(--figure-ink)' : group === undefined ? 'var(--line-strong)' : categoryEdge}
                          strokeWidth={own ? 2 : 1}
                        />
                      ) : (
                        <BrokenArrow
                          {...{ x, y, width: across, height: arrowHeight, forward, broken: gene.broken }}
                          toScale={geometry.perBase !== null}
                          fill={group === undefined ? 'var(--surface)' : categoryFill(figure, group)}
                          stroke={own ? 'var(--figure-ink)' : categoryEdge}
                        />
                      )}
                      {/* Above the arrow: no letter is read as well on a dark fill or a texture as on the ground. */}
                      {isNamed ? (
                        <text
                          {...(geneNames[row]!.slanted
                            ? { transform: `translate(${nameX},${nameBottom}) rotate(-${nameSlant})` }
                            : { x: nameX, y: nameBottom, textAnchor: 'middle' as const })}
                          fontSize={geneNamePx}
                          fontStyle={gene.symbol === null ? undefined : 'italic'}
                          fontWeight={own ? 700 : undefined}
                          fill="var(--figure-ink)"
                          stroke="var(--surface)"
                          strokeWidth={2.5}
                          paintOrder="stroke"
                        >
                          {name}
                        </text>
                      ) : null}
                    </g>
                  )
                })}
              </g>
            )
          })}
          {geometry.perBase === null ? null : (
            <ScaleBar x={labelPx} y={rowsHeight + 16} perPx={1 / geometry.perBase} text={format.basePairs} />
          )}
        </svg>
      </div>
      {/* Outside of what is moved sideways, so that all of it is in view. */}
      <ul className="nv-legend nv-loci-legend" data-legend>
        {marked.slice(0, maxLegendEntries).map(({ orthogroup, name, isSymbol, genes }, number) => (
          <li key={orthogroup} title={t('loci.group', { group: orthogroup, count: genes })}>
            <CategorySwatch figure={figure} index={number} />
            <span data-legend-label>
              {isSymbol ? <i>{name}</i> : name} ({orthogroup})
            </span>
          </li>
        ))}
        {broken.map((state) => (
          <li key={state} title={presence(`lead.${state}`)}>
            <BrokenKey state={state} />
            <span data-legend-label>{presence(`state.${state}`)}</span>
          </li>
        ))}
      </ul>
    </FigureFrame>
  )
}
