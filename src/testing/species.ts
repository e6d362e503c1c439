import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Defect } from '../bio/text/defects.ts'
import { deleteSpecies } from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import type { ProgramRequirement } from '../jobs/program.ts'
import { findPrograms } from '../jobs/programs.ts'
import { findTools } from '../kit/find-tools.ts'
import { checkSpecies } from '../loader/check-species.ts'
import { deleteUnused, type LoadOptions, type LoadReport, loadSpecies } from '../loader/load-species.ts'
import { createLoaderRunner, namePrograms } from '../loader/run-loader-program.ts'
import { openLocalFiles } from '../store/portal-files.ts'
import { makeBases } from './random.ts'

// A species made by hand for tests of loading and serving: proteins are chosen first and written into the genome codon by codon, so
// that what the portal translates can be compared with what was meant, not with another translation by the same code.

/** A codon of each amino acid. */
export const codonOf: Record<string, string> = {
  A: 'GCT',
  C: 'TGC',
  D: 'GAC',
  E: 'GAA',
  F: 'TTC',
  G: 'GGT',
  H: 'CAC',
  I: 'ATC',
  K: 'AAA',
  L: 'CTG',
  M: 'ATG',
  N: 'AAC',
  P: 'CCG',
  Q: 'CAG',
  R: 'CGT',
  S: 'TCC',
  T: 'ACC',
  V: 'GTT',
  W: 'TGG',
  Y: 'TAC',
  // Tryptophan of genetic codes 3 and 4, a stop of the standard one.
  w: 'TGA',
}

const encode = (protein: string): string => [...protein].map((residue) => codonOf[residue]!).join('')

const reverse = (bases: string): string =>
  [...bases]
    .reverse()
    .map((base) => ({ A: 'T', C: 'G', G: 'C', T: 'A' })[base]!)
    .join('')

export const madeProteins = {
  /** Two exons on the forward strand. */
  abcA: 'MSKLRDQTPEVHWYCNFGIAMKLDERTPQSVHWGNYCFA',
  /** One exon on the reverse strand. */
  kinB: 'MTDLPKRRAENQSVGHWYFCIMLKTDEPAGQRNSVHWYFCILKTDEPAG',
  /** On the plasmid, whose code 4 reads TGA as tryptophan. */
  repW: 'MKLwDERTPQSVHGNYCFA',
  /** Over the origin of the circular plasmid. */
  oriX: 'MGSTRKDELQNAVHPIYFC',
} as const

export const chr1LengthBp = 3000
const plasmidLengthBp = 600

/** Both sequences, upper case. */
export const makeGenome = (): { chr1: string; pT: string } => {
  const chr1 = [...makeBases(chr1LengthBp, 7)]
  const pT = [...makeBases(plasmidLengthBp, 11)]
  const write = (into: string[], start1: number, bases: string): void => {
    for (const [offset, base] of [...bases].entries()) into[(start1 - 1 + offset) % into.length] = base
  }
  const abcA = `${encode(madeProteins.abcA)}TAA`
  write(chr1, 101, abcA.slice(0, 60))
  write(chr1, 201, abcA.slice(60))
  write(chr1, 501, reverse(`${encode(madeProteins.kinB)}TAG`))
  write(pT, 101, `${encode(madeProteins.repW)}TAA`)
  write(pT, 571, `${encode(madeProteins.oriX)}TAA`)
  return { chr1: chr1.join(''), pT: pT.join('') }
}

/** The gene models of the genome above; `extra` lines stand at the end. */
export const makeGff3 = (extra: string[] = []): string =>
  [
    '##gff-version 3',
    'chr1	x	gene	101	260	.	+	.	ID=TM_0001;Name=abcA;description=ATPase subunit alpha of the proton pump',
    'chr1	x	mRNA	101	260	.	+	.	ID=TM_0001.1;Parent=TM_0001',
    'chr1	x	exon	101	160	.	+	.	Parent=TM_0001.1',
    'chr1	x	exon	201	260	.	+	.	Parent=TM_0001.1',
    'chr1	x	CDS	101	160	.	+	0	ID=c1;Parent=TM_0001.1;protein_id=TMP_1.1',
    'chr1	x	CDS	201	260	.	+	0	ID=c1;Parent=TM_0001.1;protein_id=TMP_1.1',
    // The chromosome's other name, in another case.
    'CHROMOSOME_1	x	gene	501	650	.	-	.	ID=TM_0002;Name=kinB;Alias=oldB,shared1;description=细胞壁合成激酶',
    'CHROMOSOME_1	x	mRNA	501	650	.	-	.	ID=TM_0002.1;Parent=TM_0002',
    'CHROMOSOME_1	x	exon	501	650	.	-	.	Parent=TM_0002.1',
    'CHROMOSOME_1	x	CDS	501	650	.	-	0	ID=c2;Parent=TM_0002.1',
    'chr1	x	ncRNA_gene	901	980	.	+	.	ID=TM_0003;Alias=shared1;biotype=tRNA;description=transfer RNA of alanine',
    'chr1	x	tRNA	901	980	.	+	.	ID=TM_0003.1;Parent=TM_0003',
    'chr1	x	exon	901	980	.	+	.	Parent=TM_0003.1',
    'pT	x	gene	101	160	.	+	.	ID=TM_0004;Name=repW;description=replication protein of the plasmid',
    'pT	x	mRNA	101	160	.	+	.	ID=TM_0004.1;Parent=TM_0004',
    'pT	x	CDS	101	160	.	+	0	ID=c4;Parent=TM_0004.1',
    'pT	x	gene	571	630	.	+	.	ID=TM_0005;Name=oriX;description=protein over the origin of the plasmid',
    'pT	x	mRNA	571	630	.	+	.	ID=TM_0005.1;Parent=TM_0005',
    'pT	x	CDS	571	630	.	+	0	ID=c5;Parent=TM_0005.1',
    ...extra,
    '',
  ].join('\n')

