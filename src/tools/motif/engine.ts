import { setImmediate } from 'node:timers/promises'
import { countBackground, type EncodedSequences, encodeSequences } from '../../bio/motif/encoded-sequences.ts'
import {
  type BackgroundModel,
  BackgroundTextError,
  backgroundOfModel,
  parseBackgroundModel,
} from '../../bio/motif/motif-background.ts'
import { describeConsensus, iupacBases, type Motif } from '../../bio/motif/motif-formats.ts'
import { countTests, scanSequences } from '../../bio/motif/motif-scan.ts'
import {
  type Background,
  makeBackground,
  nrdbFrequencies,
  type ScoringMatrix,
  scoreInBits,
  scoreMatrix,
  thresholdScore,
} from '../../bio/motif/motif-scores.ts'
import { parseFastaText } from '../../bio/sequence/fasta.ts'
import { listIllegalLetters } from '../../bio/sequence/illegal-letters.ts'
import { adjustByBenjaminiHochberg } from '../../bio/statistics/multiple-testing.ts'
import { hypergeometricTail, rankSumGreater } from '../../bio/statistics/set-tests.ts'
import { createNamer } from '../../bio/text/unique-names.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { splitIdentifiers } from '../../contracts/tools/tool.ts'
import { findAssemblyOfGenes } from '../../kit/data/find-assembly.ts'
import type { NameProblem } from '../../kit/data/genes/find-genes.ts'
import type { LocatedRecord } from '../../kit/data/genes/locate-records.ts'
import { minPromoterBp } from '../../kit/data/genes/promoter-region.ts'
import { OtherRulesList } from '../../kit/data/genes/promoter-rules.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { findMotifs } from './find-motifs.ts'
import { type Promoter, readPromoters } from './promoters.ts'
import { routes } from './routes.ts'
import { describeSite, type ScannedSequence, writeSites } from './site-file.ts'
import { SiteList } from './site-list.ts'
import tool, { limits, type MotifInput, type MotifResult, type MotifSearchResult } from './tool.ts'

/** Shares of the progress: reading promoters, scanning; the rest is writing. */
const readShare = 0.1
const scanShare = 0.85
/** After so long the scan lets others have their turn: progress, and being cancelled. */
const turnMs = 50
/** Of fewer motifs the index takes longer than it saves. */
const minForIndex = 10
/** Problems of names that are told; all are counted. */
const shownProblems = 200

interface Scanned {
  sequences: ScannedSequence[]
  /** The first so many are scanned for sites, the others are the background of the enrichment. */
  asked: number
  compares: boolean
  assembly: string | null
  species: string | null
  gcFraction: number | null
  problems: NameProblem[]
}

const ofPromoter = ({ name, record, bases, insideBp, relativeStart }: Promoter): ScannedSequence => ({
  name,
  bases,
  gene: record.gene.id,
  symbol: record.gene.symbol,
  record,
  insideBp,
  relativeStart,
  repeated: false,
})

/** Marks what is the same segment of the genome as a sequence before it: genes of an operon share their promoter. */
const markRepeated = (sequences: readonly ScannedSequence[]): void => {
  const seen = new Set<string>()
  for (const sequence of sequences) {
    if (sequence.record === null) continue
    const { gene, pieces } = sequence.record
    const key = JSON.stringify([gene.sequence, pieces])
    sequence.repeated = seen.has(key)
    seen.add(key)
  }
}

const readPasted = (text: string): ScannedSequence[] => {
  if (text.trim() === '') throw fieldError(['sequence'], 'sequence.none')
  const { records, log, alphabet } = parseFastaText(text)
  if (alphabet === 'protein') throw fieldError(['sequence'], 'sequence.notBases')
  const illegal = listIllegalLetters(log)
  if (illegal !== null) throw fieldError(['sequence'], 'sequence.illegal', { ...illegal })
  const filled = records.filter(({ sequence }) => sequence !== '')
  if (filled.length === 0) throw fieldError(['sequence'], 'sequence.none')
  const nameOf = createNamer()
  return filled.map(({ name, sequence }) => ({
    name: nameOf(name),
    bases: sequence,
    gene: null,
    symbol: null,
    record: null,
    insideBp: 0,
    relativeStart: null,
    repeated: false,
  }))
}

