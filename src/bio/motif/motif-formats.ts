// Reading of transcription factor binding motifs as the field's databases and programs write them.

import { createNamer } from '../text/unique-names.ts'

/** A motif: for each position the frequencies of A, C, G and T (rows of four, each summing to 1). */
export interface Motif {
  id: string
  /** Usually the factor; null where the file gives none. */
  name: string | null
  frequencies: number[][]
  /** Sites that the matrix was made from: what the pseudocount is weighed against. */
  siteCount: number
  /** The IUPAC word, of a motif that was given as one. */
  consensus: string | null
}

export type MotifFormat = 'meme' | 'jaspar' | 'transfac' | 'pfm' | 'consensus'

export type MotifProblemCode =
  | 'unknown-format'
  | 'no-motifs'
  | 'not-dna'
  | 'bad-number'
  | 'bad-columns'
  | 'bad-rows'
  | 'empty-column'
  | 'bad-letter'
  | 'too-wide'
  | 'repeated-id'

export interface MotifProblem {
  code: MotifProblemCode
  /** 1-based; 0 where it is of the whole text. */
  line: number
  /** What stands there. */
  text: string
}

export interface ParsedMotifs {
  format: MotifFormat | null
  motifs: Motif[]
  problems: MotifProblem[]
  /** Frequencies of A, C, G, T that the file names as its background (MEME format). */
  background: [number, number, number, number] | null
}

/** Letters of IUPAC-IUB nucleotide ambiguity (Cornish-Bowden 1985, Nucleic Acids Res 13:3021) as the bases they stand for. */
export const iupacBases: Readonly<Record<string, string>> = {
  A: 'A',
  C: 'C',
  G: 'G',
  T: 'T',
  U: 'T',
  R: 'AG',
  Y: 'CT',
  S: 'CG',
  W: 'AT',
  K: 'GT',
  M: 'AC',
  B: 'CGT',
  D: 'AGT',
  H: 'ACT',
  V: 'ACG',
  N: 'ACGT',
}

/** MEME's formats assume 20 sites where a file does not say how many (MEME minimal motif format). */
const assumedSites = 20

/** Wider matrices are no binding sites but whole domains or slips; MEME itself stops at 300. */
const widestMotif = 100

/** Files written with two decimals have rows that miss 1 by this much. */
const frequencyTolerance = 0.05

const baseOrder = 'ACGT'

/** Rows of numbers as they stood in a file: counts or frequencies, told apart by their sums. */
const makeMotif = (
  id: string,
  name: string | null,
  rows: number[][],
  siteCount: number | null,
  line: number,
): Motif | MotifProblem => {
  if (rows.length === 0) return { code: 'bad-rows', line, text: id }
  if (rows.length > widestMotif) return { code: 'too-wide', line, text: id }
  const sums = rows.map((row) => row.reduce((sum, value) => sum + value, 0))
  if (sums.some((sum) => sum <= 0)) return { code: 'empty-column', line, text: id }
  const areFrequencies = sums.every((sum) => Math.abs(sum - 1) <= frequencyTolerance)
  return {
    id,
    name,
    frequencies: rows.map((row, at) => row.map((value) => value / sums[at]!)),
    siteCount: siteCount ?? (areFrequencies ? assumedSites : Math.max(...sums)),
    consensus: null,
  }
}

/** Numbers of a line, null where something else stands in it. */
const readNumbers = (text: string): number[] | null => {
  const cells = text.split(/[\s,]+/).filter((cell) => cell !== '')
  const numbers = cells.map(Number)
  return numbers.every((value) => Number.isFinite(value) && value >= 0) && cells.length > 0 ? numbers : null
}

const transpose = (rows: number[][]): number[][] => rows[0]!.map((_, at) => rows.map((row) => row[at]!))

interface Collected {
  motifs: Motif[]
  problems: MotifProblem[]
  background: ParsedMotifs['background']
}

const take = (collected: Collected, made: Motif | MotifProblem): void => {
  if ('code' in made) collected.problems.push(made)
  else collected.motifs.push(made)
}

