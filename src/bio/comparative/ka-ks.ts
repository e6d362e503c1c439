/**
 * Synonymous and nonsynonymous differences of two coding sequences by the method of Nei & Gojobori 1986, Molecular Biology and
 * Evolution 3:418. Sites and paths as PAML's yn00 counts them for its "NG86" (Yang 2007, Molecular Biology and Evolution 24:1586).
 */

import { alignProteins } from '../alignment/protein-alignment.ts'
import { geneticCodes } from '../sequence/genetic-codes.ts'

interface KaKs {
  /** Codons compared: those that both have whole, without gaps, ambiguous bases or stops. */
  codons: number
  synonymousSites: number
  nonsynonymousSites: number
  synonymousDifferences: number
  nonsynonymousDifferences: number
  /** Substitutions a site after Jukes and Cantor; null where the share of differences is 3/4 or more, or there is no site. */
  ks: number | null
  ka: number | null
  /** Ka / Ks; null where one is, or Ks is 0. */
  omega: number | null
}

const bases = 'TCAG'
const baseNumbers = new Uint8Array(256).fill(255)
for (const [number, base] of [...bases].entries()) {
  baseNumbers[base.charCodeAt(0)] = number
  baseNumbers[base.toLowerCase().charCodeAt(0)] = number
}
for (const letter of 'Uu') baseNumbers[letter.charCodeAt(0)] = 0

/** Number of a codon in the order of the code tables, or -1. */
const codonAt = (sequence: string, at: number): number => {
  const [p, q, r] = [0, 1, 2].map((step) => baseNumbers[sequence.charCodeAt(at + step) & 255]!) as [
    number,
    number,
    number,
  ]
  return p > 3 || q > 3 || r > 3 ? -1 : p * 16 + q * 4 + r
}

interface CodonCounts {
  aminoAcids: string
  /** Synonymous and other sites of each codon: thirds of its changes; those to stops belong to neither. */
  same: Float64Array
  other: Float64Array
  /** Synonymous and nonsynonymous differences of each pair of codons. */
  synonymous: Float64Array
  nonsynonymous: Float64Array
}

const steps = [16, 4, 1]
const withBase = (codon: number, position: number, base: number): number => {
  const step = steps[position]!
  return codon + (base - (Math.floor(codon / step) % 4)) * step
}
const baseOf = (codon: number, position: number): number => Math.floor(codon / steps[position]!) % 4

const countCodons = (table: number): CodonCounts => {
  const code = geneticCodes.get(table)
  if (code === undefined) throw new RangeError(`There is no genetic code ${table}.`)
  const { aminoAcids } = code
  const same = new Float64Array(64)
  const other = new Float64Array(64)
  for (let codon = 0; codon < 64; codon += 1) {
    if (aminoAcids[codon] === '*') continue
    for (let position = 0; position < 3; position += 1)
      for (let base = 0; base < 4; base += 1) {
        const changed = withBase(codon, position, base)
        if (changed === codon || aminoAcids[changed] === '*') continue
        if (aminoAcids[changed] === aminoAcids[codon]) same[codon]! += 1 / 3
        else other[codon]! += 1 / 3
      }
  }
  const synonymous = new Float64Array(4096)
  const nonsynonymous = new Float64Array(4096)
  for (let from = 0; from < 64; from += 1)
    for (let to = 0; to < 64; to += 1) {
      if (aminoAcids[from] === '*' || aminoAcids[to] === '*') continue
      const [s, n] = averagePaths(from, to, aminoAcids)
      synonymous[from * 64 + to] = s
      nonsynonymous[from * 64 + to] = n
    }
  return { aminoAcids, same, other, synonymous, nonsynonymous }
}

/** Means over the shortest paths from one codon to the other that pass no stop; over all where every one does. */
const averagePaths = (from: number, to: number, aminoAcids: string): [number, number] => {
  const differing = [0, 1, 2].filter((position) => baseOf(from, position) !== baseOf(to, position))
  const paths: { synonymous: number; stops: boolean }[] = []
  const walk = (codon: number, left: number[], synonymous: number, stops: boolean): void => {
    if (left.length === 0) {
      paths.push({ synonymous, stops })
      return
    }
    for (const position of left) {
      const next = withBase(codon, position, baseOf(to, position))
      walk(
        next,
        left.filter((one) => one !== position),
        synonymous + (aminoAcids[next] === aminoAcids[codon] ? 1 : 0),
        stops || aminoAcids[next] === '*',
      )
    }
  }
  walk(from, differing, 0, false)
  const open = paths.filter(({ stops }) => !stops)
  const counted = open.length > 0 ? open : paths
  const mean = counted.reduce((sum, path) => sum + path.synonymous, 0) / counted.length
  return [mean, differing.length - mean]
}

