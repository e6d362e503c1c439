import type { SequenceFacts, Text } from './recogniser.ts'

/** The accession of an assembly in a path or a file's name: `GCF_000146045.2`. */
export const ncbiAccession = (text: string): string | null => /GC[AF]_\d{9}\.\d+/.exec(text)?.[0] ?? null

/** A sequence as reports of NCBI describe it: by all its names, its role and what it is assigned to. */
export const ncbiSequence = (told: {
  name: string
  others: readonly (string | undefined)[]
  role: string
  location: string
  assigned: string
}): SequenceFacts => {
  const { name, others, role, location } = told
  const isWhole = role === 'assembled-molecule'
  // A scaffold has the name of the chromosome that it was assigned to, which is the chromosome's own.
  const aliases = [...new Set(others)].filter(
    (other): other is string =>
      other !== undefined && other !== '' && other !== 'na' && other !== name && (isWhole || other !== told.assigned),
  )
  const facts: SequenceFacts = { name, aliases }
  if (!isWhole) return { ...facts, role: 'scaffold' }
  if (/mitochondrion/i.test(location)) return { ...facts, role: 'organelle', organelle: 'mitochondrion' }
  if (/chloroplast|plastid|apicoplast/i.test(location)) return { ...facts, role: 'organelle', organelle: 'plastid' }
  if (/plasmid/i.test(location)) return { ...facts, role: 'plasmid' }
  return { ...facts, role: 'chromosome' }
}

export const ncbiTexts = {
  assemblyReport: { en: 'report of the assemblies', zh: '组装版本报告' },
  sequenceReport: { en: 'report of the sequences: their names and roles', zh: '序列报告：各序列的名称与类型' },
  genome: { en: 'genome sequence', zh: '基因组序列' },
  gff3: { en: 'gene models, GFF3', zh: '基因模型，GFF3' },
  gtf: { en: 'gene models, GTF', zh: '基因模型，GTF' },
  genbank: { en: 'gene models, GenBank', zh: '基因模型，GenBank' },
  proteins: { en: 'protein sequences', zh: '蛋白质序列' },
  cds: { en: 'coding sequences', zh: '编码序列（CDS）' },
  rna: { en: 'transcript sequences', zh: '转录本序列' },
  derived: { en: 'derived from the gene models', zh: '由基因模型得出' },
  checksums: { en: 'checksums', zh: '校验值' },
  about: { en: 'description of the package', zh: '数据包说明' },
  copy: { en: 'copy of the assembly in the other archive', zh: '该组装版本在另一数据库中的副本' },
  nothing: { en: 'nothing of it is needed', zh: '无需使用' },
} satisfies Record<string, Text>