/** MEME text: minimal format as of versions 4 and 5, and the text output of MEME, DREME and STREME. */
const parseMeme = (lines: string[]): Collected => {
  const collected: Collected = { motifs: [], problems: [], background: null }
  let id: string | null = null
  let name: string | null = null
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trim()
    const alphabet = /^ALPHABET\s*=?\s*(.*)$/i.exec(line)?.[1]?.trim()
    if (alphabet !== undefined && alphabet !== '' && !/^(ACGT|"?DNA\b)/i.test(alphabet)) {
      collected.problems.push({ code: 'not-dna', line: at + 1, text: alphabet.slice(0, 40) })
      return collected
    }
    if (/^Background letter frequencies/i.test(line)) {
      const values = /A\s+(\S+)\s+C\s+(\S+)\s+G\s+(\S+)\s+T\s+(\S+)/i.exec(
        `${lines[at + 1] ?? ''} ${lines[at + 2] ?? ''}`,
      )
      const numbers = values?.slice(1, 5).map(Number) ?? []
      const sum = numbers.reduce((total, value) => total + value, 0)
      if (numbers.length === 4 && numbers.every((value) => value > 0) && Math.abs(sum - 1) < frequencyTolerance)
        collected.background = numbers.map((value) => value / sum) as [number, number, number, number]
      continue
    }
    const head = /^MOTIF\s+(\S+)(?:\s+(.*))?$/.exec(line)
    if (head !== null) {
      id = head[1]!
      // MEME's own output says "MOTIF 1 width = 8 …" or "MOTIF WORD MEME-1 width = 8 …".
      const rest = (head[2] ?? '').replace(/\bwidth\s*=.*$/i, '').trim()
      name = rest === '' || rest === 'NA' || rest === id ? null : rest
      continue
    }
    const matrix = /^letter-probability matrix:(.*)$/i.exec(line)
    if (matrix === null) continue
    const about = matrix[1]!
    const columns = /alength\s*=\s*(\d+)/i.exec(about)
    const started = at + 1
    const called = id ?? `motif_${collected.motifs.length + 1}`
    if (columns !== null && columns[1] !== '4') {
      collected.problems.push({ code: 'bad-columns', line: started, text: called })
      continue
    }
    const wanted = /\bw\s*=\s*(\d+)/i.exec(about)
    const sites = /nsites\s*=\s*([\d.]+)/i.exec(about)
    const rows: number[][] = []
    let problem: MotifProblem | null = null
    for (let next = at + 1; next < lines.length; next++) {
      const row = lines[next]!.trim()
      if (row === '' && rows.length === 0) continue
      if (row === '' || !/^[\d.+-]/.test(row)) break
      const numbers = readNumbers(row)
      if (numbers === null || numbers.length !== 4) {
        problem = { code: numbers === null ? 'bad-number' : 'bad-columns', line: next + 1, text: row.slice(0, 60) }
        break
      }
      rows.push(numbers)
      at = next
      if (wanted !== null && rows.length === Number(wanted[1])) break
    }
    if (problem === null && wanted !== null && rows.length !== Number(wanted[1]))
      problem = { code: 'bad-rows', line: started, text: called }
    const siteCount = sites === null ? null : Number(sites[1])
    if (problem !== null) collected.problems.push(problem)
    else take(collected, makeMotif(called, name, rows, siteCount !== null && siteCount > 0 ? siteCount : null, started))
    id = null
    name = null
  }
  return collected
}

/** `>ID name`, then a line for each base, with its letter and brackets (JASPAR) or without (the older PFM); or lines of positions. */
const parseHeaded = (lines: string[]): Collected => {
  const collected: Collected = { motifs: [], problems: [], background: null }
  let head: { id: string; name: string | null; line: number } | null = null
  let lettered = new Map<string, number[]>()
  let plain: number[][] = []
  let broken = false
  const finish = (): void => {
    if (head === null || broken) return
    const { id, name, line } = head
    if (lettered.size > 0) {
      const rows = [...baseOrder].map((base) => lettered.get(base))
      if (rows.some((row) => row === undefined || row.length !== rows[0]!.length) || plain.length > 0)
        collected.problems.push({ code: 'bad-rows', line, text: id })
      else take(collected, makeMotif(id, name, transpose(rows as number[][]), null, line))
      return
    }
    const widths = new Set(plain.map((row) => row.length))
    if (plain.length === 0 || widths.size > 1) {
      collected.problems.push({ code: 'bad-rows', line, text: id })
      return
    }
    const [width] = widths
    // Four lines are the four bases; four columns are positions. Of a four by four table, the columns sum alike where lines are bases.
    if (width === 4 && plain.length !== 4) take(collected, makeMotif(id, name, plain, null, line))
    else if (plain.length !== 4) collected.problems.push({ code: 'bad-columns', line, text: id })
    else {
      const sums = (table: number[][]): number[] => table.map((row) => row.reduce((sum, value) => sum + value, 0))
      const alike = (values: number[]): number => Math.max(...values) - Math.min(...values)
      const turned = transpose(plain)
      const basesInLines = width !== 4 || alike(sums(turned)) <= alike(sums(plain))
      take(collected, makeMotif(id, name, basesInLines ? turned : plain, null, line))
    }
  }
  for (const [at, raw] of lines.entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    if (line.startsWith('>')) {
      finish()
      lettered = new Map()
      plain = []
      broken = false
      const [id = '', ...rest] = line.slice(1).trim().split(/\s+/)
      head = { id: id === '' ? `motif_${collected.motifs.length + 1}` : id, name: rest.join(' ') || null, line: at + 1 }
      continue
    }
    if (broken) continue
    head ??= { id: `motif_${collected.motifs.length + 1}`, name: null, line: at + 1 }
    const letter = /^([ACGTU])\s*[:|]?\s*\[?(.*?)\]?$/i.exec(line)
    const numbers = readNumbers(letter === null ? line.replace(/[[\]]/g, '') : letter[2]!)
    if (numbers === null) {
      collected.problems.push({ code: 'bad-number', line: at + 1, text: line.slice(0, 60) })
      broken = true
      continue
    }
    if (letter === null) plain.push(numbers)
    else lettered.set(letter[1]!.toUpperCase().replace('U', 'T'), numbers)
  }
  finish()
  return collected
}

