import { isOrtholog } from '../../bio/comparative/orthology.ts'
import { createCombiner, isTransferred, plainChannel } from '../../bio/networks/interaction-scores.ts'
import { onlyTransferred } from '../../bio/networks/interaction-tables.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { OpenInteractions } from './open-network.ts'
import type { Interolog, NetworkEdge } from './tool.ts'

/** An interaction from the side of one gene. */
export interface Link extends Omit<NetworkEdge, 'a' | 'b'> {
  partner: string
}

/** Where interactions come from: those that pass, by gene. */
export interface LinkSource {
  linksOf(genes: readonly string[]): Promise<Map<string, Link[]>>
}

export interface Filter {
  /** 0 to 1, of data sets with scores. */
  minimumScore: number
  /** Of data sets that count records. */
  minimumRecords: number
  evidence: readonly string[]
  transferred: boolean
}

/** The score of a pair by the evidence that counts, in the units of the stored values; 0 when there is none. */
export const scorePairs = (
  { layout, channels, measure }: OpenInteractions['dataset'],
  { evidence, transferred }: Pick<Filter, 'evidence' | 'transferred'>,
): ((values: ArrayLike<number>, first: number) => number) => {
  const chosen = new Set(evidence)
  const counts = (channel: string): boolean =>
    (chosen.size === 0 || chosen.has(plainChannel(channel))) && (transferred || !isTransferred(channel))
  const kinds = channels.filter((channel) => channel !== 'homology')
  // With all evidence the file's own score stands.
  if (kinds.every(counts)) return (values, first) => values[first]!
  if (layout === 'string') {
    const combine = createCombiner(channels, counts)
    return (values, first) => combine(values, first + 1)
  }
  const indexes = channels.flatMap((channel, at) => (counts(channel) ? [at + 1] : []))
  return measure === 'score'
    ? (values, first) => indexes.reduce((max, at) => Math.max(max, values[first + at]!), 0)
    : (values, first) => indexes.reduce((sum, at) => sum + values[first + at]!, 0)
}

/** The least stored value that passes. */
export const minValue = (measure: OpenInteractions['dataset']['measure'], filter: Filter): number =>
  measure === 'score' ? Math.max(1, Math.round(filter.minimumScore * 1000)) : filter.minimumRecords

/** The interactions of a data set that pass. Genes asked for again come from memory. */
export const openOwnLinks = (open: OpenInteractions, filter: Filter): LinkSource => {
  const { dataset, columns, genes, rows } = open
  const scoreOf = scorePairs(dataset, filter)
  const min = minValue(dataset.measure, filter)
  const unit = dataset.measure === 'score' ? 1000 : 1
  const known = new Map<string, Link[]>()
  return {
    linksOf: async (wanted) => {
      const missing = wanted.filter((gene) => !known.has(gene) && rows.has(gene))
      const read = await open.readPartners(missing.map((gene) => rows.get(gene)!))
      for (const [at, gene] of missing.entries()) {
        const { partners, values } = read[at]!
        const links: Link[] = []
        for (const [index, partner] of partners.entries()) {
          const score = scoreOf(values, index * columns)
          if (score < min) continue
          const evidence = Array.from(
            values.subarray(index * columns + 1, (index + 1) * columns),
            (value) => value / unit,
          )
          links.push({
            partner: genes[partner]!,
            score: score / unit,
            evidence,
            transferred: onlyTransferred(dataset.channels, evidence),
            interolog: null,
          })
        }
        known.set(gene, links)
      }
      return new Map(wanted.map((gene) => [gene, known.get(gene) ?? []]))
    },
  }
}

interface Ortholog {
  gene: string
  /** Percent. */
  identity: number
}

/**
 * Interactions of another assembly between orthologs of two genes (interologs: Walhout et al. 2000, doi:10.1126/science.287.5450.116),
 * with the joint identity of Yu et al. 2004 (doi:10.1101/gr.1774904): the geometric mean of the identities of the two pairs. Of several
 * pairs the one of the highest score, then of the highest joint identity, is told.
 */
