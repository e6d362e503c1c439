import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BgzfWriter } from '../src/store/bgzf.ts'
import type { SeededRandom } from './seeded-random.ts'

/** A site with two alleles. */
export interface Site {
  sequence: string
  position1: number
  reference: string
  alternative: string
}

/** Haploid genotypes of simulated accessions. */
export interface Genotypes {
  accessions: readonly string[]
  /** In the order of the file they are written to. */
  sites: readonly Site[]
  /** One byte a site and accession, all accessions of a site together: 0 reference, 1 alternative, or `unknownAllele`. */
  alleles: Uint8Array
}

export const unknownAllele = 2

/** Genotypes of which some are unknown: each accession loses its own share of its genotypes, around `share` on average. */
export function hideAlleles({ accessions, sites, alleles }: Genotypes, share: number, random: SeededRandom): Genotypes {
  // From a quarter to seven quarters of the mean: some accessions were read better than others.
  const shares = accessions.map(() => share * (0.25 + 1.5 * random.fraction()))
  const known = Uint8Array.from(alleles)
  for (let at = 0; at < known.length; at++)
    if (random.chance(shares[at % accessions.length]!)) known[at] = unknownAllele
  return { accessions, sites, alleles: known }
}

/** Counts of the two alleles at a site. */
export function countAlleles(
  { accessions, alleles }: Genotypes,
  site: number,
): [reference: number, alternative: number] {
  const counts: [number, number] = [0, 0]
  for (let at = site * accessions.length; at < (site + 1) * accessions.length; at++)
    if (alleles[at] !== unknownAllele) counts[alleles[at] as 0 | 1]++
  return counts
}

const bytesPerPiece = 1 << 20
const calls = ['\t0', '\t1', '\t.']

/** Writes genotypes as VCF 4.3, bgzip-compressed. `lengths` of the sequences in file order; `about` becomes `##source`. */
export async function writeGenotypes(
  file: string,
  genotypes: Genotypes,
  lengths: ReadonlyMap<string, number>,
  about: string,
): Promise<void> {
  const { accessions, sites, alleles } = genotypes
  const head = [
    '##fileformat=VCFv4.3',
    `##source=${about}`,
    '##FILTER=<ID=PASS,Description="All filters passed">',
    '##FORMAT=<ID=GT,Number=1,Type=String,Description="Haploid genotype (simulated)">',
    ...[...lengths].map(([name, lengthBp]) => `##contig=<ID=${name},length=${lengthBp}>`),
    ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...accessions].join('\t'),
  ]
  await mkdir(dirname(file), { recursive: true })
  const writer = await BgzfWriter.create(file)
  try {
    let piece = `${head.join('\n')}\n`
    for (const [number, { sequence, position1, reference, alternative }] of sites.entries()) {
      piece += `${sequence}\t${position1}\t.\t${reference}\t${alternative}\t.\tPASS\t.\tGT`
      for (let at = number * accessions.length; at < (number + 1) * accessions.length; at++)
        piece += calls[alleles[at]!]
      piece += '\n'
      if (piece.length < bytesPerPiece) continue
      await writer.write(Buffer.from(piece, 'latin1'))
      piece = ''
    }
    await writer.write(Buffer.from(piece, 'latin1'))
    await writer.finish()
  } catch (thrown) {
    await writer.abort()
    throw thrown
  }
}

// PLINK 1 binary genotypes: two bits an individual, the first in the lowest bits; 0 two copies of allele 1 (here the alternative),
// 1 unknown, 3 two copies of allele 2 (https://www.cog-genomics.org/plink/1.9/formats#bed).
const plinkMagic = Uint8Array.of(0x6c, 0x1b, 0x01)
const plinkCodes = [3, 0, 1]

/**
 * Writes genotypes as PLINK 1 files (`stem`.bed, .bim, .fam) with phenotypes in the sixth column of the .fam and those after it; null
 * where there is none. A haploid genotype is written as two copies of its allele. Sites are named `sequence:position`.
 */
export async function writePlink(
  stem: string,
  { accessions, sites, alleles }: Genotypes,
  phenotypes: readonly (readonly (number | null)[])[],
): Promise<void> {
  const bytesPerSite = Math.ceil(accessions.length / 4)
  const bed = new Uint8Array(plinkMagic.length + sites.length * bytesPerSite)
  bed.set(plinkMagic)
  for (let site = 0; site < sites.length; site++)
    for (let i = 0; i < accessions.length; i++)
      bed[plinkMagic.length + site * bytesPerSite + (i >> 2)]! |=
        plinkCodes[alleles[site * accessions.length + i]!]! << (2 * (i & 3))
  await mkdir(dirname(stem), { recursive: true })
  await writeFile(`${stem}.bed`, bed)
  const bim = sites.map(({ sequence, position1, reference, alternative }) =>
    [sequence, `${sequence}:${position1}`, 0, position1, alternative, reference].join('\t'),
  )
  await writeFile(`${stem}.bim`, `${bim.join('\n')}\n`)
  const fam = accessions.map((name, i) =>
    [name, name, 0, 0, 0, ...phenotypes.map((values) => values[i] ?? 'NA')].join('\t'),
  )
  await writeFile(`${stem}.fam`, `${fam.join('\n')}\n`)
}
