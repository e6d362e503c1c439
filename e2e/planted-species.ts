import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'yaml'
import { makeFactorProfiles } from '../demo/factor-profiles.ts'
import { writeGenome } from '../demo/genome-fasta.ts'
import { populationColumns, writePopulationWindows } from '../demo/population-windows.ts'
import { renderBibTex } from '../demo/reference-entries.ts'
import { SeededRandom } from '../demo/seeded-random.ts'
import {
  complexCount,
  groups,
  interactionSeed,
  makeSimulated,
  renderGenes,
  roleName,
  simulatedGenome,
} from '../demo/simulated.ts'
import { simulateExpression } from '../demo/simulated-expression.ts'
import type { SimulatedGene, SimulatedGenome } from '../demo/simulated-genome.ts'
import { simulateInteractions } from '../demo/simulated-interactions.ts'
import { type AssemblyFolder, type SpeciesFolder, writeLines, writeManifest } from '../demo/species-folder.ts'
import { writeYeastPhenotypes } from '../demo/yeast-phenotypes.ts'
import { type AlignedSegment, buildAlignmentGraph } from '../src/bio/graph/alignment-graph.ts'
import { renderGfa } from '../src/bio/graph/variation-graph.ts'
import { translate } from '../src/bio/sequence/genetic-codes.ts'
import { writeCooler } from '../src/testing/cooler.ts'
import { codonOf } from '../src/testing/species.ts'
import type { Facts } from './facts.ts'
import {
  codingPositions,
  deriveStrain,
  type Place,
  type Strain,
  type StrainPlan,
  writeCodons,
} from './planted-strains.ts'

// The simulated species of the demo with something planted for every tool: domains, elements, motifs, strains, a doubled segment,
// contacts, associations, pathways. What is planted is told back, so that journeys look for it by name.

const seed = 20_261_123
const reference = 'Sim-1'

/** Residues that others may stand for, between the ligands of the zinc. */
const loose = 'ADEGKNPQRST'
const domains = [
  // The zinc cluster of Gal4 and a C2H2 finger of Zif268: UniProt P04386, 9..46, and P08046.
  {
    residues: 'QACDICRLKKLKCSKEKPKCAKCLKNNWECRYSPKTKR',
    loose: [13, 14, 15, 16, 17, 18, 23, 24, 25, 26, 27, 32, 33],
    genes: 14,
  },
  { residues: 'FQCRICMRNFSRSDHLTTHIRTH', loose: [1, 3, 4, 6, 7, 10, 11, 12], genes: 4 },
] as const
const domainStart = 12

const families = [
  { name: 'SIMCO', class: 'LTR/Copia', copies: 4 },
  { name: 'SIMGY', class: 'LTR/Gypsy', copies: 2 },
] as const
const ltrBp = 160
const innerBp = 1250
const targetBp = 5
const elementBp = 2 * ltrBp + innerBp

export const plantedBox = 'ACGCGTAA'
const boxGroup = 2
const boxPositions = [70, 130, 190] as const

const drawBases = (random: SeededRandom, length: number): string =>
  Array.from({ length }, () => random.pick([...'ACGT'])).join('')

const endOf = (gene: SimulatedGene): number => gene.exons.at(-1)!.end1
const startOf = (gene: SimulatedGene): number => gene.exons[0]!.start1
const nameOf = (gene: SimulatedGene): string => gene.symbol ?? gene.id

/** Genes of a sequence in their order. */
const along = (genome: SimulatedGenome, sequence: string): SimulatedGene[] =>
  genome.genes.filter((gene) => gene.sequence === sequence)

/** Gaps between neighbours that hold an element and leave the promoters alone. */
const findGaps = (genome: SimulatedGenome, minBp: number): { sequence: string; centre0: number }[] =>
  [...genome.sequences.keys()].flatMap((sequence) => {
    const genes = along(genome, sequence)
    return genes.slice(1).flatMap((gene, at) => {
      const from = endOf(genes[at]!)
      return startOf(gene) - from >= minBp ? [{ sequence, centre0: (from + startOf(gene)) >> 1 }] : []
    })
  })

const write = (bases: string[], start0: number, text: string): void => {
  for (const [at, base] of [...text].entries()) bases[start0 + at] = base
}

