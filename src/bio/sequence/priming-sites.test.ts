import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeRandom } from '../../testing/random.ts'
import { findProducts, type PredictedProduct } from './pcr-products.ts'
import { mayPrime, type PrimingRule, PrimingScanner, type PrimingSite } from './priming-sites.ts'
import { reverseComplement } from './sequence.ts'

const primerBlast: PrimingRule = { minMismatches: 2, minThreePrimeMismatches: 2, threePrimeBp: 5, ignoreMismatches: 6 }

const randomBases = (lengthBp: number, random: () => number): string =>
  Array.from({ length: lengthBp }, () => 'ACGT'[Math.floor(random() * 4)]).join('')

const change = (text: string, at: number): string =>
  `${text.slice(0, at)}${{ A: 'C', C: 'G', G: 'T', T: 'A' }[text[at]!]}${text.slice(at + 1)}`

const scan = (
  primers: string[],
  sequence: string,
  { rule = primerBlast, circular = false, pieceBp = sequence.length } = {},
): PrimingSite[] => {
  const sites: PrimingSite[] = []
  const take = new PrimingScanner(primers, rule).open({ lengthBp: sequence.length, circular }, (site) =>
    sites.push(site),
  )
  for (let at = 0; at < sequence.length; at += pieceBp) take(Buffer.from(sequence.slice(at, at + pieceBp)))
  take(null)
  return sites
}

/** Compares base by base at every place: the definition itself. */
const scanByHand = (primers: string[], sequence: string, rule: PrimingRule): Omit<PrimingSite, never>[] =>
  primers.flatMap((primer, number) =>
    (['+', '-'] as const).flatMap((strand) => {
      const found: PrimingSite[] = []
      for (let start0 = 0; start0 + primer.length <= sequence.length; start0 += 1) {
        const site = sequence.slice(start0, start0 + primer.length)
        const read = strand === '+' ? site : reverseComplement(site)
        let mismatches = 0
        let threePrimeMismatches = 0
        for (let at = 0; at < primer.length; at += 1)
          if (primer[at] !== read[at]) {
            mismatches += 1
            if (at >= primer.length - rule.threePrimeBp) threePrimeMismatches += 1
          }
        if (mayPrime(rule, mismatches, threePrimeMismatches))
          found.push({ primer: number, strand, start0, end0: start0 + primer.length, mismatches, threePrimeMismatches })
      }
      return found
    }),
  )

const inOrder = (sites: PrimingSite[]): string[] => sites.map((site) => JSON.stringify(site)).sort()

const products = (left: string, right: string, sequence: string, circular = false, maxProductBp = 4000) => {
  const sites = scan([left, right], sequence, { circular })
  const found: PredictedProduct[] = []
  findProducts({
    left: sites.filter((site) => site.primer === 0),
    right: sites.filter((site) => site.primer === 1),
    sequence: { lengthBp: sequence.length, circular },
    maxProductBp,
    onProduct: (product) => found.push(product),
  })
  return found
}

describe('places where a primer may prime', () => {
  const random = makeRandom(7)
  const genome = randomBases(30_000, random)
  const primers = Array.from({ length: 12 }, (_, at) => {
    const start = Math.floor(random() * 29_000)
    const primer = genome.slice(start, start + 18 + (at % 8))
    return at % 2 === 0 ? primer : reverseComplement(primer)
  })

  test.each([
    ['the rules of Primer-BLAST', primerBlast],
    ['only perfect 3′ ends', { ...primerBlast, minThreePrimeMismatches: 1 }],
    ['few mismatches wherever they are', { ...primerBlast, minMismatches: 4, minThreePrimeMismatches: 0 }],
    ['many mismatches', { ...primerBlast, ignoreMismatches: 9, minThreePrimeMismatches: 3, threePrimeBp: 8 }],
    ['a short 3′ end', { ...primerBlast, threePrimeBp: 3 }],
  ])('are those of a comparison base by base, with %s', (_, rule) => {
    const expected = scanByHand(primers, genome, rule)
    expect(expected.length).toBeGreaterThanOrEqual(primers.length)
    expect(inOrder(scan(primers, genome, { rule }))).toEqual(inOrder(expected))
  })

  test('are the same whatever the pieces in which the sequence comes', () => {
    expect(inOrder(scan(primers, genome, { pieceBp: 7 }))).toEqual(inOrder(scan(primers, genome)))
  })

  test('count mismatches by where they are: three at the 5′ end may prime, two at the 3′ end may not', () => {
    const primer = 'GATCCTAGGACTTCAGGACT'
    const flank = 'A'.repeat(40)
    const at = (site: string) =>
      scan([primer], flank + site + flank).map(({ mismatches, threePrimeMismatches }) => [
        mismatches,
        threePrimeMismatches,
      ])
    expect(at(primer)).toEqual([[0, 0]])
    expect(at(change(change(change(primer, 0), 3), 6))).toEqual([[3, 0]])
    expect(at(change(primer, 19))).toEqual([[1, 1]])
    expect(at(change(change(primer, 19), 16))).toEqual([])
    expect(at([0, 2, 4, 6, 8, 10].reduce(change, primer))).toEqual([])
  })

  test('an N matches nothing: within the primer it is a mismatch, under its 3′ end it rules the place out', () => {
    const primer = 'GATCCTAGGACTTCAGGACT'
    const within = `TTTT${primer.slice(0, 4)}N${primer.slice(5)}TTTT`
    expect(scan([primer], within)).toMatchObject([{ start0: 4, mismatches: 1, threePrimeMismatches: 0 }])
    expect(scan([primer], `TTTT${primer.slice(0, -1)}NTTTT`)).toEqual([])
  })

  test('soft-masked bases and the ends of a sequence count like others', () => {
    const primer = 'GATCCTAGGACTTCAGGACT'
    expect(scan([primer], primer.toLowerCase())).toMatchObject([{ start0: 0, end0: 20, strand: '+', mismatches: 0 }])
    expect(scan([primer], reverseComplement(primer))).toMatchObject([
      { start0: 0, end0: 20, strand: '-', mismatches: 0 },
    ])
    expect(scan([primer], `${primer}${'C'.repeat(80)}`)).toMatchObject([{ start0: 0 }])
    expect(scan([primer], `${'C'.repeat(80)}${reverseComplement(primer)}`)).toMatchObject([{ start0: 80, strand: '-' }])
  })

  test('a place across the origin of a plasmid is found once, on either strand', () => {
    const primer = 'GATCCTAGGACTTCAGGACT'
    const body = randomBases(300, random)
    const plasmid = primer.slice(8) + body + primer.slice(0, 8)
    expect(scan([primer], plasmid)).toEqual([])
    expect(scan([primer], plasmid, { circular: true })).toMatchObject([
      { start0: 312, end0: 332, strand: '+', mismatches: 0 },
    ])
    expect(scan([primer], reverseComplement(plasmid), { circular: true })).toMatchObject([
      { start0: 312 - 4, strand: '-' },
    ])
  })
})