/** The input with the assembly of its genes where none was chosen. */
const withAssembly = async (input: MotifInput, data: PortalData): Promise<MotifInput> => {
  if (input.assembly !== undefined || input.source !== 'genes' || input.genes === undefined) return input
  const assembly = await findAssemblyOfGenes(data, input.genes, 'genes')
  if (assembly === null && input.genes.length > 0)
    throw fieldError(['genes'], 'genes.nowhere', { first: input.genes[0] ?? '' })
  return assembly === null ? input : { ...input, assembly }
}

const readSequences = async (input: MotifInput, context: EngineContext): Promise<Scanned> => {
  const { data, signal } = context
  const assembly = input.assembly === undefined ? null : await data.getAssembly(input.assembly)
  const about = {
    assembly: assembly?.id ?? null,
    species: assembly?.species ?? null,
    gcFraction: assembly?.gcFraction ?? null,
  }
  if (input.source === 'sequence') {
    const sequences = readPasted(input.sequence)
    return { ...about, sequences, asked: sequences.length, compares: false, problems: [] }
  }
  if (assembly === null) throw fieldError(['assembly'], 'assembly.needed')
  if (input.upstreamBp + input.insideBp === 0) throw fieldError(['upstreamBp'], 'problem.noLength')
  const names = input.source === 'all' ? null : (input.genes ?? [])
  if (names !== null && names.length === 0) throw fieldError(['genes'], 'genes.none')
  const compares = names !== null && input.enrichment
  const backgroundGenes = splitIdentifiers(input.backgroundGenes)
  if (backgroundGenes.length > limits.genes)
    throw fieldError(['backgroundGenes'], 'backgroundGenes.tooMany', { limit: limits.genes })
  const { promoters, asked, problems } = await readPromoters(
    names,
    compares ? (backgroundGenes.length > 0 ? backgroundGenes : 'all') : null,
    {
      assembly: assembly.id,
      choice: input,
      codingOnly: input.codingOnly,
      maxBp: limits.scannedBp,
    },
    data,
    signal,
    (fraction) => context.progress(readShare * fraction, 'step.promoters'),
  )
  if (asked === 0) throw fieldError(['assembly'], 'assembly.noGenes', { assembly: assembly.id })
  context.receipt.addData(assembly.id)
  const sequences = promoters.map(ofPromoter)
  markRepeated(sequences)
  return {
    ...about,
    sequences,
    asked,
    compares: compares && sequences.slice(asked).some(({ repeated }) => !repeated),
    problems,
  }
}

/** The model that was given, or an error beside its field. */
const readModel = (input: MotifInput): BackgroundModel => {
  try {
    const model = parseBackgroundModel(input.backgroundModel)
    if (input.order === '1' && model.pairs === null) throw fieldError(['order'], 'order.notInModel')
    return model
  } catch (error) {
    if (error instanceof BackgroundTextError)
      throw fieldError(['backgroundModel'], `backgroundModel.${error.reason}`, { ...error.params })
    throw error
  }
}

const chooseBackground = (
  input: MotifInput,
  model: BackgroundModel | null,
  scanned: Scanned,
  encoded: EncodedSequences,
): Background => {
  const order = Number(input.order) as 0 | 1
  if (input.background === 'sequences') return countBackground(encoded, order, input.bothStrands)
  if (model !== null) return backgroundOfModel(model, order, input.bothStrands)
  if (order === 1) throw fieldError(['order'], 'order.onlySequences')
  if (input.background === 'uniform') return makeBackground([1, 1, 1, 1], input.bothStrands)
  if (input.background === 'nrdb') return makeBackground(nrdbFrequencies, input.bothStrands)
  const gc = scanned.gcFraction
  // A genome is read from both strands: it has as much C as G.
  if (gc === null) throw fieldError(['background'], 'background.needsAssembly')
  return makeBackground([(1 - gc) / 2, gc / 2, gc / 2, (1 - gc) / 2], input.bothStrands)
}