/** The genome with domains, elements and promoter boxes written over bases in place: no position changes. */
const plant = (genome: SimulatedGenome) => {
  const random = new SeededRandom(seed)
  const changed = new Map([...genome.sequences].map(([name, text]) => [name, [...text]]))
  const plain = genome.genes.filter((gene) => gene.cds.length === 1 && codingPositions(gene).length > 3 * 150)
  const holders = domains.map(({ residues, loose: places, genes: count }) =>
    plain.splice(0, count).map((gene, number) => {
      const own = [...residues]
      // The first as it is in nature.
      if (number > 0) for (const place of places) if (random.chance(0.4)) own[place] = random.pick([...loose])
      const codons = own.map((residue) => codonOf[residue]!)
      writeCodons(changed.get(gene.sequence)!, gene, domainStart, codons)
      return gene
    }),
  )
  const library: string[] = []
  const elements: (Place & { family: string })[] = []
  const gaps = findGaps(genome, elementBp + 500)
  for (const family of families) {
    const ltr = `TG${drawBases(random, ltrBp - 4)}CA`
    const inner = drawBases(random, innerBp)
    library.push(`>${family.name}-LTR#${family.class}`, ltr, `>${family.name}-I#${family.class}`, inner)
    for (let copy = 0; copy < family.copies; copy += 1) {
      const { sequence, centre0 } = gaps.splice(random.between(0, gaps.length - 1), 1)[0]!
      const start0 = centre0 - (elementBp >> 1)
      const age = (text: string): string =>
        [...text]
          .map((base, at) =>
            at > 1 && at < text.length - 2 && random.chance(0.01 * copy) ? random.pick([...'ACGT']) : base,
          )
          .join('')
      const target = drawBases(random, targetBp)
      write(changed.get(sequence)!, start0 - targetBp, `${target}${age(ltr)}${age(inner)}${age(ltr)}${target}`)
      elements.push({ sequence, start1: start0 + 1, end1: start0 + elementBp, family: family.name })
    }
  }
  const boxGenes = genome.genes.filter(({ role }) => role % groups.length === boxGroup)
  for (const gene of boxGenes)
    for (const away of boxPositions) {
      const bases = changed.get(gene.sequence)!
      const start0 = gene.strand === '+' ? startOf(gene) - 1 - away : endOf(gene) + away - plantedBox.length
      // The box reads alike in its middle on both strands; turned where the gene is.
      write(bases, start0, gene.strand === '+' ? plantedBox : 'TTACGCGT')
    }
  const sequences = new Map([...changed].map(([name, bases]) => [name, bases.join('')]))
  return { genome: { sequences, genes: genome.genes }, clusterGenes: holders[0]!, elements, library, boxGenes }
}

const doubled = { sequence: 'chr1', from: 20, to: 36, onto: 'chr3' } as const

/** The genome with a segment of one chromosome doubled at the end of another, and aged since. */
const double = (genome: SimulatedGenome): { genome: SimulatedGenome; copyOf: Map<string, string> } => {
  const aged = deriveStrain(genome, { seed: seed + 1, idPrefix: 'Sim', share: 0.08, without: [], turned: null })
  const genes = along(aged, doubled.sequence)
  const start0 = (endOf(genes[doubled.from - 1]!) + startOf(genes[doubled.from]!)) >> 1
  const end0 = (endOf(genes[doubled.to - 1]!) + startOf(genes[doubled.to]!)) >> 1
  const onto = genome.sequences.get(doubled.onto)!
  const shift = onto.length - start0
  const copyOf = new Map<string, string>()
  const copies = genes.slice(doubled.from, doubled.to).map((gene): SimulatedGene => {
    const id = gene.id.replace('Sim1g', 'Sim3g9')
    copyOf.set(gene.id, id)
    const move = <Part extends { start1: number; end1: number }>(part: Part): Part => ({
      ...part,
      start1: part.start1 + shift,
      end1: part.end1 + shift,
    })
    return { ...gene, id, symbol: null, sequence: doubled.onto, exons: gene.exons.map(move), cds: gene.cds.map(move) }
  })
  const sequences = new Map(genome.sequences)
  sequences.set(doubled.onto, onto + aged.sequences.get(doubled.sequence)!.slice(start0, end0))
  return { genome: { sequences, genes: [...genome.genes, ...copies] }, copyOf }
}

const proteinOf = (genome: SimulatedGenome, gene: SimulatedGene): string => {
  const bases = genome.sequences.get(gene.sequence)!
  const turn: Record<string, string> = { A: 'T', C: 'G', G: 'C', T: 'A' }
  const coding = codingPositions(gene).map((at) => (gene.strand === '+' ? bases[at]! : turn[bases[at]!]!))
  return translate(coding.join('')).replace(/\*$/, '')
}

const graphed = { sequence: 'chr1', endBp: 60_000 } as const

