// Identifiers, kinds, symbols and descriptions that attributes give genes and transcripts.

import type { Strand } from '../../sequence/region.ts'
import { type Attributes, findGff3Value, findGtfValue, parseAttributes } from '../feature.ts'
import { decode, firstOf } from '../feature-types.ts'
import type { TranscriptModel } from '../gene-models.ts'
import { type BuiltTranscript, readStoredText } from './gene-model-store.ts'
import { byStart, orient } from './gene-model-structure.ts'

// Ensembl writes "gene:X", "transcript:X", "CDS:X"; WormBase the same with a capital. NCBI writes "gene-X", "rna-X", "cds-X", and
// its lines are known by gbkey; elsewhere "gene-1" is a name. Bakta and Prokka write "X_gene" above the CDS of the locus X.
export function cleanId(id: string, attributeText: string, kind: 'gene' | 'transcript' | 'cds'): string {
  const colon = kind === 'cds' ? /^cds:(?=.)/i : kind === 'gene' ? /^gene:(?=.)/i : /^transcript:(?=.)/i
  if (colon.test(id)) return id.replace(colon, '')
  if (attributeText.includes('gbkey=')) {
    const dash = kind === 'cds' ? /^cds-(?=.)/ : kind === 'gene' ? /^gene-(?=.)/ : /^rna-(?=.)/
    return id.replace(dash, '')
  }
  if (kind === 'gene' && id.endsWith('_gene')) {
    const locus = id.slice(0, -'_gene'.length)
    if (findGff3Value(attributeText, 'locus_tag') === locus) return locus
  }
  return id
}

export function proteinIdOf(stored: string | null): string | null {
  const source = readStoredText(stored)
  if (source === null) return null
  if (source.dialect === 'gtf') return findGtfValue(source.text, 'protein_id') ?? findGtfValue(source.text, 'proteinId')
  const named = findGff3Value(source.text, 'protein_id') ?? findGff3Value(source.text, 'proteinId')
  if (named !== null) return decode(named)
  const id = findGff3Value(source.text, 'ID')
  if (id === null) return null
  const clean = cleanId(decode(id), source.text, 'cds')
  return clean === decode(id) ? null : clean
}

const ownCdsKeys = new Set(['ID', 'Parent', 'Derives_from', 'part', 'exon_number', 'exonNumber'])

export function finishTranscript(built: BuiltTranscript, strand: Strand, biotypeOfGene: string): TranscriptModel {
  const { source, cdsText } = built
  const own = transcriptBiotype(built)
  // The transcript made for a pseudogene is one; that of a coding gene without CDS need not code.
  const inherits = own === 'unknown' && biotypeOfGene !== 'protein_coding'
  return {
    id: built.id,
    biotype: inherits ? biotypeOfGene : own,
    start1: built.start1,
    end1: built.end1,
    exons: built.exons,
    cds: built.cds.map(({ start1, end1, phase }) => ({ start1, end1, phase })).sort(byStart),
    proteinId:
      built.cds.length === 0 || !cdsText
        ? null
        : proteinIdOf(`${cdsText.dialect === 'gtf' ? 'g' : '3'}${cdsText.text}`),
    ...(built.readingOrder ? { readingOrder: built.readingOrder.map((piece) => orient(piece, strand)) } : {}),
    get attributes() {
      const attributes = source ? parseAttributes(source.text, source.dialect) : {}
      if (!cdsText) return attributes
      for (const [key, values] of Object.entries(parseAttributes(cdsText.text, cdsText.dialect))) {
        if (!ownCdsKeys.has(key) && !Object.hasOwn(attributes, key)) attributes[key] = values
      }
      return attributes
    },
  }
}

function normalizeBiotype(biotype: string): string {
  if (/^(protein[-_ ]coding|coding|mrna|protein_coding_gene)$/i.test(biotype)) return 'protein_coding'
  if (/^(lnc_rna|long_noncoding_rna)$/i.test(biotype)) return 'lncRNA'
  return biotype
}

