// Functional annotation in the forms that labs have: GAF, InterProScan, eggNOG-mapper, and plain tables.

import type { DefectLog } from './defects.ts'

export interface AnnotationRow {
  /** Gene, transcript or protein as the file names it. */
  gene: string
  source: string
  term: string
  termName: string | null
  evidence: string | null
  /** GAF qualifiers as written, joined by "|"; one of them may be NOT. */
  qualifier: string | null
  /** Residues of the protein that carry the term, counted from 1, both included. */
  start1: number | null
  end1: number | null
  line: number
}

export type AnnotationFormat = 'gaf' | 'interproscan' | 'eggnog' | 'table'

export interface AnnotationReaderOptions {
  file: string
  log: DefectLog
  /** Vocabulary of the terms of a table. */
  source?: string
  onRow(row: AnnotationRow): void
}

export interface AnnotationReader {
  addLine(line: string, lineNumber: number): void
  end(): void
}

const row = (
  parts: Partial<AnnotationRow> & { gene: string; source: string; term: string; line: number },
): AnnotationRow => ({
  termName: null,
  evidence: null,
  qualifier: null,
  start1: null,
  end1: null,
  ...parts,
})

/**
 * The format by file name and first lines, or null when it is none of them.
 *
 * Example: `guessAnnotationFormat('x.gaf.gz', ['!gaf-version: 2.2'])` is `gaf`.
 */