export const openInterologs = (
  data: PortalData,
  assembly: string,
  other: OpenInteractions,
  filter: Filter & { minimumIdentity: number },
): LinkSource => {
  const links = openOwnLinks(other, filter)
  const there = new Map<string, Ortholog[]>()
  const here = new Map<string, Ortholog[]>()
  const findOrthologs = async (
    from: string,
    to: string,
    genes: readonly string[],
    known: Map<string, Ortholog[]>,
  ): Promise<void> => {
    const missing = [...new Set(genes)].filter((gene) => !known.has(gene))
    for (const gene of missing) known.set(gene, [])
    if (missing.length === 0) return
    for (const { gene, homologs } of await data.listHomologs(from, missing))
      known.set(
        gene,
        homologs
          .filter((one) => one.assembly === to && isOrtholog(one))
          .map((one) => ({ gene: one.gene, identity: one.identity })),
      )
  }
  const found = new Map<string, Link[]>()
  return {
    linksOf: async (wanted) => {
      const missing = wanted.filter((gene) => !found.has(gene))
      await findOrthologs(assembly, other.assembly, missing, there)
      const otherLinks = await links.linksOf([
        ...new Set(missing.flatMap((gene) => (there.get(gene) ?? []).map((one) => one.gene))),
      ])
      await findOrthologs(
        other.assembly,
        assembly,
        [...otherLinks.values()].flatMap((own) => own.map(({ partner }) => partner)),
        here,
      )
      for (const gene of missing) {
        const best = new Map<string, Interolog>()
        for (const a of there.get(gene) ?? [])
          for (const { partner, score } of otherLinks.get(a.gene) ?? [])
            for (const b of here.get(partner) ?? []) {
              if (b.gene === gene) continue
              const jointIdentity = Math.sqrt(a.identity * b.identity)
              if (jointIdentity < filter.minimumIdentity) continue
              const before = best.get(b.gene)
              const better =
                before === undefined ||
                score > before.score ||
                (score === before.score && jointIdentity > before.jointIdentity)
              const pairs = (before?.pairs ?? 0) + 1
              best.set(
                b.gene,
                better
                  ? {
                      assembly: other.assembly,
                      dataset: other.dataset.id,
                      a: a.gene,
                      b: partner,
                      score,
                      pairs,
                      jointIdentity: Number(jointIdentity.toFixed(1)),
                    }
                  : { ...before, pairs },
              )
            }
        found.set(
          gene,
          [...best].map(([partner, interolog]) => ({
            partner,
            score: interolog.score,
            evidence: null,
            transferred: true,
            interolog,
          })),
        )
      }
      return new Map(wanted.map((gene) => [gene, found.get(gene) ?? []]))
    },
  }
}

/** Own interactions, to which interologs are added: a pair that both have keeps its own score and says that it is conserved. */
export const joinSources = (sources: readonly LinkSource[]): LinkSource => ({
  linksOf: async (genes) => {
    const all = await Promise.all(sources.map((source) => source.linksOf(genes)))
    return new Map(
      genes.map((gene) => {
        const links = new Map<string, Link>()
        for (const one of all)
          for (const link of one.get(gene) ?? []) {
            const before = links.get(link.partner)
            links.set(link.partner, before === undefined ? link : { ...before, interolog: link.interolog })
          }
        return [gene, [...links.values()]]
      }),
    )
  },
})

/** The genes with the highest sum of scores towards those of the network; equal ones in the order of their ids. */
const rankPartners = (links: Map<string, Link[]>, inside: ReadonlySet<string>): string[] => {
  const sums = new Map<string, number>()
  for (const own of links.values())
    for (const { partner, score } of own) if (!inside.has(partner)) sums.set(partner, (sums.get(partner) ?? 0) + score)
  return [...sums].sort(([x, a], [y, b]) => b - a || (x < y ? -1 : 1)).map(([gene]) => gene)
}

export interface FoundNetwork {
  /** Genes asked for that interact, then the first shell, then the second. */
  genes: { id: string; shell: number }[]
  edges: NetworkEdge[]
  edgeTotal: number
  partnerTotal: number
  /** Genes asked for without any interaction that passes. */
  alone: string[]
}

/**
 * The genes asked for, the partners that have most to do with them, the partners that have most to do with all of these, and what joins
 * them.
 */
export const findNetwork = async (
  guides: readonly string[],
  source: LinkSource,
  { firstShell, secondShell, maxEdges }: { firstShell: number; secondShell: number; maxEdges: number },
  signal: AbortSignal,
): Promise<FoundNetwork> => {
  const inside = new Set(guides)
  const links = await source.linksOf(guides)
  const first = rankPartners(links, inside)
  const shells: { id: string; shell: number }[] = guides.map((id) => ({ id, shell: 0 }))
  const addShell = (ranked: string[], count: number, shell: number): void => {
    for (const id of ranked.slice(0, count)) {
      inside.add(id)
      shells.push({ id, shell })
    }
  }
  addShell(first, firstShell, 1)
  signal.throwIfAborted()
  if (secondShell > 0) addShell(rankPartners(await source.linksOf([...inside]), inside), secondShell, 2)
  signal.throwIfAborted()
  const indexes = new Map(shells.map(({ id }, at) => [id, at]))
  const edges = new Map<number, NetworkEdge>()
  for (const [gene, own] of await source.linksOf([...inside])) {
    const from = indexes.get(gene)!
    for (const { partner, ...link } of own) {
      const to = indexes.get(partner)
      if (to === undefined) continue
      const [a, b] = from < to ? [from, to] : [to, from]
      const key = a * shells.length + b
      if (edges.has(key)) continue
      // What was transferred is told in the order of the edge's own genes.
      const turned =
        from > to && link.interolog !== null
          ? { ...link.interolog, a: link.interolog.b, b: link.interolog.a }
          : link.interolog
      edges.set(key, { a, b, ...link, interolog: turned })
    }
  }
  const sorted = [...edges.values()].sort((x, y) => y.score - x.score || x.a - y.a || x.b - y.b)
  return {
    genes: shells,
    edges: sorted.slice(0, maxEdges),
    edgeTotal: sorted.length,
    partnerTotal: first.length,
    alone: guides.filter((gene) => (links.get(gene) ?? []).length === 0),
  }
}