/** The graph of the first bases of a chromosome: substitutions of the strains, and what they lack. */
const renderGraph = (
  genome: SimulatedGenome,
  strains: readonly { id: string; strain: Strain; plan: StrainPlan }[],
): string => {
  const bases = genome.sequences.get(graphed.sequence)!.slice(0, graphed.endBp)
  const about = { sequence: graphed.sequence, start0: 0, turned: false }
  const aligned = strains.map(({ id, strain, plan }) => {
    const own = strain.aligned.get(graphed.sequence)!
    const lacks = (at: number): boolean =>
      plan.without.some(({ sequence, start1, end1 }) => sequence === graphed.sequence && at + 1 >= start1 && at < end1)
    const segments: AlignedSegment[] = []
    for (let at = 0; at < bases.length; ) {
      const kind = (index: number): string => (lacks(index) ? 'lost' : own[index] === bases[index] ? 'same' : 'other')
      const first = kind(at)
      let end = at + 1
      while (end < bases.length && kind(end) === first) end += 1
      segments.push({
        referenceBp: end - at,
        bases: first === 'same' ? null : first === 'lost' ? '' : own.slice(at, end),
      })
      at = end
    }
    return { ...about, name: id, sample: id, assembly: id, referenceStart0: 0, segments }
  })
  return renderGfa(
    buildAlignmentGraph({ ...about, name: reference, sample: reference, assembly: reference, bases }, aligned),
  )
}

const binBp = 10_000
const domainBins = 10
/** Bins of chr1 and chr2 that touch. */
const touching = [10, 12] as const
/** A sequence with another name on the map of contacts. */
const otherName = { sequence: 'chr3', alias: 'Chromosome_III' } as const

/** Contacts that fall with distance, more within domains of `domainBins`, and one place where two chromosomes touch. */
const writeContacts = (file: string, genome: SimulatedGenome): Promise<void> => {
  const random = new SeededRandom(seed + 2)
  const chromosomes = [...genome.sequences].map(([name, bases]) => ({
    name: name === otherName.sequence ? otherName.alias : name,
    lengthBp: bases.length,
  }))
  const bins = chromosomes.flatMap(({ lengthBp }, chromosome) =>
    Array.from({ length: Math.ceil(lengthBp / binBp) }, (_, at) => ({ chromosome, at })),
  )
  const pixels: [number, number, number][] = []
  for (const [one, a] of bins.entries())
    for (let two = one; two < bins.length; two += 1) {
      const b = bins[two]!
      const apart = b.at - a.at
      const same = a.chromosome === b.chromosome
      const domain = same && Math.floor(a.at / domainBins) === Math.floor(b.at / domainBins)
      const loop = a.chromosome === 0 && b.chromosome === 1 && a.at === touching[0] && b.at === touching[1]
      const mean = (same ? 400 / (1 + apart) : 4) * (domain ? 2 : 1) * (loop ? 20 : 1)
      pixels.push([one, two, Math.max(1, Math.round(mean * (0.9 + 0.2 * random.fraction())))])
    }
  const weights = { weight: new Float64Array(bins.length).fill(0.02) }
  return writeCooler(file, { chromosomes, binBp, pixels, weights })
}

