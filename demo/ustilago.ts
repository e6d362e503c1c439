import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type CodingSummary, renderCodingGenes } from './coding-genes.ts'
import { parseMipsAnnotation } from './fungi-genes.ts'
import { ustilagoReferences } from './fungi-references.ts'
import { readGenome, writeGenome } from './genome-fasta.ts'
import type { FetchedPackage } from './packages.ts'
import { renderBibTex } from './reference-entries.ts'
import { readmeDownload, writeLines, writeManifest } from './species-folder.ts'

export const ustilagoSpecies = 'ustilago-maydis'
const licence = 'CeCILL (as packaged by Debian)'

export interface UstilagoSummary {
  sequences: number
  lengthBp: number
  genes: CodingSummary
}

/** Writes the species folder of *Ustilago maydis* into `outDir` from the unpacked package maffilter-examples. */
export async function makeUstilago(from: FetchedPackage, outDir: string): Promise<UstilagoSummary> {
  const examples = join(from.root, 'usr/share/doc/maffilter/examples/Umaydis')
  // Headers are "genome:sequence:start:strand:length".
  const genome = await readGenome(join(examples, 'Umaydis.fasta.gz'), {
    nameOf: (header) => header.split(':')[1]!,
    keepCase: true,
  })
  const annotation = gunzipSync(await readFile(join(examples, 'Umaydis.gff3.gz'))).toString('utf8')
  const { lines, summary: genes } = renderCodingGenes(genome, parseMipsAnnotation(annotation), 'MIPS')
  await writeGenome(join(outDir, 'genome.fa.gz'), genome)
  await writeLines(join(outDir, 'genes.gff3'), lines)
  await writeLines(join(outDir, 'references.bib'), renderBibTex(ustilagoReferences))
  const lengthBp = [...genome.values()].reduce((sum, { length }) => sum + length, 0)
  const summary: UstilagoSummary = { sequences: genome.size, lengthBp, genes }
  await writeFile(join(outDir, 'README.md'), renderReadme(from, summary))
  await writeManifest(outDir, {
    novodb: 1,
    species: ustilagoSpecies,
    name: 'Ustilago maydis',
    commonName: { en: 'Corn smut fungus', zh: '玉米瘤黑粉菌' },
    description: {
      en: 'The fungus that causes corn smut, a model of biotrophic plant disease. A good example of an annotation as it comes: on most of chromosome 3 the gene models do not fit the sequence, and say so.',
      zh: '引起玉米瘤黑粉病的真菌，植物活体营养型病害的模式生物。其注释保留来源原貌：3 号染色体大部分基因模型与序列不符，相应基因均有说明。',
    },
    taxonId: 5270,
    source: {
      en: 'Debian package maffilter-examples; annotation by MIPS.',
      zh: 'Debian 软件包 maffilter-examples；注释来自 MIPS。',
    },
    licence,
    references: ['references.bib'],
    downloads: [readmeDownload],
    assemblies: [
      {
        id: 'Umaydis-521',
        name: 'U. maydis 521',
        strain: '521',
        reference: true,
        description: {
          en: 'Ustilago maydis 521: 23 chromosomes and small contigs.',
          zh: '玉米瘤黑粉菌（Ustilago maydis）521：23 条染色体及若干小重叠群。',
        },
        licence,
        genome: 'genome.fa.gz',
        genes: 'genes.gff3',
        sequences: [...genome.keys()].map((name) => ({
          name,
          role: name.startsWith('chr') ? ('chromosome' as const) : ('scaffold' as const),
        })),
      },
    ],
  })
  return summary
}

function renderReadme(from: FetchedPackage, { sequences, lengthBp, genes }: UstilagoSummary): string {
  const english = (value: number) => value.toLocaleString('en')
  return `# *Ustilago maydis*

Made from the Debian package \`${from.name}\` ${from.version} (MafFilter's examples; CeCILL as packaged).

- Genome: ${sequences} sequences, ${english(lengthBp)} bp, headers shortened to the sequence's name.
- Genes: ${english(genes.genes)} models of the MIPS annotation, which gives mRNA and CDS lines; each became a gene with one transcript, its CDS
  parts being the exons. Notes became descriptions. Translated with the standard code, ${english(genes.complete)} begin with M and end with a stop;
  ${english(genes.interrupted.length)} have stops inside: they are kept as given, with a note on each gene.
- Why: all of them lie on chr03 from base 689,247 on. The gap there is 100 bases long in the sequence and was 3 in the one that was annotated:
  moved by 97 bases (94 after base 1,462,525), 402 of the 405 models from there on read from M to a stop.
`
}
