import { stemOf } from '../names.ts'
import { type AssemblyFacts, defineRecogniser, type Finding, type InputFile } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

/** Names that whoever writes FASTA gives to what is no genome. */
const cdsName = /(^|[._-])(cds|ffn|codingseq|coding)([._-]|$)/i
const rnaName = /(^|[._-])(cdna|mrna|rna|transcripts?|ncrna|est)([._-]|$)/i
/** RepeatMasker appends it to the name of the genome. */
const maskedEnd = /\.masked(?=(\.gz)?$)/i
const maskedName = /\.(masked|hardmasked|hm)(\.|$)|[._-](masked|hardmasked|hm)\.(fa|fasta|fna)/i

/** Types of lines that gene models have; what has others alone is a track (of repeats, of alignments). */
const geneTypes = /\t(gene|mRNA|transcript|CDS|exon|tRNA|rRNA|ncRNA|pseudogene|start_codon)\t/

/** Whether a file of features has gene models, by its first lines; one whose head is longer than that is taken for such. */
const hasGenes = ({ format, lines }: InputFile): boolean => {
  if (format !== 'gff3' && format !== 'gtf') return false
  const features = lines.filter((line) => !line.startsWith('#') && line.includes('\t'))
  return features.length === 0 || features.some((line) => geneTypes.test(line))
}

const firstNames = (file: InputFile): string[] =>
  file.lines.filter((line) => line.startsWith('>')).map((line) => /^>\s*(\S*)/.exec(line)![1]!)

/** Identifiers of transcripts and genes in the first lines of gene files. */
const featureIds = (genes: readonly InputFile[]): Set<string> => {
  const ids = new Set<string>()
  for (const { lines } of genes)
    for (const line of lines) {
      const attributes = line.split('\t')[8]
      if (attributes === undefined) continue
      for (const [, id] of attributes.matchAll(/(?:^|;)\s*(?:ID|Parent|protein_id|transcript_id|Name)[= ]"?([^;"]+)/g))
        ids.add(id!.trim())
      if (/^\S+$/.test(attributes)) ids.add(attributes)
    }
  return ids
}

const sequenceNames = (genes: readonly InputFile[]): Set<string> =>
  new Set(
    genes.flatMap(({ lines }) =>
      lines.flatMap((line) => {
        const region = /^##sequence-region\s+(\S+)/.exec(line)?.[1]
        return region ?? (line.startsWith('#') || !line.includes('\t') ? [] : line.split('\t')[0]!)
      }),
    ),
  )

/**
 * What nucleotide sequences are: by whether gene files lay features on them or name them, then by their name and their looks. `places` and
 * `ids` are those of all gene files.
 */
const kindOf = (file: InputFile, places: ReadonlySet<string>, ids: ReadonlySet<string>): 'genome' | 'cds' | 'rna' => {
  const names = firstNames(file)
  if (names.some((name) => places.has(name))) return 'genome'
  const looksCoding = cdsName.test(file.name) || file.name.endsWith('.codingseq')
  if (names.length > 1 && names.filter((name) => ids.has(name)).length > names.length / 4)
    return rnaName.test(file.name) ? 'rna' : 'cds'
  if (looksCoding) return 'cds'
  return rnaName.test(file.name) ? 'rna' : 'genome'
}

/** Files of one folder that have a chromosome each are one genome: `chr1.fa`, `chr2.fa`, `chrX.fa`. */
const chromosomesApart = (genomes: readonly InputFile[]): Map<InputFile, string> => {
  const groups = new Map<string, InputFile[]>()
  for (const file of genomes) {
    const match = chromosomeFile.exec(file.name)
    if (match === null || firstNames(file).length > 1) continue
    const group = `${file.folder}/${stemOf(match[1]!) || 'genome'}`
    const own = groups.get(group)
    if (own === undefined) groups.set(group, [file])
    else own.push(file)
  }
  return new Map(
    [...groups].flatMap(([group, files]) => (files.length < 2 ? [] : files.map((file) => [file, group] as const))),
  )
}
const chromosomeFile =
  /^(.*?)(?:^|[._-])(?:chr|chromosome|LG)[._-]?(?:\d+|[IVX]+|[WXYZ]|MT?|Pt|C)\.(?:fa|fas|fasta|fna)(?:\.gz)?$/i

