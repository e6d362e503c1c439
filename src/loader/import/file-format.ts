/** What a file is by its content; `table` and `text` are what nothing else recognised. */
export type FileFormat =
  | 'alignment'
  | 'archive'
  | 'bam'
  | 'bcf'
  | 'bed'
  | 'bedgraph'
  | 'bigbed'
  | 'bigwig'
  | 'binary'
  | 'compressed'
  | 'cram'
  | 'embl'
  | 'empty'
  | 'fasta-dna'
  | 'fasta-protein'
  | 'fastq'
  | 'genbank'
  | 'gfa'
  | 'gff3'
  | 'gtf'
  | 'hdf5'
  | 'hic'
  | 'html'
  | 'image'
  | 'index'
  | 'json'
  | 'json-lines'
  | 'matrix-market'
  | 'obo'
  | 'office'
  | 'paf'
  | 'pdf'
  | 'plink-bed'
  | 'program'
  | 'sam'
  | 'spreadsheet'
  | 'table'
  | 'text'
  | 'twobit'
  | 'vcf'
  | 'wig'
  | 'xml'

const startsWith = (bytes: Buffer, ...magic: number[]): boolean => magic.every((byte, at) => bytes[at] === byte)
const startsWithText = (bytes: Buffer, text: string): boolean =>
  bytes.subarray(0, text.length).toString('latin1') === text

/** Formats told by the bytes of the file as it lies on the disk. */
const sniffStored = (bytes: Buffer): FileFormat | null => {
  if (bytes.length === 0) return 'empty'
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04) || startsWith(bytes, 0x50, 0x4b, 0x05, 0x06)) {
    // Office writes its list of parts first.
    return bytes.subarray(0, 4096).includes('[Content_Types].xml') ? 'spreadsheet' : 'archive'
  }
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return 'office'
  // bzip2, xz, zstd, 7-Zip and RAR: nothing here unpacks them.
  if (startsWithText(bytes, 'BZh') || startsWith(bytes, 0xfd, 0x37, 0x7a, 0x58, 0x5a)) return 'compressed'
  if (startsWith(bytes, 0x28, 0xb5, 0x2f, 0xfd)) return 'compressed'
  if (startsWith(bytes, 0x37, 0x7a, 0xbc, 0xaf) || startsWithText(bytes, 'Rar!')) return 'compressed'
  if (startsWith(bytes, 0x89, 0x48, 0x44, 0x46)) return 'hdf5'
  if (startsWith(bytes, 0x6c, 0x1b, 0x01)) return 'plink-bed'
  if (startsWithText(bytes, 'CRAM')) return 'cram'
  if (startsWithText(bytes, 'HIC\0')) return 'hic'
  if (startsWithText(bytes, 'BAI\x01')) return 'index'
  if (startsWithText(bytes, '%PDF')) return 'pdf'
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47) || startsWith(bytes, 0xff, 0xd8, 0xff)) return 'image'
  if (startsWithText(bytes, 'GIF8') || startsWithText(bytes, 'II*\0') || startsWithText(bytes, 'RIFF')) return 'image'
  if (startsWith(bytes, 0x7f, 0x45, 0x4c, 0x46)) return 'program'
  if (bytes.length >= 4) {
    // Of UCSC, in either byte order: bigWig.h, bigBed.h, twoBit.h.
    const ucsc = new Map<number, FileFormat>([
      [0x888ffc26, 'bigwig'],
      [0x8789f2eb, 'bigbed'],
      [0x1a412743, 'twobit'],
    ])
    const found = ucsc.get(bytes.readUInt32LE(0)) ?? ucsc.get(bytes.readUInt32BE(0))
    if (found !== undefined) return found
  }
  return null
}

/** Formats told by the first bytes once they are unpacked. */
const sniffUnpacked = (bytes: Buffer): FileFormat | null => {
  if (startsWithText(bytes, 'BAM\x01')) return 'bam'
  if (startsWithText(bytes, 'BCF')) return 'bcf'
  if (startsWithText(bytes, 'TBI\x01') || startsWithText(bytes, 'CSI\x01')) return 'index'
  return isTarHead(bytes) ? 'archive' : null
}

