// Tables that annotation programs write of genes, a column a vocabulary: known by their headings, read column by column.

import { given } from '../text/table-cells.ts'
import type { AnnotationRow, LineHandler, ReaderContext } from './annotation.ts'
import { annotationDefects } from './annotation-defects.ts'
import { parseGff3Attributes } from './feature.ts'
import { readProteinFeatureLine } from './protein-hits.ts'
import { newRow, type TermOfGene, termOfReference } from './term-forms.ts'

type ReadCell = (cell: string) => TermOfGene[]

const cut = (cell: string, sign: RegExp): string[] =>
  cell
    .split(sign)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '' && piece !== '-')

const listed =
  (source: string, clean: (piece: string) => string | null = (piece) => piece): ReadCell =>
  (cell) =>
    cut(cell, /[;,]/).flatMap((piece) => {
      const term = clean(piece)
      return term === null ? [] : [{ term, source, name: null, evidence: null }]
    })

const matching = (form: RegExp) => (piece: string) => form.exec(piece)?.[1] ?? null
/** Some releases of Phytozome write `GO:GO:0030247`. */
const readGo = listed('GO', (piece) => matching(/^(?:GO:)?(GO:\d{7})$/)(piece))
const readEc = listed('EC', (piece) => piece.replace(/^EC:/i, ''))
const readCog: ReadCell = (cell) =>
  cut(cell, /[;,]/).flatMap((piece) => termOfReference(`COG:${piece.replace(/^COG:/, '')}`))

/** `GO_function: GO:0003676 - nucleic acid binding [Evidence IEA]`, parted by semicolons that names may hold too. */
const readGoSentences: ReadCell = (cell) =>
  [...cell.matchAll(/(GO:\d{7})(?: - (.+?))?(?: \[Evidence (\w+)\])?(?=$|;)/g)].map(([, term, name, evidence]) => ({
    term: term!,
    source: 'GO',
    name: name ?? null,
    evidence: evidence ?? null,
  }))

/** `IPR000504;IPR012677`, or each with its name. */
const readInterPro: ReadCell = (cell) =>
  [...cell.matchAll(/(IPR\d{6})(?:\s+([^;]+))?/g)].map(([, term, name]) => ({
    term: term!,
    source: 'InterPro',
    name: name?.trim() ?? null,
    evidence: null,
  }))

interface ProgramTable {
  /** By which the heading is known: all of them, in lower case. */
  headings: readonly string[]
  /** Columns of the gene's name, the surest first. */
  genes: readonly string[]
  terms: readonly [column: string, read: ReadCell][]
}

/** Headings in lower case. */
const tables = {
  // funannotate annotate: B.annotations.txt.
  funannotate: {
    headings: ['geneid', 'transcriptid', 'pfam', 'interpro', 'go terms'],
    genes: ['geneid', 'transcriptid'],
    terms: [
      ['ec_number', readEc],
      ['pfam', listed('Pfam', matching(/(PF\d{5})/))],
      ['interpro', readInterPro],
      ['eggnog', listed('eggNOG', (piece) => piece.replace(/^EggNog:/i, ''))],
      ['cog', readCog],
      ['go terms', readGoSentences],
      ['protease', listed('MEROPS', (piece) => piece.replace(/^MEROPS:/i, ''))],
      ['cazyme', listed('CAZy', (piece) => piece.replace(/^CAZy:/i, ''))],
    ],
  },
  // Phytozome: S.annotation_info.txt. Best hits in other species say nothing certain of the gene.
  phytozome: {
    headings: ['pacid', 'locusname', 'transcriptname'],
    genes: ['locusname', 'transcriptname', 'peptidename'],
    terms: [
      ['pfam', listed('Pfam', matching(/^(PF\d{5})/))],
      ['panther', listed('PANTHER', matching(/^(PTHR\d+(?::SF\d+)?)/))],
      ['kog', listed('COG', matching(/^(KOG\d+)/))],
      ['kegg/ec', readEc],
      ['ec', readEc],
      ['ko', listed('KEGG', matching(/^(?:ko:)?(K\d{5})/))],
      ['go', readGo],
    ],
  },
  // Bakta: P.tsv, with cross-references in the last column.
  bakta: {
    headings: ['sequence id', 'type', 'locus tag', 'dbxrefs'],
    genes: ['locus tag'],
    terms: [['dbxrefs', (cell) => cut(cell, /,/).flatMap(termOfReference)]],
  },
  // Prokka: P.tsv.
  prokka: {
    headings: ['locus_tag', 'ftype', 'ec_number', 'product'],
    genes: ['locus_tag'],
    terms: [
      ['ec_number', readEc],
      ['cog', readCog],
    ],
  },
} as const satisfies Record<string, ProgramTable>
export type ProgramTableFormat = keyof typeof tables
const formats = Object.keys(tables) as ProgramTableFormat[]

