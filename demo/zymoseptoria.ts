import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { translate } from '../src/bio/sequence/genetic-codes.ts'
import { AlignedGenomes, type BaseCounts, countBases } from './aligned-genomes.ts'
import { AlignmentCoverage } from './alignment-coverage.ts'
import { PafCollector } from './alignment-paf.ts'
import { VariantWriter } from './alignment-variants.ts'
import { type CodingGene, type CodingSummary, readCodingSequence, renderCodingGenes } from './coding-genes.ts'
import type { ReportDemoStage } from './demo-stage.ts'
import { type FactorProfile, makeFactorProfiles } from './factor-profiles.ts'
import { parseJgiCatalogue } from './fungi-genes.ts'
import { zymoseptoriaReferences } from './fungi-references.ts'
import { GeneProjection } from './gene-projection.ts'
import { writeGenome } from './genome-fasta.ts'
import { GraphCollector } from './graph-collector.ts'
import { type AlignmentRow, readAlignment } from './multiple-alignment.ts'
import type { FetchedPackage } from './packages.ts'
import { populationColumns } from './population-windows.ts'
import { renderBibTex } from './reference-entries.ts'
import {
  type AssemblyFolder,
  type AssociationsEntry,
  readmeDownload,
  type SpeciesFolder,
  writeLines,
  writeManifest,
} from './species-folder.ts'
import {
  comparedPopulations,
  makePopulation,
  type PopulationSummary,
  populationFiles,
} from './zymoseptoria-population.ts'

export const fungiPackage = 'maffilter-examples'
export const zymoseptoriaSpecies = 'zymoseptoria-tritici'
const licence = 'CeCILL (as packaged by Debian)'

interface GenomeSource {
  /** Name in the alignment. */
  genome: string
  id: string
  species: string
  isolate: string
}

const reference: GenomeSource = {
  genome: 'Ztritici_IPO323',
  id: 'IPO323',
  species: 'Zymoseptoria tritici',
  isolate: 'IPO323',
}

const wild = (short: string, species: string, isolate: string): GenomeSource => ({
  genome: `${short}_${isolate}`,
  id: `${short}-${isolate}`,
  species: `Zymoseptoria ${species}`,
  isolate,
})

const others: readonly GenomeSource[] = [
  { genome: 'Ztritici_A26b', id: 'A26b', species: 'Zymoseptoria tritici', isolate: 'A26b' },
  { genome: 'Ztritici_A48b', id: 'A48b', species: 'Zymoseptoria tritici', isolate: 'A48b' },
  ...['221', '3111', '431', '53', '591'].map((isolate) => wild('Zpseudotritici', 'pseudotritici', isolate)),
  ...['111', '112', '3131', '332'].map((isolate) => wild('Zardabiliae', 'ardabiliae', isolate)),
  wild('Spasserinii', 'passerinii', 'P63'),
]

const all: readonly GenomeSource[] = [reference, ...others]
const triticiIds = all.filter(({ species }) => species === reference.species).map(({ id }) => id)

/** The two other isolates of the species and one isolate of each other species carry gene models. */
const projectedIds: readonly string[] = ['A26b', 'A48b', 'Zpseudotritici-221', 'Zardabiliae-111', 'Spasserinii-P63']

/** Chromosomes 14 to 21 may be lost without visible harm (Goodwin et al. 2011). */
const firstAccessory = 14

/** A segment whose alignment is also made a graph: long enough to walk about in, short enough to be drawn. */
const graphed = { chromosome: 'chr_1', start0: 1_500_000, end0: 1_600_000 }
const graphFile = 'IPO323/graph.gfa'

const profilesFile = 'zinc-finger-profiles.hmm'

/** A gene counts as aligned in a genome when this part of its coding bases is; stated wherever the count is. */
const alignedShare = 0.8

export interface ZymoseptoriaSummary {
  bases: Map<string, BaseCounts>
  genes: CodingSummary
  projected: Map<string, number>
  /** Genes of the reference whose coding bases are aligned to 80 % or more. */
  aligned: Map<string, number>
  triticiVariants: number
  variants: number
  population: PopulationSummary
  /** Profiles of zinc fingers built from the genome's own; none where HMMER is not installed. */
  profiles: FactorProfile[]
}