const kept = new Map<number, CodonCounts>()
const countsOf = (table: number): CodonCounts => {
  let counts = kept.get(table)
  if (counts === undefined) {
    counts = countCodons(table)
    kept.set(table, counts)
  }
  return counts
}

/** Jukes and Cantor 1969. */
const correct = (differences: number, sites: number): number | null => {
  if (sites === 0) return null
  const share = differences / sites
  return share >= 0.75 ? null : Math.abs(-0.75 * Math.log(1 - (4 * share) / 3))
}

/**
 * Ka and Ks of two aligned coding sequences of equal length, in frame from the first base; `table` is the NCBI number of their genetic
 * code.
 *
 * Example: `countKaKs('CTTATG', 'CTCATG')`: 2 codons, 1 synonymous difference, of 1.33 synonymous sites.
 */
export const countKaKs = (first: string, second: string, table = 1): KaKs => {
  const { aminoAcids, same, other, synonymous, nonsynonymous } = countsOf(table)
  let codons = 0
  let sameSites = 0
  let otherSites = 0
  let synonymousDifferences = 0
  let nonsynonymousDifferences = 0
  for (let at = 0; at + 3 <= Math.min(first.length, second.length); at += 3) {
    const a = codonAt(first, at)
    const b = codonAt(second, at)
    if (a === -1 || b === -1 || aminoAcids[a] === '*' || aminoAcids[b] === '*') continue
    codons += 1
    sameSites += (same[a]! + same[b]!) / 2
    otherSites += (other[a]! + other[b]!) / 2
    synonymousDifferences += synonymous[a * 64 + b]!
    nonsynonymousDifferences += nonsynonymous[a * 64 + b]!
  }
  // What the changes to stops would hold is shared out over the whole sequence, so that the sites are all its bases.
  const synonymousSites = codons === 0 ? 0 : (3 * codons * sameSites) / (sameSites + otherSites)
  const nonsynonymousSites = 3 * codons - synonymousSites
  const ks = correct(synonymousDifferences, synonymousSites)
  const ka = correct(nonsynonymousDifferences, nonsynonymousSites)
  return {
    codons,
    synonymousSites,
    nonsynonymousSites,
    synonymousDifferences,
    nonsynonymousDifferences,
    ks,
    ka,
    omega: ks === null || ka === null || ks === 0 ? null : ka / ks,
  }
}

/** Residues one a codon, so that every letter of a row stands for three bases; stops and unknown codons are X. */
const translateAll = (cds: string, aminoAcids: string): string => {
  let protein = ''
  for (let at = 0; at + 3 <= cds.length; at += 3) {
    const codon = codonAt(cds, at)
    const residue = codon === -1 ? 'X' : aminoAcids[codon]!
    protein += residue === '*' ? 'X' : residue
  }
  return protein
}

const spread = (row: string, cds: string): string => {
  let at = 0
  let codons = ''
  for (const letter of row) {
    codons += letter === '-' ? '---' : cds.slice(at, at + 3)
    if (letter !== '-') at += 3
  }
  return codons
}

/**
 * Aligns two coding sequences codon by codon along the alignment of their proteins. Null when one is empty or they are too long to be
 * aligned (see `alignProteins`).
 *
 * Example: `alignCodons('ATGAAAGTT', 'ATGGTT')` is `['ATGAAAGTT', 'ATG---GTT']`.
 */
export const alignCodons = (first: string, second: string, table = 1): [string, string] | null => {
  const { aminoAcids } = countsOf(table)
  const rows = alignProteins(translateAll(first, aminoAcids), translateAll(second, aminoAcids))
  return rows === null ? null : [spread(rows[0], first), spread(rows[1], second)]
}