/**
 * Scaled score from which a place is told. Of a consensus word every exact match is, however little the word tells, and none that scores
 * less where `inexact` is off.
 */
const chooseThreshold = (
  motif: Motif,
  matrix: ScoringMatrix,
  { pValue, inexact }: Pick<MotifInput, 'pValue' | 'inexact'>,
): { threshold: number; state: MotifResult['state'] } => {
  const threshold = thresholdScore(matrix, pValue)
  if (motif.consensus !== null) {
    let exact = 0
    for (const [position, letter] of [...motif.consensus].entries())
      exact += Math.min(...[...iupacBases[letter]!].map((base) => matrix.scaled[4 * position + 'ACGT'.indexOf(base)]!))
    if (exact < threshold || !inexact) return { threshold: exact, state: 'exact' }
  }
  return { threshold, state: threshold > matrix.best ? 'weak' : 'ok' }
}

/** Whether the word at a place has a letter of the consensus at every position; of any other motif every word does. */
const exactTest = (
  motif: Motif,
  encoded: EncodedSequences,
): ((sequence: number, start0: number, strand: '+' | '-') => boolean) => {
  if (motif.consensus === null) return () => true
  const allowed = [...motif.consensus].map((letter) => [...iupacBases[letter]!].map((base) => 'ACGT'.indexOf(base)))
  return (sequence, start0, strand) => {
    const from = encoded.starts[sequence]! + start0
    return allowed.every((codes, position) =>
      strand === '+'
        ? codes.includes(encoded.codes[from + position]!)
        : codes.includes(3 - encoded.codes[from + allowed.length - 1 - position]!),
    )
  }
}

/** Whether a motif reads the same on both strands, so that each of its sites would be found on either. */
const isPalindrome = ({ scaled, width }: ScoringMatrix): boolean =>
  scaled.every((score, at) => score === scaled[4 * (width - 1 - Math.floor(at / 4)) + 3 - (at % 4)])

const sixDigits = (value: number): number => Number(value.toPrecision(6))