const obo = `format-version: 1.2

[Term]
id: GO:0000001
name: root process
namespace: biological_process

[Term]
id: GO:0000002
name: proton transport
namespace: biological_process
alt_id: GO:0000009
is_a: GO:0000001

[Term]
id: GO:0000003
name: cell wall assembly
namespace: biological_process
is_a: GO:0000001
`

const bib = `@article{Meyer2019,
  title = {A proton pump of a made-up microbe},
  author = {Meyer, Anna and Li, Wei},
  journal = {Journal of Tests},
  year = {2019},
  doi = {10.1000/test.1}
}
`

const yaml = (species: string, assembly: string, more: string): string => `novodb: 1
species: ${species}
name: Testus minimus
commonName: { en: test microbe, zh: 测试微生物 }
geneticCode: 11
licence: CC0-1.0
ontologies:
  - { file: terms.obo }
references: [papers.bib]
assemblies:
  - id: ${assembly}
    reference: true
    genome: genome.fa
    genes: genes.gff3
    sequences:
      - { name: chr1, aliases: ['1', Chromosome_1] }
      - { name: pT, circular: true, geneticCode: 4, role: plasmid }
    annotation:
      - { file: go.tsv, format: table, source: GO }
    tracks:
      - { id: peaks, name: Peaks, file: peaks.bed }
      - { id: snps, name: SNPs, file: snps.vcf }
      - { id: repeats, name: Repeats, file: repeats.gff3 }
    downloads:
      - { file: notes.txt, title: { en: Notes, zh: 说明 } }
${more}`

/** Writes the species folder and gives back its path; `files` replace or add files, null leaves one out. */
export const makeSpeciesFolder = (
  folder: string,
  options: {
    species?: string
    assembly?: string
    /** Lines at the end of species.yaml. */
    manifest?: string
    files?: Record<string, string | Uint8Array | null>
  } = {},
): string => {
  mkdirSync(folder, { recursive: true })
  const genome = makeGenome()
  const files: Record<string, string | Uint8Array | null> = {
    'species.yaml': yaml(options.species ?? 'testus-minimus', options.assembly ?? 'TM1', options.manifest ?? ''),
    'genome.fa': `>chr1 the chromosome\n${genome.chr1.replace(/(.{70})/g, '$1\n')}\n>pT\n${genome.pT}\n`,
    'genes.gff3': makeGff3(),
    'terms.obo': obo,
    'papers.bib': bib,
    'go.tsv': 'TM_0001\tGO:0000009\nTM_0002.1\tGO:0000003\noldB\tGO:0000003\nTM_9999\tGO:0000003\n',
    'peaks.bed': '1\t900\t980\tpeak2\n1\t100\t260\tpeak1\npT\t0\t50\tpeak3\n',
    'snps.vcf': `##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n1\t120\trs1\t${genome.chr1[119]}\tN\t.\t.\t.\n`,
    'repeats.gff3': '##gff-version 3\nchromosome_1\tx\trepeat_region\t1500\t1600\t.\t.\t.\tID=r1\n',
    'notes.txt': 'Made by hand.\n',
    ...options.files,
  }
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** Loads a folder as the command does; programs are looked for only with `engines`: those of every tool, or of the tools that it names. */
export const loadTestSpecies = async (
  database: Database,
  dataDir: string,
  folder: string,
  options: {
    engines?: boolean | string[]
    /** Programs besides those of the engines, or instead of them. */
    requirements?: ProgramRequirement[]
    signal?: AbortSignal
    onProgress?: LoadOptions['onProgress']
    onWaiting?: LoadOptions['onWaiting']
    onSpace?: LoadOptions['onSpace']
    startedBy?: string
    leavePortal?: boolean
    /** Of a load that was entered before, as one from the page is. */
    load?: number
    /** Where programs are looked for first. */
    programDirectory?: string
  } = {},
): Promise<LoadReport> => {
  const searchPath = [
    ...(options.programDirectory ? [options.programDirectory] : []),
    '/usr/local/bin:/usr/bin:/bin',
  ].join(':')
  const signal = options.signal ?? AbortSignal.timeout(600_000)
  const requirements = [...(options.requirements ?? [])]
  const { engines = false } = options
  const tools = engines === false ? [] : await findTools()
  for (const tool of tools.filter(({ id }) => engines === true || (engines as string[]).includes(id)))
    requirements.push(...((await tool.importEngine())?.programs ?? []))
  const programs = await findPrograms(requirements, searchPath)
  return loadSpecies({
    folder,
    database,
    files: openLocalFiles(dataDir),
    startedBy: options.startedBy ?? 'test',
    signal,
    programs: namePrograms(programs),
    runProgram: createLoaderRunner({
      programs,
      searchPath,
      bounds: { timeoutMs: 120_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 1024 ** 3 },
      signal,
    }),
    onProgress: options.onProgress ?? (() => undefined),
    onWaiting: options.onWaiting,
    onSpace: options.onSpace,
    leavePortal: options.leavePortal,
    ...(options.load === undefined ? {} : { load: options.load }),
  })
}

/** What `novodb check` finds in a folder. */
export const checkTestSpecies = async (folder: string): Promise<readonly Defect[]> =>
  (await checkSpecies(folder, AbortSignal.timeout(60_000))).log.defects

/** Takes a species out of the catalogue, and what no other release uses off the disk. */
export const deleteTestSpecies = async (database: Database, dataDir: string, species: string): Promise<void> => {
  await deleteSpecies(database.sql, species)
  await deleteUnused(database, openLocalFiles(dataDir))
}
