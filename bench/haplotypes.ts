import { spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { type VariantSet, variantFiles } from '../src/kit/data/variant-data.ts'
import { openSet } from '../src/kit/data/variants/open-set.ts'
import { renderBgzfBlocks, writeBgzfFile } from '../src/store/bgzf.ts'
import { IntervalIndexBuilder } from '../src/store/interval-index.ts'
import { writeMatrix } from '../src/store/npy-matrix.ts'
import { presets } from '../src/store/tabix-lines.ts'
import { openTabix } from '../src/store/tabix-reader.ts'
import { makeRandom } from '../src/testing/random.ts'
import { nameOf, readHaplotypes } from '../src/tools/variation/tasks/haplotype-task.ts'
import { filterFields } from '../src/tools/variation/tool.ts'

// Accessions that carry a haplotype of a region, of thousands of accessions at millions of sites. The set is written as a load leaves it
// (decision 13), but its columns of genotypes are of a few hundred kinds that are packed once: packing all would take hours and is not
// what is measured. Each record lies in blocks of its own, which costs the reader more than blocks of several records do.

const siteCount = Number(process.argv[2] ?? 3_000_000)
const sampleCount = Number(process.argv[3] ?? 3000)
const spacingBp = 40
const perSequence = 500_000
const regionBp = 50_000
/** Haplotypes of a segment come from so many founders; sites have so many patterns among them. */
const [founders, patterns, segmentBp] = [12, 200, 100_000]
const rareKinds = 100
const rareShare = 0.1

const random = makeRandom(19)
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

/** A block of BGZF whose bytes are not packed (RFC 1951, 3.2.4; SAMv1, 4.1). */
const storedBlock = (data: Buffer): Buffer => {
  const block = Buffer.alloc(18 + 5 + data.length + 8)
  Buffer.from([31, 139, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 66, 67, 2, 0]).copy(block)
  block.writeUInt16LE(block.length - 1, 16)
  block[18] = 1
  block.writeUInt16LE(data.length, 19)
  block.writeUInt16LE(~data.length & 0xffff, 21)
  data.copy(block, 23)
  block.writeUInt32LE(crc32(data), 23 + data.length)
  block.writeUInt32LE(data.length, 27 + data.length)
  return block
}
const endBlock = Buffer.from('1f8b08040000000000ff0600424302001b0003000000000000000000', 'hex')

interface Kind {
  block: Buffer
  lengthBytes: number
  frequency: number
}

const packColumn = async (alleles: readonly [number, number][]): Promise<Kind> => {
  const text = Buffer.from(`${alleles.map(([a, b]) => `${a}|${b}`).join('\t')}\n`)
  const others = alleles.reduce((sum, [a, b]) => sum + a + b, 0)
  return { block: await renderBgzfBlocks(text), lengthBytes: text.length, frequency: others / (2 * alleles.length) }
}

const make = async (root: string): Promise<VariantSet> => {
  const files = variantFiles('v')
  await mkdir(join(root, files.columns), { recursive: true })
  const common: Kind[][] = []
  for (let type = 0; type < 4; type += 1) {
    // Most accessions are inbred: both copies are of one founder.
    const own = Array.from({ length: sampleCount }, (): [number, number] => {
      const first = Math.floor(random() ** 1.5 * founders)
      return [first, random() < 0.9 ? first : Math.floor(random() * founders)]
    })
    const kinds: Kind[] = []
    for (let pattern = 0; pattern < patterns; pattern += 1) {
      const has = Array.from({ length: founders }, () => (random() < 0.3 ? 1 : 0))
      kinds.push(await packColumn(own.map(([a, b]) => [has[a]!, has[b]!])))
    }
    common.push(kinds)
  }
  const rare: Kind[] = []
  for (let kind = 0; kind < rareKinds; kind += 1)
    rare.push(
      await packColumn(
        Array.from({ length: sampleCount }, (): [number, number] => {
          const allele = random() < 0.003 ? 1 : 0
          return [allele, allele]
        }),
      ),
    )
  const file = join(root, files.vcf)
  const out = createWriteStream(file, { highWaterMark: 1 << 24 })
  let at = 0
  const write = async (bytes: Buffer): Promise<void> => {
    at += bytes.length
    if (!out.write(bytes)) await new Promise<void>((resolve) => out.once('drain', () => resolve()))
  }
  const sequences = Array.from({ length: Math.ceil(siteCount / perSequence) }, (_, number) => ({
    name: `chr${number + 1}`,
    records: Math.min(perSequence, siteCount - number * perSequence),
  }))
  const samples = Array.from({ length: sampleCount }, (_, sample) => `S${sample + 1}`)
  await write(
    await renderBgzfBlocks(
      Buffer.from(
        `##fileformat=VCFv4.2\n${sequences.map(({ name }) => `##contig=<ID=${name},length=${perSequence * spacingBp}>\n`).join('')}##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${samples.join('\t')}\n`,
      ),
    ),
  )
  const index = new IntervalIndexBuilder(5)
  const positions = new Uint32Array(siteCount)
  const frequencies = new Float32Array(siteCount)
  let unpacked = 0
  for (let site = 0; site < siteCount; site += 1) {
    const sequence = Math.floor(site / perSequence)
    const position1 = (site % perSequence) * spacingBp + 1
    const kinds = common[Math.floor(position1 / segmentBp) % common.length]!
    const kind =
      random() < rareShare ? rare[Math.floor(random() * rareKinds)]! : kinds[Math.floor(random() * patterns)]!
    const head = Buffer.from(`chr${sequence + 1}\t${position1}\t.\tA\tG\t.\tPASS\t.\tGT\t`)
    const begin = at * 65_536
    await write(storedBlock(head))
    await write(kind.block)
    // Virtual offsets as they stand: the place of a block in the file times 2^16.
    index.add(`chr${sequence + 1}`, position1 - 1, position1, begin, at * 65_536)
    positions[site] = position1
    frequencies[site] = kind.frequency
    unpacked += head.length + kind.lengthBytes
  }
  await write(endBlock)
  await new Promise<void>((resolve) => out.end(() => resolve()))
  const indexFile = `${files.vcf}.tbi`
  await writeBgzfFile(
    join(root, indexFile),
    index.render('tbi', presets.vcf, (offset) => offset),
  )
  for (const [name, type, of] of [
    [files.positions, '<u4', (row: number) => positions[row]!],
    [files.bits, '<u4', () => 0],
    [files.frequencies, '<f4', (row: number) => frequencies[row]!],
    [files.missing, '<f4', () => 0],
  ] as const)
    await writeMatrix(join(root, name), type, siteCount, 1, (row, into) => {
      into[0] = of(row)
    })
  console.log(
    `${siteCount} sites x ${sampleCount} samples: ${megabytes(unpacked)} of VCF in ${megabytes((await stat(file)).size)}`,
  )
  return {
    id: 'v',
    name: 'V',
    description: null,
    file: files.vcf,
    index: indexFile,
    samples,
    sites: siteCount,
    ploidy: 2,
    phased: 'all',
    sequences,
    consequences: null,
    types: { snv: siteCount },
    hasIds: false,
    leftOut: 0,
    simulated: true,
    licence: null,
    assembly: 'M',
    hasGenotypes: true,
    open: () => openTabix(file),
    fetchColumns: async () => root,
    key: file,
  }
}

/** Forgets what the system keeps of a file in memory. */
const forget = (file: string): void => {
  spawnSync('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'], { stdio: 'ignore' })
}