/** A drawing of five steps, each by a gene. */
const renderDrawing = (genes: readonly SimulatedGene[]): string => {
  const node = (id: string, label: string, type: string, x: number, y: number): string =>
    `<DataNode elementId="${id}" textLabel="${label}" type="${type}"><Graphics centerX="${x}" centerY="${y}" width="100" height="22" shapeType="Rectangle"/></DataNode>`
  const nodes = genes.flatMap((gene, at) => [
    node(`m${at}`, `Substance ${at + 1}`, 'Metabolite', 200, 40 + 90 * at),
    node(`g${at}`, nameOf(gene), 'GeneProduct', 330, 85 + 90 * at),
  ])
  const lines = genes
    .slice(1)
    .map(
      (_, at) =>
        `<Interaction elementId="i${at}"><Waypoints><Point elementId="i${at}a" x="200" y="${51 + 90 * at}" arrowHead="Undirected"/><Point elementId="i${at}b" x="200" y="${119 + 90 * at}" arrowHead="Conversion"/></Waypoints><Graphics lineColor="000000"/></Interaction>`,
    )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Pathway xmlns="http://pathvisio.org/GPML/2021" title="${drawnPathway}" organism="Simulata exempli">`,
    '<Xref identifier="simulated-fermentation" dataSource="Simulated"/>',
    `<Graphics boardWidth="480" boardHeight="${100 + 90 * genes.length}"/>`,
    '<DataNodes>',
    ...nodes,
    '</DataNodes><Interactions>',
    ...lines,
    '</Interactions></Pathway>',
    '',
  ].join('\n')
}
export const drawnPathway = 'Simulated fermentation'

const renderMotifs = (): string[] => {
  const motif = (name: string, word: string): string[] => [
    `MOTIF ${name}`,
    `letter-probability matrix: alength= 4 w= ${word.length} nsites= 20 E= 0`,
    ...[...word].map((base) => [...'ACGT'].map((one) => (base === 'N' ? 0.25 : one === base ? 0.94 : 0.02)).join(' ')),
    '',
  ]
  return ['MEME version 4', '', 'ALPHABET= ACGT', '', ...motif('SIMBOX', plantedBox), ...motif('SIMGAP', 'CGGNNNNNCCG')]
}

const associations = [
  { trait: 'Yield', sequence: 'chr1', gene: 50, hits: 40 },
  { trait: 'Oil', sequence: 'chr2', gene: 30, hits: 25 },
] as const

/** Hits of two traits around a gene each; the nearer, the smaller the p-value. */
const renderAssociations = async (vcfFile: string, genome: SimulatedGenome): Promise<string[]> => {
  const rows = gunzipSync(await readFile(vcfFile))
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t', 5))
  const lines = ['trait\tchromosome\tposition\tref\talt\tp']
  for (const { trait, sequence, gene, hits } of associations) {
    const centre = startOf(along(genome, sequence)[gene]!)
    const near = rows
      .filter(([name]) => name === sequence)
      .map((cells) => ({ cells, away: Math.abs(Number(cells[1]) - centre) }))
      .sort((a, b) => a.away - b.away)
      .slice(0, hits)
    for (const [at, { cells }] of near.entries())
      lines.push([trait, cells[0], cells[1], cells[3], cells[4], (10 ** (-12 + at / 8)).toExponential(3)].join('\t'))
  }
  return lines
}

const renderDifferential = (genome: SimulatedGenome, fallen: SimulatedGene): string[] => {
  const random = new SeededRandom(seed + 3)
  const lines = ['gene\tbaseMean\tlog2FoldChange\tlfcSE\tstat\tpvalue\tpadj']
  for (const gene of genome.genes) {
    const change = gene === fallen ? -6 : random.normal() * (random.chance(0.1) ? 2 : 0.2)
    const p = gene === fallen ? 1e-80 : 10 ** -(change * change * 3)
    lines.push(
      [
        gene.id,
        (50 + 900 * random.fraction()).toFixed(1),
        change.toFixed(3),
        0.3,
        (change / 0.3).toFixed(2),
        p.toExponential(3),
        Math.min(1, p * 3).toExponential(3),
      ].join('\t'),
    )
  }
  return lines
}

/** A substitution of a strain within a gene, as the graph tells it. */
const firstChange = (genome: SimulatedGenome, strain: Strain, gene: SimulatedGene): string => {
  const bases = genome.sequences.get(gene.sequence)!
  const own = strain.aligned.get(gene.sequence)!
  for (let at = startOf(gene) - 1; at < endOf(gene); at += 1)
    if (own[at] !== bases[at]) return `${gene.sequence}:${at + 1} ${bases[at]}>${own[at]}`
  throw new Error(`${gene.id} is the same in the strain`)
}

/** A planted complex of the simulated interactions. */
const interactions = (genome: SimulatedGenome): Omit<Facts['complex'], 'inStrain'> => {
  const { complexes } = simulateInteractions(
    genome.genes.map(({ id }) => id),
    complexCount,
    interactionSeed,
  )
  const [gene, ...partners] = complexes[0]!
  return { gene: gene!, name: gene!, partners, source: 'simulated' }
}

/** Rows of a tab-separated file that the species folder keeps, by the names of its columns. */
const readRows = async (file: string): Promise<Record<string, string>[]> => {
  const [head, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const names = head!.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  })
}

/** The mean of an accession's replicates, to the two places that the table of values shows. */
const meanHeight = async (file: string, accession: string): Promise<string> => {
  const heights = (await readRows(file)).filter((row) => row.accession === accession).map((row) => Number(row.height))
  return String(Number((heights.reduce((sum, height) => sum + height, 0) / heights.length).toFixed(2)))
}

/** Cells in which a gene was counted: entries of its row (1-based) in a 10x matrix. */
const countCells = async (file: string, row: number): Promise<number> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .slice(3)
    .filter((line) => line.startsWith(`${row} `)).length

/** Variants whose rarer allele makes up a share of at least `minShare` of all copies. */
const countCommon = async (vcfFile: string, minShare: number): Promise<number> => {
  const lines = gunzipSync(await readFile(vcfFile))
    .toString('latin1')
    .split('\n')
  return lines.filter((line) => {
    if (line === '' || line.startsWith('#')) return false
    const copies = line
      .split('\t')
      .slice(9)
      .flatMap((genotype) => genotype.split(':', 1)[0]!.split(/[/|]/).map(Number))
    const share = copies.reduce((sum, copy) => sum + copy, 0) / copies.length
    return Math.min(share, 1 - share) >= minShare
  }).length
}

const bilingual = (en: string, zh: string): { en: string; zh: string } => ({ en, zh })

/** Writes the species folder and tells what is planted in it. */
export const makePlantedSpecies = async (folder: string): Promise<Facts> => {
  const first = plant(simulatedGenome())
  const { genome, copyOf } = double(first.genome)
  const at = (name: string): string => join(folder, name)
  await makeSimulated(folder, genome)
  const chr1 = along(genome, 'chr1')
  const copies = new Map<number, number>()
  for (const { family } of genome.genes) copies.set(family, (copies.get(family) ?? 0) + 1)
  const single = (genes: readonly SimulatedGene[]): SimulatedGene[] =>
    genes.filter(({ family, symbol }) => symbol !== null && copies.get(family) === 1)
  const [lostGene, lostByRelative] = single(chr1.slice(60))
  const coreGene = chr1.slice(doubled.from + 3, doubled.to).find(({ symbol }) => symbol !== null)!
  const [element] = first.elements
  const around = (gene: SimulatedGene): Place => ({
    sequence: gene.sequence,
    start1: startOf(gene) - 30,
    end1: endOf(gene) + 30,
  })
  const chr2 = along(genome, 'chr2')
  const strains = [
    {
      id: 'Sim-2',
      name: bilingual('Sim-2, a strain', 'Sim-2（菌株）'),
      plan: {
        seed: seed + 4,
        idPrefix: 'SimB',
        share: 0.01,
        turned: null,
        // The element with one of its two target sites, as before it came.
        without: [around(lostGene!), { ...element!, end1: element!.end1 + targetBp }],
      },
    },
    {
      id: 'Sim-3',
      name: bilingual('Sim-3, a relative', 'Sim-3（近缘种）'),
      plan: {
        seed: seed + 5,
        idPrefix: 'SimC',
        share: 0.05,
        without: [around(lostByRelative!)],
        turned: { sequence: 'chr2', start1: endOf(chr2[39]!) + 100, end1: endOf(chr2[59]!) + 100 },
      },
    },
  ].map((one) => ({ ...one, strain: deriveStrain(genome, one.plan) }))
  const proteins = new Map(genome.genes.map((gene) => [gene.id, proteinOf(genome, gene)]))
  const profiles = await makeFactorProfiles(proteins, at('factors.hmm'))
  await writeLines(at('families.fa'), first.library)
  await writeLines(at('elements.gff3'), [
    '##gff-version 3',
    ...first.elements.map(({ sequence, start1, end1, family }, number) =>
      [
        sequence,
        'simulated',
        'LTR_retrotransposon',
        start1,
        end1,
        '.',
        '+',
        '.',
        `ID=te${number + 1};Name=${family};family=${family}`,
      ].join('\t'),
    ),
  ])
  await writeFile(at('chr1.gfa'), renderGraph(genome, strains))
  await writeContacts(at('contacts.cool'), genome)
  await writeLines(at('motifs.meme'), renderMotifs())
  await writeLines(at('hits.tsv'), await renderAssociations(at('variants.vcf.gz'), genome))
  const fallenGene = genome.genes[5]!
  await writeLines(at('knockout.tsv'), renderDifferential(genome, fallenGene))
  const drawnGenes = genome.genes.filter(({ role, symbol }) => role === 0 && symbol !== null).slice(0, 6)
  await writeFile(at('fermentation.gpml'), renderDrawing(drawnGenes))
  await writeLines(
    at('pathways.gmt'),
    [...new Set(genome.genes.map(({ role }) => role))]
      .sort((a, b) => a - b)
      .map((role) =>
        [
          `SIMP${role}`,
          `Pathway of ${roleName(role)}`,
          ...genome.genes.filter((gene) => gene.role === role).map(({ id }) => id),
        ].join('\t'),
      ),
  )
  const samplesOf = (population: string): string[] =>
    Array.from({ length: 12 }, (_, number) => `pop${population}-${number + 1}`)
  await writePopulationWindows({
    vcfFile: at('variants.vcf.gz'),
    populations: ['A', 'B'].map((name) => ({ name, samples: samplesOf(name) })),
    windowBp: 5000,
    stepBp: 2500,
    outFile: at('windows.tsv'),
  })
  const course = simulateExpression(
    genome.genes.map(({ id, role }) => ({ id, module: groups[role % groups.length]! })),
    {
      factor: 'minutes',
      levels: ['0', '15', '30', '45', '60', '75', '90', '105'],
      treatments: ['release'],
      replicates: 2,
    },
    seed + 6,
  )
  await writeLines(at('course.tsv'), course.matrix)
  await writeLines(at('course-samples.tsv'), course.sheet)
  await writeLines(
    at('references.bib'),
    renderBibTex(
      ['On planted truths', 'A genome that does not exist', 'Elements of a simulated kind'].map((title, number) => ({
        key: `planted${number + 1}`,
        authors: 'Exempli, Simulata and Li, Wei',
        title,
        journal: 'Journal of Simulations',
        year: 2020 + number,
        doi: `10.0000/planted.${number + 1}`,
        keywords: [genome.genes[number]!.id, 'simulation'],
      })),
    ),
  )
  const trial = await writeYeastPhenotypes(folder)
  const [, ...known] = (await readFile(at('accessions.tsv'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  const columns = ['accession', 'name', 'population', 'country', 'latitude', 'longitude', 'source', 'year']
  await writeLines(at('accessions.tsv'), [
    columns.join('\t'),
    ...known.map((cells) => [...cells, '', '', '', '', ''].join('\t')),
    ...trial.accessions.map((one) =>
      columns.map((column) => (one as Partial<Record<string, string>>)[column] ?? '').join('\t'),
    ),
  ])

  const manifest = parse(await readFile(at('species.yaml'), 'utf8')) as SpeciesFolder
  const [main] = manifest.assemblies
  const more: Partial<AssemblyFolder> = {
    sequences: main!.sequences!.map((one) =>
      one.name === otherName.sequence ? { ...one, aliases: [otherName.alias] } : one,
    ),
    examples: [nameOf(coreGene), nameOf(first.clusterGenes[0]!), nameOf(drawnGenes[0]!), nameOf(first.boxGenes[0]!)],
    transposableElements: { file: 'elements.gff3', library: { file: 'families.fa' } },
    graphs: [
      { id: 'chr1', name: bilingual('Graph of three genomes, 60 kb', '三个基因组的图，60 kb'), file: 'chr1.gfa' },
    ],
    contacts: [
      {
        id: 'hic-10kb',
        name: bilingual('Contacts, 10 kb', '染色质互作，10 kb'),
        file: 'contacts.cool',
        simulated: true,
      },
    ],
    gwas: [
      {
        id: 'panel',
        name: bilingual('Hits of two traits', '两个性状的关联位点'),
        file: 'hits.tsv',
        complete: false,
        variants: 'simulated',
        simulated: true,
      },
    ],
    sweeps: [
      {
        id: 'populations',
        name: bilingual('Populations A and B, 5 kb', '群体 A 与 B，5 kb'),
        file: 'windows.tsv',
        columns: populationColumns('A', 'B').slice(0, 4),
        variants: 'simulated',
        simulated: true,
      },
    ],
    pathways: [
      { file: 'pathways.gmt', source: 'Simulated pathway', title: bilingual('Simulated pathways', '模拟通路') },
      { file: 'fermentation.gpml', source: 'Drawn pathway', title: bilingual('Drawn pathways', '绘制的通路') },
    ],
    expression: [
      {
        id: 'course',
        name: bilingual('Time course', '时间过程'),
        file: 'course.tsv',
        unit: 'TPM',
        samples: 'course-samples.tsv',
        group: 'minutes',
        simulated: true,
      },
      {
        ...main!.expression![0]!,
        differential: [{ id: 'knockout', name: bilingual('Knockout', '敲除'), file: 'knockout.tsv' }],
      },
    ],
  }
  const others: AssemblyFolder[] = []
  for (const { id, name, strain } of strains) {
    await writeGenome(at(`${id}.fa`), strain.sequences)
    await writeLines(at(`${id}.gff3`), renderGenes(strain))
    const sequences = [...strain.sequences.keys()].map((one) => ({ name: one, role: 'chromosome' as const }))
    others.push({
      id,
      name: id,
      strain: id,
      description: name,
      simulated: true,
      genome: `${id}.fa`,
      genes: `${id}.gff3`,
      sequences,
    })
  }
  await writeManifest(folder, {
    ...manifest,
    references: ['references.bib'],
    motifs: [{ file: 'motifs.meme', id: 'planted', title: bilingual('Planted motifs', '预设的基序') }],
    transcriptionFactors: {
      profiles: ['factors.hmm'],
      domains: Object.fromEntries(profiles.map((profile) => [profile.name, profile.domain])),
    },
    // The trial first, by order and by name: examples begin from it.
    phenotypes: [trial.entry, ...manifest.phenotypes!.map((one) => ({ ...one, id: `trial-${one.id}` }))],
    assemblies: [{ ...main!, ...more }, ...others],
  })
  const [inStrain, inRelative] = strains.map(
    ({ strain }) =>
      (gene: SimulatedGene) =>
        strain.geneOf.get(gene.id)!,
  )
  const orthologs = (gene: SimulatedGene) => ({ inStrain: inStrain!(gene), inRelative: inRelative!(gene) })
  const kinase = single(chr2.slice(10, 34))[0]!
  // One intron: one junction that primers for quantitative PCR can span.
  const reversed = chr1.find(({ strand, symbol, cds }) => strand === '-' && symbol !== null && cds.length === 2)!
  const plainReversed = chr1.find(({ strand, cds }) => strand === '-' && cds.length === 1)!
  const elsewhere = along(genome, 'chr3').find(({ symbol }) => symbol !== null)!
  const factor = first.clusterGenes[0]!
  const beside = chr2.filter(
    (gene) => Math.min(Math.abs(gene.exons[0]!.start1 - element!.end1), Math.abs(endOf(gene) - element!.start1)) < 1000,
  )
  const [varied] = chr1
    .filter(({ symbol }) => symbol !== null)
    .sort((a, b) => endOf(b) - startOf(b) - (endOf(a) - startOf(a)))
  const variants = gunzipSync(await readFile(at('variants.vcf.gz')))
    .toString('latin1')
    .split('\n')
    .filter((line) => line.startsWith('chr1\t'))
    .map((line) => line.split('\t', 5))
  const drawn = chr1.slice(0, 12).find(({ symbol }) => symbol !== null)!
  const associated = associations.map(({ sequence, gene }) => along(genome, sequence)[gene]!)
  const complex = interactions(genome)
  const box = first.boxGenes.filter(({ symbol }) => symbol !== null)
  const term = (role: number): string => `SIM:${String(100 + role).padStart(7, '0')}`
  const lengthOf = (name: string): number => genome.sequences.get(name)!.length
  const comma = (value: number): string => value.toLocaleString('en-US')
  return {
    species: manifest.species,
    reference,
    strain: 'Sim-2',
    relative: 'Sim-3',
    geneId: 'Sim\\dg\\d{5,6}',
    genomeFile: at('genome.fa'),
    proteins: chr1
      .slice(0, 20)
      .map((gene) => `>${gene.id}\n${proteins.get(gene.id)}\n`)
      .join(''),
    known: {
      gene: reversed.id,
      name: reversed.symbol!,
      locus: `chr1:${comma(startOf(reversed))}..${comma(endOf(reversed))}`,
      reverse: true,
      residues: proteins.get(reversed.id)!.length,
      exons: reversed.exons.length,
      begins: proteins.get(reversed.id)!.slice(0, 5),
      term: [term(reversed.role), `${roleName(reversed.role)} (simulated)`],
      elsewhere: { name: elsewhere.symbol!, sequence: 'chr3' },
    },
    fetched: {
      sequence: 'chr1',
      start: plainReversed.cds[0]!.start1,
      end: plainReversed.cds[0]!.end1,
      endOf: { sequence: 'chr1', lengthBp: lengthOf('chr1') },
      alias: [otherName.alias, otherName.sequence],
    },
    spliced: {
      gene: reversed.id,
      name: reversed.symbol!,
      reverse: true,
      parts: reversed.cds.map(({ start1, end1 }) => `chr1:${start1}-${end1}`).reverse(),
    },
    search: { word: 'repair', shared: kinase.symbol!, slip: 'transprot', meant: 'transport' },
    kinase: {
      gene: kinase.id,
      name: kinase.symbol!,
      protein: proteins.get(kinase.id)!.slice(0, 60),
      ...orthologs(kinase),
    },
    core: {
      gene: coreGene.id,
      name: coreGene.symbol!,
      sequence: 'chr1',
      copy: copyOf.get(coreGene.id)!,
      ...orthologs(coreGene),
    },
    lackingDisk: `${element!.sequence}:${element!.start1 + 100}..${element!.end1 - 100}`,
    families: 100,
    mapped: {
      genes: [coreGene.symbol!, copyOf.get(coreGene.id)!],
      other: kinase.symbol!,
      sequence: 'chr2',
      linkTo: 'chr3',
      pairs: 1,
    },
    synteny: { blocks: 3, pairs: 300, itself: 'Sim-1' },
    factors: {
      name: factor.id,
      gene: factor.id,
      protein: proteins.get(factor.id)!.slice(0, 70),
      exampleFamily: 'C2H2',
    },
    elements: { family: 'SIMGY', besides: beside.map(({ id }) => id), beside: 'SIMCO', found: 'SIM(CO|GY)' },
    variation: {
      sample: 'popA-1',
      gene: varied!.id,
      name: varied!.symbol!,
      haplotypeOf: 'popB-1',
      region: `chr1:${Number(variants[20]![1]) - 50}-${Number(variants[20]![1]) + 400}`,
      variant: variants[20]!.filter((_, column) => column !== 2).join(':'),
    },
    graph: {
      sequence: 'chr1',
      gene: drawn.symbol!,
      headline: 'chr1:[\\d,]+\\.\\.[\\d,]+',
      genomes: 3,
      variants: strains.map(({ strain }) => firstChange(genome, strain, drawn)),
    },
    association: {
      dataset: 'panel',
      trait: 'Yield',
      second: 'Oil',
      hits: associations[0].hits,
      name: nameOf(associated[0]!),
      near: associated[0]!.id,
      searched: `${associated[0]!.id}.*chr1:[\\d,]+.*20,000`,
      run: {
        samples: 24,
        names: samplesOf('A').slice(0, 4),
        top: 'chr',
        rows: 1 + (await countCommon(at('variants.vcf.gz'), 0.05)),
      },
    },
    phenotype: {
      dataset: 'trial-height',
      trait: 'height',
      measured: '24',
      accession: 'popB-12',
      value: await meanHeight(at('heights.tsv'), 'popB-12'),
    },
    sweep: {
      populations: 'A_B',
      samples: ['popA-1', 'popA-2'],
      few: false,
      windows: 50,
      // One in a hundred of fewer than a hundred windows is one.
      regions: [1, 1],
      namesOnPhone: [3, 3],
      gene: kinase.id,
    },
    contacts: {
      renamed: `${otherName.alias} → ${otherName.sequence}`,
      sequence: 'chr1',
      lengthBp: lengthOf('chr1'),
      zoomed: 'chr1:',
      bins: 10,
      domains: [1, 1],
      // The one that others lie on both sides of; a boundary is a bin on either side of where it is planted.
      domain: 'chr1:(90|100),001\\.\\.(200|210),000',
      pair: [
        { locus: 'chr1', share: ((touching[0] + 0.5) * binBp) / lengthOf('chr1'), at70: 'chr1:2' },
        { locus: 'chr2', share: ((touching[1] + 0.5) * binBp) / lengthOf('chr2') },
      ],
      gene: kinase.id,
      name: kinase.symbol!,
    },
    expression: {
      exampleGenes: 40,
      sample: '0_release_1',
      compared: 'organs',
      fallen: fallenGene.id,
      module: {
        dataset: 'organs',
        name: box[0]!.symbol!,
        gene: box[0]!.id,
        others: first.boxGenes.slice(1).map(({ id }) => id),
      },
    },
    cells: {
      dataset: 'simulated-cells',
      genes: [genome.genes[0]!.id, genome.genes[1]!.id],
      gene: genome.genes[0]!.id,
      expressing: await countCells(at('matrix.mtx'), 1),
      grouping: 'cell type',
      group: 'cell type=core',
      groups: 5,
      count: 400,
      correlation: '0\\.',
    },
    complex: { ...complex, inStrain: strains[0]!.strain.geneOf.get(complex.gene)! },
    discovery: { dataset: 'course', top: 12, gene: box[0]!.symbol!, term: groups[boxGroup]!, genes: [box[0]!.id] },
    regulon: {
      query: {
        genes: first.boxGenes
          .slice(0, 12)
          .map(({ id }) => id)
          .join(),
        from: 'coding',
        motifNames: 'SIMBOX SIMGAP',
      },
      motif: 'SIMBOX',
    },
    enrichment: {
      termPrefix: 'SIM:',
      genes: first.boxGenes.map(({ id }) => id),
      collection: 'SIM',
      term: groups[boxGroup]!,
      member: box[0]!.symbol!,
      own: box.slice(0, 3).map(({ symbol }) => symbol!),
    },
    pathway: {
      drawn: drawnPathway,
      genes: [drawnGenes[0]!.symbol!, drawnGenes[1]!.symbol!],
      geneId: drawnGenes[0]!.id,
      source: 'Simulated pathway',
      set: drawnGenes.slice(0, 4).map(({ id }) => id),
      name: `Pathway of ${roleName(0)}`,
      words: `pathway of ${roleName(0)}`,
    },
  }
}
