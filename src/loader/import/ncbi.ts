import type { SequenceFacts } from './recogniser.ts'

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
