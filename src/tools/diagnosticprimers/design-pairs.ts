import type { BoulderRecord, DesignedPair } from '../../bio/sequence/boulder.ts'
import { primer3webSettings } from '../../bio/sequence/primer3web-settings.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { runPrimer3 } from '../../kit/run-primer3.ts'
import type { Groups, Place, Site } from './find-sites.ts'
import type { DiagnosticInput, DiagnosticPair, Oligo } from './tool.ts'

type Data = Pick<PortalData, 'alignments' | 'getSequence' | 'fetchSequence'>

/** A pair before it was searched for in the genomes. */
export type Candidate = Pick<
  DiagnosticPair,
  | 'kind'
  | 'oligos'
  | 'assembly'
  | 'sequence'
  | 'start'
  | 'end'
  | 'productBp'
  | 'penalty'
  | 'complAny'
  | 'complEnd'
  | 'enzyme'
> & {
  site: Omit<DiagnosticPair['site'], 'genes' | 'moreGenes' | 'genesOf'>
  /** Bases of the reference that the amplified genomes lack. */
  lost: Place | null
}

/** Pairs that are asked for at one site: the first may fail in a genome that its template does not know. */
const pairsPerSite = 4
/** A longer unique segment is parted into so many templates, so that pairs lie in different places of it. */
const tilesPerSite = 3
const tileBp = 3000
/** Genomes whose differences from the template are masked before primers are chosen; the others are left to the search. */
const maskedGenomes = 12
/** Windows that are tried for a pair that amplifies everywhere. */
const controlWindows = 12
const pairsPerWindow = 2
const controlBp = 1500
/** Primers beside a difference need so much of the product, and as much again to be chosen from. */
const besideBp = 50

/** Of the progress: templates are read and masked before primer3 is asked. */
const readShare = 0.3

/** What primer3 is told of every design. */
const settingsOf = (input: DiagnosticInput, sizes: string, count: number): BoulderRecord => ({
  ...primer3webSettings,
  PRIMER_NUM_RETURN: String(count),
  PRIMER_PRODUCT_SIZE_RANGE: sizes,
  PRIMER_MIN_TM: String(input.tmMin),
  PRIMER_OPT_TM: String(input.tmOpt),
  PRIMER_MAX_TM: String(input.tmMax),
  // Pairs that overlap are one for who looks for others.
  PRIMER_MIN_THREE_PRIME_DISTANCE: '10',
})

interface Template extends Place {
  site: Candidate['site']
  lost: Place | null
  tags: BoulderRecord
  sizes: string
}