/** The magic of POSIX, or, before there was one, a checksum that is that of the head (tar(5)). */
const isTarHead = (bytes: Buffer): boolean => {
  if (bytes.length < 512) return false
  if (bytes.subarray(257, 262).toString('latin1') === 'ustar') return true
  const told = Number.parseInt(bytes.subarray(148, 156).toString('latin1').trim(), 8)
  let sum = 8 * 32
  for (let at = 0; at < 512; at++) if (at < 148 || at >= 156) sum += bytes[at]!
  return told === sum && bytes[0] !== 0
}

const bases = /^[ACGTUNacgtunRYKMSWBDHVryksmwbdhv*\-.]+$/
const number = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/
const whole = /^\d+$/

const sniffFasta = (lines: readonly string[]): FileFormat => {
  const residues = lines
    .filter((line) => !line.startsWith('>') && !line.startsWith(';'))
    .join('')
    .slice(0, 20_000)
    .replace(/\s/g, '')
  if (residues === '') return 'fasta-dna'
  const nucleotides = residues.match(/[ACGTUNacgtun]/g)?.length ?? 0
  // Ambiguity codes are letters of amino acids too; only bases themselves tell.
  if (nucleotides < 0.8 * residues.length || !bases.test(residues)) return 'fasta-protein'
  const widths = new Set(lines.filter((line) => /^[A-Za-z*-]+$/.test(line)).map(({ length }) => length))
  return residues.includes('-') && widths.size > 0 ? 'alignment' : 'fasta-dna'
}

/** A line of features: GFF3 has `key=value` in its last column, GTF `key "value"`; BRAKER writes bare identifiers in GTF. */
const featureFormat = (cells: readonly string[]): FileFormat | null => {
  if (cells.length < 8 || cells.length > 9) return null
  if (!whole.test(cells[3]!) || !whole.test(cells[4]!) || !/^[+\-.?]$/.test(cells[6]!) || !/^[012.]$/.test(cells[7]!))
    return null
  const attributes = cells[8] ?? ''
  if (/^\s*\w+ "[^"]*"/.test(attributes)) return 'gtf'
  if (/^[^\s=;]+=/.test(attributes)) return 'gff3'
  return attributes === '' ? 'gff3' : 'gtf'
}

/** A row of samtools faidx: name, length, offset, bases and bytes of a line, of FASTQ also the offset of the qualities. */
const isFaidxRow = (cells: readonly string[]): boolean =>
  (cells.length === 5 || cells.length === 6) &&
  cells.slice(1).every((cell) => whole.test(cell)) &&
  [1, 2].includes(Number(cells[4]) - Number(cells[3])) &&
  Number(cells[2]) > 0