function isPseudo(attributes: Attributes): boolean {
  const pseudo = attributes.pseudo?.[0]
  return (pseudo !== undefined && !/^(false|no|0)$/i.test(pseudo)) || attributes.pseudogene !== undefined
}

// Ensembl's polymorphic pseudogenes code in some individuals, and its translated ones were seen as proteins.
const pseudoKind = /^(?!polymorphic|translated).*pseudogen(e|ic_\w+)$/i
const biotypeKeys = ['gene_biotype', 'gene_type', 'biotype']
const transcriptBiotypeKeys = ['transcript_biotype', 'transcript_type', 'biotype']

export function isPseudogene(type: string | null, attributes: Attributes): boolean {
  return (
    isPseudo(attributes) ||
    (type !== null && pseudoKind.test(type)) ||
    pseudoKind.test(firstOf(attributes, biotypeKeys) ?? '')
  )
}

export function isPseudoTranscript({ type, source, cdsText }: BuiltTranscript): boolean {
  if (type !== null && pseudoKind.test(type)) return true
  return [source, cdsText].some((text) => {
    if (!text || !/pseudo/i.test(text.text)) return false
    const attributes = parseAttributes(text.text, text.dialect)
    const kinds = [...transcriptBiotypeKeys, ...biotypeKeys].map((key) => attributes[key]?.[0] ?? '')
    return isPseudo(attributes) || kinds.some((kind) => pseudoKind.test(kind))
  })
}

function transcriptBiotype(built: BuiltTranscript): string {
  const { source, type } = built
  // Most transcripts say nothing of it; parsing them all would cost more than all else.
  if (source && /biotype|transcript_type|class|pseudo/.test(source.text)) {
    const attributes = parseAttributes(source.text, source.dialect)
    const given = firstOf(attributes, [
      'transcript_biotype',
      'transcript_type',
      'biotype',
      'ncrna_class',
      'ncRNA_class',
    ])
    if (given !== null) return normalizeBiotype(given)
    if (isPseudo(attributes)) return 'pseudogene'
  }
  if (built.pseudo && (type === null || /^(mrna|transcript)$/i.test(type))) return 'pseudogene'
  if (built.cds.length > 0) return 'protein_coding'
  if (type === null || /^transcript$/i.test(type)) return 'unknown'
  return /^mrna$/i.test(type) ? 'mRNA' : normalizeBiotype(type)
}

export function geneBiotype(type: string | null, attributes: Attributes, built: readonly BuiltTranscript[]): string {
  const given = firstOf(attributes, biotypeKeys)
  if (given !== null && !(isPseudo(attributes) && normalizeBiotype(given) === 'protein_coding')) {
    return normalizeBiotype(given)
  }
  if (isPseudo(attributes) || (type !== null && /pseudogene$/i.test(type))) return 'pseudogene'
  if (type !== null && /^transposable_element_gene$/i.test(type)) return 'transposable_element_gene'
  if (built.some((transcript) => transcript.cds.length > 0)) return 'protein_coding'
  const first = built[0]
  if (first) {
    const biotype = transcriptBiotype(first)
    if (biotype !== 'unknown' && biotype !== 'mRNA') return biotype
  }
  const kind = type === null ? null : /^(.+)_gene$/i.exec(type)?.[1]
  if (kind) return normalizeBiotype(kind)
  return first && /^mrna$/i.test(first.type ?? '') ? 'protein_coding' : 'unknown'
}

