import type { DefectLog } from '../../../bio/text/defects.ts'
import { readTextLines } from '../../text-file.ts'
import { verifyChecksums } from '../checksums.ts'
import { importDefects } from '../import-defects.ts'
import { ncbiAccession, ncbiSequence } from '../ncbi.ts'
import {
  type AssemblyFacts,
  defineRecogniser,
  type Finding,
  type InputFile,
  type SequenceFacts,
} from '../recogniser.ts'
import { fileTexts } from '../texts.ts'

type Json = Record<string, unknown>

const readJsonLines = async (file: InputFile, log: DefectLog, signal: AbortSignal): Promise<Json[]> => {
  const found: Json[] = []
  await readTextLines(
    file.absolute,
    file.path,
    log,
    (line, lineNumber) => {
      if (line.trim() === '') return
      try {
        found.push(JSON.parse(line) as Json)
      } catch (error) {
        log.report(importDefects, 'import-report-unreadable', file.path, lineNumber, {
          reason: (error as Error).message,
        })
      }
    },
    signal,
  )
  return found
}

const within = (value: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>(
    (inner, key) => (inner !== null && typeof inner === 'object' ? (inner as Json)[key] : undefined),
    value,
  )
const textAt = (value: unknown, ...keys: string[]): string | undefined => {
  const found = within(value, ...keys)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** What a line of assembly_data_report.jsonl says, as versions of `datasets` have written it. */
export const readAssemblyReport = (line: Json): AssemblyFacts & { accession: string; paired?: string } => {
  const organism = textAt(line, 'organism', 'organismName') ?? textAt(line, 'organismName')
  const taxon = Number(within(line, 'organism', 'taxId') ?? within(line, 'taxId'))
  const strain =
    textAt(line, 'organism', 'infraspecificNames', 'strain') ??
    textAt(line, 'organism', 'infraspecificNames', 'isolate') ??
    textAt(line, 'organism', 'infraspecificNames', 'cultivar') ??
    textAt(line, 'organism', 'infraspecificNames', 'ecotype') ??
    textAt(line, 'organism', 'infraspecificNames', 'breed')
  const name = textAt(line, 'assemblyInfo', 'assemblyName')
  const common = textAt(line, 'organism', 'commonName')
  const category = textAt(line, 'assemblyInfo', 'refseqCategory')
  const paired = textAt(line, 'pairedAccession') ?? textAt(line, 'assemblyInfo', 'pairedAssembly', 'accession')
  const accession = textAt(line, 'accession') ?? textAt(line, 'assemblyInfo', 'assemblyAccession') ?? ''
  return {
    accession,
    ...(organism === undefined ? {} : { organism }),
    ...(taxon > 0 ? { taxonId: taxon } : {}),
    ...(strain === undefined ? {} : { strain }),
    ...(name === undefined ? {} : { name, id: name }),
    ...(common === undefined ? {} : { commonName: common }),
    ...(category === 'reference genome' ? { reference: true } : {}),
    ...(paired === undefined ? {} : { paired }),
    source: { en: `NCBI ${accession}`, zh: `NCBI ${accession}` },
  }
}

const readSequenceReport = (lines: readonly Json[], refseq: boolean): SequenceFacts[] =>
  lines.flatMap((line) => {
    const refseqAccession = textAt(line, 'refseqAccession')
    const genbankAccession = textAt(line, 'genbankAccession')
    const name = (refseq ? refseqAccession : genbankAccession) ?? refseqAccession ?? genbankAccession
    if (name === undefined) return []
    return [
      ncbiSequence({
        name,
        others: [
          textAt(line, 'chrName'),
          textAt(line, 'sequenceName'),
          textAt(line, 'ucscStyleName'),
          refseqAccession,
          genbankAccession,
        ],
        role: textAt(line, 'role') ?? '',
        location: textAt(line, 'assignedMoleculeLocationType') ?? '',
        assigned: textAt(line, 'chrName') ?? '',
      }),
    ]
  })

const root = /^(.*\/)?ncbi_dataset\/data\//

/** The archive that `datasets download genome` and the pages of NCBI give, whole or in part. */
export default defineRecogniser({
  id: 'ncbi-datasets',
  title: { en: 'NCBI Datasets genome package', zh: 'NCBI Datasets 基因组数据包' },
  order: 10,
  recognise: async (files, context) => {
    const { log, signal } = context
    const findings: Finding[] = []
    const facts = new Map<string, AssemblyFacts>()
    // Also where only the inner folder was given.
    const reports = files.filter(({ name }) => name === 'assembly_data_report.jsonl')
    if (reports.length === 0) return { findings }
    const assemblies = new Map<string, AssemblyFacts & { accession: string; paired?: string }>()
    for (const report of reports) {
      findings.push({ file: report, what: fileTexts.assemblyReport, take: 'read' })
      for (const line of await readJsonLines(report, log, signal)) {
        const told = readAssemblyReport(line)
        assemblies.set(told.accession, told)
      }
    }
    const data = reports.map(({ folder }) => folder)
    const inPackage = files.filter(
      ({ path, folder }) =>
        data.some((at) => folder === at || at === '' || folder.startsWith(`${at}/`)) || root.test(path),
    )
    const having = new Set(inPackage.map(({ folder }) => ncbiAccession(folder)))
    for (const file of inPackage) {
      const accession = ncbiAccession(file.folder)
      if (accession === null || file.name === 'assembly_data_report.jsonl') continue
      const told = assemblies.get(accession) ?? { accession }
      // GenBank's and RefSeq's copy of one assembly are one genome: that of RefSeq is taken, whose genes NCBI keeps.
      if (told.paired !== undefined && accession.startsWith('GCA_') && having.has(told.paired)) {
        findings.push({
          file,
          what: fileTexts.copy,
          take: 'none',
          why: {
            en: `the same assembly as ${told.paired}, which is taken`,
            zh: `与已选用的 ${told.paired} 为同一组装版本`,
          },
        })
        continue
      }
      const { paired: _, ...own } = told
      if (!facts.has(accession)) facts.set(accession, own)
      if (file.name === 'sequence_report.jsonl') {
        findings.push({ file, what: fileTexts.sequenceReport, take: 'read' })
        const sequences = readSequenceReport(await readJsonLines(file, log, signal), accession.startsWith('GCF_'))
        facts.set(accession, { ...facts.get(accession), sequences })
        continue
      }
      const finding = describe(file, accession)
      if (finding !== null) findings.push(finding)
    }
    for (const file of files) {
      if (findings.some((finding) => finding.file === file)) continue
      if (
        file.name === 'dataset_catalog.json' ||
        file.name === 'data_summary.tsv' ||
        (file.name === 'README.md' && file.lines.some((line) => line.includes('NCBI Datasets')))
      )
        findings.push({ file, what: fileTexts.about, take: 'none', why: fileTexts.nothing })
      else if (file.name === 'md5sum.txt' && file.lines.some((line) => line.includes('ncbi_dataset/')))
        findings.push(await verifyChecksums(file, context, { isWhole: true }))
    }
    return { findings, facts }
  },
})

const describe = (file: InputFile, group: string): Finding | null => {
  const { name, format } = file
  if (format === 'fasta-dna') {
    if (/^cds_from_genomic/.test(name)) return { file, what: fileTexts.cds, take: 'none', why: fileTexts.derived }
    if (/^rna(_from_genomic)?\.fna/.test(name))
      return { file, what: fileTexts.rna, take: 'none', why: fileTexts.derived }
    return { file, what: fileTexts.genome, take: 'genome', group }
  }
  if (format === 'gff3') return { file, what: fileTexts.gff3, take: 'genes', group, rank: 1 }
  if (format === 'gtf') return { file, what: fileTexts.gtf, take: 'genes', group, rank: 2 }
  if (format === 'genbank') return { file, what: fileTexts.genbank, take: 'genes', group, rank: 3 }
  if (format === 'fasta-protein') return { file, what: fileTexts.proteins, take: 'proteins', group }
  return null
}
