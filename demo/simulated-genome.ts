import { computePhases } from '../src/bio/annotation/gene-models/gene-model-structure.ts'
import { reverseComplement } from '../src/bio/sequence/sequence.ts'
import { SeededRandom } from './seeded-random.ts'

export interface SimulatedGene {
  id: string
  symbol: string | null
  /** Index into the functions that genes are drawn from. */
  role: number
  /** Genes of one family come from one ancestor by point changes. */
  family: number
  sequence: string
  strand: '+' | '-'
  /** Ascending, 1-based inclusive. */
  exons: { start1: number; end1: number }[]
  cds: { start1: number; end1: number; phase: 0 | 1 | 2 }[]
}

export interface SimulatedGenome {
  sequences: Map<string, string>
  genes: SimulatedGene[]
}

const chromosomeCount = 3
const genesPerChromosome = 100
const familyCount = 180
const roleCount = 24

/** Share of A, C, G, T outside genes: as in many fungi and yeasts. */
const backgroundBases = [0.3, 0.2, 0.2, 0.3] as const

// Sense codons and how often they are used: G or C at the third place more often, as coding regions of such genomes have.
const senseCodons: string[] = []
const codonWeights: number[] = []
for (const first of 'ACGT')
  for (const second of 'ACGT')
    for (const third of 'ACGT') {
      const codon = first + second + third
      if (['TAA', 'TAG', 'TGA'].includes(codon)) continue
      senseCodons.push(codon)
      codonWeights.push((third === 'G' || third === 'C' ? 1.5 : 1) * (first === 'G' ? 1.3 : 1))
    }

const randomBases = (random: SeededRandom, length: number): string => {
  let bases = ''
  for (let i = 0; i < length; i++) bases += random.pickWeighted(['A', 'C', 'G', 'T'], backgroundBases)
  return bases
}

interface Ancestor {
  codons: string[]
  /** Codon numbers before which introns stand. */
  introns: number[]
  role: number
}

function makeAncestor(random: SeededRandom): Ancestor {
  const length = random.between(110, 620)
  const codons = ['ATG']
  while (codons.length < length) codons.push(random.pickWeighted(senseCodons, codonWeights))
  codons.push(random.pick(['TAA', 'TAG', 'TGA']))
  const introns = new Set<number>()
  const count = random.pickWeighted([0, 1, 2, 3, 4], [35, 25, 20, 12, 8])
  while (introns.size < count) introns.add(random.between(8, length - 8))
  return { codons, introns: [...introns].sort((a, b) => a - b), role: random.between(0, roleCount - 1) }
}

/** The ancestor's codons, every tenth or so another one: start and stop stay. */
function diverge(random: SeededRandom, ancestor: Ancestor, share: number): string[] {
  return ancestor.codons.map((codon, i) =>
    i > 0 && i < ancestor.codons.length - 1 && random.chance(share)
      ? random.pickWeighted(senseCodons, codonWeights)
      : codon,
  )
}

interface Layout {
  bases: string
  exons: { start0: number; end0: number }[]
  cds: { start0: number; end0: number }[]
}

/** A gene from its first untranslated base to its last, in its own direction. */
function layOut(random: SeededRandom, codons: readonly string[], introns: readonly number[]): Layout {
  let bases = randomBases(random, random.between(40, 180))
  const exons: Layout['exons'] = []
  const cds: Layout['cds'] = []
  let exonStart0 = 0
  let cdsStart0 = bases.length
  for (const [i, codon] of codons.entries()) {
    if (introns.includes(i)) {
      // Introns stand between codons or within one, in any phase; they begin with GT and end with AG.
      const split = random.between(0, 2)
      bases += codon.slice(0, split)
      exons.push({ start0: exonStart0, end0: bases.length })
      cds.push({ start0: cdsStart0, end0: bases.length })
      bases += `GTATGT${randomBases(random, random.between(45, 240))}TTTCAG`
      exonStart0 = bases.length
      cdsStart0 = bases.length
      bases += codon.slice(split)
    } else bases += codon
  }
  cds.push({ start0: cdsStart0, end0: bases.length })
  bases += `${randomBases(random, random.between(20, 60))}AATAAA${randomBases(random, random.between(15, 160))}`
  exons.push({ start0: exonStart0, end0: bases.length })
  return { bases, exons, cds }
}

const consonants = 'BCDFGHKLMNPRSTVZ'
const vowels = 'AEIOU'

