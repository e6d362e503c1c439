import { mkdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { populationColumns, writePopulationWindows } from './population-windows.ts'
import { renderBibTex } from './reference-entries.ts'
import {
  type AssemblyFolder,
  type DownloadEntry,
  type SpeciesFolder,
  writeLines,
  writeManifest,
} from './species-folder.ts'
import { renderYeastAccessions, samplesOf } from './yeast-accessions.ts'
import { makeYeastExpression } from './yeast-expression.ts'
import { glycolysisFile, renderGlycolysis } from './yeast-glycolysis.ts'
import { writeYeastGraph } from './yeast-graph.ts'
import { writeIsolates } from './yeast-isolates.ts'
import { writeYeastPhenotypes } from './yeast-phenotypes.ts'
import { yeastReferences } from './yeast-references.ts'

const graphFile = 'chrIII.gfa'
const accessionsFile = 'accessions.tsv'
const windowsFile = 'windows.tsv'
const isolatesFile = 'isolates.vcf'
const traitsFile = 'phenotype-traits.tsv'
const yeastSpecies = 'saccharomyces-cerevisiae'
const yeastReference = 'R64'

const stringFile = 'ppi/4932.protein.physical.links.full.v12.0.txt.gz'

const nuclearNames = 'I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI'.split(' ')

interface Strain {
  id: string
  file: string
  about: Pick<AssemblyFolder, 'name' | 'strain' | 'description'>
}

const cerevisiae = (file: string, origin: { en: string; zh: string }): Strain => ({
  id: file,
  file,
  about: {
    name: file,
    strain: file,
    description: {
      en: `Saccharomyces cerevisiae ${file}, ${origin.en}; PacBio assembly of Yue et al. 2017.`,
      zh: `酿酒酵母 ${file}（${origin.zh}），Yue 等 2017 年的 PacBio 组装。`,
    },
  },
})

const strains: readonly Strain[] = [
  {
    id: 'S288C-PacBio',
    file: 'S288C',
    about: {
      name: 'S288C (PacBio)',
      strain: 'S288C',
      description: {
        en: 'Saccharomyces cerevisiae S288C sequenced again with PacBio (Yue et al. 2017): positions differ from R64 by tens of bases.',
        zh: '酿酒酵母 S288C 的 PacBio 重新测序组装（Yue 等，2017），坐标与 R64 相差数十个碱基。',
      },
    },
  },
  cerevisiae('SK1', { en: 'a laboratory strain known for sporulation', zh: '以产孢能力著称的实验室菌株' }),
  cerevisiae('Y12', { en: 'of the sake lineage', zh: '清酒谱系' }),
  cerevisiae('YPS128', { en: 'of the North American lineage', zh: '北美谱系' }),
  cerevisiae('DBVPG6044', { en: 'of the West African lineage', zh: '西非谱系' }),
  cerevisiae('UWOPS034614', { en: 'of the Malaysian lineage', zh: '马来西亚谱系' }),
  {
    id: 'CBS432',
    file: 'CBS432',
    about: {
      name: 'S. paradoxus CBS432',
      strain: 'CBS432',
      description: {
        en: 'Saccharomyces paradoxus CBS432, another species: the closest wild relative, here for comparison; PacBio assembly of Yue et al. 2017.',
        zh: '奇异酵母（Saccharomyces paradoxus）CBS432：另一物种，酿酒酵母最近的野生近缘种，此处用于比较；Yue 等 2017 年的 PacBio 组装。',
      },
    },
  },
]

export interface MakeYeastOptions {
  /** Assemblies to include; all eight unless given. The reference is always one of them. */
  assemblies?: readonly string[]
}

/**
 * Writes a species folder over the real yeast test data in `sharedDataDir` (its `yeast/` folder): files in a standard form
 * are named by their absolute paths, tables that are not are converted into `outDir`.
 */
export async function makeYeastFolder(
  sharedDataDir: string,
  outDir: string,
  options: MakeYeastOptions = {},
): Promise<void> {
  const yeast = resolve(sharedDataDir, 'yeast')
  const wanted = (id: string) => options.assemblies === undefined || options.assemblies.includes(id)
  await mkdir(outDir, { recursive: true })
  await writeLines(join(outDir, 'references.bib'), renderBibTex(yeastReferences))
  await writeLines(join(outDir, glycolysisFile), [renderGlycolysis()])
  await writeLines(join(outDir, 'go.tsv'), await convertOntologyTable(yeast))
  const simulated = await writeYeastPhenotypes(outDir)
  // The phenotype's column alone: the others of the file are genotypes.
  await writeLines(join(outDir, traitsFile), [
    'trait\tname\tname_zh\tunit\tdescription\tdescription_zh\ttype',
    'CLS_CRday21\tChronological life span\t时序寿命\t\tSurvival after 21 days under calorie restriction\t热量限制 21 天后的存活率\tquantitative',
  ])
  await writeLines(join(outDir, 'interpro.tsv'), await convertDomainTable(yeast))
  await writeYeastGraph(
    join(yeast, 'genome/R64.genome.chr.fa.gz'),
    join(yeast, 'variation/strains5_plus_paradoxus.R64.vcf.gz'),
    join(outDir, graphFile),
  )
  await writeLines(join(outDir, accessionsFile), renderYeastAccessions(simulated.accessions))
  await writePopulationWindows({
    vcfFile: join(yeast, 'variation/strains5_plus_paradoxus.R64.vcf.gz'),
    populations: [
      { name: 'domesticated', samples: samplesOf('domesticated') },
      { name: 'wild', samples: samplesOf('wild') },
    ],
    windowBp: 20_000,
    stepBp: 10_000,
    outFile: join(outDir, windowsFile),
  })
  await writeIsolates(
    join(yeast, 'gwas/GenPhen_Test_data_641strains.csv.gz'),
    join(yeast, 'genome/R64.genome.chr.fa.gz'),
    join(outDir, isolatesFile),
  )
  const assemblies: AssemblyFolder[] = [
    {
      ...describeReference(yeast),
      expression: await makeYeastExpression(yeast, outDir),
      singleCell: [
        {
          id: 'nadal-ribelles',
          name: { en: 'Single cells, growing', zh: '生长中的单个细胞' },
          file: join(yeast, 'singlecell/nadal_ribelles2019_rawCounts.tab.gz'),
          geneColumn: 'geneName',
          description: {
            en: 'Molecules counted in 127 single cells; nothing is told of the cells, so map and clusters are computed.',
            zh: '127 个单细胞的分子计数；没有细胞信息，图谱与聚类由本站计算。',
          },
          source: { en: 'Nadal-Ribelles et al. 2019', zh: 'Nadal-Ribelles 等，2019' },
        },
      ],
      gwas: [
        {
          id: 'genphen',
          name: { en: 'Hits of 200 growth phenotypes', zh: '200 个生长表型的关联位点' },
          file: join(yeast, 'gwas/GenPhen_GWAS_hits_snp.R64.tsv.gz'),
          complete: false,
          variants: 'isolates',
          licence: 'MIT',
          description: {
            en: 'Significant SNPs of growth phenotypes among the 1,011 yeast isolates (GenPhen); hits only, not all tests.',
            zh: '1,011 个酵母分离株生长表型的显著 SNP（GenPhen）；仅含显著变异，并非全部检验结果。',
          },
        },
      ],
      interactions: [
        {
          id: 'string-physical',
          name: { en: 'STRING 12, physical interactions', zh: 'STRING 12 物理互作' },
          file: join(yeast, stringFile),
          licence: 'CC-BY-4.0',
          description: {
            en: 'Proteins of one complex, by experiments, curated databases and text mining; part of it transferred from other organisms.',
            zh: '同属一个复合物的蛋白质，证据来自实验、人工整理的数据库与文本挖掘，部分由其他物种同源转移而来。',
          },
          source: { en: 'STRING 12 (Szklarczyk et al. 2023)', zh: 'STRING 12（Szklarczyk 等，2023）' },
        },
      ],
    },
  ]
  for (const strain of strains) if (wanted(strain.id)) assemblies.push(describeStrain(yeast, strain))
  const manifest = makeManifest(yeast, assemblies)
  await writeManifest(outDir, {
    ...manifest,
    phenotypes: [...(manifest.phenotypes ?? []), simulated.entry],
  })
}

async function readRows(file: string): Promise<string[][]> {
  const text = gunzipSync(await readFile(file)).toString('utf8')
  const [, ...rows] = text.split(/\r?\n/)
  return rows.filter((row) => row !== '').map((row) => row.split('\t'))
}

/** Gene, GO term, name; the source has names in a table of their own and lines for genes without terms. */
async function convertOntologyTable(yeast: string): Promise<string[]> {
  const described = await readRows(join(yeast, 'go/yeastGOdesc_ensembl88.tsv.gz'))
  const names = new Map(described.map(([term, name]) => [term, name ?? '']))
  const rows = await readRows(join(yeast, 'go/yeastGO_ensembl88.tsv.gz'))
  return rows.flatMap(([gene, term]) => (gene && term ? [`${gene}\t${term}\t${names.get(term) ?? ''}`] : []))
}

/** Gene and InterPro short name; the source has lines for genes without domains. */
async function convertDomainTable(yeast: string): Promise<string[]> {
  const rows = await readRows(join(yeast, 'annotation/yeastInterPro_ensembl88.tsv.gz'))
  return rows.flatMap(([gene, domain]) =>
    gene && domain ? [`${gene}\t${domain}\t${domain.replaceAll('_', ' ')}`] : [],
  )
}

function describeReference(yeast: string): AssemblyFolder {
  return {
    id: yeastReference,
    name: 'R64-1-1',
    strain: 'S288C',
    accession: 'GCA_000146045.2',
    reference: true,
    description: {
      en: 'Saccharomyces cerevisiae S288C, the reference genome: 16 chromosomes and the mitochondrial one.',
      zh: '酿酒酵母 S288C 参考基因组：16 条染色体及线粒体基因组。',
    },
    source: { en: 'Ensembl, Saccharomyces Genome Database', zh: 'Ensembl、酵母基因组数据库（SGD）' },
    genome: join(yeast, 'genome/R64.genome.chr.fa.gz'),
    genes: join(yeast, 'derived/R64.gff3.gz'),
    sequences: [
      ...nuclearNames.map((name) => ({ name: `chr${name}`, aliases: [name], role: 'chromosome' as const })),
      {
        name: 'chrmt',
        aliases: ['chrMito', 'Mito', 'chrM', 'MT'],
        role: 'organelle' as const,
        circular: true,
        // NCBI translation table 3: yeast mitochondria.
        geneticCode: 3,
      },
    ],
    annotation: [
      { file: 'go.tsv', format: 'table', source: 'GO', title: { en: 'Gene Ontology terms', zh: '基因本体（GO）术语' } },
      {
        file: 'interpro.tsv',
        format: 'table',
        source: 'InterPro',
        title: { en: 'InterPro domains', zh: 'InterPro 结构域' },
      },
    ],
    tracks: [
      {
        id: 'te',
        name: { en: 'Ty elements and structural features', zh: 'Ty 元件及结构特征' },
        file: join(yeast, 'derived/R64.TE_and_structural.gff3.gz'),
        type: 'gff3',
        category: { en: 'Transposable elements', zh: '转座元件' },
        description: {
          en: 'Retrotransposons, solo LTRs, X elements and centromeres, lifted from the PacBio annotation.',
          zh: '反转录转座子、单独 LTR、X 元件与着丝粒，由 PacBio 组装的注释转换而来。',
        },
      },
    ],
    variants: [
      {
        id: 'strains',
        name: { en: 'Variants of six strains', zh: '六个菌株的变异' },
        file: join(yeast, 'variation/strains5_plus_paradoxus.R64.vcf.gz'),
        description: {
          en: 'Differences of six assemblies (haploid samples) from R64, from minimap2 alignments; sites of S. paradoxus alone are left out.',
          zh: '六个基因组（单倍体样本）相对 R64 的差异，来自 minimap2 比对；仅奇异酵母特有的位点未列入。',
        },
      },
      {
        id: 'isolates',
        name: { en: '193 SNPs of 641 isolates', zh: '641 个分离株的 193 个 SNP' },
        file: isolatesFile,
        licence: 'MIT',
        description: {
          en: 'Genotypes at 193 chosen SNPs, test data of GenPhen; the other alleles are not told.',
          zh: '193 个选定 SNP 的基因型，GenPhen 的测试数据；未给出另一等位基因的碱基。',
        },
      },
    ],
    sweeps: [
      {
        id: 'domestication',
        name: { en: 'Domesticated and wild strains, 20 kb', zh: '驯化与野生菌株，20 kb' },
        file: windowsFile,
        // Tajima's D needs four strains.
        columns: populationColumns('domesticated', 'wild').slice(0, 4),
        variants: 'strains',
        description: {
          en: 'Windows of three domesticated and two wild strains: with so few, a demonstration and no evidence of selection.',
          zh: '三个驯化菌株与两个野生菌株的窗口统计；菌株极少，仅为演示，不能作为选择的证据。',
        },
      },
    ],
    contacts: [
      {
        id: 'hic-10kb',
        name: { en: 'Hi-C, 10 kb', zh: 'Hi-C，10 kb' },
        file: join(yeast, 'hic/yeast.10kb.cool'),
        licence: 'BSD-3-Clause',
        description: {
          en: 'Contacts of budding yeast in bins of 10 kb, balanced, from the test data of cooler; made on an older release of the genome, some bases longer or shorter.',
          zh: '酿酒酵母的染色质互作矩阵，bin 为 10 kb，已平衡校正，取自 cooler 的测试数据；所用组装版本较早，各染色体长度相差数个碱基。',
        },
      },
    ],
    graphs: [
      {
        id: 'chrIII',
        name: { en: 'Graph of seven genomes, 100 kb of chromosome III', zh: '七个基因组的图：III 号染色体 100 kb' },
        file: graphFile,
        description: {
          en: 'Made of the variants of six strains: each has its alleles where they are called, and R64 elsewhere.',
          zh: '由六个菌株的变异构建：已分型处取各自的等位基因，其余与 R64 相同。',
        },
      },
    ],
    pathways: [
      {
        file: join(yeast, 'derived/KEGG_sce_pathways.gmt'),
        source: 'KEGG pathway',
        title: { en: 'KEGG pathways', zh: 'KEGG 通路' },
        licence: 'KEGG',
      },
      {
        file: glycolysisFile,
        source: 'Drawn pathway',
        title: { en: 'Drawn pathways', zh: '绘制的通路' },
        licence: 'Apache-2.0',
      },
    ],
    transposableElements: {
      file: join(yeast, 'derived/R64.TE_and_structural.gff3.gz'),
      library: { file: join(yeast, 'te/TE_lib.v20221221.tidy.fa.gz') },
    },
    downloads: listDownloads(yeast),
  }
}

function describeStrain(yeast: string, { id, file, about }: Strain): AssemblyFolder {
  const synteny = join(yeast, `synteny/${file}_vs_R64.paf.gz`)
  return {
    id,
    ...about,
    source: { en: 'Yue et al. 2017, Nature Genetics 49:913', zh: 'Yue 等，2017，Nature Genetics 49:913' },
    genome: join(yeast, `strains/${file}.genome.fa.gz`),
    genes: join(yeast, `strains/${file}.all_feature.gff.gz`),
    sequences: nuclearNames.map((name) => ({ name: `chr${name}`, aliases: [name], role: 'chromosome' as const })),
    transposableElements: {
      file: join(yeast, `strains/${file}.all_feature.gff.gz`),
      library: { file: join(yeast, 'te/TE_lib.v20221221.tidy.fa.gz') },
    },
    // The reference's own strain was not aligned to the reference.
    ...(file === 'S288C'
      ? {}
      : {
          downloads: [{ file: synteny, title: { en: `${id} against R64 (PAF)`, zh: `${id} 与 R64 的比对（PAF）` } }],
        }),
  }
}

/** Data of later loaders, to be downloaded as it is. */
function listDownloads(yeast: string): DownloadEntry[] {
  const entries: [file: string, en: string, zh: string, licence?: string][] = [
    [
      'singlecell/nadal_ribelles2019_rawCounts.tab.gz',
      'Single-cell RNA-seq counts, 127 cells',
      '单细胞 RNA-seq 计数，127 个细胞',
    ],
    [stringFile, 'STRING physical links, version 12', 'STRING 物理互作，第 12 版', 'CC-BY-4.0'],
    ['pangenome/gene_PAV_7strains.tsv.gz', 'Gene presence in seven assemblies', '七个基因组中的基因存在与缺失'],
    ['gwas/GenPhen_GWAS_hits_snp.R64.tsv.gz', 'GWAS hits of 1,011 isolates', '1,011 个菌株的 GWAS 位点', 'MIT'],
    ['tree/strains_NJ_from_vcf.nwk', 'Tree of six strains by SNP distance', '六个菌株按 SNP 距离构建的系统发育树'],
    ['te/TE_lib.v20221221.tidy.fa.gz', 'Library of yeast transposable elements', '酵母转座元件文库', 'MIT'],
    [
      'synteny/R64_CBS432.collinearity.gz',
      'MCScanX collinear blocks, R64 and S. paradoxus',
      'MCScanX 共线性区块，R64 与奇异酵母',
    ],
  ]
  return entries.map(([file, en, zh, licence]) => ({
    file: join(yeast, file),
    title: { en, zh },
    description: basename(file),
    ...(licence ? { licence } : {}),
  }))
}

/** Profiles grown from one yeast protein each, by the accession that rules have for such domains. */
const profileDomains: Record<string, string> = {
  Zn2C6_GAL4: 'PF00172',
  bZIP_GCN4: 'PF00170',
  bHLH_PHO4: 'PF00010',
  MADS_MCM1: 'PF00319',
  C2H2_MSN2: 'PF00096',
  GATA_GLN3: 'PF00320',
  Forkhead_FKH1: 'PF00250',
  HSF_HSF1: 'PF00447',
  Myb_REB1: 'PF00249',
  Homeobox_MATALPHA2: 'PF00046',
  APSES_SWI4: 'PF04383',
  HMG_ROX1: 'PF00505',
}

function makeManifest(yeast: string, assemblies: AssemblyFolder[]): SpeciesFolder {
  return {
    novodb: 1,
    species: yeastSpecies,
    name: 'Saccharomyces cerevisiae',
    commonName: { en: "Baker's yeast", zh: '酿酒酵母' },
    description: {
      en: 'Budding yeast: the reference genome, seven PacBio assemblies with their own annotation, and one of them of the wild relative S. paradoxus.',
      zh: '酿酒酵母：参考基因组，以及七个各自注释的 PacBio 组装，其中一个来自野生近缘种奇异酵母。',
    },
    taxonId: 4932,
    source: {
      en: 'Ensembl, Saccharomyces Genome Database, Yue et al. 2017.',
      zh: 'Ensembl、酵母基因组数据库（SGD）、Yue 等（2017）。',
    },
    ontologies: [{ file: join(yeast, 'go/go-basic_from_GO.db_2022-07-01.obo.gz'), source: 'GO' }],
    references: ['references.bib'],
    accessions: { file: accessionsFile },
    phenotypes: [
      {
        id: 'life-span',
        name: { en: 'Life span of 641 isolates', zh: '641 个分离株的寿命' },
        file: join(yeast, 'gwas/GenPhen_Test_data_641strains.csv.gz'),
        traits: traitsFile,
        licence: 'MIT',
        description: {
          en: 'Chronological life span of natural isolates, measured once each; test data of GenPhen.',
          zh: '天然分离株的时序寿命，各测定一次；GenPhen 的测试数据。',
        },
        source: { en: 'GenPhen (Khaiwal et al.)', zh: 'GenPhen（Khaiwal 等）' },
      },
    ],
    motifs: [
      {
        file: join(yeast, 'motif/macisaac_yeast.v1.meme.gz'),
        id: 'macisaac',
        title: { en: 'MacIsaac et al. 2006', zh: 'MacIsaac 等（2006）' },
      },
      { file: join(yeast, 'motif/yetfasco_all.meme.gz'), id: 'yetfasco', title: 'YeTFaSCo' },
      { file: join(yeast, 'motif/JASPAR2022_fungi.pfm'), id: 'jaspar-fungi', title: 'JASPAR 2022 fungi' },
    ],
    transcriptionFactors: {
      profiles: [join(yeast, 'derived/yeast_TF_DBD_derived.hmm')],
      domains: profileDomains,
    },
    assemblies,
  }
}
