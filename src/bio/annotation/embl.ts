// EMBL flat files (ENA user manual, "Flat file format"): the records of GenBank under other keys, with the same table of features.

interface EmblState {
  /** Lines of the description, and of features, were read of this record. */
  described: boolean
  inFeatures: boolean
}

/**
 * The line of a GenBank file that says what a line of EMBL does; null for what a GenBank file has no line of.
 *
 * Example: of `SQ   Sequence 600 BP; 150 A; …` it is `ORIGIN`.
 */
const asGenBankLine = (line: string, state: EmblState): string | null => {
  const key = line.slice(0, 2)
  const rest = line.slice(5)
  switch (key) {
    case 'ID': {
      // ID   CP000001; SV 2; circular; genomic DNA; STD; PRO; 600 BP.
      const words = rest.split(';').map((word) => word.trim())
      const version = words.map((word) => /^SV (\d+)$/.exec(word)?.[1]).find((found) => found !== undefined)
      const lengthBp = /(\d+) BP\.?$/.exec(rest.trim())?.[1] ?? ''
      const name = words[0]!.split(/\s+/)[0]!
      state.described = false
      state.inFeatures = false
      const circular = words.some((word) => /^circular\b/i.test(word)) ? ' circular' : ''
      return `LOCUS       ${version === undefined ? name : `${name}.${version}`} ${lengthBp} bp DNA${circular}`
    }
    case 'DE': {
      const isFirst = !state.described
      state.described = true
      return `${isFirst ? 'DEFINITION  ' : '            '}${rest}`
    }
    case 'OS':
      return `SOURCE      ${rest}\n  ORGANISM  ${rest}`
    case 'FT': {
      // The heading of the table (FH) may be missing.
      const heading = state.inFeatures ? '' : 'FEATURES             Location/Qualifiers\n'
      state.inFeatures = true
      return `${heading}  ${line.slice(2)}`
    }
    case 'SQ':
      return 'ORIGIN'
    case '//':
      return '//'
    default:
      return line.startsWith('  ') ? line : null
  }
}

/** What takes the lines of an EMBL file and hands those of a GenBank file on. */
export const readAsGenBank = (
  onLine: (line: string, lineNumber: number) => void,
): ((line: string, lineNumber: number) => void) => {
  const state: EmblState = { described: false, inFeatures: false }
  return (line, lineNumber) => {
    for (const one of asGenBankLine(line, state)?.split('\n') ?? []) onLine(one, lineNumber)
  }
}