/** Templates of a site on its genome: within or at unique bases, around what the others have more, or across a junction. */
const templatesOf = (site: Site, lengthBp: number, input: DiagnosticInput): Template[] => {
  const { productMin, productMax, amplifiedBp, method } = input
  const { sequence } = site
  const segmentBp = site.end1 - site.start1 + 1
  const described = (kind: DiagnosticPair['site']['kind']): Template['site'] => ({
    kind,
    start: site.start1,
    end: site.end1,
    lengthBp: site.lengthBp,
    alleles: null,
  })
  const around = (flankBp: number): Place => ({
    sequence,
    start1: Math.max(1, site.start1 - flankBp),
    end1: Math.min(lengthBp, site.end1 + flankBp),
  })
  if (method === 'size' || site.kind !== 'unique') {
    // Both primers beside the difference: its size is that of the products' difference.
    const insideBp = site.kind === 'lost' && site.lengthBp < 0 && segmentBp <= 2 ? 0 : segmentBp
    const smallest = Math.max(productMin, insideBp + besideBp)
    // Around a difference that is longer than products should be, the size that was asked for is that of the product without it.
    const largest =
      smallest + besideBp > productMax ? Math.max(productMax, Math.min(amplifiedBp, insideBp + productMax)) : productMax
    if (smallest > largest) return []
    const place = around(Math.min(productMax, 600))
    const kind = method === 'size' ? (site.lengthBp > 0 ? 'longer' : 'shorter') : site.kind
    return [
      {
        ...place,
        site: described(kind),
        lost: site.lost,
        tags: { SEQUENCE_TARGET: `${site.start1 - place.start1 + 1},${segmentBp}` },
        sizes: `${smallest}-${largest}`,
      },
    ]
  }
  const sizes = `${productMin}-${productMax}`
  if (segmentBp >= Math.max(2 * productMin, 300)) {
    const tiles = segmentBp <= tileBp ? 1 : Math.min(tilesPerSite, Math.floor(segmentBp / tileBp))
    return Array.from({ length: tiles }, (_, at) => {
      const from = site.start1 + Math.floor((at * segmentBp) / tiles)
      return {
        sequence,
        start1: from,
        end1: Math.min(site.end1, from + Math.min(tileBp, Math.floor(segmentBp / tiles)) - 1),
        site: described('unique'),
        lost: null,
        tags: {},
        sizes,
      }
    })
  }
  const place = around(Math.min(productMax, 400))
  const inside = `${site.start1 - place.start1 + 1},${segmentBp}`
  return [
    {
      ...place,
      site: described('unique'),
      lost: null,
      // One primer at least lies within the bases that the others lack.
      tags: { SEQUENCE_PRIMER_PAIR_OK_REGION_LIST: `${inside},, ; ,,${inside}` },
      sizes,
    },
  ]
}

/** The bases of a place, N where another of the genomes has something else as far as it is aligned. */
const readMasked = async (data: Data, home: string, place: Place, genomes: readonly string[]): Promise<string> => {
  const bases = (await data.fetchSequence(home, place.sequence, place.start1, place.end1)).toUpperCase()
  const others = genomes.filter((id) => id !== home).slice(0, maskedGenomes)
  if (others.length === 0) return bases
  const masked = bases.split('')
  for (const { assembly, loci } of await data.alignments.trace({ assembly: home, ...place }, others)) {
    const [locus] = loci
    if (locus === undefined || locus.segments.length === 0) continue
    const theirs = (await data.fetchSequence(assembly, locus.sequence, locus.start, locus.end)).toUpperCase()
    const complement: Record<string, string> = { A: 'T', C: 'G', G: 'C', T: 'A' }
    for (const { source0, other0, lengthBp } of locus.segments)
      for (let at = 0; at < lengthBp; at += 1) {
        const index = source0 + at - (place.start1 - 1)
        const there = locus.strand === '+' ? other0 + at : other0 + lengthBp - 1 - at
        const letter = theirs[there - (locus.start - 1)]
        const base = locus.strand === '+' || letter === undefined ? letter : complement[letter]
        if (index >= 0 && index < masked.length && base !== bases[index]) masked[index] = 'N'
      }
  }
  return masked.join('')
}

const oligosOf = (pair: DesignedPair, start1: number): Oligo[] =>
  (
    [
      ['forward', pair.left, '+'],
      ['reverse', pair.right, '-'],
    ] as const
  ).map(([role, oligo, strand]) => ({
    role,
    sequence: oligo.sequence.toUpperCase(),
    start: start1 + oligo.start - 1,
    end: start1 + oligo.end - 1,
    strand,
    tm: oligo.tm,
    gcPercent: oligo.gcPercent,
  }))

const candidateOf = (kind: Candidate['kind'], home: string, template: Template, pair: DesignedPair): Candidate => ({
  kind,
  oligos: oligosOf(pair, template.start1),
  assembly: home,
  sequence: template.sequence,
  start: template.start1 + pair.left.start - 1,
  end: template.start1 + pair.right.end - 1,
  productBp: pair.productBp,
  penalty: pair.penalty,
  complAny: pair.complAny,
  complEnd: pair.complEnd,
  site: template.site,
  lost: template.lost,
  enzyme: null,
})

/**
 * Pairs at each site, by primer3; a site's best come first, then the second of each, so that a bound leaves some of every site. Primers
 * are kept off bases in which genomes that they must amplify differ.
 */