/** Whether a file has the sequences of the other once more: in 2bit beside FASTA, or compressed beside what it was made of. */
const isCopy = (file: InputFile, other: InputFile): boolean =>
  file.format === 'twobit'
    ? other.format === 'fasta-dna'
    : file.name.replace(/\.b?gz$/i, '') === other.name && file !== other

/** `volvox` of `volvox.2bit` and of `volvox.fa.gz`. */
const plainName = (name: string): string => name.replace(/\.b?gz$/i, '').replace(/\.(2bit|fa|fas|fasta|fna)$/i, '')

const sameGenome = {
  en: 'the same genome in another format',
  zh: '同一基因组的另一种格式',
}

/** FASTA or 2bit with GFF3, GTF, GenBank or EMBL beside it, of any source: what belongs together has one name but for its ending. */
export default defineRecogniser({
  id: 'plain-genome',
  title: { en: 'Genome and gene models', zh: '基因组与基因模型' },
  order: 500,
  recognise: async (files, { all, each }) => {
    const findings: Finding[] = []
    const facts = new Map<string, AssemblyFacts>()
    const genes = files.filter((file) => file.format === 'genbank' || file.format === 'embl' || hasGenes(file))
    const allGenes = all.filter(({ format }) => format === 'gff3' || format === 'gtf')
    const nucleotides = files.filter(({ format }) => format === 'fasta-dna' || format === 'twobit')
    const ids = featureIds(allGenes)
    const places = sequenceNames(allGenes)
    const kinds = new Map<InputFile, ReturnType<typeof kindOf>>()
    for await (const file of each(nucleotides)) kinds.set(file, kindOf(file, places, ids))
    const genomes = nucleotides.filter((file) => kinds.get(file) === 'genome')
    const apart = chromosomesApart(genomes)
    const groupOf = (file: InputFile): string =>
      apart.get(file) ?? `${file.folder}/${stemOf(file.name.replace(maskedEnd, ''))}`
    const free = new Set(files)
    const taken = new Map(
      all
        .filter((file) => !free.has(file) && (file.format === 'twobit' || file.format === 'fasta-dna'))
        .map((file) => [`${file.folder}/${plainName(file.name)}`, file]),
    )
    const byGroup = new Map<string, InputFile[]>()
    for (const file of genomes) {
      const own = byGroup.get(groupOf(file))
      if (own === undefined) byGroup.set(groupOf(file), [file])
      else own.push(file)
    }
    for (const file of nucleotides) {
      const kind = kinds.get(file)!
      if (kind !== 'genome') {
        findings.push({ file, what: kind === 'cds' ? texts.cds : texts.rna, take: 'none', why: texts.derived })
        continue
      }
      const forms = byGroup.get(groupOf(file))!
      const same = forms.find((other) => isCopy(file, other)) ?? taken.get(`${file.folder}/${plainName(file.name)}`)
      if (same !== undefined) {
        const why = { en: `${same.path} is taken`, zh: `已选用 ${same.path}` }
        findings.push({ file, what: sameGenome, take: 'none', why })
        continue
      }
      const plain = forms.find((other) => other !== file && !maskedName.test(other.name))
      if (maskedName.test(file.name) && plain !== undefined)
        findings.push({
          file,
          what: texts.masked,
          take: 'none',
          why: { en: `${plain.path} is taken`, zh: `已选用 ${plain.path}` },
        })
      else findings.push({ file, what: texts.genome, take: 'genome', group: groupOf(file) })
    }
    for (const file of genes) {
      const format = file.format as 'gff3' | 'gtf' | 'genbank' | 'embl'
      const rank = { gff3: 1, gtf: 2, genbank: 3, embl: 4 }[format]
      findings.push({
        file,
        what: texts[format],
        take: 'genes',
        group: groupOf(file),
        rank,
      })
    }
    for (const file of files.filter(({ format }) => format === 'fasta-protein')) {
      const names = firstNames(file)
      const known = names.filter((name) => ids.has(name)).length
      if (known > 0 && known >= names.length / 10)
        findings.push({ file, what: texts.proteins, take: 'proteins', group: groupOf(file) })
      else findings.push({ file, what: texts.proteins, take: 'none', why: translated })
    }
    return { findings, facts }
  },
})

const translated = {
  en: 'proteins are translated from the gene models',
  zh: '蛋白质由基因模型翻译得到',
}
