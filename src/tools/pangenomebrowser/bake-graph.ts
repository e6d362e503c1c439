import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { GfaError, type GfaLink, type GfaPath, type GfaSegment, parseGfaLine, walkSteps } from '../../bio/graph/gfa.ts'
import { graphDefects } from '../../bio/graph/graph-defects.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { LineReader } from '../../bio/text/text-lines.ts'
import type { BakeContext, CheckContext } from '../../kit/loader.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { bakeTabix } from '../../store/tabix-writer.ts'
import toolDefects from './defects.ts'
import { graphFile, nodesSequence, pathSequence, type StoredOverview, type StoredPath } from './stored.ts'

/** More do not fit the memory that a load may take (some 60 bytes a node, 4 a step). */
const maxNodes = 20_000_000
const maxSteps = 150_000_000

/** Bins of a sequence's overview. */
const overviewBins = 800
/** Nodes whose bases are compared with the assembly's. */
const comparedNodes = 2000

interface ReadPath extends Omit<StoredPath, 'reference'> {
  /** Node and strand of each step: `index * 2 + reverse`. */
  walk: Int32Array
}

interface ReadGraph {
  names: string[]
  indexOf: Map<string, number>
  lengths: Int32Array
  paths: ReadPath[]
  links: number
}

type Found = GfaSegment | GfaLink | GfaPath

/** The file's lines, one after the other; false when it is no text, or a line is not as the format has it (reported). */
const readGfa = async (
  file: string,
  context: CheckContext,
  take: (found: Found, line: number) => void,
): Promise<boolean> => {
  const log = new DefectLog()
  let failed = false
  const reader = new LineReader({
    file,
    log,
    onLine: (line, number) => {
      if (failed) return
      try {
        const found = parseGfaLine(line)
        if (found !== null) take(found, number)
      } catch (error) {
        if (!(error instanceof GfaError)) throw error
        failed = true
        context.report(graphDefects, { code: error.code, file, line: number, params: error.params })
      }
    },
  })
  for await (const piece of readDecompressed(await context.resolveFile(file))) {
    context.signal.throwIfAborted()
    reader.push(piece)
    if (failed) return false
  }
  reader.end()
  for (const defect of log.defects) context.forward(defect)
  return !failed && !log.hasErrors
}

/** What `Map.groupBy` does, which Node 20 does not have. */
const groupBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const own = groups.get(keyOf(item))
    if (own === undefined) groups.set(keyOf(item), [item])
    else own.push(item)
  }
  return groups
}

const grown = (array: Int32Array, size: number): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(Math.max(size, array.length * 2))
  larger.set(array)
  return larger
}

/** Segments, then paths (which may stand before them in the file); null when something is wrong with it (reported). */
const readGraph = async (file: string, context: CheckContext): Promise<ReadGraph | null> => {
  const indexOf = new Map<string, number>()
  const names: string[] = []
  let lengths = new Int32Array(1024)
  const stable: { index: number; name: string; start0: number }[] = []
  let refused = false
  const refuse = (
    code: 'graph-too-large' | 'graph-node-twice' | 'graph-node-unknown' | 'graph-link-unknown',
    params: Record<string, string | number>,
    line: number | null = null,
  ) => {
    if (!refused) context.report(toolDefects, { code, file, line, params })
    refused = true
  }
  let links = 0
  const whole = await readGfa(file, context, (found, line) => {
    if (refused) return
    if (found.kind === 'link') links += 1
    if (found.kind !== 'segment') return
    if (indexOf.has(found.name)) return refuse('graph-node-twice', { name: found.name }, line)
    if (names.length === maxNodes) return refuse('graph-too-large', { max: maxNodes, what: 'segments' })
    const index = names.length
    indexOf.set(found.name, index)
    names.push(found.name)
    if (index === lengths.length) lengths = grown(lengths, 0)
    lengths[index] = found.lengthBp
    if (found.stable?.rank === 0) stable.push({ index, name: found.stable.name, start0: found.stable.start0 })
  })
  if (!whole || refused) return null
  if (names.length === 0) {
    context.report(toolDefects, { code: 'graph-empty', file, line: null, params: {} })
    return null
  }
  const paths: ReadPath[] = []
  let steps = 0
  const again = await readGfa(file, context, (found, line) => {
    if (!refused && found.kind === 'link')
      for (const name of [found.from, found.to]) if (!indexOf.has(name)) refuse('graph-link-unknown', { name }, line)
    if (refused || found.kind !== 'path' || found.walk === '') return
    let walk = new Int32Array(64)
    let count = 0
    let lengthBp = 0
    for (const [name, reverse] of walkSteps(found.walk)) {
      const index = indexOf.get(name)
      if (index === undefined) return refuse('graph-node-unknown', { path: found.locus.name, name }, line)
      if (count === walk.length) walk = grown(walk, 0)
      walk[count] = index * 2 + Number(reverse)
      count += 1
      lengthBp += lengths[index]!
    }
    steps += count
    if (steps > maxSteps) return refuse('graph-too-large', { max: maxSteps, what: 'steps' })
    paths.push({ ...found.locus, lengthBp, steps: count, walk: walk.slice(0, count) })
  })
  if (!again || refused) return null
  if (paths.length === 0) paths.push(...stablePaths(stable, lengths))
  return { names, indexOf, lengths, paths, links }
}