/** The scan of one motif: what is told of it, and its sites at the end of the list. */
const scanMotif = (
  motif: Motif,
  number: number,
  input: MotifInput,
  scanned: Scanned,
  encoded: EncodedSequences,
  background: Background,
  sites: SiteList,
): { result: MotifResult; matrix: ScoringMatrix } => {
  const { asked, sequences, compares } = scanned
  const matrix = scoreMatrix(motif, background, input.pseudocount)
  const { threshold, state } = chooseThreshold(motif, matrix, input)
  // Of a palindrome a second strand would give every site twice. Where a base depends on the one before it, the strands differ.
  const bothStrands = input.bothStrands && !(input.order === '0' && isPalindrome(matrix))
  const isExact = exactTest(motif, encoded)
  const from = sites.count
  const has = new Uint8Array(sequences.length)
  const best = scanSequences(matrix, encoded, {
    bothStrands,
    threshold,
    wantsBest: compares,
    onSite: (sequence, start0, strand, scaled) => {
      if (!input.inexact && !isExact(sequence, start0, strand)) return
      has[sequence] = 1
      if (sequence < asked) sites.add(number, sequence, start0, strand === '-', scaled, matrix.tail[scaled]!)
    },
  })
  if (sites.count > limits.sites)
    throw new PortalError('ENGINE_LIMIT', { message: 'problem.tooManySites', params: { limit: limits.sites } })
  const tests = countTests(encoded, matrix.width, bothStrands, (sequence) => sequence < asked)
  const qValues = adjustByBenjaminiHochberg(sites.pValue.subarray(from, sites.count), tests)
  sites.motifQValue.set(qValues, from)
  let enrichment: MotifResult['enrichment'] = null
  if (best !== null) {
    const counted = [...sequences.keys()].filter((at) => !sequences[at]!.repeated)
    const count = (group: readonly number[]) => ({
      found: group.reduce((sum, at) => sum + has[at]!, 0),
      all: group.length,
    })
    const inSet = counted.filter((at) => at < asked)
    const inBackground = counted.slice(inSet.length)
    const set = count(inSet)
    const other = count(inBackground)
    const scores = (group: readonly number[]) => Float64Array.from(group, (at) => best[at]!)
    const rankSum = rankSumGreater(scores(inSet), scores(inBackground))
    enrichment = {
      set,
      background: other,
      fold: other.found === 0 ? null : sixDigits(set.found / set.all / (other.found / other.all)),
      pValue: hypergeometricTail({
        found: set.found,
        drawn: set.all,
        marked: set.found + other.found,
        total: set.all + other.all,
      }),
      adjustedPValue: 1,
      rankSum: { z: sixDigits(rankSum.z), pValue: rankSum.pValue, adjustedPValue: 1 },
    }
  }
  const reached = Math.min(threshold, matrix.best)
  return {
    matrix,
    result: {
      id: motif.id,
      name: motif.name,
      width: matrix.width,
      siteCount: motif.siteCount,
      consensus: motif.consensus ?? describeConsensus(motif.frequencies),
      frequencies: motif.frequencies.map((row) => row.map((value) => Number(value.toFixed(6)))),
      state,
      pLimit: state === 'exact' ? sixDigits(matrix.tail[threshold]!) : input.pValue,
      minPValue: sixDigits(matrix.tail[matrix.best]!),
      threshold: sixDigits(scoreInBits(matrix, reached)),
      tests,
      sites: 0,
      sequences: 0,
      bestPValue: null,
      enrichment,
    },
  }
}

const addAdjusted = (motifs: readonly MotifResult[]): void => {
  const tested = motifs.flatMap(({ enrichment }) => (enrichment === null ? [] : [enrichment]))
  const counts = adjustByBenjaminiHochberg(tested.map(({ pValue }) => pValue))
  const ranks = adjustByBenjaminiHochberg(tested.map(({ rankSum }) => rankSum.pValue))
  for (const [at, enrichment] of tested.entries()) {
    enrichment.adjustedPValue = sixDigits(counts[at]!)
    enrichment.rankSum.adjustedPValue = sixDigits(ranks[at]!)
    enrichment.pValue = sixDigits(enrichment.pValue)
    enrichment.rankSum.pValue = sixDigits(enrichment.rankSum.pValue)
  }
}

const describePromoters = ({ from, upstreamBp, insideBp, clip }: MotifInput): string =>
  [
    `${upstreamBp} bases before and ${insideBp} after the ${from === 'coding' ? 'start codon' : 'transcription start'}`,
    ...(clip
      ? [
          `to the neighbouring gene; where that leaves fewer than ${minPromoterBp}: from the start codon to the neighbour's coding sequence, else (bacteria, archaea, plastids) before the first gene of the operon, else into the neighbour`,
        ]
      : []),
  ].join(', ')

/** Whether the model of a coding gene begins with its start codon; null of a gene that codes for nothing. */
const beginsWithCodon = ({ gene, transcript }: LocatedRecord): boolean | null => {
  const own = transcript ?? gene.transcripts.find(({ cds }) => cds.length > 0) ?? null
  if (own === null || own.cds.length === 0) return null
  return gene.strand === '-'
    ? Math.max(...own.cds.map(([, end]) => end)) >= own.end
    : Math.min(...own.cds.map(([start]) => start)) <= own.start
}

