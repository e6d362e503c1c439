import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRandomBelow } from './random.ts'

// Small species for tests of homologs: proteins are random and long enough to be found, genomes are lists of them.

const residues = 'ACDEFGHIKLMNPQRSTVWY'
const codons: Record<string, string> = Object.fromEntries(
  'A GCT C TGC D GAC E GAA F TTC G GGT H CAC I ATC K AAA L CTG M ATG N AAC P CCG Q CAG R CGT S TCC T ACC V GTT W TGG Y TAC'
    .split(' ')
    .flatMap((word, at, all) => (at % 2 === 0 ? [[word, all[at + 1]!]] : [])),
)

export const makeProtein = (seed: number, length = 150): string => {
  const random = makeRandomBelow(seed * 7919)
  return `M${Array.from({ length: length - 1 }, () => residues[random(20)]!).join('')}`
}

/** A protein with a share of its residues changed. */
export const mutate = (protein: string, share: number, seed: number): string => {
  const random = makeRandomBelow(seed)
  return [...protein].map((one, at) => (at > 0 && random(1000) < share * 1000 ? residues[random(20)]! : one)).join('')
}

export interface TestGenome {
  assembly: string
  /** Genes in order; `strand` is + when absent. */
  genes: { id: string; protein: string; strand?: '+' | '-'; symbol?: string }[]
}

const reverse = (bases: string): string =>
  [...bases]
    .reverse()
    .map((base) => ({ A: 'T', C: 'G', G: 'C', T: 'A' })[base]!)
    .join('')

/** Writes a species folder of genomes of one chromosome each; `manifest` lines stand at its end. */
export const writeSpecies = (
  folder: string,
  species: string,
  genomes: TestGenome[],
  files: Record<string, string> = {},
  manifest = '',
): string => {
  mkdirSync(folder, { recursive: true })
  for (const { assembly, genes } of genomes) {
    let bases = 'A'.repeat(50)
    const lines = ['##gff-version 3']
    for (const { id, protein, strand = '+', symbol } of genes) {
      const cds = `${[...protein].map((residue) => codons[residue]!).join('')}TAA`
      const start = bases.length + 1
      const end = bases.length + cds.length
      const place = `chr1\tx\tTYPE\t${start}\t${end}\t.\t${strand}`
      const line = (type: string, phase: string, attributes: string): string =>
        `${place.replace('TYPE', type)}\t${phase}\t${attributes}`
      lines.push(
        line('gene', '.', `ID=${id}${symbol === undefined ? '' : `;Name=${symbol}`}`),
        line('mRNA', '.', `ID=${id}.1;Parent=${id}`),
        line('CDS', '0', `ID=${id}.c;Parent=${id}.1`),
      )
      bases += (strand === '-' ? reverse(cds) : cds) + 'ACGTTGCA'.repeat(5)
    }
    writeFileSync(join(folder, `${assembly}.fa`), `>chr1\n${bases}\n`)
    writeFileSync(join(folder, `${assembly}.gff3`), `${lines.join('\n')}\n`)
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const entries = genomes.map(
    ({ assembly }) => `  - { id: ${assembly}, genome: ${assembly}.fa, genes: ${assembly}.gff3 }\n`,
  )
  writeFileSync(
    join(folder, 'species.yaml'),
    `novodb: 1\nspecies: ${species}\nname: ${species}\nassemblies:\n${entries.join('')}${manifest}`,
  )
  return folder
}