/** Of an rGFA, which has no paths: the reference's, by where its segments lie. */
const stablePaths = (stable: { index: number; name: string; start0: number }[], lengths: Int32Array): ReadPath[] => {
  const bySequence = groupBy(stable, ({ name }) => name)
  return [...bySequence].map(([sequence, segments]) => {
    const walk = Int32Array.from(
      segments.sort((a, b) => a.start0 - b.start0),
      ({ index }) => index * 2,
    )
    const lengthBp = walk.reduce((sum, step) => sum + lengths[step >> 1]!, 0)
    const start0 = segments[0]!.start0
    return { name: sequence, sample: null, haplotype: null, sequence, start0, lengthBp, steps: walk.length, walk }
  })
}

/**
 * Numbers nodes along the assembly: its own in the order in which its paths pass them, every other behind the node after which a path
 * comes to it; what no path connects comes last. Answers by index in the file.
 */
const rankNodes = (count: number, paths: readonly { walk: Int32Array; isReference: boolean }[]): Int32Array => {
  const anchors = new Float64Array(count).fill(-1)
  const turns = new Uint32Array(count)
  let anchor = 0
  let turn = 0
  for (const { walk, isReference } of paths) {
    if (!isReference) continue
    for (const step of walk) {
      if (anchors[step >> 1] !== -1) continue
      anchors[step >> 1] = anchor
      anchor += 1
    }
  }
  for (const { walk, isReference } of paths) {
    if (isReference) continue
    let behind = -1
    for (const step of walk) {
      const node = step >> 1
      if (anchors[node] !== -1) {
        behind = anchors[node]!
        continue
      }
      if (behind === -1) {
        // The beginning of a path, before it meets what is known.
        const known = walk.find((one) => anchors[one >> 1] !== -1)
        behind = known === undefined ? anchor : Math.max(0, anchors[known >> 1]! - 1)
      }
      anchors[node] = behind
      turn += 1
      turns[node] = turn
    }
  }
  const order = Int32Array.from({ length: count }, (_, node) => node)
  for (let node = 0; node < count; node += 1) if (anchors[node] === -1) anchors[node] = anchor + 1
  order.sort((a, b) => anchors[a]! - anchors[b]! || turns[a]! - turns[b]! || a - b)
  const ranks = new Int32Array(count)
  for (const [rank, node] of order.entries()) ranks[node] = rank
  return ranks
}