const main = async (): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), 'novodb-bench-haplotypes-'))
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  try {
    const set = await make(root)
    const middle = Math.floor((Math.min(siteCount, perSequence) * spacingBp) / 2)
    const signal = AbortSignal.timeout(600_000)
    const ask = async (start1: number, more: object) => {
      const filters = z.object(filterFields).parse({ assembly: 'M', ...more })
      const open = await openSet(set)
      try {
        const found = {
          loci: [{ sequence: 'chr1', start1, end1: start1 + regionBp - 1 }],
          genes: [],
          unknown: [],
          rows: null,
          named: [],
        }
        const { kept, grouping } = await readHaplotypes({ ...filters, sites: 'all' }, open, found, signal)
        // The second most frequent, as a reader would choose one.
        const carriers = grouping.assigned.flatMap(({ haplotypes }, sample) =>
          haplotypes.includes(1) ? [set.samples[sample]!] : [],
        )
        return { sites: kept.length, haplotypes: grouping.haplotypes, carriers }
      } finally {
        await open.close()
      }
    }
    const report = async (what: string, start1: number, more: object): Promise<void> => {
      const at = performance.now()
      const cpu = process.cpuUsage()
      const { sites, haplotypes, carriers } = await ask(start1, more)
      const ms = performance.now() - at
      const { user, system } = process.cpuUsage(cpu)
      console.log(
        `${what}: ${carriers.length} carriers of ${nameOf(1)}, one of ${haplotypes.length} haplotypes over ${sites} sites: ${ms.toFixed(0)} ms (processor ${((user + system) / 1000).toFixed(0)} ms), process at most ${megabytes(peak)}`,
      )
    }
    peak = 0
    for (const [name, more] of [
      ['MAF of 0.05', { minFrequency: 0.05 }],
      ['all sites', {}],
    ] as const) {
      for (const [at, file] of Object.values(variantFiles('v')).entries())
        if (at > 0 && !file.endsWith('ids.npy')) forget(join(root, file))
      forget(join(root, set.index))
      await report(`${name}, nothing of the files in memory`, middle + 1, more)
      for (const round of [1, 2, 3]) await report(`${name}, asked again (${round})`, middle + 1, more)
      await report(`${name}, another place`, middle + 3 * segmentBp + 1, more)
    }
    for (const command of ['query', 'view'] as const) {
      const region = `chr1:${middle + 1}-${middle + regionBp}`
      const file = join(root, set.file)
      const given =
        command === 'query'
          ? ['query', '-r', region, '-f', '%POS[\\t%GT]\\n', file]
          : ['view', '-H', '-r', region, file]
      forget(file)
      for (const state of ['nothing in memory', 'again']) {
        const at = performance.now()
        const got = spawnSync('bcftools', given, { maxBuffer: 1 << 30, encoding: 'latin1' })
        const ms = performance.now() - at
        if (got.error !== undefined || got.status !== 0) throw got.error ?? new Error(got.stderr)
        console.log(`bcftools ${command} of the region, ${state}: ${ms.toFixed(0)} ms`)
        if (command === 'view' || state !== 'again') continue
        // Counted anew from what bcftools prints.
        const lines = got.stdout
          .trimEnd()
          .split('\n')
          .map((line) => line.split('\t').slice(1))
        const counts = new Map<string, number>()
        for (let sample = 0; sample < sampleCount; sample += 1)
          for (const copy of [0, 1]) {
            const key = lines.map((cells) => cells[sample]!.split('|')[copy]).join('')
            counts.set(key, (counts.get(key) ?? 0) + 1)
          }
        const { haplotypes } = await ask(middle + 1, {})
        const [own, theirs] = [haplotypes.map(({ copies }) => copies), [...counts.values()].sort((a, b) => b - a)]
        console.log(
          `haplotypes counted from it: ${theirs.length}; the copies of each are ${own.join() === theirs.join() ? 'the same' : 'NOT the same'}`,
        )
      }
    }
  } finally {
    clearInterval(watch)
    await rm(root, { recursive: true, force: true })
  }
}

await main()