/** TRANSFAC flat file: AC or ID, NA, P0 with the order of the bases, numbered lines of counts, `//` after each. */
const parseTransfac = (lines: string[]): Collected => {
  const collected: Collected = { motifs: [], problems: [], background: null }
  let accession: string | null = null
  let identifier: string | null = null
  let name: string | null = null
  let order: number[] | null = null
  let rows: number[][] = []
  let started = 0
  let broken = false
  const finish = (): void => {
    const id = accession ?? identifier ?? `motif_${collected.motifs.length + 1}`
    if (order !== null && !broken)
      take(collected, makeMotif(id, name ?? (accession === null ? null : identifier), rows, null, started))
    accession = null
    identifier = null
    name = null
    order = null
    rows = []
    broken = false
  }
  for (const [at, raw] of lines.entries()) {
    const line = raw.trimEnd()
    if (line.startsWith('//')) {
      finish()
      continue
    }
    const field = /^([A-Z]{2}|P0)\s+(.*)$/.exec(line)
    if (field !== null) {
      const [, key, value] = field as unknown as [string, string, string]
      if (key === 'AC') accession = value.trim().split(/\s+/)[0] ?? null
      else if (key === 'ID') identifier = value.trim().split(/\s+/)[0] ?? null
      else if (key === 'NA') name = value.trim() || null
      else if (key === 'P0' || key === 'PO') {
        const letters = value.trim().toUpperCase().replaceAll('U', 'T').split(/\s+/)
        order = [...baseOrder].map((base) => letters.indexOf(base))
        started = at + 1
        if (order.includes(-1)) {
          collected.problems.push({ code: 'bad-columns', line: at + 1, text: line.slice(0, 60) })
          broken = true
        }
      }
      continue
    }
    if (order === null || broken || !/^\d+\s/.test(line)) continue
    const cells = line.trim().split(/\s+/).slice(1)
    const numbers = order.map((column) => Number(cells[column]))
    if (numbers.some((value) => !Number.isFinite(value) || value < 0)) {
      collected.problems.push({ code: 'bad-number', line: at + 1, text: line.slice(0, 60) })
      broken = true
    } else rows.push(numbers)
  }
  if (order !== null) finish()
  return collected
}

/** Ids within one text are made different, so that rows of a result can be told apart. */
const nameUniquely = (motifs: Motif[]): Motif[] => {
  const nameOf = createNamer()
  return motifs.map((motif) => ({ ...motif, id: nameOf(motif.id) }))
}

/**
 * Reads matrices in MEME text (minimal motif format, or output of MEME, DREME, STREME), JASPAR, TRANSFAC, and plain position
 * frequency matrices (`>name`, then four lines of bases or lines of four numbers). Counts become frequencies; a motif of frequencies
 * without a number of sites gets 20, as MEME's formats assume. What cannot be read is told by line; the rest is given all the same.
 *
 * @example parseMotifs('>M1 GCN4\nA [0 9 0]\nC [0 0 0]\nG [0 0 9]\nT [9 0 0]').motifs[0]
 * // {id: 'M1', name: 'GCN4', frequencies: [[0,0,0,1],[1,0,0,0],[0,0,1,0]], siteCount: 9, consensus: null}
 */