const symbolKeys = ['gene_symbol', 'symbol', 'Symbol', 'gene_name', 'gene', 'Gene', 'Name', 'name']
const aliasKeys = [
  ...[
    'Name',
    'name',
    'gene',
    'Gene',
    'gene_name',
    'gene_symbol',
    'symbol',
    'Symbol',
    'gene_id',
    'locus_tag',
    'old_locus_tag',
  ],
  ...[
    'Alias',
    'alias',
    'Aliases',
    'aliases',
    'Synonym',
    'Synonyms',
    'synonym',
    'synonyms',
    'gene_synonym',
    'gene_synonyms',
  ],
  ...['Dbxref', 'dbxref', 'db_xref', 'standard_name', 'systematic_name'],
]
const nameKeys = ['full_name', 'Full_name', 'fullname', 'long_name', 'gene_full_name', 'display_name']
const descriptionKeys = [
  ...['description', 'Description', 'desc', 'product', 'Product', 'Note', 'note', 'defline', 'function', 'Function'],
  ...['product_name', 'annotation'],
]
// What exporters write where there is no name. "NA" is a gene of influenza, so only Name is judged by it.
const placeholder = /^(|\.|-|--|n\/a|none|null|unknown|unnamed)$/i
// TAIR and others put the kind of gene into Note.
const kindOnly = /^[a-z_]*(_gene|coding|pseudogene|rna)$/i

export function describeGene(
  id: string,
  rawId: string,
  attributes: Attributes,
  built: readonly BuiltTranscript[],
): { symbol: string | null; name: string | null; aliases: string[]; description: string | null } {
  const locusTags = new Set([...(attributes.locus_tag ?? []), ...(attributes.gene_id ?? [])])
  // Bakta writes the product into Name.
  const products = new Set([...(attributes.product ?? []), ...(attributes.Product ?? [])].map((value) => value.trim()))
  const isProduct = (key: string, value: string): boolean => /^name$/i.test(key) && products.has(value)
  let symbol: string | null = null
  for (const key of symbolKeys) {
    const value = attributes[key]?.[0]?.trim()
    if (value === undefined || placeholder.test(value) || isProduct(key, value)) continue
    if (/^name$/i.test(key) && value === 'NA') continue
    // The id again, or the id without its version (AT1G01010 of AT1G01010.TAIR10), is no symbol.
    if (value === id || value === rawId || locusTags.has(value) || id.startsWith(`${value}.`)) continue
    // JGI counts its proteins in Name; a number alone names nothing.
    if (/^\d+$/.test(value)) continue
    symbol = value
    break
  }

  let name: string | null = null
  let description: string | null = null
  const look = (from: Attributes) => {
    name ??= firstOf(from, nameKeys)
    for (const key of descriptionKeys) {
      if (description !== null) break
      const text = from[key]
        ?.map((value) => value.trim())
        .filter((value) => value !== '' && !kindOnly.test(value) && !placeholder.test(value))
        .join(', ')
      if (text) description = text
    }
  }
  look(attributes)
  for (const transcript of built) {
    if (description !== null) break
    const { source, cdsText } = transcript
    if (source) look(parseAttributes(source.text, source.dialect))
    if (description === null && cdsText) look(parseAttributes(cdsText.text, cdsText.dialect))
  }
  // Ensembl appends where it took the text from.
  if (description !== null) description = (description as string).replace(/\s*\[Source:[^\]]*\]\s*$/, '') || null

  const aliases = new Set<string>()
  if (rawId !== id) aliases.add(rawId)
  for (const key of aliasKeys) {
    for (const value of attributes[key] ?? []) {
      for (const piece of /synonym|alias/i.test(key) ? value.split(/[;|]/) : [value]) {
        const alias = piece.trim()
        if (placeholder.test(alias) || (/^name$/i.test(key) && alias === 'NA') || /^taxon:/i.test(alias)) continue
        if (isProduct(key, alias)) continue
        aliases.add(alias)
        // A cross-reference is found with its database and without: UniProtKB:P0CE93 and P0CE93.
        const accession = /xref/i.test(key) ? /^[^:]+:(?=.*[A-Za-z])(.+)$/.exec(alias)?.[1] : undefined
        if (accession !== undefined) aliases.add(accession)
      }
    }
  }
  aliases.delete(id)
  if (symbol !== null) aliases.delete(symbol)
  return { symbol, name, aliases: [...aliases], description }
}
