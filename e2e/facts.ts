import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/**
 * What journeys look for in the data that is loaded: the planted species, or the yeast set where that is kept beside the repository.
 * Expressions are sources of regular expressions, since facts are handed to the tests' processes as JSON.
 */
export interface Facts {
  species: string
  /** Assemblies: the reference, another genome of its species, and a relative. */
  reference: string
  strain: string
  relative: string
  /** Expression of the ids of the reference's genes. */
  geneId: string
  /** The reference's genome as FASTA, plain or gzip. */
  genomeFile: string
  /** Twenty proteins as FASTA. */
  proteins: string
  /** A gene of which everything is known, and one of another sequence. */
  known: {
    gene: string
    name: string
    locus: string
    reverse: boolean
    residues: number
    exons: number
    begins: string
    term: [id: string, name: string]
    elsewhere: { name: string; sequence: string }
  }
  /** A place (ascending) over whose reverse strand a coding sequence begins, and a sequence's end, and another name of one. */
  fetched: {
    sequence: string
    start: number
    end: number
    endOf: { sequence: string; lengthBp: number }
    alias: [string, string]
  }
  /** A gene with one intron at least; its coding parts in its direction. */
  spliced: { gene: string; name: string; reverse: boolean; parts: string[] }
  search: { word: string; shared: string; slip: string; meant: string }
  /** A gene of one copy in every assembly, away from ends. */
  kinase: { gene: string; name: string; protein: string; inStrain: string; inRelative: string }
  /** A gene in a segment that is there twice, with its other copy. */
  core: { gene: string; name: string; sequence: string; copy: string; inStrain: string; inRelative: string }
  /** A place with an element that the strain lacks. */
  lackingDisk: string
  /** Orthogroups: more than so many. */
  families: number
  /** `pairs`: the link, and genes of one family where there are some. */
  mapped: { genes: [string, string]; other: string; sequence: string; linkTo: string; pairs: number }
  synteny: { blocks: number; pairs: number; itself: string }
  factors: { name: string; gene: string; protein: string; exampleFamily: string }
  elements: { family: string; besides: string[]; beside: string; found: string }
  variation: { sample: string; gene: string; name: string; haplotypeOf: string; region: string; variant: string }
  graph: { sequence: string; gene: string; headline: string; genomes: number; variants: string[] }
  association: {
    dataset: string
    trait: string
    second: string
    hits: number
    name: string
    near: string
    searched: string
    run: { samples: number; names: string[]; top: string; rows: number }
  }
  phenotype: { dataset: string; trait: string; measured: string; accession: string; value: string }
  sweep: {
    populations: string
    samples: [string, string]
    few: boolean
    /** More than so many windows drawn. */
    windows: number
    regions: [min: number, max: number]
    namesOnPhone: [min: number, max: number]
    gene: string
  }
  contacts: {
    renamed: string
    sequence: string
    lengthBp: number
    zoomed: string
    /** More than so many bins in the zoomed map. */
    bins: number
    domains: [min: number, max: number]
    /** Expression of the place of one of the domains. */
    domain: string
    pair: [{ locus: string; share: number; at70: string }, { locus: string; share: number }]
    gene: string
    name: string
  }
  expression: {
    exampleGenes: number
    sample: string
    compared: string
    fallen: string
    module: { dataset: string; name: string; gene: string; others: string[] }
  }
  cells: {
    dataset: string
    genes: [string, string]
    gene: string
    grouping: string
    group: string
    groups: number
    count: number
    correlation: string
    /** Cells in which the gene was counted. */
    expressing: number
  }
  complex: { gene: string; name: string; inStrain: string; partners: string[]; source: string }
  /** `top`: how many co-expressed genes are taken along. */
  discovery: { dataset: string; top: number; gene: string; term: string; genes: string[] }
  regulon: { query: { genes: string; from: string; motifNames: string }; motif: string }
  enrichment: { termPrefix: string; genes: string[]; collection: string; term: string; member: string; own: string[] }
  pathway: {
    drawn: string
    genes: [string, string]
    geneId: string
    source: string
    set: string[]
    name: string
    words: string
  }
}