/**
 * Writes the species folder of *Zymoseptoria tritici* and its wild relatives into `outDir` from the unpacked package
 * maffilter-examples: thirteen genomes put together from a multiple alignment, the gene catalogue of IPO323, gene models
 * projected to five other genomes, single-base variants, and pairwise alignments.
 */
export async function makeZymoseptoria(
  from: FetchedPackage,
  outDir: string,
  progress: ReportDemoStage = () => {},
): Promise<ZymoseptoriaSummary> {
  const examples = join(from.root, 'usr/share/doc/maffilter/examples/Ztritici')
  const alignmentFile = join(examples, 'tba_refIPO323.maf.gz')
  const catalogue = gunzipSync(await readFile(join(examples, 'Mgraminicolav2.FrozenGeneCatalog20080910.gff.gz')))
  const genes = parseJgiCatalogue(catalogue.toString('latin1'))

  progress({ en: 'measuring the alignment of 13 genomes', zh: '正在统计 13 个基因组的比对' })
  const chromosomes = await readChromosomes(alignmentFile)

  progress({ en: 'reading the alignment: genomes, variants, genes', zh: '正在读取比对：基因组、变异、基因' })
  const otherIds = others.map(({ id }) => id)
  const genomes = new AlignedGenomes()
  const coverage = new AlignmentCoverage(otherIds, chromosomes)
  const projection = new GeneProjection(genes, projectedIds)
  const graph = new GraphCollector(graphed.chromosome, graphed.start0, graphed.end0)
  const pafs = new Map(otherIds.map((id) => [id, new PafCollector(chromosomes)]))
  const ids = all.map(({ id }) => id)
  const triticiFile = 'IPO323/variants-tritici.vcf.gz'
  const allFile = 'IPO323/variants-all.vcf.gz'
  await writeLines(join(outDir, 'references.bib'), renderBibTex(zymoseptoriaReferences))
  await writeLines(join(outDir, 'IPO323/gene-coverage.tsv'), [])
  const tritici = new VariantWriter(join(outDir, triticiFile), triticiIds, chromosomes)
  const every = new VariantWriter(join(outDir, allFile), ids, chromosomes)
  for await (const block of readBlocks(alignmentFile)) {
    for (const row of block) genomes.add(row)
    coverage.add(block)
    graph.add(block)
    projection.add(block)
    for (const row of block.slice(1)) pafs.get(row.genome)!.add(block[0]!, row)
    await tritici.add(block)
    await every.add(block)
  }
  const about = `${fungiPackage} ${from.version}, tba_refIPO323.maf`
  const triticiVariants = await tritici.finish(about)
  const variants = await every.finish(about)
  progress({ en: 'simulating a population of recombinants', zh: '正在模拟重组群体' })
  const population = await makePopulation(outDir, triticiFile, chromosomes, genes, all)
  const summary: ZymoseptoriaSummary = {
    bases: new Map(),
    genes: { genes: 0, introns: 0, spliced: 0, interrupted: [], complete: 0 },
    projected: new Map(),
    aligned: countAligned(genes, coverage),
    triticiVariants,
    variants,
    population,
    profiles: [],
  }
  await writeLines(join(outDir, 'IPO323/gene-coverage.tsv'), renderCoverage(genes, coverage))

  progress({ en: 'writing genomes and genes', zh: '正在写入基因组与基因' })
  const ownSequences = new Map(
    [...chromosomes.keys()].map((name) => [name, Buffer.from(genomes.get('IPO323', name)!).toString('latin1')]),
  )
  progress({ en: 'building profiles of zinc fingers', zh: '正在构建锌指结构域谱' })
  const proteins = new Map(genes.map((gene) => [gene.id, translate(readCodingSequence(ownSequences, gene))]))
  summary.profiles = await makeFactorProfiles(proteins, join(outDir, profilesFile))
  const assemblies: AssemblyFolder[] = []
  for (const source of all) {
    const { id } = source
    const sequences = id === 'IPO323' ? ownSequences : new Map(genomes.list(id))
    summary.bases.set(id, countBases(sequences))
    const genome = `${id}/genome.fa.gz`
    await writeGenome(join(outDir, genome), sequences)
    const assembly: AssemblyFolder = { ...describe(source), licence, genome }
    if (id === 'IPO323') {
      const { lines, summary: found } = renderCodingGenes(sequences, genes, 'JGI')
      summary.genes = found
      await writeLines(join(outDir, id, 'genes.gff3'), lines)
      assembly.genes = `${id}/genes.gff3`
    } else if (projectedIds.includes(id)) {
      const projected = projection.list(id, sequences, ownSequences)
      summary.projected.set(id, projected.length)
      await writeLines(join(outDir, id, 'genes.gff3'), renderCodingGenes(sequences, projected, 'projected').lines)
      assembly.genes = `${id}/genes.gff3`
    }
    if (id !== 'IPO323') {
      const file = `${id}/${id}_vs_IPO323.paf.gz`
      await writeLines(join(outDir, file), pafs.get(id)!.finish())
      assembly.downloads = [
        {
          file,
          title: { en: `${id} against IPO323 (PAF)`, zh: `${id} 与 IPO323 的比对（PAF）` },
          description: {
            en: 'Pairwise blocks of at least 1 kb of the multiple alignment; neighbours within 1 kb are joined.',
            zh: '由多序列比对得到的不短于 1 kb 的两两比对区块，间距 1 kb 以内的相邻区块已合并。',
          },
        },
      ]
      genomes.delete(id)
    }
    assemblies.push(assembly)
  }
  addReferenceExtras(assemblies[0]!, chromosomes, triticiFile, allFile, population)
  await writeFile(join(outDir, graphFile), graph.finish(reference.id, ownSequences.get(graphed.chromosome)!))
  await writeFile(join(outDir, 'README.md'), renderReadme(from, summary))
  await writeManifest(outDir, makeManifest(assemblies, summary.profiles))
  return summary
}