/** A transcription start that every model has at its start codon is none that was annotated. */
const anchorOf = (input: MotifInput, sequences: readonly ScannedSequence[]): MotifSearchResult['anchor'] => {
  if (input.source === 'sequence') return null
  const known = sequences.flatMap(({ record }) => (record === null ? [] : (beginsWithCodon(record) ?? [])))
  return input.from === 'coding' || (known.length > 0 && known.every((begins) => begins)) ? 'coding' : 'transcript'
}

const listOtherRules = (sequences: readonly ScannedSequence[]): MotifSearchResult['otherRules'] => {
  const list = new OtherRulesList()
  for (const { record } of sequences) if (record !== null) list.add(record)
  return list.get()
}

const citeAll = (receipt: EngineContext['receipt'], compares: boolean): void => {
  receipt.cite({
    text: 'Grant CE, Bailey TL, Noble WS (2011) FIMO: scanning for occurrences of a given motif. Bioinformatics 27:1017-1018',
    doi: '10.1093/bioinformatics/btr064',
  })
  receipt.cite({
    text: 'Staden R (1989) Methods for calculating the probabilities of finding patterns in sequences. Comput Appl Biosci 5:89-96',
    doi: '10.1093/bioinformatics/5.2.89',
  })
  receipt.cite({
    text: 'Benjamini Y, Hochberg Y (1995) Controlling the false discovery rate: a practical and powerful approach to multiple testing. J R Stat Soc B 57:289-300',
    doi: '10.1111/j.2517-6161.1995.tb02031.x',
  })
  if (compares)
    receipt.cite({
      text: 'Mann HB, Whitney DR (1947) On a test of whether one of two random variables is stochastically larger than the other. Ann Math Stat 18:50-60',
      doi: '10.1214/aoms/1177730491',
    })
}