/** Who has what of the assembly's sequences. */
const computeOverviews = (
  lengths: Int32Array,
  paths: readonly (StoredPath & { walk: Int32Array })[],
): StoredOverview[] => {
  const references = paths.filter((path) => path.reference !== null)
  /** Bin of each node of a reference path, over all of them in turn. */
  const binOf = new Int32Array(lengths.length).fill(-1)
  const parts = references.map((path) => {
    const binBp = Math.max(1, Math.ceil(path.lengthBp / overviewBins))
    return { path, binBp, bins: Math.max(1, Math.ceil(path.lengthBp / binBp)), first: 0 }
  })
  let bins = 0
  for (const part of parts) {
    part.first = bins
    let at = 0
    for (const step of part.path.walk) {
      if (binOf[step >> 1] === -1) binOf[step >> 1] = bins + Math.min(part.bins - 1, Math.floor(at / part.binBp))
      at += lengths[step >> 1]!
    }
    bins += part.bins
  }
  /** Part of each bin. */
  const partOf = new Int32Array(bins)
  for (const [number, { first, bins: count }] of parts.entries()) partOf.fill(number, first, first + count)
  const samples = groupBy(
    paths.filter((path) => path.reference === null),
    ({ sample, sequence }) => sample ?? sequence,
  )
  const overviews: StoredOverview[] = parts.map(({ path, binBp }) => ({
    sequence: path.reference!,
    binBp,
    start0: path.start0,
    samples: [],
  }))
  const passed = new Uint8Array(lengths.length)
  for (const [name, own] of samples) {
    passed.fill(0)
    const inserted = new Float64Array(bins)
    const known = new Uint8Array(bins)
    for (const { walk } of own) {
      let bin = -1
      const reached = new Map<number, { from: number; to: number }>()
      for (const step of walk) {
        const node = step >> 1
        passed[node] = 1
        if (binOf[node] !== -1) {
          bin = binOf[node]!
          const segment = reached.get(partOf[bin]!)
          if (segment === undefined) reached.set(partOf[bin]!, { from: bin, to: bin })
          else if (bin < segment.from) segment.from = bin
          else if (bin > segment.to) segment.to = bin
        } else if (bin !== -1) inserted[bin]! += lengths[node]!
      }
      // What one path passes over its sample lacks; of what lies between two paths, two contigs, nothing is known.
      for (const { from, to } of reached.values()) known.fill(1, from, to + 1)
    }
    for (const [number, { path, binBp, bins: count, first }] of parts.entries()) {
      const present = new Float64Array(count)
      const all = new Float64Array(count)
      let at = 0
      for (const step of path.walk) {
        let left = lengths[step >> 1]!
        while (left > 0) {
          const bin = Math.min(count - 1, Math.floor(at / binBp))
          const within = bin === count - 1 ? left : Math.min(left, (bin + 1) * binBp - at)
          all[bin]! += within
          if (passed[step >> 1] === 1) {
            present[bin]! += within
            known[first + bin] = 1
          }
          at += within
          left -= within
        }
      }
      if (!known.subarray(first, first + count).includes(1)) continue
      overviews[number]!.samples.push({
        name,
        present: Array.from(present, (bp, bin) =>
          known[first + bin] === 1 ? Math.round((100 * bp) / Math.max(1, all[bin]!)) : -1,
        ),
        insertedBp: Array.from(inserted.subarray(first, first + count)),
      })
    }
  }
  return overviews
}

export interface BakedGraph {
  paths: StoredPath[]
  nodes: number
  links: number
  totalBp: number
  overviews: StoredOverview[]
}