const idOf = new Map(all.map(({ genome, id }) => [genome, id]))

/** Blocks with genomes named by assembly id; rows of other genomes do not exist in this alignment. */
async function* readBlocks(file: string): AsyncGenerator<AlignmentRow[]> {
  for await (const block of readAlignment(file)) {
    for (const row of block) {
      const id = idOf.get(row.genome)
      if (!id) throw new SyntaxError(`${row.genome} is none of the genomes known in this alignment`)
      row.genome = id
    }
    if (block[0]!.genome !== reference.id) throw new SyntaxError('a block does not begin with the reference')
    yield block
  }
}

/** Lengths of the reference's chromosomes, in the order of their numbers. */
async function readChromosomes(file: string): Promise<Map<string, number>> {
  const lengths = new Map<string, number>()
  for await (const [row] of readAlignment(file)) lengths.set(row!.sequence, row!.lengthBp)
  return new Map([...lengths].sort(([a], [b]) => chromosomeNumber(a) - chromosomeNumber(b)))
}

const chromosomeNumber = (name: string): number => Number(name.replace('chr_', ''))

function coverageShares(gene: CodingGene, coverage: AlignmentCoverage): number[] {
  const lengthBp = gene.cds.reduce((sum, { start1, end1 }) => sum + end1 - start1 + 1, 0)
  return coverage.count(gene.sequence, gene.cds).map((count) => count / lengthBp)
}

function countAligned(genes: readonly CodingGene[], coverage: AlignmentCoverage): Map<string, number> {
  const counts = new Map(coverage.genomes.map((id) => [id, 0]))
  for (const gene of genes)
    for (const [i, share] of coverageShares(gene, coverage).entries())
      if (share >= alignedShare) counts.set(coverage.genomes[i]!, counts.get(coverage.genomes[i]!)! + 1)
  return counts
}

function* renderCoverage(genes: readonly CodingGene[], coverage: AlignmentCoverage): Generator<string> {
  yield ['gene', ...coverage.genomes].join('\t')
  for (const gene of genes)
    yield [gene.id, ...coverageShares(gene, coverage).map((share) => share.toFixed(3))].join('\t')
}

