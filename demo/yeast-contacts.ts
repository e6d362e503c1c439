import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCoolerFile } from '../src/store/contacts/cooler-file.ts'
import { writeGenome } from './genome-fasta.ts'
import type { FetchedPackage } from './packages.ts'
import { type Reference, renderBibTex } from './reference-entries.ts'
import { runProgram } from './run.ts'
import { writeManifest } from './species-folder.ts'

export const contactsPackage = 'python3-cooler-examples'
export const yeastContactsSpecies = 'saccharomyces-cerevisiae-contacts'
const licence = 'BSD-3-Clause (cooler)'
const archivedMap = 'tests/data/yeast.10kb.cool'
const mapFile = 'yeast.10kb.cool'

const references: readonly Reference[] = [
  {
    key: 'abdennur2020',
    authors: 'Abdennur, Nezar and Mirny, Leonid A.',
    title: 'Cooler: scalable storage for Hi-C data and other genomically labeled arrays',
    journal: 'Bioinformatics',
    year: 2020,
    volume: '36',
    number: '1',
    pages: '311-316',
    doi: '10.1093/bioinformatics/btz540',
    keywords: ['Hi-C', 'file format'],
  },
]

export interface YeastContactsSummary {
  sequences: number
  lengthBp: number
  binBp: number
  /** Pairs of bins with at least one contact. */
  pixels: number
}

/**
 * Writes a species folder around the real Hi-C map of budding yeast in the unpacked package python3-cooler-examples. No
 * package of Debian has the genome, so each chromosome has its real length and N for every base.
 */
export async function makeYeastContacts(from: FetchedPackage, outDir: string): Promise<YeastContactsSummary> {
  const archive = join(from.root, 'usr/share/doc/python3-cooler/tests.tar.xz')
  await runProgram('tar', ['--extract', '--file', archive, '--strip-components=2', '--directory', outDir, archivedMap])
  const { chromosomes, resolutions } = await readCoolerFile(join(outDir, mapFile))
  const { binBp, pixels } = resolutions[0]!
  await writeGenome(
    join(outDir, 'genome.fa.gz'),
    chromosomes.map(({ name, lengthBp }) => [name, 'N'.repeat(lengthBp)] as const),
  )
  await writeFile(join(outDir, 'references.bib'), `${renderBibTex(references).join('\n')}\n`)
  const summary: YeastContactsSummary = {
    sequences: chromosomes.length,
    lengthBp: chromosomes.reduce((sum, { lengthBp }) => sum + lengthBp, 0),
    binBp,
    pixels: pixels ?? 0,
  }
  await writeFile(join(outDir, 'README.md'), renderReadme(from, summary))
  await writeManifest(outDir, {
    novodb: 1,
    species: yeastContactsSpecies,
    name: 'Saccharomyces cerevisiae',
    commonName: { en: 'Budding yeast, Hi-C map only', zh: '酿酒酵母（仅 Hi-C 图谱）' },
    description: {
      en: 'A real Hi-C contact map of budding yeast in bins of 10 kb. Its genome is in no package of the distribution: chromosomes have their real lengths, every base is N, and there are no genes.',
      zh: '酿酒酵母真实的 Hi-C 互作图谱，分辨率 10 kb。发行版软件包中没有其基因组序列：染色体长度真实，碱基均以 N 表示，不含基因。',
    },
    taxonId: 4932,
    source: { en: 'Debian package python3-cooler-examples.', zh: 'Debian 软件包 python3-cooler-examples。' },
    licence,
    references: ['references.bib'],
    downloads: [
      {
        file: 'README.md',
        title: { en: 'About this data', zh: '数据说明' },
        description: {
          en: 'Where the map comes from, its licence, and why the sequence is N.',
          zh: '图谱的来源、许可，以及序列为 N 的原因。',
        },
      },
    ],
    assemblies: [
      {
        id: 'yeast-hic',
        name: 'Hi-C map, chromosome lengths only',
        reference: true,
        description: {
          en: 'Chromosome lengths of the map (a release before 2011); every base is N.',
          zh: '图谱所用的染色体长度（2011 年之前的版本），碱基均为 N。',
        },
        licence,
        genome: 'genome.fa.gz',
        sequences: chromosomes.map(({ name }) => ({
          name,
          role: name === 'chrMito' ? 'organelle' : name === 'chr2-micron' ? 'plasmid' : 'chromosome',
          circular: name === 'chrMito' || name === 'chr2-micron',
        })),
        contacts: [
          {
            id: 'hic-10kb',
            name: { en: 'Hi-C, 10 kb', zh: 'Hi-C，10 kb' },
            file: mapFile,
            description: {
              en: 'Contacts in bins of 10 kb, balanced, from the test data of cooler.',
              zh: '10 kb 分辨率的染色质互作频率，已平衡校正，取自 cooler 的测试数据。',
            },
            licence,
          },
        ],
      },
    ],
  })
  return summary
}

function renderReadme(from: FetchedPackage, { sequences, lengthBp, binBp, pixels }: YeastContactsSummary): string {
  const english = (value: number) => value.toLocaleString('en')
  return `# *Saccharomyces cerevisiae*, Hi-C map

Made from the Debian package \`${from.name}\` ${from.version} (test data of cooler; BSD-3-Clause).

- Contact map: \`${mapFile}\` as it is in the package: ${english(pixels)} pairs of bins of ${english(binBp)} bp, with balancing weights. The
  package does not say from which experiment it was made.
- Genome: ${sequences} sequences with the lengths that the map states, ${english(lengthBp)} bp together. Every base is N, for the sequence is in no
  package of the distribution. A lab that has the genome puts its FASTA in place of this one.
`
}