/** Writes the indexed files of a graph over an assembly; null when something is wrong with it (reported). */
export const bakeGraph = async (
  { id, file, sample }: { id: string; file: string; sample: string },
  context: BakeContext,
  fetchBases: (sequence: string, start0: number, end0: number) => Promise<string>,
): Promise<BakedGraph | null> => {
  const graph = await readGraph(file, context)
  if (graph === null) return null
  const { names, indexOf, lengths } = graph
  const isOwn = (path: ReadPath): boolean => path.sample === null || path.sample.toLowerCase() === sample.toLowerCase()
  const named = new Set<string>()
  const paths = graph.paths.map((path) => {
    let reference = isOwn(path) ? context.findSequence(path.sequence) : null
    // Of two paths of one place the first is the assembly.
    const place = `${reference} ${path.start0}`
    if (reference !== null && named.has(place)) reference = null
    else if (reference !== null) named.add(place)
    return { ...path, reference }
  })
  const references = paths.filter(({ reference }) => reference !== null)
  if (references.length === 0) {
    context.report(toolDefects, {
      code: 'graph-no-reference',
      file,
      line: null,
      params: {
        sample,
        found: graph.paths
          .slice(0, 5)
          .map(({ name }) => name)
          .join(', '),
        expected: context.sequences
          .slice(0, 5)
          .map(({ name }) => name)
          .join(', '),
      },
    })
    return null
  }
  for (const path of references) {
    const lengthBp = context.sequences.find(({ name }) => name === path.reference)!.lengthBp
    if (path.start0 + path.lengthBp <= lengthBp) continue
    const params = { path: path.name, found: path.start0 + path.lengthBp, expected: lengthBp }
    context.report(toolDefects, { code: 'graph-path-beyond', file, line: null, params })
    return null
  }
  const ranks = rankNodes(
    names.length,
    paths.map(({ walk, reference }) => ({ walk, isReference: reference !== null })),
  )
  await mkdir(join(context.directory, 'graphs'), { recursive: true })
  const log = new DefectLog()
  const write = async (
    part: 'steps' | 'visits' | 'nodes',
    sequences: { name: string; lengthBp: number }[],
    lines: Iterable<string> | AsyncIterable<string>,
  ): Promise<void> => {
    const outFile = graphFile(id, part)
    const written = await bakeTabix({
      source: { lines, name: outFile },
      format: 'bed',
      outFile: join(context.directory, outFile),
      sequences,
      log,
      signal: context.signal,
    })
    context.addFile(outFile, { kind: `graph-${part}` })
    context.addFile(`${outFile}.csi`, { kind: `graph-${part}-index` })
    if (written.tbiFile !== null) context.addFile(`${outFile}.tbi`, { kind: `graph-${part}-index` })
  }
  // Only the assembly's own paths are looked up by place.
  await write(
    'steps',
    references.map((path) => ({ name: pathSequence(paths.indexOf(path)), lengthBp: path.start0 + path.lengthBp + 1 })),
    (function* () {
      for (const path of references) {
        const name = pathSequence(paths.indexOf(path))
        let at = path.start0
        for (const step of path.walk) {
          const end = at + lengths[step >> 1]!
          yield `${name}\t${at}\t${Math.max(end, at + 1)}\t${ranks[step >> 1]}\t${step & 1}`
          at = end
        }
      }
    })(),
  )
  context.progress(0.3)
  const nodeSpace = [{ name: nodesSequence, lengthBp: names.length + 1 }]
  await write(
    'visits',
    nodeSpace,
    (function* () {
      for (const [number, path] of paths.entries()) {
        let at = path.start0
        for (const step of path.walk) {
          const rank = ranks[step >> 1]!
          yield `${nodesSequence}\t${rank}\t${rank + 1}\t${number}\t${at}\t${step & 1}`
          at += lengths[step >> 1]!
        }
      }
    })(),
  )
  context.progress(0.6)
  const differing = await writeNodes()
  if (differing !== null) {
    context.report(toolDefects, { code: 'graph-bases-differ', file, line: null, params: differing })
    return null
  }
  if (log.hasErrors) throw new Error(log.defects[0]!.code)
  context.progress(0.9)
  return {
    paths: paths.map(({ walk: _, ...path }) => path),
    nodes: names.length,
    links: graph.links,
    totalBp: lengths.subarray(0, names.length).reduce((sum, length) => sum + length, 0),
    overviews: computeOverviews(lengths, paths),
  }

  /** Nodes with their sequences, as the file has them; the first whose bases are not the assembly's, or null. */
  async function writeNodes(): Promise<Record<string, string | number> | null> {
    const wanted = new Map<number, { sequence: string; start0: number; reverse: boolean }>()
    for (const path of references) {
      const every = Math.max(1, Math.floor((path.steps * references.length) / comparedNodes))
      let at = path.start0
      for (const [number, step] of path.walk.entries()) {
        const node = step >> 1
        if (number % every === 0 && !wanted.has(node) && lengths[node]! > 0)
          wanted.set(node, { sequence: path.reference!, start0: at, reverse: step % 2 === 1 })
        at += lengths[node]!
      }
    }
    const compared: { name: string; bases: string; locus: { sequence: string; start0: number; reverse: boolean } }[] =
      []
    const lines = async function* (): AsyncGenerator<string> {
      let batch: string[] = []
      const reader = new LineReader({
        file,
        log: new DefectLog(),
        onLine: (line) => {
          if (line[0] !== 'S' || line[1] !== '\t') return
          const segment = parseGfaLine(line) as GfaSegment
          const node = indexOf.get(segment.name)!
          const locus = wanted.get(node)
          if (locus !== undefined && segment.sequence !== null)
            compared.push({ name: segment.name, bases: segment.sequence.slice(0, 200), locus })
          batch.push(
            `${nodesSequence}\t${ranks[node]}\t${ranks[node]! + 1}\t${segment.name}\t${segment.lengthBp}\t${segment.sequence ?? '*'}`,
          )
        },
      })
      for await (const piece of readDecompressed(await context.resolveFile(file))) {
        reader.push(piece)
        yield* batch
        batch = []
      }
      reader.end()
      yield* batch
    }
    await write('nodes', nodeSpace, lines())
    for (const { name, bases, locus } of compared) {
      // Of a node that is passed backwards the first bases are the last of its segment.
      const lengthBp = lengths[indexOf.get(name)!]!
      const start0 = locus.reverse ? locus.start0 + lengthBp - bases.length : locus.start0
      const own = await fetchBases(locus.sequence, start0, start0 + bases.length)
      if (sameBases(locus.reverse ? reverseComplement(own) : own, bases)) continue
      return { name, sequence: locus.sequence, position: start0 + 1 }
    }
    return null
  }
}

/** Equal but for letters that stand for several bases. */
const sameBases = (a: string, b: string): boolean =>
  a.length === b.length &&
  [...a.toUpperCase()].every(
    (base, at) => base === b[at]!.toUpperCase() || !/[ACGT]/.test(base) || !/[ACGT]/i.test(b[at]!),
  )