function describe(source: GenomeSource): Omit<AssemblyFolder, 'genome'> {
  const { id, species, isolate } = source
  if (id === reference.id)
    return {
      id,
      name: 'IPO323',
      strain: 'IPO323',
      reference: true,
      // First what simulated traits depend on or the graph holds, with homologs in other genomes.
      examples: [
        'Mycgr3G66253',
        'Mycgr3G106942',
        'Mycgr3G108025',
        'Mycgr3G109435',
        'Mycgr3G110231',
        'Mycgr3G102491',
        'Mycgr3G108612',
        'Mycgr3G33628',
      ],
      description: {
        en: 'Zymoseptoria tritici IPO323, finished genome of 21 chromosomes; 14 to 21 are accessory: poor in genes and absent from some isolates.',
        zh: '小麦叶枯病菌（Zymoseptoria tritici）IPO323：已完成的 21 条染色体基因组，其中 14–21 号为附属染色体，基因稀少，在部分菌株中缺失。',
      },
    }
  const projected = projectedIds.includes(id)
  return {
    id,
    name: `${species.replace('Zymoseptoria', 'Z.')} ${isolate}`,
    strain: isolate,
    description: {
      en: `${species} isolate ${isolate}: the parts that align to IPO323.${projected ? ' Gene models are projected from IPO323 through the alignment.' : ''}`,
      zh: `${species} 菌株 ${isolate}：仅含可与 IPO323 比对的部分。${projected ? '基因模型由 IPO323 经比对投射而来。' : ''}`,
    },
    partial: {
      en: 'Only what aligns to IPO323 exists in these contigs, the rest is N: what is not found is not aligned, which does not mean absent.',
      zh: '这些重叠群中只有能与 IPO323 比对的部分，其余为 N：未找到表示未比对上，并不意味着缺失。',
    },
  }
}

function addReferenceExtras(
  assembly: AssemblyFolder,
  chromosomes: ReadonlyMap<string, number>,
  triticiFile: string,
  allFile: string,
  population: PopulationSummary,
): void {
  assembly.sequences = [...chromosomes.keys()].map((name): NonNullable<AssemblyFolder['sequences']>[number] => ({
    name,
    role: chromosomeNumber(name) >= firstAccessory ? 'accessory' : 'chromosome',
  }))
  assembly.variants = [
    {
      id: 'tritici',
      name: { en: 'SNPs of Z. tritici (3 genomes)', zh: 'Z. tritici 的 SNP（3 个基因组）' },
      file: triticiFile,
      licence,
      description: {
        en: 'Single-base differences between IPO323, A26b and A48b, read from the multiple alignment. A missing genotype is not aligned there.',
        zh: 'IPO323、A26b 与 A48b 之间的单碱基差异，取自多基因组比对。缺失的基因型表示该处未比对上。',
      },
    },
    {
      id: 'all',
      name: { en: 'SNPs of all 13 genomes', zh: '全部 13 个基因组的 SNP' },
      file: allFile,
      licence,
      description: {
        en: 'Single-base differences between IPO323 and any of twelve genomes of four species, read from the multiple alignment. A missing genotype is not aligned there.',
        zh: 'IPO323 与四个物种共 12 个基因组之间的单碱基差异，取自多基因组比对。缺失的基因型表示该处未比对上。',
      },
    },
    {
      id: simulatedVariants,
      name: { en: 'Population of 200 accessions (simulated)', zh: '200 份材料的群体（模拟）' },
      file: populationFiles.variants,
      simulated: true,
      licence: simulatedLicence,
      description: {
        en: 'Simulated: recombinants of the real haplotypes of IPO323, A26b and A48b in four populations that differ in their shares of them; one haplotype is all but fixed in one population at one place. It says nothing of real populations.',
        zh: '模拟数据：由 IPO323、A26b 与 A48b 的真实单倍型重组而成，四个群体所含各单倍型的比例不同；其中一个群体在一处几乎固定为同一单倍型。与真实群体无关。',
      },
    },
  ]
  if (population.associations) assembly.gwas = listAssociations()
  assembly.sweeps = [
    {
      id: 'planted-sweep',
      name: { en: 'North Africa and Near East, 20 kb (simulated)', zh: '北非与近东，20 kb（模拟）' },
      file: populationFiles.windows,
      columns: populationColumns(...comparedPopulations),
      variants: simulatedVariants,
      simulated: true,
      licence: simulatedLicence,
      description: {
        en: 'Windows of two simulated populations; in one of them a haplotype is all but fixed on chromosome 8, which is planted.',
        zh: '两个模拟群体的窗口统计；其中一个群体在 8 号染色体上几乎固定为同一单倍型，为预设的选择性清除。',
      },
    },
  ]
  assembly.graphs = [
    {
      id: 'chr1-100kb',
      name: { en: 'Graph of 13 genomes, 100 kb of chromosome 1', zh: '13 个基因组的图：1 号染色体 100 kb' },
      file: graphFile,
      sample: reference.id,
      description: {
        en: 'Built from the multiple alignment: whatever differs from IPO323 in the same place is one node. What is not aligned has no path.',
        zh: '由多序列比对构建：同一位置与 IPO323 不同的相同序列合为一个节点。未比对上的部分没有路径。',
      },
      licence,
    },
  ]
  // No annotation of elements comes with the package: the portal finds them at load.
  assembly.transposableElements = { find: 'ltr' }
  assembly.downloads = [
    {
      file: 'IPO323/gene-coverage.tsv',
      title: { en: 'Aligned part of each gene in 12 genomes', zh: '各基因在 12 个基因组中的比对比例' },
      description: {
        en: 'Share of the coding bases of each gene of IPO323 that have a base aligned in each other genome.',
        zh: 'IPO323 各基因的编码碱基在其他基因组中有碱基比对上的比例。',
      },
    },
    {
      file: populationFiles.planted,
      title: { en: 'What is planted in the simulated population', zh: '模拟群体中的预设位点' },
      description: {
        en: 'Variants that the simulated traits depend on, with gene and effect, and the place of the simulated sweep.',
        zh: '模拟性状的致因变异（基因与效应），以及模拟选择性清除的位置。',
      },
      licence: simulatedLicence,
    },
  ]
}

