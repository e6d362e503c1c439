import { annotationTable, readLine, says } from '../annotator.ts'
import { type AssemblyFacts, defineRecogniser, type Finding, type InputFile } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

/**
 * Proteome number and version at the head of every name: `Athaliana_447_Araport11.gene.gff3.gz`; up to version 9 of Phytozome without the
 * version, and parted by `_`: `Gmax_109_gene.gff3.gz`.
 */
const named =
  /^([A-Z][A-Za-z0-9]+)_(\d{2,4})(?:_([^/]+?))?[._](?=(?:gene|gene_exons|annotation_info|cds|cds_primaryTranscriptOnly|protein|peptide|protein_primaryTranscriptOnly|transcript|transcript_primaryTranscriptOnly|defline|synonym|softmasked|hardmasked|locus_transcript_name_map|repeatmasked_assembly|RM|P14|readme|fa)(?:[._]|$))/

const describe = (file: InputFile, group: string): Finding => {
  const { name, format } = file
  if (/[._](hardmasked|RM)\./.test(name)) return { file, what: texts.masked, take: 'none', why: texts.maskedWhy }
  if (/[._](cds|cds_primaryTranscriptOnly)\./.test(name))
    return { file, what: texts.cds, take: 'none', why: texts.derived }
  if (/[._]transcript(_primaryTranscriptOnly)?\./.test(name))
    return { file, what: texts.rna, take: 'none', why: texts.derived }
  if (format === 'fasta-protein') return { file, what: texts.proteins, take: 'none', why: texts.derived }
  if (format === 'fasta-dna') return { file, what: texts.genome, take: 'genome', group }
  // That with exons has all that the other has.
  if (/[._]gene_exons\.gff3/.test(name)) return { file, what: texts.gff3, take: 'genes', group, rank: 1 }
  if (/[._]gene\.gff3/.test(name)) return { file, what: texts.gff3, take: 'genes', group, rank: 2 }
  if (/[._]annotation_info\./.test(name))
    return annotationTable(file, group) ?? { file, what: texts.annotation, take: 'none', why: texts.notYet }
  if (/[._](defline|synonym|locus_transcript_name_map)\./.test(name))
    return {
      file,
      what: { en: 'names and descriptions of genes', zh: '基因名称与描述' },
      take: 'none',
      why: texts.notYet,
    }
  if (format === 'gff3') return { file, what: { en: 'repeats', zh: '重复序列' }, take: 'none', why: texts.notYet }
  return { file, what: texts.about, take: 'none', why: texts.nothing }
}

/** A genome of Phytozome: `assembly/` and `annotation/`, or their files together. */
export default defineRecogniser({
  id: 'phytozome',
  title: { en: 'Phytozome genome', zh: 'Phytozome 基因组' },
  order: 40,
  recognise: (files) => {
    const findings: Finding[] = []
    const facts = new Map<string, AssemblyFacts>()
    const own = files.filter(({ name }) => named.test(name))
    // The names alone are no proof: the genes say who wrote them.
    const isPhytozome = own.some(
      (file) => file.format === 'gff3' && (says(file, /^##annot-version/) || says(file, /\tphytozome\w*\t/)),
    )
    if (!isPhytozome) return { findings }
    for (const file of own) {
      const [, species, number, version] = named.exec(file.name) as unknown as [string, string, string, string?]
      const group = `phytozome ${species}_${number}`
      const organism = readLine(file, /^##species\s+(.+)$/)
      facts.set(group, {
        id: version === undefined ? `${species}_${number}` : `${species}_${version}`,
        source: { en: `Phytozome ${number}`, zh: `Phytozome ${number}` },
        ...facts.get(group),
        ...(organism === undefined ? {} : { organism }),
        ...(version !== undefined && file.format === 'gff3' ? { name: version } : {}),
      })
      findings.push(describe(file, group))
    }
    // Soft-masked sequences have all that the plain ones have.
    const genomes = findings.filter(({ take }) => take === 'genome')
    const soft = genomes.find(({ file }) => /[._]softmasked\./.test(file.name))
    return {
      findings: findings.map((finding) =>
        finding.take === 'genome' && soft !== undefined && !/[._]softmasked\./.test(finding.file.name)
          ? {
              file: finding.file,
              what: texts.genome,
              take: 'none' as const,
              why: { en: 'the soft-masked genome is taken', zh: '已选用软屏蔽的基因组' },
            }
          : finding,
      ),
      facts,
    }
  },
})