export function guessAnnotationFormat(name: string, firstLines: readonly string[]): AnnotationFormat | null {
  if (firstLines.some((line) => /^!\s*gaf-version/i.test(line)) || /\.gaf(\.gz)?$/i.test(name)) return 'gaf'
  if (firstLines.some((line) => /^#+\s*(emapper|query\b|#query)/i.test(line)) || /\.emapper\.annotations/i.test(name))
    return 'eggnog'
  const cells = firstLines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'))
  // InterProScan: 11 to 15 columns, the second an MD5 of the protein, the third its length.
  if (cells.length > 0 && cells.every((cell) => cell.length >= 11 && /^[0-9a-f]{32}$/i.test(cell[1]!)))
    return 'interproscan'
  if (cells.length > 0 && cells.every((cell) => cell.length >= 15) && cells.some((cell) => /^GO:\d{7}$/.test(cell[4]!)))
    return 'gaf'
  if (cells.length > 0 && cells.every((cell) => cell.length >= 2)) return 'table'
  return null
}

/** A reader of one annotation file; lines may come with or without their line ends. */
export function createAnnotationReader(format: AnnotationFormat, options: AnnotationReaderOptions): AnnotationReader {
  const readers = {
    gaf: readGafLine,
    interproscan: readInterproLine,
    eggnog: createEggnogLine(),
    table: createTableLine(),
  }
  const read = readers[format]
  let rowCount = 0
  const counted: AnnotationReaderOptions = {
    ...options,
    onRow: (annotation) => {
      rowCount += 1
      options.onRow(annotation)
    },
  }
  return {
    addLine: (line, lineNumber) => {
      if (line.trim() !== '') read(line.replace(/\r$/, ''), lineNumber, counted)
    },
    end: () => {
      if (rowCount === 0) options.log.report('annotation-no-rows', options.file, null)
    },
  }
}

const goTerm = /^GO:\d{7}$/

/** GAF 2.1 and 2.2 (geneontology.org/docs/go-annotation-file-gaf-format-2.2): 17 columns, the last two may be absent. */
function readGafLine(line: string, lineNumber: number, { file, log, onRow }: AnnotationReaderOptions): void {
  if (line.startsWith('!')) return
  const cells = line.split('\t')
  if (cells.length < 15) {
    log.report('annotation-column-count', file, lineNumber, { found: cells.length, format: 'GAF', expected: '15–17' })
    return
  }
  const [, id, symbol, qualifier, term, , evidence] = cells
  if (!goTerm.test(term!)) {
    log.report('annotation-bad-term', file, lineNumber, { term: term!, expected: '@go-term' })
    return
  }
  const gene = id !== '' ? id! : symbol!
  if (gene === '') {
    log.report('annotation-empty-field', file, lineNumber, { field: '@gene-name' })
    return
  }
  onRow(
    row({
      gene,
      source: 'GO',
      term: term!,
      evidence: evidence || null,
      qualifier: qualifier || null,
      line: lineNumber,
    }),
  )
}

const residue = (text: string | undefined): number | null =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : null

/** InterProScan 5 TSV (interproscan-docs.readthedocs.io, "TSV format"): signature, InterPro entry, GO terms, pathways. */
function readInterproLine(line: string, lineNumber: number, { file, log, onRow }: AnnotationReaderOptions): void {
  if (line.startsWith('#')) return
  const cells = line.split('\t')
  if (cells.length < 11) {
    log.report('annotation-column-count', file, lineNumber, {
      found: cells.length,
      format: 'InterProScan TSV',
      expected: '11–15',
    })
    return
  }
  const present = (text: string | undefined): string | null =>
    text === undefined || text === '' || text === '-' ? null : text
  const gene = cells[0]!
  const place = { start1: residue(cells[6]), end1: residue(cells[7]) }
  const signature = present(cells[4])
  if (signature !== null) {
    onRow(
      row({
        gene,
        source: cells[3]!,
        term: signature,
        termName: present(cells[5]),
        evidence: present(cells[8]),
        ...place,
        line: lineNumber,
      }),
    )
  }
  const entry = present(cells[11])
  if (entry !== null) {
    onRow(row({ gene, source: 'InterPro', term: entry, termName: present(cells[12]), ...place, line: lineNumber }))
  }
  for (const text of present(cells[13])?.split('|') ?? []) {
    // "GO:0003677(InterPro)": the origin in brackets came with version 5.62.
    const term = /^(GO:\d{7})/.exec(text)?.[1]
    if (term !== undefined) onRow(row({ gene, source: 'GO', term, evidence: 'IEA', line: lineNumber }))
  }
  for (const text of present(cells[14])?.split('|') ?? []) {
    const [database, pathway] = [text.slice(0, text.indexOf(':')).trim(), text.slice(text.indexOf(':') + 1).trim()]
    if (database !== '' && pathway !== '') onRow(row({ gene, source: database, term: pathway, line: lineNumber }))
  }
}

const cogCategories: Record<string, string> = {
  A: 'RNA processing and modification',
  B: 'Chromatin structure and dynamics',
  C: 'Energy production and conversion',
  D: 'Cell cycle control, cell division, chromosome partitioning',
  E: 'Amino acid transport and metabolism',
  F: 'Nucleotide transport and metabolism',
  G: 'Carbohydrate transport and metabolism',
  H: 'Coenzyme transport and metabolism',
  I: 'Lipid transport and metabolism',
  J: 'Translation, ribosomal structure and biogenesis',
  K: 'Transcription',
  L: 'Replication, recombination and repair',
  M: 'Cell wall/membrane/envelope biogenesis',
  N: 'Cell motility',
  O: 'Posttranslational modification, protein turnover, chaperones',
  P: 'Inorganic ion transport and metabolism',
  Q: 'Secondary metabolites biosynthesis, transport and catabolism',
  R: 'General function prediction only',
  S: 'Function unknown',
  T: 'Signal transduction mechanisms',
  U: 'Intracellular trafficking, secretion, and vesicular transport',
  V: 'Defense mechanisms',
  W: 'Extracellular structures',
  X: 'Mobilome: prophages, transposons',
  Y: 'Nuclear structure',
  Z: 'Cytoskeleton',
}

/** eggNOG-mapper 2 `.annotations`: columns named by the `#query` line; lists within a cell are separated by commas. */
function createEggnogLine() {
  let columns: string[] | null = null
  return (line: string, lineNumber: number, { file, log, onRow }: AnnotationReaderOptions): void => {
    if (line.startsWith('##')) return
    if (line.startsWith('#')) {
      columns = line.slice(1).split('\t')
      return
    }
    // Version 2's order, for files whose header lines were cut off.
    columns ??=
      'query seed_ortholog evalue score eggNOG_OGs max_annot_lvl COG_category Description Preferred_name GOs EC KEGG_ko KEGG_Pathway KEGG_Module KEGG_Reaction KEGG_rclass BRITE KEGG_TC CAZy BiGG_Reaction PFAMs'.split(
        ' ',
      )
    const cells = line.split('\t')
    if (cells.length < Math.min(columns.length, 20)) {
      log.report('annotation-column-count', file, lineNumber, {
        found: cells.length,
        format: 'eggNOG-mapper',
        expected: columns.length,
      })
      return
    }
    const gene = cells[0]!
    const cell = (name: string): string | null => {
      const value = cells[columns!.indexOf(name)]
      return value === undefined || value === '' || value === '-' ? null : value
    }
    const add = (source: string, term: string, termName: string | null = null): void =>
      onRow(row({ gene, source, term, termName, evidence: source === 'GO' ? 'IEA' : null, line: lineNumber }))
    for (const term of cell('GOs')?.split(',') ?? []) if (goTerm.test(term)) add('GO', term)
    for (const letter of cell('COG_category') ?? '')
      if (/[A-Z]/.test(letter)) add('COG category', letter, cogCategories[letter] ?? null)
    for (const term of cell('EC')?.split(',') ?? []) add('EC', term)
    for (const term of cell('KEGG_ko')?.split(',') ?? []) add('KEGG orthology', term.replace(/^ko:/, ''))
    // Each pathway is listed as ko… and map…: the same one.
    for (const term of cell('KEGG_Pathway')?.split(',') ?? []) if (!term.startsWith('ko')) add('KEGG pathway', term)
    for (const term of cell('CAZy')?.split(',') ?? []) add('CAZy', term)
    for (const term of cell('PFAMs')?.split(',') ?? []) add('Pfam', term)
  }
}

const headerWords = /^(gene|gene[_ ]?id|id|locus|orf|query|protein|transcript)$/i

/** Tables of gene and term, with the term's name in a third column when there is one; several terms in a cell by comma or semicolon. */
function createTableLine() {
  let first = true
  return (line: string, lineNumber: number, { file, log, source, onRow }: AnnotationReaderOptions): void => {
    if (line.startsWith('#') || line.startsWith('!')) return
    const cells = line.split('\t').map((cell) => cell.trim())
    const isHeader = first && headerWords.test(cells[0]!)
    first = false
    if (isHeader) return
    if (cells.length < 2) {
      log.report('annotation-column-count', file, lineNumber, { found: cells.length, format: 'TSV', expected: '2–3' })
      return
    }
    const [gene, terms, name] = cells
    if (gene === '' || terms === '') {
      log.report('annotation-empty-field', file, lineNumber, { field: gene === '' ? '@gene-name' : '@term' })
      return
    }
    const list = terms!.split(/\s*[,;]\s*/).filter((term) => term !== '')
    for (const term of list) {
      onRow(
        row({
          gene: gene!,
          source: source ?? (goTerm.test(term) ? 'GO' : 'annotation'),
          term,
          // A name belongs to one term; with several in the cell it cannot be told whose it is.
          termName: list.length === 1 ? name || null : null,
          line: lineNumber,
        }),
      )
    }
  }
}
