/** Endings that say how a file is packed or written, and words that say what is in it: neither is part of what it is about. */
const endings =
  /\.(gz|bgz|2bit|fa|fas|fasta|fna|ffn|faa|fsa|seq|gff3?|gtf|gbk|gbff|gb|embl|txt|tsv|csv|vcf|bcf|bed|bb|bigbed|bw|bigwig|bedgraph|bdg|bg|wig|sam|bam|cram|h5ad|h5|mtx|json|out|tbl|aa|codingseq|mcool|cool|hic|gfa|paf|chain|obo|bib|ris|gmt|xml|gpml|meme|pfm|hmm)$/i
const words =
  /[._-]+(genomic|genome|genomes|assembly|scaffolds?|contigs?|chromosomes?|chr|dna|dna_sm|dna_rm|toplevel|primary_assembly|softmasked|hardmasked|masked|sm|genes?|annotations?|gene_models?|models|gene_exons|all_features?|features?|all|cds|cdna|mrna|rna|transcripts?|proteins?|pep|peptides?|from|final|sort|sorted)$/i

/** The part of a file's name that files of one assembly have in common: `SK1` of `SK1.genome.fa.gz` and of `SK1.all_feature.gff`. */
export const stemOf = (name: string): string => {
  let stem = name
  while (endings.test(stem)) stem = stem.replace(endings, '')
  while (words.test(stem)) stem = stem.replace(words, '')
  return stem
}

/** What files and folders are called that says nothing of what they are of. */
const generic =
  /^(genomes?|genomic|assembly|assemblies|scaffolds?|contigs?|ref(erence)?|final|polished|consensus|sequences?|chr(omosomes?)?|genes?|gene[_-]models?|annotations?|features?|models|proteins?|pep|cds|cdna|transcripts?|ncbi[_-]?datasets?|data(set)?s?|downloads?|imports?|uploads?|inputs?|outputs?|out|results?|files?|folder|new[_ -]folder|untitled|archive|tmp|temp|test|download[ _-]?\(?\d*\)?|matrix|counts?|tpm|fpkm|expression|phenotypes?|traits?|variants?|calls|tracks?|peaks|quant|abundance|species|protein|rna|augustus|braker|maker|gc[af])$/i

/** A name that an archive made up for an assembly without one. */
export const isArchiveName = (name: string): boolean => /^ASM\d+v\d+$/i.test(name)

const archiveEnding = /(\.tar)?\.(zip|tar|tgz|gz|bz2|xz)$/i

/** The first of some names, without its endings, that tells of what the files are; null where none does. */
export const tellingName = (names: readonly string[]): string | null =>
  names.map((name) => stemOf(name.replace(archiveEnding, ''))).find((stem) => stem !== '' && !generic.test(stem)) ??
  null

/** A name as addresses have it: letters, digits, dot, dash, underscore. */
export const toId = (text: string, longest = 62): string =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[-._]+$/g, '')
    .slice(0, longest)

/** The short name of a species: `saccharomyces-cerevisiae`. */
export const toSpeciesId = (name: string): string => {
  const id = toId(name.toLowerCase().replace(/[._]/g, '-')).replace(/-+/g, '-').replace(/-$/, '')
  return id.length >= 2 ? id : `species-${id || 1}`
}

/** Gives each of several names of its own: the second `a` becomes `a-2`. */
export class OwnNames {
  readonly #taken = new Set<string>()
  /** Where to go on counting: a thousand files of one name are not counted from 2 each time. */
  readonly #next = new Map<string, number>()

  take(wanted: string): string {
    let name = wanted
    let number = this.#next.get(wanted.toLowerCase()) ?? 2
    for (; this.#taken.has(name.toLowerCase()); number++) name = `${wanted}-${number}`
    this.#next.set(wanted.toLowerCase(), number)
    this.#taken.add(name.toLowerCase())
    return name
  }
}

const ranks = new Set(['subsp.', 'ssp.', 'var.', 'f.', 'sp.', 'pv.', 'bv.', 'serovar', 'cv.', 'forma'])

/**
 * Species and strain of an organism as archives write it.
 *
 * Example: `splitOrganism('Saccharomyces cerevisiae S288C')` is `{ species: 'Saccharomyces cerevisiae', strain: 'S288C' }`.
 */
export const splitOrganism = (text: string, strain?: string): { species: string; strain: string | null } => {
  const name = text
    .replaceAll('_', ' ')
    .replace(/\s*\([^()]*\)\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const whole = { species: name.slice(0, 120), strain: strain ?? null }
  const parts = name.split(' ')
  let length = parts[0] === 'Candidatus' ? 3 : 2
  if (parts[1] === 'x' || parts[1] === '×') length = 3
  const epithet = parts[length - 1]
  // Viruses have no binomials, and what has only a genus is told from others by the rest.
  if (parts.length <= length || /virus|viroid|phage/i.test(name)) return whole
  if (epithet === undefined || !/^[a-z][a-z-]+$/.test(epithet)) return whole
  while (length < parts.length - 1 && ranks.has(parts[length]!)) {
    length += parts[length] === 'f.' && parts[length + 1] === 'sp.' ? 3 : 2
  }
  const rest = parts
    .slice(length)
    .join(' ')
    .replace(/^(str\.|strain|substr\.)\s*/i, '')
  return { species: parts.slice(0, length).join(' '), strain: strain ?? (rest === '' ? null : rest) }
}