export const designPairs = async (
  sites: readonly Site[],
  home: string,
  groups: Groups,
  input: DiagnosticInput,
  context: EngineContext,
  onProgress: (fraction: number) => void,
): Promise<{ candidates: Candidate[]; usedSites: number }> => {
  const { data, signal } = context
  const amplified = input.method === 'size' ? [...groups.target, ...groups.other] : groups.target
  const templates: Template[] = []
  for (const site of sites)
    templates.push(...templatesOf(site, (await data.getSequence(home, site.sequence)).lengthBp, input))
  const records: BoulderRecord[] = []
  for (const [at, template] of templates.entries()) {
    signal.throwIfAborted()
    const { sequence, start1, end1 } = template
    records.push({
      SEQUENCE_ID: `site-${at + 1}`,
      SEQUENCE_TEMPLATE: await readMasked(data, home, { sequence, start1, end1 }, amplified),
      ...template.tags,
      ...settingsOf(input, template.sizes, pairsPerSite),
    })
    onProgress((readShare * (at + 1)) / templates.length)
  }
  const designs = await runPrimer3(records, context, {
    name: 'sites',
    onDone: (done) => onProgress(readShare + ((1 - readShare) * done) / records.length),
  })
  const candidates: Candidate[] = []
  for (let rank = 0; rank < pairsPerSite; rank += 1)
    for (const [at, { pairs }] of designs.entries()) {
      const pair = pairs[rank]
      if (pair !== undefined) candidates.push(candidateOf('pcr', home, templates[at]!, pair))
    }
  return { candidates, usedSites: designs.filter(({ pairs }) => pairs.length > 0).length }
}

/** Pairs in bases that all genomes have aligned, for a product in each of them. */
export const designControls = async (
  groups: Groups,
  ranges: readonly Place[],
  input: DiagnosticInput,
  context: EngineContext,
): Promise<Candidate[]> => {
  const { data, signal } = context
  const { reference } = groups
  const genomes = [...new Set([...groups.target, ...groups.other])]
  const longest = [...ranges].sort((a, b) => b.end1 - b.start1 - (a.end1 - a.start1))[0]
  if (longest === undefined) return []
  const { sequence, start1, end1 } = longest
  const templates: Template[] = []
  for (let number = 0; number < controlWindows; number += 1) {
    signal.throwIfAborted()
    const from1 = start1 + Math.floor(((number + 0.5) * (end1 - start1 + 1)) / controlWindows)
    const place = { sequence, start1: from1, end1: Math.min(end1, from1 + controlBp - 1) }
    if (place.end1 - place.start1 < input.productMin) continue
    const spans = await data.alignments.listSpans({ assembly: reference, ...place })
    const isEverywhere = genomes.every(
      (id) =>
        id === reference ||
        (spans.find((one) => one.assembly === id)?.spans ?? []).some(
          (span) => span.state === 'aligned' && span.start <= place.start1 && span.end >= place.end1,
        ),
    )
    if (!isEverywhere) continue
    templates.push({
      ...place,
      site: { kind: 'conserved', start: place.start1, end: place.end1, lengthBp: 0, alleles: null },
      lost: null,
      tags: {},
      sizes: `${input.productMin}-${input.productMax}`,
    })
  }
  const records: BoulderRecord[] = []
  for (const [at, template] of templates.entries())
    records.push({
      SEQUENCE_ID: `control-${at + 1}`,
      SEQUENCE_TEMPLATE: await readMasked(
        data,
        reference,
        { sequence, start1: template.start1, end1: template.end1 },
        genomes,
      ),
      ...settingsOf(input, template.sizes, pairsPerWindow),
    })
  const designs = await runPrimer3(records, context, { name: 'control' })
  return designs.flatMap(({ pairs }, at) =>
    pairs.map((pair) => candidateOf('control', reference, templates[at]!, pair)),
  )
}