describe('products of a pair', () => {
  const random = makeRandom(11)
  const left = 'GATCCTAGGACTTCAGGACT'
  const right = 'CCATGGTTACGCAATCGTGA'
  const inner = randomBases(300, random)
  const amplicon = left + inner + reverseComplement(right)

  test('lie between a primer and another that faces it, primers included', () => {
    const sequence = randomBases(500, random) + amplicon + randomBases(500, random)
    expect(products(left, right, sequence)).toMatchObject([
      { start1: 501, end1: 840, lengthBp: 340, forward: 'left', reverse: 'right', forwardMismatches: 0 },
    ])
    expect(products(left, right, reverseComplement(sequence))).toMatchObject([
      { start1: 501, end1: 840, forward: 'right', reverse: 'left' },
    ])
    expect(products(left, right, sequence, false, 339)).toEqual([])
  })

  test('one primer alone can give a product', () => {
    expect(products(left, right, left + inner + reverseComplement(left))).toMatchObject([
      { forward: 'left', reverse: 'left', lengthBp: 340 },
    ])
  })

  test('go across the origin of a plasmid, at most once around', () => {
    const body = randomBases(900, random)
    const cut = 150
    const plasmid = amplicon.slice(cut) + body + amplicon.slice(0, cut)
    expect(products(left, right, plasmid)).toEqual([])
    expect(products(left, right, plasmid, true)).toMatchObject([
      { start1: plasmid.length - cut + 1, end1: plasmid.length + amplicon.length - cut, lengthBp: 340 },
    ])
  })

  test.skipIf(spawnSync('ipcress', ['--version']).error !== undefined)(
    'are those that ipcress finds on a genome with mutated copies',
    () => {
      const directory = mkdtempSync(join(tmpdir(), 'novodb-ipcress-'))
      try {
        const copy = (changes: number[]): string => changes.reduce(change, amplicon)
        const genome = [
          amplicon,
          copy([2]),
          copy([1, 7]),
          copy([4, 338]),
          reverseComplement(copy([0, 3, 6])),
          left + inner.slice(100) + reverseComplement(right),
          left + randomBases(2000, random) + reverseComplement(left),
        ]
          .map((one) => randomBases(5000, random) + one)
          .join('')
        writeFileSync(join(directory, 'genome.fa'), `>chr\n${genome}\n`)
        writeFileSync(join(directory, 'pair.txt'), `pair ${left} ${right} 30 4000\n`)
        // Every place with at most three mismatches, of which we take those that the rule lets prime.
        const lines = execFileSync('ipcress', ['--mismatch', '3', '--pretty', 'false', 'pair.txt', 'genome.fa'], {
          cwd: directory,
          encoding: 'utf8',
        })
          .split('\n')
          .filter((line) => line.startsWith('ipcress:'))
          .map((line) => line.split(' '))
        // Columns of ipcress: sequence, experiment, length, then primer, position counted from 0 and mismatches of either primer.
        const theirs = lines.map((words) => `${Number(words[5]) + 1} ${words[3]} ${words[6]} ${words[9]}`).sort()
        const rule: PrimingRule = { minMismatches: 4, minThreePrimeMismatches: 0, threePrimeBp: 5, ignoreMismatches: 4 }
        const sites = scan([left, right], genome, { rule })
        const ours: string[] = []
        findProducts({
          left: sites.filter((site) => site.primer === 0),
          right: sites.filter((site) => site.primer === 1),
          sequence: { lengthBp: genome.length, circular: false },
          maxProductBp: 4000,
          onProduct: (one) =>
            ours.push(`${one.start1} ${one.lengthBp} ${one.forwardMismatches} ${one.reverseMismatches}`),
        })
        expect(ours.length).toBeGreaterThanOrEqual(7)
        expect(ours.sort()).toEqual(theirs)
      } finally {
        rmSync(directory, { recursive: true })
      }
    },
  )
})