/** A genome of three chromosomes with 100 genes each, the same for the same seed. */
export function simulateGenome(seed: number): SimulatedGenome {
  const random = new SeededRandom(seed)
  const ancestors = Array.from({ length: familyCount }, () => makeAncestor(random))
  const symbols = new Set<string>()
  const sequences = new Map<string, string>()
  const genes: SimulatedGene[] = []
  for (let chromosome = 1; chromosome <= chromosomeCount; chromosome++) {
    const sequence = `chr${chromosome}`
    const pieces = [randomBases(random, random.between(2000, 6000))]
    let at0 = pieces[0]!.length
    for (let number = 1; number <= genesPerChromosome; number++) {
      // The first genes take a family each, so that none is empty; later ones are copies.
      const family = genes.length < familyCount ? genes.length : random.between(0, familyCount - 1)
      const ancestor = ancestors[family]!
      const codons = diverge(random, ancestor, random.fraction() * 0.3)
      const { bases, exons, cds } = layOut(random, codons, ancestor.introns)
      const strand = random.chance(0.5) ? '+' : '-'
      const start0 = at0
      const place = ({ start0: from, end0: to }: { start0: number; end0: number }) =>
        strand === '+'
          ? { start1: start0 + from + 1, end1: start0 + to }
          : { start1: start0 + bases.length - to + 1, end1: start0 + bases.length - from }
      const lengths = cds.map(({ start0: from, end0: to }) => to - from)
      const phases = computePhases(lengths, 0)
      const placedCds = cds.map((part, i) => ({ ...place(part), phase: phases[i]! }))
      const placedExons = exons.map(place)
      if (strand === '-') {
        placedCds.reverse()
        placedExons.reverse()
      }
      genes.push({
        id: `Sim${chromosome}g${String(number * 10).padStart(5, '0')}`,
        symbol: random.chance(0.6) ? makeSymbol(random, symbols) : null,
        role: ancestor.role,
        family,
        sequence,
        strand,
        exons: placedExons,
        cds: placedCds,
      })
      const spacer = randomBases(random, random.between(400, 2400))
      pieces.push(strand === '+' ? bases : reverseComplement(bases), spacer)
      at0 += bases.length + spacer.length
    }
    sequences.set(sequence, pieces.join(''))
  }
  return { sequences, genes }
}

/** Symbols of invented syllables, so that nobody takes them for known genes. */
function makeSymbol(random: SeededRandom, taken: Set<string>): string {
  for (;;) {
    const letters = random.pick([...consonants]) + random.pick([...vowels]) + random.pick([...consonants])
    const symbol = `${letters}${random.between(1, 9)}x`
    if (taken.has(symbol)) continue
    taken.add(symbol)
    return symbol
  }
}

export interface SimulatedVariant {
  sequence: string
  position1: number
  reference: string
  alternative: string
  /** Number of alternative alleles (0, 1, 2) of each sample. */
  genotypes: number[]
}

/** Samples of two populations that differ at a tenth of the sites. */
export function simulateVariants(
  genome: SimulatedGenome,
  seed: number,
  samplesPerPopulation: number,
): SimulatedVariant[] {
  const random = new SeededRandom(seed)
  const variants: SimulatedVariant[] = []
  for (const [sequence, bases] of genome.sequences)
    for (let position1 = random.between(1, 200); position1 <= bases.length; position1 += random.between(20, 260)) {
      const reference = bases[position1 - 1]!
      // Transitions are twice as common as transversions.
      const transition = { A: 'G', G: 'A', C: 'T', T: 'C' }[reference]!
      const alternative = random.chance(0.67)
        ? transition
        : random.pick(['A', 'C', 'G', 'T'].filter((base) => base !== reference && base !== transition))
      // Rare alleles are many, common ones few: density of 1/x between 2 % and 98 %.
      const frequency = 0.02 * 49 ** random.fraction()
      const apart = random.chance(0.1)
      const genotypes: number[] = []
      for (let population = 0; population < 2; population++) {
        const here = apart && population === 1 ? 1 - frequency : frequency
        for (let i = 0; i < samplesPerPopulation; i++)
          genotypes.push(Number(random.chance(here)) + Number(random.chance(here)))
      }
      if (genotypes.some((count) => count > 0))
        variants.push({ sequence, position1, reference, alternative, genotypes })
    }
  return variants
}