const simulatedVariants = 'population'
const simulatedLicence = 'CC0-1.0'
const mixedModel = {
  en: 'Mixed model with kinship, computed by GEMMA when the demo was made.',
  zh: '由 GEMMA 在制作演示数据时以含亲缘关系的混合模型计算。',
}

const listAssociations = (): AssociationsEntry[] =>
  (
    [
      ['lesion_area', 'leaves', 'Lesion area', '病斑面积'],
      ['pycnidia_density', 'laboratory', 'Pycnidia density', '分生孢子器密度'],
      ['fungicide_tolerance', 'laboratory', 'Fungicide tolerance', '杀菌剂耐受性'],
    ] as const
  ).map(([trait, phenotypes, en, zh]) => ({
    id: trait.replace('_', '-'),
    name: { en: `${en} (simulated)`, zh: `${zh}（模拟）` },
    file: populationFiles.associations[trait],
    trait,
    phenotypes,
    variants: simulatedVariants,
    simulated: true,
    licence: simulatedLicence,
    description: mixedModel,
  }))

function makeManifest(assemblies: AssemblyFolder[], profiles: readonly FactorProfile[]): SpeciesFolder {
  return {
    novodb: 1,
    species: zymoseptoriaSpecies,
    name: 'Zymoseptoria tritici',
    commonName: { en: 'Wheat leaf blotch fungus', zh: '小麦叶枯病菌' },
    description: {
      en: 'The fungus that causes Septoria leaf blotch of wheat, with its wild relatives Z. pseudotritici, Z. ardabiliae and Z. passerinii: thirteen genomes in one alignment, eight accessory chromosomes, and genes with introns.',
      zh: '引起小麦壳针孢叶枯病的真菌及其野生近缘种 Z. pseudotritici、Z. ardabiliae 与 Z. passerinii：13 个基因组的多序列比对、8 条附属染色体，以及带内含子的基因。',
    },
    taxonId: 1047171,
    source: {
      en: 'Debian package maffilter-examples (J. Y. Dutheil, E. H. Stukenbrock and co-workers); gene catalogue of the Joint Genome Institute.',
      zh: 'Debian 软件包 maffilter-examples（J. Y. Dutheil、E. H. Stukenbrock 等）；基因集来自 JGI。',
    },
    licence,
    references: ['references.bib'],
    downloads: [readmeDownload],
    accessions: { file: populationFiles.accessions, simulated: true, licence: simulatedLicence },
    phenotypes: [
      {
        id: 'leaves',
        name: { en: 'Leaf assay (simulated)', zh: '叶片接种试验（模拟）' },
        file: populationFiles.leaves,
        traits: populationFiles.leafTraits,
        simulated: true,
        licence: simulatedLicence,
        description: {
          en: 'Simulated: 200 accessions at two temperatures in three replicates each; two variants are planted.',
          zh: '模拟数据：200 份材料，两个温度，各三次重复；预设两个致因变异。',
        },
      },
      {
        id: 'laboratory',
        name: { en: 'Laboratory measurements (simulated)', zh: '实验室测定（模拟）' },
        file: populationFiles.laboratory,
        traits: populationFiles.laboratoryTraits,
        simulated: true,
        licence: simulatedLicence,
        description: {
          en: 'Simulated: one measurement of each accession, some failed.',
          zh: '模拟数据：每份材料测定一次，个别缺失。',
        },
      },
    ],
    ...(profiles.length === 0
      ? {}
      : {
          transcriptionFactors: {
            profiles: [profilesFile],
            domains: Object.fromEntries(profiles.map(({ name, domain }) => [name, domain])),
          },
        }),
    assemblies,
  }
}

