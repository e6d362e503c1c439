import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync } from 'node:zlib'
import type { PairHits } from '../../bio/orthology.ts'

/** Hits between two proteomes with all that is shown of them; `a` is the query's side. Shares are of 1, identity in percent. */
export interface FullHits extends PairHits {
  identity: Float32Array
  coverageA: Float32Array
  coverageB: Float32Array
  evalue: Float64Array
}

/** Columns of a search, in BLAST's and DIAMOND's names alike. */
export const searchColumns = 'qseqid sseqid pident evalue bitscore qstart qend sstart send qlen slen'.split(' ')

/** Turns a program's table into a file of hits; resolves to how many there are. Only the best alignment of a pair counts. */
export const writePairFile = async (table: string, file: string): Promise<number> => {
  let count = 0
  const lines = async function* (): AsyncGenerator<string> {
    let last = ''
    let pending: string[] = []
    for await (const line of createInterface({ input: createReadStream(table), crlfDelay: Number.POSITIVE_INFINITY })) {
      const [a, b, identity, evalue, bits, qstart, qend, sstart, send, qlen, slen] = line.split('\t')
      if (slen === undefined) continue
      const pair = `${a}\t${b}`
      if (pair === last) continue
      last = pair
      count += 1
      const coverage = (from: string, to: string, length: string): string =>
        ((Math.abs(Number(to) - Number(from)) + 1) / Number(length)).toFixed(3)
      pending.push(
        `${a}\t${b}\t${identity}\t${coverage(qstart!, qend!, qlen!)}\t${coverage(sstart!, send!, slen)}\t${evalue}\t${bits}\n`,
      )
      if (pending.length === 1000) {
        yield pending.join('')
        pending = []
      }
    }
    yield pending.join('')
  }
  // Renamed when whole: a load that was killed leaves no half of it.
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(`${file}.part`))
  await rename(`${file}.part`, file)
  return count
}

/** Reads hits back; `flipped` changes the sides. */
export const readPairFile = async (file: string, flipped: boolean): Promise<FullHits> => {
  const text = gunzipSync(await readFile(file)).toString('latin1')
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  const hits: FullHits = {
    a: new Int32Array(count),
    b: new Int32Array(count),
    bits: new Float64Array(count),
    identity: new Float32Array(count),
    coverageA: new Float32Array(count),
    coverageB: new Float32Array(count),
    evalue: new Float64Array(count),
  }
  let from = 0
  for (let row = 0; row < count; row += 1) {
    const to = text.indexOf('\n', from)
    const cells = text.slice(from, to).split('\t')
    from = to + 1
    hits.a[row] = Number(cells[flipped ? 1 : 0])
    hits.b[row] = Number(cells[flipped ? 0 : 1])
    hits.identity[row] = Number(cells[2])
    hits.coverageA[row] = Number(cells[flipped ? 4 : 3])
    hits.coverageB[row] = Number(cells[flipped ? 3 : 4])
    hits.evalue[row] = Number(cells[5])
    hits.bits[row] = Number(cells[6])
  }
  return hits
}