export default defineEngine({
  tool,
  programs: [],
  run: async (given, context): Promise<MotifSearchResult> => {
    const { signal } = context
    const input = await withAssembly(given, context.data)
    context.progress(0, 'step.promoters')
    // What is wrong with the motifs or the background is told before promoters are read.
    const model = input.background === 'own' ? readModel(input) : null
    const species = input.assembly === undefined ? null : (await context.data.getAssembly(input.assembly)).species
    const { motifs, collection } = await findMotifs(input, species, context.data)
    const scanned = await readSequences(input, context)
    const { sequences, asked, compares } = scanned
    const scannedBp = sequences.reduce((sum, { bases }) => sum + bases.length, 0)
    if (scannedBp * motifs.length * (input.bothStrands ? 2 : 1) > limits.comparisons)
      throw new PortalError('ENGINE_LIMIT', { message: 'problem.tooMuchWork', params: { limit: limits.comparisons } })
    const encoded = encodeSequences(
      sequences.map(({ bases }) => bases),
      motifs.length >= minForIndex,
    )
    const background = chooseBackground(input, model, scanned, encoded)
    const sites = new SiteList()
    const results: MotifResult[] = []
    const matrices: ScoringMatrix[] = []
    const ranges: number[] = [0]
    let turned = Date.now()
    for (const [number, motif] of motifs.entries()) {
      const { result, matrix } = scanMotif(motif, number, input, scanned, encoded, background, sites)
      results.push(result)
      // The table of p-values is the most of it, and the sites have theirs.
      matrices.push({ ...matrix, tail: new Float64Array(0) })
      ranges.push(sites.count)
      if (Date.now() - turned < turnMs) continue
      await setImmediate()
      signal.throwIfAborted()
      context.progress(readShare + (scanShare * (number + 1)) / motifs.length, 'step.scanning')
      turned = Date.now()
    }
    addAdjusted(results)
    context.progress(readShare + scanShare, 'step.writing')
    const tests = results.reduce((sum, one) => sum + one.tests, 0)
    const qValues = adjustByBenjaminiHochberg(sites.pValue.subarray(0, sites.count), tests)
    const passes = (at: number): boolean => qValues[at]! <= input.qValue
    const perSequence = new Uint32Array(asked)
    const minOf = new Float64Array(asked).fill(1)
    for (const [number, result] of results.entries()) {
      const seen = new Set<number>()
      for (let at = ranges[number]!; at < ranges[number + 1]!; at++) {
        if (!passes(at)) continue
        const sequence = sites.sequence[at]!
        const pValue = sites.pValue[at]!
        result.sites += 1
        result.bestPValue = Math.min(result.bestPValue ?? 1, pValue)
        seen.add(sequence)
        perSequence[sequence]! += 1
        minOf[sequence] = Math.min(minOf[sequence]!, pValue)
      }
      result.sequences = seen.size
      if (result.bestPValue !== null) result.bestPValue = sixDigits(result.bestPValue)
    }
    const order = sites.inOrder().filter(passes)
    const table = { sites, qValues, order, sequences, results, matrices }
    await writeSites(context.directory, table, signal)
    const withSites = [...perSequence.keys()]
      .filter((at) => perSequence[at]! > 0)
      .sort((a, b) => minOf[a]! - minOf[b]! || a - b)
    context.receipt.addStep({
      program: 'NovoDB motif scan',
      version: String(tool.version),
      formula: [
        `log2((f·n + ${input.pseudocount}·b) / (n + ${input.pseudocount}) / b) as whole numbers of 0..1000 a position (FIMO)`,
        `p by dynamic programming under ${background.order === 0 ? 'order 0' : 'order 1'}, A C G T = ${background.bases.map((value) => value.toPrecision(4)).join(' ')} (${input.background}${model === null ? '' : ` model of order ${model.order}`})`,
        `q by Benjamini-Hochberg over ${tests} places × strands × motifs`,
      ].join('; '),
    })
    const counts = {
      set: sequences.slice(0, asked).filter(({ repeated }) => !repeated).length,
      background: sequences.slice(asked).filter(({ repeated }) => !repeated).length,
    }
    if (input.source !== 'sequence')
      context.receipt.addStep({
        program: 'NovoDB promoters',
        version: String(tool.version),
        formula: describePromoters(input),
      })
    if (compares)
      context.receipt.addStep({
        program: 'NovoDB enrichment of motifs',
        version: String(tool.version),
        formula: `hypergeometric upper tail of promoters with a site at p <= ${input.pValue}; Mann-Whitney of the best score, normal approximation with ties and continuity correction; ${counts.set} promoters against ${counts.background}, a stretch that several genes share counted once; Benjamini-Hochberg over ${motifs.length} motifs`,
      })
    citeAll(context.receipt, compares)
    return {
      assembly: scanned.assembly,
      collection,
      motifs: results,
      sequenceCount: asked,
      anchor: anchorOf(input, sequences.slice(0, asked)),
      sequencesWithSites: withSites.length,
      sequences: withSites.slice(0, limits.shownSequences).map((at) => {
        const { name, gene, symbol, bases, relativeStart, record } = sequences[at]!
        const rule = record === null ? null : (record.flank?.rule ?? 'asked')
        return { name, gene, symbol, lengthBp: bases.length, relativeStart, sites: perSequence[at]!, rule }
      }),
      genesWithSites: [...new Set(withSites.flatMap((at) => sequences[at]!.gene ?? []))],
      siteCount: order.length,
      sites: [...order.subarray(0, limits.shownSites)].map((at) => describeSite(table, at)),
      tests,
      scannedBp: sequences.slice(0, asked).reduce((sum, { bases }) => sum + bases.length, 0),
      otherRules: listOtherRules(sequences.slice(0, asked)),
      repeatedCount: asked - counts.set,
      backgroundCount: compares ? counts.background : null,
      background: {
        kind: input.background,
        order: background.order,
        bases: [...background.bases],
        transitions: background.transitions === null ? null : [...background.transitions],
        modelOrder: model?.order ?? null,
      },
      problems: scanned.problems.slice(0, shownProblems),
      problemCount: scanned.problems.length,
    }
  },
  routes,
})
