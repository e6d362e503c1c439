/** A GFF3 line to be written; attributes in the order given, absent values left out. */
export interface Gff3Row {
  sequence: string
  source: string
  type: string
  start1: number
  end1: number
  strand: '+' | '-' | '.'
  phase?: 0 | 1 | 2
  attributes: Record<string, string | readonly string[] | null | undefined>
}

// GFF3 specification 1.26: in column 9 tab, newline, %, ;, =, & and , are escaped; a comma separates the values of one
// attribute.
const reserved = /[\t\n\r%;=&,]/g

const escaped = (text: string): string =>
  text.replaceAll(reserved, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

/**
 * One line of GFF3, without its end.
 *
 * Example: a gene with `{ID: 'g1', Note: 'a; b'}` ends in `ID=g1;Note=a%3B b`.
 */
export function renderGff3Row(row: Gff3Row): string {
  const attributes: string[] = []
  for (const [key, value] of Object.entries(row.attributes)) {
    if (value === null || value === undefined || value.length === 0) continue
    attributes.push(`${key}=${typeof value === 'string' ? escaped(value) : value.map(escaped).join(',')}`)
  }
  const { sequence, source, type, start1, end1, strand, phase } = row
  return [sequence, source, type, start1, end1, '.', strand, phase ?? '.', attributes.join(';')].join('\t')
}

/** The first lines of a file: the version, and the extent of each sequence. */
export function gff3Head(sequences: Iterable<readonly [name: string, lengthBp: number]>): string[] {
  const lines = ['##gff-version 3']
  for (const [name, lengthBp] of sequences) lines.push(`##sequence-region ${name} 1 ${lengthBp}`)
  return lines
}