const sniffColumns = (lines: readonly string[]): FileFormat | null => {
  const data = lines.filter((line) => line.trim() !== '' && !/^(#|track |browser )/.test(line)).slice(0, 50)
  if (data.length === 0) return null
  const rows = data.map((line) => line.split('\t'))
  const most = (test: (cells: string[]) => boolean): boolean => rows.filter(test).length > 0.8 * rows.length
  const features = rows.map(featureFormat).filter((format) => format !== null)
  if (features.length > 0.8 * rows.length) return features.includes('gtf') ? 'gtf' : 'gff3'
  if (most((cells) => cells.length >= 12 && whole.test(cells[1]!) && /^[+-]$/.test(cells[4]!) && whole.test(cells[6]!)))
    return 'paf'
  if (rows.every(isFaidxRow)) return 'index'
  const isInterval = (cells: string[]): boolean =>
    cells.length >= 3 && whole.test(cells[1]!) && whole.test(cells[2]!) && Number(cells[1]) <= Number(cells[2])
  if (most((cells) => cells.length === 4 && isInterval(cells) && number.test(cells[3]!))) return 'bedgraph'
  // A depth of each base (samtools depth), and lists of splice sites with a strand behind two positions counted from 1 (STAR).
  const isNext = (cells: string[], at: number): boolean =>
    cells[0] === rows[at - 1]?.[0] && Number(cells[1]) === Number(rows[at - 1]![1]) + 1
  // Windows of one width that move on by a base are intervals; names of BED that nobody gave are `.`.
  const width = (cells: string[]): number => Number(cells[2]) - Number(cells[1])
  const isWindows = rows.every((cells) => width(cells) > 0 && width(cells) === width(rows[0]!))
  const isDepth =
    rows.length > 2 &&
    rows.every(({ length }) => length === 3) &&
    rows.slice(1).every((cells, at) => isNext(cells, at + 1)) &&
    !isWindows
  const isStranded =
    rows.every((cells) => cells.length === 4 && /^[+\-.]$/.test(cells[3]!)) && rows.some((cells) => cells[3] !== '.')
  if (isDepth || isStranded) return 'table'
  if (most((cells) => isInterval(cells) && (cells.length < 6 || /^[+\-.]$/.test(cells[5]!)) && cells.length <= 15))
    return 'bed'
  if (rows.length > 0 && rows[0]!.length > 1 && most((cells) => Math.abs(cells.length - rows[0]!.length) <= 1))
    return 'table'
  // Commas within quotes part no columns (RFC 4180).
  const commas = data.map((line) => line.replace(/"[^"]*"/g, '').split(',').length)
  if (commas[0]! > 1 && commas.filter((count) => count === commas[0]).length > 0.8 * commas.length) return 'table'
  return null
}

const sniffText = (lines: readonly string[], isCut: boolean): FileFormat => {
  const at = lines.findIndex((line) => line.trim() !== '')
  const first = (lines[at] ?? '').replace(/^\uFEFF/, '')
  if (/^\s*(<!doctype html|<html)/i.test(first)) return 'html'
  if (/^\s*</.test(first)) return 'xml'
  if (first.startsWith('>')) return sniffFasta(lines)
  if (first.startsWith('##fileformat=VCF')) return 'vcf'
  if (first.startsWith('LOCUS  ')) return 'genbank'
  if (/^ID {3}\S/.test(first)) return 'embl'
  if (first.startsWith('%%MatrixMarket')) return 'matrix-market'
  if (first.startsWith('format-version:')) return 'obo'
  if (/^@(HD|SQ|RG|PG)\t/.test(first)) return 'sam'
  if (/^@\S/.test(first) && lines[at + 2]?.startsWith('+')) return 'fastq'
  if (/^H\tVN:Z:1|^S\t\S+\t[ACGTNacgtn*]+/.test(first)) return 'gfa'
  if (/^\s*[{[]/.test(first)) {
    const objects = lines.filter((line) => line.trim() !== '').slice(0, 2)
    return objects.length > 1 && objects.every((line) => /^\{.*("|\})/.test(line)) && isJson(objects[0]!)
      ? 'json-lines'
      : 'json'
  }
  // Columns may be parted by spaces, which other formats of intervals have in their names.
  if (lines.some((line) => /^track\s.*\btype=["']?bedGraph\b/i.test(line))) return 'bedgraph'
  // The last line of a beginning has fewer columns than the others.
  const columns = sniffColumns(isCut && lines.length > 1 ? lines.slice(0, -1) : lines)
  if (columns === 'gff3' || columns === 'gtf') return columns
  if (lines.some((line) => /^##gff-version\s+3/.test(line))) return 'gff3'
  const track = lines.find((line) => /^(track|browser|fixedStep|variableStep)\b/.test(line))
  if (track !== undefined && lines.some((line) => /^(fixedStep|variableStep)\s/.test(line))) return 'wig'
  return columns ?? 'text'
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Control characters that texts of labs do not have. */
const hasControls = (bytes: Buffer): boolean => {
  const utf16 = startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)
  if (utf16) return false
  return bytes
    .subarray(0, 8192)
    .some((byte) => byte === 0 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12))
}

/**
 * What a file is by its first bytes, as they are stored and unpacked (the same where it is not compressed), and its first lines, of a
 * text; of what nothing recognises `table`, `text` or `binary`.
 */
export const sniffFormat = (stored: Buffer, unpacked: Buffer): { format: FileFormat; lines: string[] } => {
  const known = sniffStored(stored) ?? sniffUnpacked(unpacked)
  if (known !== null) return { format: known, lines: [] }
  if (unpacked.length === 0) return { format: 'empty', lines: [] }
  if (hasControls(unpacked)) return { format: 'binary', lines: [] }
  const text = unpacked.toString(startsWith(unpacked, 0xff, 0xfe) ? 'utf16le' : 'utf8')
  const lines = text.split(/\r\n|\n|\r/, keptLines + 1)
  const format = sniffText(lines, lines.length <= keptLines && unpacked.length >= cutBytes)
  return { format, lines: lines.map((line) => line.slice(0, keptWidth)) }
}

/** What is kept of a file's beginning: enough for headers of every format, little enough for thousands of files. */
const keptLines = 300
/** Beginnings that are shorter are whole files. */
const cutBytes = 4096
const keptWidth = 2000
