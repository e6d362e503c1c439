import { gunzipSync, inflateRawSync } from 'node:zlib'

/** A table as a program reads it that forgives nothing. */
export interface StrictTable {
  /** Comments before the headings, without their sign. */
  head: string[]
  headings: string[]
  rows: string[][]
}

export interface StrictOptions {
  /** Whether a receipt has to stand in the head; true where absent. */
  receipt?: boolean
}

/** What is wrong with an export, a line each; the first of each kind is enough. */
class Problems {
  readonly found = new Map<string, string>()
  add(kind: string, text: string): void {
    if (!this.found.has(kind)) this.found.set(kind, text)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0085\u2028\u2029]/

/** Cells of comma-separated text after RFC 4180, with `#` comments before the headings. */
const parseCsv = (text: string, problems: Problems): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      at += 1
      for (;;) {
        const quote = text.indexOf('"', at)
        if (quote < 0) {
          problems.add('quote', 'a quoted cell is never closed')
          return rows
        }
        cell += text.slice(at, quote)
        at = quote + 1
        if (text[at] !== '"') break
        cell += '"'
        at += 1
      }
    } else {
      const end = /[,\r\n]/g
      end.lastIndex = at
      const stop = end.exec(text)?.index ?? text.length
      cell = text.slice(at, stop)
      if (cell.includes('"')) problems.add('quote', `a quote within a cell that is not quoted: ${cell.slice(0, 60)}`)
      at = stop
    }
    row.push(cell)
    if (text[at] === ',') {
      at += 1
      if (at === text.length) row.push('')
      continue
    }
    if (at < text.length && !text.startsWith('\r\n', at))
      problems.add('line end', 'a line of CSV ends otherwise than CRLF')
    at += text.startsWith('\r\n', at) ? 2 : 1
    rows.push(row)
    row = []
  }
  if (row.length > 0) problems.add('last line', 'the last line has no end')
  return rows
}