/** Every so manieth protein of a file, twenty in all. */
const someProteins = (file: string, count = 20): string => {
  const records = gunzipSync(readFileSync(file))
    .toString('utf8')
    .split(/^(?=>)/m)
  const step = Math.floor(records.length / count)
  return records
    .filter((_, at) => at % step === 0)
    .slice(0, count)
    .join('')
}

/** Genes that go with the G1 cyclin CLN2 over the cell cycle. */
const cellCycle = (): string[] =>
  (
    JSON.parse(readFileSync(join(import.meta.dirname, '../src/tools/enrichment/golden/cell-cycle.json'), 'utf8')) as {
      genes: string[]
    }
  ).genes

/** Budding yeast, as the Saccharomyces Genome Database and the authors of the loaded tables have it. */
export const yeastFacts = (sharedData: string): Facts => {
  const genome = join(sharedData, 'yeast/genome')
  return {
    species: 'saccharomyces-cerevisiae',
    reference: 'R64',
    strain: 'SK1',
    relative: 'CBS432',
    geneId: 'Y[A-P][LR]\\d{3}[CW]',
    genomeFile: join(genome, 'R64.genome.chr.fa.gz'),
    proteins: someProteins(join(genome, 'SGDref.PoFF.faa.gz')),
    known: {
      gene: 'YAL001C',
      name: 'TFC3',
      locus: 'chrI:147,469..151,191',
      reverse: true,
      residues: 1160,
      exons: 2,
      begins: 'MVLTI',
      term: ['GO:0000127', 'transcription factor TFIIIC complex'],
      elsewhere: { name: 'COX1', sequence: 'chrmt' },
    },
    fetched: {
      sequence: 'chrI',
      start: 147_594,
      end: 151_166,
      alias: ['Mito', 'chrmt'],
      endOf: { sequence: 'chrI', lengthBp: 230_218 },
    },
    // Exon 2 up to 54,377, the intron 54,378..54,686, exon 1 to 54,696.
    spliced: { gene: 'YFL039C', name: 'ACT1', reverse: true, parts: ['chrVI:54687-54696', 'chrVI:53260-54377'] },
    search: { word: 'DNA', shared: 'YAL001C', slip: 'ribosomla', meant: 'ribosom(?!la)' },
    kinase: {
      gene: 'YBR160W',
      name: 'CDC28',
      inStrain: 'SK1_02G02560',
      inRelative: 'CBS432_02G02590',
      protein: 'MSGELANYKRLEKVGEGTYGVVYKALDLRPGQGQRVVALKKIRLESEDEGVPSTAIREIS',
    },
    // The pyruvate kinases, paralogs of the whole-genome doubling.
    core: {
      gene: 'YAL038W',
      name: 'CDC19',
      sequence: 'chrI',
      copy: 'YOR347C',
      inStrain: 'SK1_01G00290',
      inRelative: 'CBS432_01G00260',
    },
    // An annotated Ty of R64.
    lackingDisk: 'chrII:260000..265000',
    families: 5000,
    mapped: { genes: ['HXT6', 'HXT7'], other: 'CDC28', sequence: 'chrIV', linkTo: 'chrII', pairs: 2 },
    synteny: { blocks: 30, pairs: 5000, itself: 'R64.*3\\d.*[(（].*11\\.\\d ?%' },
    factors: {
      name: 'GAL4',
      gene: 'YPL248C',
      exampleFamily: 'bHLH',
      protein: 'MKLLSSIEQACDICRLKKLKCSKEKPKCAKCLKNNWECRYSPKTKRSPLTRAHLTEVESRLERLEQLFLL',
    },
    elements: { family: 'TY3', besides: ['YAR008W', 'YAL001C'], beside: 'TY1', found: 'TY[12]' },
    variation: {
      sample: 'SK1',
      gene: 'YOL081W',
      name: 'IRA2',
      haplotypeOf: 'UWOPS034614',
      region: 'chrI:1500-1620',
      variant: 'chrI:1483:C:A',
    },
    graph: {
      sequence: 'chrIII',
      gene: 'HIS4',
      headline: 'chrIII:65,279..68,955.*80',
      genomes: 7,
      variants: ['chrIII:65358 C>T', 'chrIII:65871^65872 ins AT'],
    },
    association: {
      dataset: 'genphen',
      trait: 'Sporulation_24_hours',
      second: 'Sporulation_72_hours',
      hits: 351,
      name: 'RIM15',
      near: 'YOL086C',
      searched: 'YOL086C\\s*ADH1.*chrXV:139,.*20,000',
      run: { samples: 641, names: ['BFC', 'SACE_YAM', 'BKI', 'BNV'], top: 'c12p62644', rows: 187 },
    },
    phenotype: { dataset: 'life-span', trait: 'CLS_CRday21', measured: '572', accession: 'SACE_YAM', value: '0.865' },
    sweep: {
      populations: 'domesticated_wild',
      samples: ['SK1', 'Y12'],
      few: true,
      windows: 500,
      regions: [4, 400],
      namesOnPhone: [4, 15],
      gene: 'YDL227C',
    },
    contacts: {
      renamed: 'chrMito → chrmt',
      sequence: 'chrIV',
      lengthBp: 1_531_932,
      zoomed: 'chrIV:38',
      bins: 70,
      domains: [4, 60],
      domain: 'chrIV:',
      // CEN4 lies at 449.7 kb of 1,531.9, CEN7 at 496.9 kb of 1,090.9.
      pair: [
        { locus: 'chrIV', share: 449.7 / 1531.9, at70: 'chrIV:1,0' },
        { locus: 'chrVII', share: 496.9 / 1090.9 },
      ],
      gene: 'YAL063C',
      name: 'FLO9',
    },
    expression: {
      exampleGenes: 40,
      sample: 'alpha0',
      compared: 'snf2',
      fallen: 'YOR290C',
      // HTB1, HTA2, HTB2, HHT1, HHF1, HHT2, HHF2: the other core histones.
      module: {
        dataset: 'cell-cycle',
        name: 'HTA1',
        gene: 'YDR225W',
        others: ['YDR224C', 'YBL003C', 'YBL002W', 'YBR010W', 'YBR009C', 'YNL031C', 'YNL030W'],
      },
    },
    cells: {
      dataset: 'nadal-ribelles',
      genes: ['HTA1', 'HTB1'],
      gene: 'YDR225W',
      grouping: 'Louvain',
      group: 'Louvain=1',
      groups: 6,
      count: 127,
      correlation: '0\\.9',
      expressing: 119,
    },
    // TFIIIC, which reads the promoters of tRNA genes, has six subunits.
    complex: {
      gene: 'YAL001C',
      name: 'TFC3',
      inStrain: 'YAL001C',
      partners: ['TFC1', 'TFC4', 'TFC6', 'TFC7', 'TFC8'],
      source: 'STRING',
    },
    discovery: {
      dataset: 'cell-cycle',
      top: 60,
      gene: 'POL30',
      term: 'DNA replication',
      genes: ['POL30', 'POL1', 'POL12', 'RFA1', 'CDC45'],
    },
    regulon: { query: { genes: 'GAL1,GAL2,GAL7,GAL10', from: 'coding', motifNames: 'GAL4 GCN4 CBF1' }, motif: 'GAL4' },
    enrichment: {
      termPrefix: 'GO:',
      genes: cellCycle(),
      collection: 'GO/biological_process',
      term: 'DNA replication',
      member: 'POL30',
      own: ['POL30', 'POL1', 'RFA1'],
    },
    pathway: {
      drawn: 'Glycolysis and alcoholic fermentation',
      genes: ['PGK1', 'ADH1'],
      geneId: 'YCR012W',
      source: 'KEGG pathway',
      set: ['CIT1', 'ACO1', 'KGD1', 'SDH1'],
      name: 'Citrate cycle (TCA cycle)',
      words: 'citrate cycle',
    },
  }
}