const headingsOf = (line: string): string[] =>
  line
    .replace(/^#+\s*/, '')
    .split('\t')
    .map((cell) => cell.trim().toLowerCase())

/** The program that writes a table of such a heading; null when it is none of these. */
export const findProgramTable = (line: string): ProgramTableFormat | null => {
  const headings = headingsOf(line)
  return formats.find((format) => tables[format].headings.every((heading) => headings.includes(heading))) ?? null
}

const asRow = (
  gene: string,
  otherNames: string[],
  { term, source, name, evidence }: TermOfGene,
  line: number,
): AnnotationRow => ({
  ...newRow(gene, term, source, line),
  otherNames,
  termName: name,
  evidence,
})

/** Reads the lines of such a table. Features without a name, such as a gap or an origin of replication, are passed over. */
export const readProgramTable =
  (format: ProgramTableFormat) =>
  ({ file, log, onRow }: ReaderContext): LineHandler => {
    const { genes, terms } = tables[format] as ProgramTable
    let headings: string[] | null = null
    return (line, lineNumber) => {
      if (headings === null) {
        if (findProgramTable(line) === format) headings = headingsOf(line)
        else if (!line.startsWith('#')) {
          log.report(annotationDefects, 'annotation-no-heading', file, lineNumber, { format })
          headings = []
        }
        return false
      }
      if (headings.length === 0) return true
      const columns = line.split('\t')
      // Trailing empty cells are often cut off.
      if (columns.length > headings.length || columns.length < 2) {
        log.report(annotationDefects, 'annotation-column-count', file, lineNumber, {
          found: columns.length,
          format,
          expected: headings.length,
        })
        return true
      }
      const cell = (name: string): string | null => given(columns[headings!.indexOf(name)])
      const [gene, ...others] = genes.flatMap((name) => cell(name) ?? [])
      if (gene === undefined) return true
      for (const [column, read] of terms) {
        const text = cell(column)
        if (text === null) continue
        const found = read(text)
        for (const term of found) onRow(asRow(gene, others, term, lineNumber))
        // Cross-references are of sequences as well.
        if (found.length === 0 && column !== 'dbxrefs')
          log.report(annotationDefects, 'annotation-bad-term', file, lineNumber, { term: text, expected: column })
      }
      return true
    }
  }

/** KofamScan, in detail: `*` before the hits above the threshold of their profile, which alone are assignments. */
export const readKofamScan =
  ({ onRow }: ReaderContext): LineHandler =>
  (line, lineNumber) => {
    if (line.startsWith('#')) return false
    const isTabbed = line.includes('\t')
    const cells = isTabbed
      ? line.split('\t')
      : /^(\*?)\s*(\S+)\s+(K\d{5})\s+(\S+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line)?.slice(1)
    const [mark = '', gene = '', term = ''] = cells ?? []
    if (mark.trim() !== '*' || !/^K\d{5}$/.test(term.trim())) return true
    onRow({
      ...newRow(gene.trim(), term.trim(), 'KEGG', lineNumber),
      termName: given(cells!.at(-1)?.replace(/^"|"$/g, '')),
    })
    return true
  }

/** BlastKOALA, GhostKOALA, KAAS and KofamScan's mapper: a gene a line, with its KEGG ortholog where it has one. */
export const readKoList =
  ({ file, log, onRow }: ReaderContext): LineHandler =>
  (line, lineNumber) => {
    if (line.startsWith('#')) return false
    const [gene = '', term] = line.trim().split(/\s+/)
    if (term === undefined) return true
    if (/^K\d{5}$/.test(term)) onRow(newRow(gene, term, 'KEGG', lineNumber))
    else log.report(annotationDefects, 'annotation-bad-term', file, lineNumber, { term, expected: 'K00001' })
    return true
  }

/** Whether lines are of such a list: nothing but names and orthologs, and one of these at least. */
export const isKoList = (lines: readonly string[]): boolean =>
  lines.some((line) => /\sK\d{5}\s*$/.test(line)) && lines.every((line) => /^\S+(\s+K\d{5})?\s*$/.test(line))

/** Attributes of GFF3 that name terms: cross-references, ontology terms and enzyme numbers of annotators, and NCBI's go_function. */
const referenceKey = /^(db_?xref|ontology_term|kegg)$/i
const enzymeKey = /^e_?c(_number)?$/i
const goKey = /^go_(function|process|component)$/i

/**
 * Cross-references of genes, transcripts and coding sequences of a GFF3 file, as annotators write them there, as terms; and what lines
 * about proteins (InterProScan's, SignalP's, DeepTMHMM's, UniProt's) say of places on them.
 */
export const readGff3Terms = ({ onRow, onHit }: ReaderContext): LineHandler => {
  let isDone = false
  return (line, lineNumber) => {
    if (line.startsWith('##FASTA') || line.startsWith('>')) isDone = true
    if (isDone || line.startsWith('#')) return false
    const columns = line.split('\t')
    const hit = readProteinFeatureLine(columns, lineNumber)
    if (hit !== null) {
      onHit?.(hit)
      const { protein, accession, analysis, name, entry, entryName, start1, end1 } = hit
      if (accession === null) return true
      onRow({ ...newRow(protein, accession, analysis, lineNumber), termName: name, start1, end1 })
      if (entry !== null)
        onRow({ ...newRow(protein, entry, 'InterPro', lineNumber), termName: entryName, start1, end1 })
      return true
    }
    if (columns.length < 9) return false
    const attributes = parseGff3Attributes(columns[8]!)
    const names = [
      ...(/^(cds|exon|.*utr)$/i.test(columns[2]!) ? (attributes.Parent ?? []).slice(0, 1) : []),
      ...['locus_tag', 'ID', 'Name', 'protein_id'].flatMap((key) => attributes[key] ?? []),
    ]
    const [gene, ...others] = names
    if (gene === undefined) return true
    const found: TermOfGene[] = []
    for (const [key, values] of Object.entries(attributes)) {
      if (referenceKey.test(key)) found.push(...values.flatMap(termOfReference))
      else if (enzymeKey.test(key)) found.push(...values.flatMap((value) => termOfReference(`EC:${value}`)))
      else if (goKey.test(key))
        for (const value of values) {
          const [name, number, , evidence] = value.split('|')
          if (/^\d{7}$/.test(number ?? ''))
            found.push({ term: `GO:${number}`, source: 'GO', name: given(name), evidence: given(evidence) })
        }
    }
    for (const term of found) onRow(asRow(gene, others, term, lineNumber))
    return true
  }
}
