import { readTextLines } from '../../text-file.ts'
import { readLine } from '../annotator.ts'
import { verifyChecksums } from '../checksums.ts'
import { ncbiAccession, ncbiSequence } from '../ncbi.ts'
import {
  type AssemblyFacts,
  defineRecogniser,
  type Finding,
  type InputFile,
  type SequenceFacts,
} from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

const fileName =
  /^(GC[AF]_\d{9}\.\d+)_(.+?)_(?:cds_from_genomic|rna_from_genomic|genomic|assembly_\w+|protein|rna|translated_cds|feature_\w+|ani_report|gene_\w+|normalized_\w+|fcs_report|rm|wgsmaster)(?:_|\.)/

/** Names, roles and places of an assembly report; of its head, what it is of. */
const readReport = async (
  file: InputFile,
  options: { log: Parameters<typeof readTextLines>[2]; signal: AbortSignal },
): Promise<AssemblyFacts> => {
  const refseq = file.name.startsWith('GCF_')
  const sequences: SequenceFacts[] = []
  await readTextLines(
    file.absolute,
    file.path,
    options.log,
    (line) => {
      const [name, role, assigned, location, genbank, , refseqName, , , ucsc] = line.split('\t')
      if (line.startsWith('#') || ucsc === undefined) return
      const [own, other] = refseq ? [refseqName!, genbank!] : [genbank!, refseqName!]
      if (own === 'na') return
      sequences.push(
        ncbiSequence({
          name: own,
          others: [assigned === 'na' ? undefined : assigned, name, ucsc, other],
          role: role!,
          location: location!,
          assigned: assigned!,
        }),
      )
    },
    options.signal,
  )
  const organism = readLine(file, /^#\s*Organism name:\s*(.+)$/)
  const taxon = Number(readLine(file, /^#\s*Taxid:\s*(\d+)/))
  const strain = readLine(file, /^#\s*Infraspecific name:\s*\w+=(.+)$/) ?? readLine(file, /^#\s*Isolate:\s*(.+)$/)
  const common = organism === undefined ? undefined : /\(([^()]+)\)\s*$/.exec(organism)?.[1]
  return {
    sequences,
    ...(organism === undefined ? {} : { organism }),
    ...(taxon > 0 ? { taxonId: taxon } : {}),
    ...(strain === undefined ? {} : { strain }),
    // What stands behind the name is the common name, or the group for what has none.
    ...(common === undefined ||
    common.length < 4 ||
    /^(ascomycete|[a-z-]*proteobacteria|.*bacteria|eudicots|monocots|high G\+C.*)/i.test(common)
      ? {}
      : { commonName: common }),
    ...(/reference genome/i.test(readLine(file, /^#\s*RefSeq category:\s*(.+)$/) ?? '') ? { reference: true } : {}),
  }
}

const describe = (file: InputFile, group: string): Finding => {
  const { name, format } = file
  if (/_cds_from_genomic\./.test(name)) return { file, what: texts.cds, take: 'none', why: texts.derived }
  if (/_(rna|rna_from_genomic)\./.test(name)) return { file, what: texts.rna, take: 'none', why: texts.derived }
  if (format === 'fasta-dna' && /_genomic\./.test(name)) return { file, what: texts.genome, take: 'genome', group }
  if (format === 'gff3') return { file, what: texts.gff3, take: 'genes', group, rank: 1 }
  if (format === 'gtf') return { file, what: texts.gtf, take: 'genes', group, rank: 2 }
  if (format === 'genbank' && /_genomic\./.test(name))
    return { file, what: texts.genbank, take: 'genes', group, rank: 3 }
  if (format === 'fasta-protein' && /_protein\./.test(name))
    return { file, what: texts.proteins, take: 'proteins', group }
  return { file, what: texts.about, take: 'none', why: texts.nothing }
}

/** A folder of an assembly as the FTP site of NCBI has it, whole or in part. */
export default defineRecogniser({
  id: 'ncbi-ftp',
  title: { en: 'RefSeq or GenBank files', zh: 'RefSeq 或 GenBank 文件' },
  order: 20,
  recognise: async (files, context) => {
    const { log, signal } = context
    const findings: Finding[] = []
    const facts = new Map<string, AssemblyFacts>()
    for (const file of files) {
      const match = fileName.exec(file.name)
      if (match === null) continue
      const [, accession, name] = match as unknown as [string, string, string]
      const group = `${file.folder}/${accession}`
      const source = `NCBI ${accession}`
      facts.set(group, {
        accession,
        id: name.replaceAll('_', '-'),
        name: name.replaceAll('_', ' '),
        source: { en: source, zh: source },
        ...facts.get(group),
      })
      if (/_assembly_report\.txt$/.test(file.name)) {
        findings.push({ file, what: texts.assemblyReport, take: 'read' })
        facts.set(group, { ...facts.get(group), ...(await readReport(file, { log, signal })) })
      } else findings.push(describe(file, group))
    }
    // Sums of checksums and notes of the same folder.
    const folders = new Set(findings.map(({ file }) => file.folder))
    for (const file of files)
      if (
        folders.has(file.folder) &&
        /^(md5checksums|README|annotation_hashes|assembly_status|uncompressed_checksums)/.test(file.name)
      )
        findings.push(
          // It lists all of the folder on the site, of which a download has a part.
          file.name === 'md5checksums.txt'
            ? await verifyChecksums(file, context, { isWhole: false })
            : { file, what: texts.about, take: 'none', why: texts.nothing },
        )
    return {
      findings: findings.filter(({ file }) => ncbiAccession(file.name) !== null || folders.has(file.folder)),
      facts,
    }
  },
})