function renderReadme(from: FetchedPackage, summary: ZymoseptoriaSummary): string {
  const english = (value: number) => value.toLocaleString('en')
  const rows = all.map(({ id, species }) => {
    const { sequences, lengthBp, unknownBp } = summary.bases.get(id)!
    const genes = id === reference.id ? summary.genes.genes : summary.projected.get(id)
    const aligned = summary.aligned.get(id)
    const share = ((100 * unknownBp) / lengthBp).toFixed(2)
    return `| ${id} | ${species} | ${english(sequences)} | ${english(lengthBp)} | ${share} | ${genes === undefined ? '' : english(genes)} | ${aligned === undefined ? '' : english(aligned)} |`
  })
  return `# *Zymoseptoria tritici* and its wild relatives

Made from the Debian package \`${from.name}\` ${from.version} (MafFilter's examples; CeCILL as packaged): a multiple alignment of thirteen
genomes made with TBA, and the gene catalogue of the Joint Genome Institute for IPO323.

| assembly | species | sequences | bp | % N | gene models | genes aligned to ${alignedShare * 100} % |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

- Genomes: every base of the alignment at its place, N where nothing aligned. IPO323 is nearly whole that way; of the twelve others
  only what aligns to IPO323 exists, so that what is not found there is *not aligned*, never *absent*.
- Genes of IPO323: ${english(summary.genes.genes)}, named Mycgr3G and their protein number, with ${english(summary.genes.introns)} introns; JGI's model names are aliases.
  ${summary.genes.interrupted.length} has a stop inside as given (${summary.genes.interrupted.join(', ')}).
- Gene models of ${projectedIds.join(', ')}: those of IPO323 carried over column by column, kept only where every coding part has both ends
  aligned on one contig, in one order, and the reading frame stays as whole as in IPO323. A gene that is not there was not projected.
- \`IPO323/variants-*.vcf.gz\`: single-base differences, ${english(summary.triticiVariants)} sites among the three *Z. tritici* and ${english(summary.variants)} among all thirteen.
  Recipe: each column in which IPO323 has a base and another genome another base is a site; REF is the base of the FASTA; a genome with a
  gap, N or nothing there has a missing genotype. Insertions and deletions are not called. The files are bgzip-compressed and sorted.
- \`IPO323/simulated/\`: **simulated**, and labelled so wherever it is shown. ${english(summary.population.accessions)} haploid accessions in four populations, put together
  from pieces (50 kb on average) of the real haplotypes of IPO323, A26b and A48b at ${english(summary.population.sites)} sites: of those with two alleles
  that all three genomes have, one in seven, and all in the coding bases of the planted genes; about 2 % of the genotypes are hidden. In North Africa one
  haplotype is all but fixed at one place. Traits depend on the variants of \`planted.tsv\` and on many of small effect. Names of places are real, nothing
  else is. \`*.assoc.txt.gz\`: GEMMA's mixed model with kinship; a haploid genotype counts as two copies, so that beta is half the difference between
  the alleles.
- \`*_vs_IPO323.paf.gz\`: pairwise blocks of the same alignment. \`IPO323/gene-coverage.tsv\`: share of each gene's coding bases that is aligned.
${
  summary.profiles.length === 0
    ? ''
    : `- \`${profilesFile}\`: profiles built by hmmbuild from fingers of IPO323's own proteins, found by the published spacing of their
  zinc ligands: ${summary.profiles.map(({ name, seeds }) => `${name} (${english(seeds)} seeds)`).join(', ')}. They are not Pfam's and have no
  gathering thresholds: by them this demo's families of transcription factors are told, up to an e-value of 1e-5.
`
}`
}