const checkHead = (head: readonly string[], problems: Problems, options: StrictOptions): void => {
  if (options.receipt === false) return
  if (!head.some((line) => /^NovoDB \S+, tool \S+, \d{4}-\d\d-\d\dT/.test(line)))
    problems.add('receipt', 'the head does not name the portal, the tool and the time')
  if (!head.some((line) => /^parameters \{/.test(line))) problems.add('parameters', 'the head has no parameters')
  if (!head.some((line) => /^data \S+, bundle \S+, \S+|^collection \S+/.test(line)))
    problems.add('data', 'the head does not name the data release')
}

/** Reads a table strictly; what is wrong goes to `problems`. */
export const readStrictTable = (
  text: string,
  format: 'tsv' | 'csv',
  problems = new Problems(),
  options: StrictOptions = {},
): StrictTable => {
  const own = text.startsWith('\ufeff') ? text.slice(1) : text
  if (format === 'tsv' && own !== text)
    problems.add('mark', 'a byte-order mark in TSV becomes part of the first heading')
  if (control.test(own)) problems.add('control', `a control character: ${JSON.stringify(control.exec(own)?.[0])}`)
  const head: string[] = []
  let from = 0
  while (own[from] === '#') {
    const end = own.indexOf('\n', from)
    const stop = end < 0 ? own.length : end
    head.push(own.slice(from, stop).replace(/\r$/, '').replace(/^#+ ?/, ''))
    from = stop + 1
  }
  const body = own.slice(from)
  if (format === 'tsv' && body.includes('\r')) problems.add('line end', 'a carriage return in TSV')
  if (format === 'tsv' && body !== '' && !body.endsWith('\n')) problems.add('last line', 'the last line has no end')
  const lines =
    format === 'csv'
      ? parseCsv(body, problems)
      : body
          .split('\n')
          .slice(0, -1)
          .map((line) => line.split('\t'))
  const [headings, ...rows] = lines
  checkHead(head, problems, options)
  if (headings === undefined) {
    problems.add('headings', 'there are no headings')
    return { head, headings: [], rows: [] }
  }
  for (const [at, heading] of headings.entries()) {
    if (heading.trim() === '') problems.add('empty heading', `heading ${at + 1} is empty`)
    if (headings.indexOf(heading) !== at) problems.add('heading twice', `the heading "${heading}" stands twice`)
    if (/ \(\d+\)$/.test(heading) && headings.includes(heading.replace(/ \(\d+\)$/, '')))
      problems.add('heading twice', `two columns were both called "${heading.replace(/ \(\d+\)$/, '')}"`)
    if (/^(undefined|null|NaN|\[object Object\])$/.test(heading)) problems.add('heading', `a heading is "${heading}"`)
  }
  for (const [at, row] of rows.entries()) {
    if (row.length !== headings.length)
      problems.add('cells', `row ${at + 1} has ${row.length} cells, the heading ${headings.length}`)
    const broken = row.find((cell) => /^(undefined|NaN|\[object Object\])$/.test(cell))
    if (broken !== undefined) problems.add('cell', `row ${at + 1} has a cell "${broken}"`)
    const formula = row.find(
      (cell) => /^[=+\-@\t\r]/.test(cell) && !/^[+-](inf|nan)?$/.test(cell) && !Number.isFinite(Number(cell)),
    )
    if (formula !== undefined)
      problems.add('formula', `row ${at + 1} has a cell that a spreadsheet computes: ${formula}`)
  }
  return { head, headings, rows }
}

const isCount = (text: string | undefined): boolean => text !== undefined && /^\d+$/.test(text)

const headOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) => line.replace(/^#+ ?/, '').replace(/^[A-Za-z]+=(?=NovoDB|parameters|data )/, ''))

const checkBed = (text: string, problems: Problems, options: StrictOptions): void => {
  checkHead(headOf(text), problems, options)
  let columns = 0
  for (const [at, line] of text.trimEnd().split('\n').entries()) {
    if (line === '' || /^(#|track |browser )/.test(line)) continue
    const cells = line.split('\t')
    columns ||= cells.length
    if (cells.length !== columns) problems.add('cells', `line ${at + 1} has ${cells.length} cells, others ${columns}`)
    if (cells.length < 3 || !isCount(cells[1]) || !isCount(cells[2]) || Number(cells[1]) > Number(cells[2]))
      problems.add('place', `line ${at + 1} is no place of a BED: ${line.slice(0, 80)}`)
    if (cells.length >= 6 && !/^[-+.]$/.test(cells[5]!))
      problems.add('strand', `line ${at + 1} has the strand ${cells[5]}`)
  }
}

const checkGff3 = (text: string, problems: Problems, options: StrictOptions): void => {
  if (!text.startsWith('##gff-version 3')) problems.add('version', 'the first line is not ##gff-version 3')
  checkHead(headOf(text), problems, options)
  const ids = new Set<string>()
  const parents = new Set<string>()
  for (const [at, line] of text.trimEnd().split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue
    const cells = line.split('\t')
    if (cells.length !== 9) problems.add('cells', `line ${at + 1} has ${cells.length} cells`)
    const [, , , start, end, , strand, phase, attributes = ''] = cells
    if (!isCount(start) || !isCount(end) || Number(start) < 1 || Number(start) > Number(end))
      problems.add('place', `line ${at + 1} is no place: ${start}..${end}`)
    if (!/^[-+.?]$/.test(strand ?? '') || !/^[012.]$/.test(phase ?? ''))
      problems.add('strand', `line ${at + 1} has strand ${strand}, phase ${phase}`)
    for (const pair of attributes.split(';').filter((one) => one !== '')) {
      const [name, value] = pair.split('=')
      if (value === undefined || value === '') problems.add('attribute', `line ${at + 1} has the attribute ${pair}`)
      if (name === 'ID') ids.add(value ?? '')
      if (name === 'Parent') for (const one of (value ?? '').split(',')) parents.add(one)
    }
  }
  for (const one of parents) if (!ids.has(one)) problems.add('parent', `the parent ${one} is not in the file`)
}

/** A receipt on one line, where a format has no comments. */
const checkNote = (text: string, where: string, problems: Problems, options: StrictOptions): void => {
  if (options.receipt === false) return
  if (!/\bNovoDB \S+ tool=\S+ at=\d{4}-\d\d-\d\dT\S+ (programs=\{.*\} )?data=\{.*\} parameters=\{.*\}/.test(text))
    problems.add('receipt', `${where} does not name the portal, tool, time, data and parameters: ${text.slice(0, 60)}`)
}

const checkFasta = (text: string, problems: Problems, options: StrictOptions): void => {
  if (text !== '' && !text.startsWith('>')) problems.add('first line', `FASTA begins with ${text.slice(0, 30)}`)
  if (!text.endsWith('\n')) problems.add('last line', 'the last line has no end')
  const names = new Set<string>()
  for (const entry of text.split(/^>/m).slice(1)) {
    const [header = '', ...lines] = entry.split('\n')
    const name = header.split(/\s/)[0] ?? ''
    if (name === '') problems.add('name', `an entry without a name: ${header.slice(0, 60)}`)
    if (names.has(name)) problems.add('name twice', `two sequences are called ${name}`)
    names.add(name)
    if (control.test(header) || header.includes('\t')) problems.add('control', `a control character in ${name}`)
    checkNote(header, 'a description', problems, options)
    const sequence = lines.join('')
    if (sequence === '') problems.add('empty', `${name} has no residues`)
    if (!/^[A-Za-z*.-]*$/.test(sequence)) problems.add('residue', `${name} has letters of no residue`)
  }
  if (names.size === 0) problems.add('empty', 'there is no sequence')
}

const checkVcf = (text: string, problems: Problems, options: StrictOptions): void => {
  if (!text.startsWith('##fileformat=VCFv4')) problems.add('version', 'the first line is not ##fileformat')
  const meta = text.split('\n').filter((line) => line.startsWith('##'))
  checkHead(
    meta.map((line) => line.replace(/^##[\w.]+=/, '').replace(/^"|"$/g, '')),
    problems,
    options,
  )
  for (const line of meta) if (!/^##[^=\s]+=/.test(line)) problems.add('meta', `no key and value: ${line.slice(0, 60)}`)
  const heading = text.split('\n').find((line) => line.startsWith('#CHROM'))
  const width = heading?.split('\t').length ?? 0
  if (width < 8) problems.add('headings', 'there is no #CHROM line')
  for (const line of text.split('\n'))
    if (line !== '' && !line.startsWith('#') && line.split('\t').length !== width)
      problems.add('cells', `a line has ${line.split('\t').length} cells, the heading ${width}`)
}

const checkXml = (text: string, problems: Problems): void => {
  const open: string[] = []
  for (const [tag] of text.matchAll(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[^>]*>/g)) {
    if (/^<[!?]/.test(tag) || tag.endsWith('/>')) continue
    const name = /^<\/?([^\s>/]+)/.exec(tag)?.[1] ?? ''
    if (!tag.startsWith('</')) open.push(name)
    else if (open.pop() !== name) problems.add('tags', `${tag} closes what is not open`)
  }
  if (open.length > 0) problems.add('tags', `${open.join(', ')} is never closed`)
  if (/&(?!(\w+|#\d+|#x[\da-f]+);)/i.test(text)) problems.add('entity', 'an ampersand that begins no entity')
}

const checkNewick = (text: string, problems: Problems): void => {
  // FastTree and ETE refuse what does not begin with a parenthesis, Biopython what follows the semicolon.
  if (!text.startsWith('(')) problems.add('begin', `a tree begins with a parenthesis, not with ${text.slice(0, 30)}`)
  const own = text.replace(/\[[^\]]*\]/g, '').trim()
  const bare = own.replace(/'(?:[^']|'')*'/g, 'x')
  if (!text.trimEnd().endsWith(';')) problems.add('end', 'the tree does not end with a semicolon')
  if ((bare.match(/\(/g)?.length ?? 0) !== (bare.match(/\)/g)?.length ?? 0))
    problems.add('brackets', 'brackets do not close')
}

/** Files of a ZIP archive by their names. */
export const readZip = (bytes: Uint8Array): Map<string, Buffer> => {
  const buffer = Buffer.from(bytes)
  const end = buffer.lastIndexOf(Buffer.from('504b0506', 'hex'))
  if (end < 0) throw new Error('no ZIP archive')
  const files = new Map<string, Buffer>()
  let at = buffer.readUInt32LE(end + 16)
  for (let left = buffer.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size] = [buffer.readUInt16LE(at + 10), buffer.readUInt32LE(at + 20)]
    const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => buffer.readUInt16LE(at + offset)) as number[]
    const local = buffer.readUInt32LE(at + 42)
    const name = buffer.toString('utf8', at + 46, at + 46 + nameBytes!)
    const from = local + 30 + buffer.readUInt16LE(local + 26) + buffer.readUInt16LE(local + 28)
    const data = buffer.subarray(from, from + size)
    files.set(name, method === 0 ? data : inflateRawSync(data))
    at += 46 + nameBytes! + extra! + comment!
  }
  return files
}

const unescapeXml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&')

/** Cells of each sheet of a workbook, as text. */
export const readXlsx = (bytes: Uint8Array): string[][][] => {
  const files = readZip(bytes)
  const text = (name: string): string => files.get(name)?.toString('utf8') ?? ''
  const words = [...text('xl/sharedStrings.xml').matchAll(/<si>([\s\S]*?)<\/si>/g)].map(([, one]) =>
    unescapeXml([...one!.matchAll(/<t[^>]*>([\s\S]*?)<\/t>/g)].map(([, part]) => part).join('')),
  )
  return [...files.keys()]
    .filter((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name))
    .sort((a, b) => Number(/\d+/.exec(a)) - Number(/\d+/.exec(b)))
    .map((name) =>
      [...text(name).matchAll(/<row [^>]*?(?:\/>|>([\s\S]*?)<\/row>)/g)].map(([, row]) => {
        const cells: string[] = []
        for (const [, about, inner] of (row ?? '').matchAll(/<c ([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g)) {
          const letters = /r="([A-Z]+)\d+"/.exec(about!)?.[1]
          const column =
            letters === undefined
              ? cells.length
              : [...letters].reduce((sum, one) => 26 * sum + one.charCodeAt(0) - 64, 0) - 1
          const value =
            /<v>([\s\S]*?)<\/v>/.exec(inner ?? '')?.[1] ?? /<t[^>]*>([\s\S]*?)<\/t>/.exec(inner ?? '')?.[1] ?? ''
          while (cells.length < column) cells.push('')
          cells.push(/t="s"/.test(about!) ? (words[Number(value)] ?? '') : unescapeXml(value))
        }
        return cells
      }),
    )
}

const checkXlsx = (bytes: Uint8Array, problems: Problems, options: StrictOptions): void => {
  const sheets = readXlsx(bytes)
  const [headings = [], ...rows] = sheets[0] ?? []
  if (headings.length === 0) problems.add('headings', 'the first sheet has no headings')
  if (new Set(headings).size !== headings.length) problems.add('heading twice', 'a heading stands twice')
  if (headings.includes('')) problems.add('empty heading', 'a heading is empty')
  if (rows.some((row) => row.length > headings.length)) problems.add('cells', 'a row has more cells than headings')
  checkHead(
    (sheets.at(-1) ?? []).map(([line = '']) => line),
    problems,
    options,
  )
}

/**
 * Reads an export as a strict program would, by the ending of its name; what is wrong, in words, a line each. Unknown endings are
 * wrong: a format that nobody reads strictly is not to be offered.
 */
export const checkExport = (name: string, bytes: Uint8Array, options: StrictOptions = {}): string[] => {
  const problems = new Problems()
  if (name.endsWith('.gz')) return checkExport(name.slice(0, -3), gunzipSync(bytes), options)
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const text = (): string => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  if (bytes.length === 0) return [`${name}: the file is empty`]
  try {
    if (ending === 'tsv' || ending === 'csv') readStrictTable(text(), ending, problems, options)
    else if (ending === 'bed') checkBed(text(), problems, options)
    else if (ending === 'gff3') checkGff3(text(), problems, options)
    else if (['fasta', 'fa', 'fna', 'faa', 'ffn'].includes(ending)) checkFasta(text(), problems, options)
    else if (ending === 'vcf') checkVcf(text(), problems, options)
    else if (['graphml', 'xml', 'svg', 'xgmml'].includes(ending)) checkXml(text(), problems)
    else if (['nwk', 'newick', 'tree', 'treefile'].includes(ending)) checkNewick(text(), problems)
    else if (ending === 'xlsx') checkXlsx(bytes, problems, options)
    else if (ending === 'json' || ending === 'cyjs') {
      const value = JSON.parse(text()) as { receipt?: unknown; data?: { about?: unknown } }
      // CSL-JSON is a list by its standard and has no place for a receipt.
      const reported = Array.isArray(value) || value.receipt !== undefined || value.data?.about !== undefined
      if (options.receipt !== false && !reported) problems.add('receipt', 'there is no receipt')
    } else if (ending === 'zip') {
      for (const [inner, data] of readZip(bytes))
        for (const one of checkExport(inner, data, options)) problems.add(one, one)
    } else if (
      ['txt', 'log', 'meme', 'bib', 'ris', 'nex', 'sam', 'asn', 'clw', 'aln', 'phy', 'gfa', 'jaspar', 'md'].includes(
        ending,
      )
    ) {
      if (control.test(text().replaceAll('\f', ''))) problems.add('control', 'a control character')
    } else if (ending === 'npy') {
      if (Buffer.from(bytes.subarray(1, 6)).toString() !== 'NUMPY') problems.add('magic', 'no numpy array')
    } else if (ending === 'png') {
      if (Buffer.from(bytes.subarray(1, 4)).toString() !== 'PNG') problems.add('magic', 'no PNG')
    } else problems.add('ending', `nobody reads *.${ending} strictly`)
  } catch (error) {
    problems.add('unreadable', error instanceof Error ? error.message : String(error))
  }
  return [...problems.found.values()].map((one) => `${name}: ${one}`)
}
