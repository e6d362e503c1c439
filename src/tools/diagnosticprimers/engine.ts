import { fieldError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { designMarkers } from '../../kit/design-markers.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { gibibyte } from '../../kit/job-resources.ts'
import { primer3Program } from '../../kit/programs.ts'
import { maxPrimer3Runs, primer3Citations } from '../../kit/run-primer3.ts'
import { type CheckedGenome, compareCandidates, judgeCandidate, primingRule, searchCandidates } from './check-pairs.ts'
import { type ChosenGenomes, chooseGenomes, chooseRanges, groupByGene } from './choose-groups.ts'
import { type Candidate, designControls, designPairs } from './design-pairs.ts'
import { findSites, type Place, placeSegment } from './find-sites.ts'
import { findSnps } from './find-snps.ts'
import { routes } from './routes.ts'
import { maxTmRange, suggestMultiplex } from './suggest-multiplex.ts'
import tool, { type DiagnosticInput, type DiagnosticPair, type DiagnosticResult, limits } from './tool.ts'

/** Candidates that are searched for in the genomes: a search of more takes long, and the sites that are likeliest come first. */
const maxCandidates = 96
/** Pairs that nearly discriminate, shown where none does. */
const nearest = 3
/** Genes named under a site. */
const genesNamed = 5
/** Shares of the progress. */
const shares = { sites: 0.1, design: 0.6, control: 0.65, check: 0.95 }

/** KASP assays and CAPS markers of each SNP, as candidates on the reference. */
const designSnps = async (
  genomes: ChosenGenomes,
  ranges: readonly Place[],
  context: EngineContext,
): Promise<{ candidates: Candidate[]; siteCount: number; usedSites: number; scannedBp: number }> => {
  const { data, signal, progress } = context
  const { snps, count, scannedBp } = await findSnps(data, genomes, ranges, {
    signal,
    onProgress: (fraction) => progress(shares.sites * fraction, 'step.sites'),
  })
  progress(shares.sites, 'step.designing')
  const markers = await designMarkers(
    snps.map(({ template }) => template),
    context,
    (fraction) => progress(shares.sites + (shares.design - shares.sites) * fraction, 'step.designing'),
  )
  const candidates: Candidate[] = []
  let usedSites = 0
  for (const [at, { kasp, caps }] of markers.entries()) {
    const snp = snps[at]!
    if (kasp.length + caps.length > 0) usedSites += 1
    const site = {
      kind: 'snp' as const,
      start: snp.position1,
      end: snp.position1,
      lengthBp: 0,
      alleles: { target: snp.target, spare: snp.spare },
    }
    const shared = {
      assembly: genomes.reference,
      sequence: snp.sequence,
      complAny: null,
      complEnd: null,
      site,
      lost: null,
    }
    const [assay] = kasp
    if (assay !== undefined) {
      const oligos = [
        { role: 'fam' as const, ...assay.reference },
        { role: 'hex' as const, ...assay.alternate },
        { role: 'common' as const, ...assay.common },
      ]
      candidates.push({
        ...shared,
        kind: 'kasp',
        oligos,
        start: Math.min(...oligos.map(({ start }) => start)),
        end: Math.max(...oligos.map(({ end }) => end)),
        productBp: assay.productBp,
        penalty: assay.penalty,
        enzyme: null,
      })
    }
    const [marker] = caps
    if (marker !== undefined)
      candidates.push({
        ...shared,
        kind: 'caps',
        oligos: [
          { role: 'forward', ...marker.left },
          { role: 'reverse', ...marker.right },
        ],
        start: marker.left.start,
        end: marker.right.end,
        productBp: marker.productBp,
        // Few pieces are read most easily, and a primer without a changed base is the safer one.
        penalty:
          marker.fragments.reference.length + marker.fragments.alternate.length + (marker.derived === null ? 0 : 1),
        enzyme: {
          name: marker.enzyme,
          site: marker.site,
          cuts: marker.cutAllele === 'reference' ? 'target' : 'spare',
          derived: marker.derived,
        },
      })
  }
  return { candidates, siteCount: count, usedSites, scannedBp }
}

type Judged = Candidate & Pick<DiagnosticPair, 'outcomes' | 'discriminates' | 'sure'>

/** The best of each site first, then the second of each: pairs that fail together are not shown together. */
const chooseBest = (judged: readonly Judged[], count: number): Judged[] => {
  const bySite = new Map<string, Judged[]>()
  for (const one of judged) {
    const key = `${one.kind} ${one.sequence} ${one.site.start} ${one.site.end}`
    const own = bySite.get(key)
    if (own === undefined) bySite.set(key, [one])
    else own.push(one)
  }
  const rounds = [...bySite.values()].flatMap((list) => list.map((one, round) => ({ one, round })))
  return rounds
    .sort((a, b) => a.round - b.round || compareCandidates(a.one, b.one))
    .slice(0, count)
    .map(({ one }) => one)
    .sort(compareCandidates)
}

const finish = async ({ lost, ...judged }: Judged, rank: number, reference: string, data: PortalData) => {
  const { site } = judged
  const genesOf = lost === null ? judged.assembly : reference
  const place = lost ?? { sequence: judged.sequence, start1: site.start, end1: Math.max(site.start, site.end) }
  const genes = await data.listGenesInRegion(genesOf, place.sequence, place.start1, place.end1, genesNamed + 1)
  return {
    ...judged,
    rank,
    site: {
      ...site,
      genesOf,
      genes: genes.slice(0, genesNamed).map(({ id, symbol }) => ({ id, symbol })),
      moreGenes: genes.length > genesNamed,
    },
  }
}

const run = async (asked: DiagnosticInput, context: EngineContext): Promise<DiagnosticResult> => {
  const { data, signal, progress, receipt } = context
  progress(null, 'step.reading')
  for (const [low, high, field] of [
    [asked.tmMin, asked.tmOpt, 'tmOpt'],
    [asked.tmOpt, asked.tmMax, 'tmMax'],
    [asked.productMin, asked.productMax, 'productMax'],
  ] as const)
    if (low > high) throw fieldError([field], 'problem.order')
  const input = await groupByGene(asked, data)
  const genomes = await chooseGenomes(input, data)
  const { ranges, region } = await chooseRanges(input, genomes, data)
  const home = genomes.target.includes(genomes.reference) ? genomes.reference : genomes.target[0]!
  progress(0, 'step.sites')
  let found: { candidates: Candidate[]; siteCount: number; usedSites: number; scannedBp: number | null }
  if (input.method === 'snp') found = await designSnps(genomes, ranges, context)
  else {
    const within =
      region === null
        ? null
        : await placeSegment(
            data,
            region.assembly,
            { sequence: region.sequence, start1: region.start1, end1: region.end1 },
            home,
          )
    const { sites, count } = await findSites(data, genomes, home, ranges, {
      within,
      minIndelBp: input.method === 'size' ? input.minDifference : null,
      signal,
      onProgress: (fraction) => progress(shares.sites * fraction, 'step.sites'),
    })
    progress(shares.sites, 'step.designing')
    const designed = await designPairs(sites.slice(0, limits.sites), home, genomes, input, context, (fraction) =>
      progress(shares.sites + (shares.design - shares.sites) * fraction, 'step.designing'),
    )
    found = { ...designed, siteCount: count, scannedBp: null }
  }
  const isGel = input.method !== 'snp'
  progress(shares.design, 'step.control')
  const controls =
    input.control && isGel && found.candidates.length > 0
      ? await designControls(
          genomes,
          (await chooseRanges({ ...input, region: '' }, genomes, data)).ranges,
          input,
          context,
        )
      : []
  progress(shares.control, 'step.checking')
  const checked: CheckedGenome[] = [
    ...genomes.target.map((assembly) => ({ assembly, group: 'target' as const })),
    ...genomes.sized.map((assembly) => ({ assembly, group: 'sized' as const })),
    ...genomes.spare.map((assembly) => ({ assembly, group: 'spare' as const })),
    ...genomes.others.map((assembly) => ({ assembly, group: 'other' as const })),
  ]
  const candidates = found.candidates.slice(0, maxCandidates)
  const { outcomes, searchedBp } = await searchCandidates([...candidates, ...controls], checked, {
    amplifiedBp: input.amplifiedBp,
    data,
    signal,
    onProgress: (fraction) => progress(shares.control + (shares.check - shares.control) * fraction, 'step.checking'),
  })
  const bounds = { minDifferenceBp: input.minDifference, sizeMethod: input.method === 'size' }
  const judged = candidates
    .map((candidate, at): Judged => ({ ...candidate, ...judgeCandidate(candidate, outcomes[at]!, bounds) }))
    .sort(compareCandidates)
  const discriminating = judged.filter((one) => one.discriminates)
  const nearlyThere = judged.slice(0, Math.min(nearest, input.pairs))
  const shown =
    discriminating.length === 0
      ? nearlyThere
      : (['pcr', 'kasp', 'caps'] as const).flatMap((kind) =>
          chooseBest(
            discriminating.filter((one) => one.kind === kind),
            input.pairs,
          ),
        )
  const pairs: DiagnosticPair[] = []
  for (const [at, one] of shown.entries()) pairs.push(await finish(one, at + 1, genomes.reference, data))
  const judgedControls = controls
    .map(
      (candidate, at): Judged => ({
        ...candidate,
        ...judgeCandidate(candidate, outcomes[candidates.length + at]!, bounds),
      }),
    )
    .filter((one) => one.discriminates)
    .sort(compareCandidates)
  progress(shares.check, 'step.multiplex')
  // The control that goes with the best pair: its band stands apart from that pair's.
  const [best] = pairs
  const apart = judgedControls.filter(
    (one) => best === undefined || Math.abs(one.productBp - best.productBp) >= 2 * input.minDifference,
  )
  const chosenControl = apart[0] ?? judgedControls[0]
  const control = chosenControl === undefined ? null : await finish(chosenControl, 0, genomes.reference, data)
  const multiplex = isGel ? await suggestMultiplex(pairs, control, input.multiplex, input.minDifference, context) : null

  for (const { assembly } of checked) receipt.addData(assembly)
  receipt.addStep({
    program: 'NovoDB diagnostic primers',
    version: String(tool.version),
    formula: `places at which all genomes to be amplified differ from all others, from the whole-genome alignments; primers by primer3; products in every genome by in-silico PCR: places with fewer than ${primingRule.ignoreMismatches} mismatches, and fewer than ${primingRule.minMismatches} or fewer than ${primingRule.minThreePrimeMismatches} in the last ${primingRule.threePrimeBp} bases at the 3' end, up to ${input.amplifiedBp} bp; a product is expected with at most 3 mismatches of both primers; sizes that differ by ${input.minDifference} bp or more are distinguished; multiplex: melting temperatures within ${maxTmRange} degrees C`,
  })
  for (const citation of primer3Citations) receipt.cite(citation)
  receipt.cite({
    text: 'Ye J et al. (2012) Primer-BLAST: a tool to design target-specific primers for polymerase chain reaction. BMC Bioinformatics 13:134',
    doi: '10.1186/1471-2105-13-134',
  })
  receipt.cite({
    text: 'Li H. Minimap2: pairwise alignment for nucleotide sequences. Bioinformatics 34, 3094-3100 (2018).',
    doi: '10.1093/bioinformatics/bty191',
  })
  if (pairs.some(({ kind }) => kind === 'caps'))
    receipt.cite({
      text: 'Roberts RJ et al. (2015) REBASE: a database for DNA restriction and modification. Nucleic Acids Res 43:D298-D299',
      doi: '10.1093/nar/gku1046',
    })
  return {
    method: input.method,
    species: genomes.species,
    reference: genomes.reference,
    groups: { target: [...genomes.target], spare: genomes.spare, sized: genomes.sized },
    others: genomes.others,
    leftOut: genomes.leftOut,
    region:
      region === null
        ? null
        : { assembly: region.assembly, sequence: region.sequence, start: region.start1, end: region.end1 },
    siteCount: found.siteCount,
    usedSites: found.usedSites,
    designed: candidates.length,
    discriminating: discriminating.length,
    scannedBp: found.scannedBp,
    pairs,
    control,
    multiplex,
    searchedBp,
    minDifference: input.minDifference,
    amplifiedBp: input.amplifiedBp,
  }
}

export default defineEngine({
  tool,
  resources: () => ({ cores: maxPrimer3Runs, memoryBytes: 4 * gibibyte }),
  programs: [primer3Program],
  run,
  routes,
})