export const parseMotifs = (text: string): ParsedMotifs => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const format: MotifFormat | null =
    lines.some((line) => /^\s*MEME version/i.test(line)) ||
    lines.some((line) => /^\s*letter-probability matrix:/i.test(line))
      ? 'meme'
      : lines.some((line) => /^P[0O]\s/.test(line))
        ? 'transfac'
        : lines.some((line) => /^\s*[ACGTU]\s*[:|]?\s*\[?\s*[\d.]/i.test(line))
          ? 'jaspar'
          : lines.some((line) => line.startsWith('>')) || lines.some((line) => readNumbers(line.trim()) !== null)
            ? 'pfm'
            : null
  if (format === null)
    return {
      format,
      motifs: [],
      problems: [
        { code: text.trim() === '' ? 'no-motifs' : 'unknown-format', line: 0, text: text.trim().slice(0, 40) },
      ],
      background: null,
    }
  const read = format === 'meme' ? parseMeme : format === 'transfac' ? parseTransfac : parseHeaded
  const { motifs, problems, background } = read(lines)
  if (motifs.length === 0 && problems.length === 0) problems.push({ code: 'no-motifs', line: 0, text: '' })
  return { format, motifs: nameUniquely(motifs), problems, background }
}

/**
 * Reads IUPAC words, one a line, each with a name before it or without. A letter that stands for several bases gives them equal
 * shares; the words count as 20 sites.
 *
 * @example parseConsensus('GATA HGATAR').motifs[0]?.frequencies[0] // [1/3, 1/3, 0, 1/3]
 */
export const parseConsensus = (text: string): ParsedMotifs => {
  const motifs: Motif[] = []
  const problems: MotifProblem[] = []
  for (const [at, raw] of text.split(/\r\n|\n|\r|[,;，；]/).entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const cells = line.replace(/^>/, '').trim().split(/\s+/)
    const word = cells.at(-1)!.toUpperCase()
    const name = cells.length > 1 ? cells.slice(0, -1).join(' ') : null
    const wrong = [...word].find((letter) => iupacBases[letter] === undefined)
    if (wrong !== undefined) problems.push({ code: 'bad-letter', line: at + 1, text: wrong })
    else if (word.length > widestMotif) problems.push({ code: 'too-wide', line: at + 1, text: word.slice(0, 40) })
    else
      motifs.push({
        id: name ?? word,
        name: name === null ? null : word,
        frequencies: [...word].map((letter) => {
          const bases = iupacBases[letter]!
          return [...baseOrder].map((base) => (bases.includes(base) ? 1 / bases.length : 0))
        }),
        siteCount: assumedSites,
        consensus: word,
      })
  }
  if (motifs.length === 0 && problems.length === 0) problems.push({ code: 'no-motifs', line: 0, text: '' })
  return { format: 'consensus', motifs: nameUniquely(motifs), problems, background: null }
}

/**
 * The motif as one IUPAC word, by the rule of Cavener (1987, Nucleic Acids Res 15:1353): a base of more than half and more than twice
 * the next stands alone, two of more than three quarters together as their code, else N; positions with exactly one absent base get its
 * three-letter code.
 *
 * @example describeConsensus([[0, 0, 0, 1], [0.4, 0, 0, 0.6], [0.25, 0.25, 0.25, 0.25]]) // 'TWN'
 */
export const describeConsensus = (frequencies: readonly (readonly number[])[]): string =>
  frequencies
    .map((row) => {
      const order = [0, 1, 2, 3].sort((a, b) => row[b]! - row[a]!)
      const [first, second] = [row[order[0]!]!, row[order[1]!]!]
      const codeOf = (bases: number[]): string => {
        const wanted = bases
          .sort((a, b) => a - b)
          .map((base) => baseOrder[base])
          .join('')
        return Object.entries(iupacBases).find(([letter, meant]) => letter !== 'U' && meant === wanted)?.[0] ?? 'N'
      }
      if (first > 0.5 && first > 2 * second) return codeOf([order[0]!])
      if (first + second > 0.75) return codeOf(order.slice(0, 2))
      const absent = row.filter((value) => value === 0).length
      return absent === 1 ? codeOf(order.slice(0, 3)) : 'N'
    })
    .join('')

/**
 * Heights of the letters of a sequence logo in bits: frequency times information content, 2 minus the entropy minus the correction
 * for few sites, 3 / (2 ln 2 n) (Schneider and Stephens 1990, Nucleic Acids Res 18:6097; Schneider et al. 1986). Information is never
 * below 0. Without `siteCount` nothing is corrected.
 *
 * @example logoHeights([[1, 0, 0, 0]], 20)[0] // [2 - 3 / (2 * Math.log(2) * 20), 0, 0, 0], that is 1.892 bits for A
 */
export const logoHeights = (frequencies: readonly (readonly number[])[], siteCount: number | null): number[][] => {
  const correction = siteCount === null ? 0 : 3 / (2 * Math.LN2 * siteCount)
  return frequencies.map((row) => {
    const entropy = row.reduce((sum, value) => (value > 0 ? sum - value * Math.log2(value) : sum), 0)
    const information = Math.max(0, 2 - entropy - correction)
    return row.map((value) => value * information)
  })
}
