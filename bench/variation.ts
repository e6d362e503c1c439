import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createProgramRunner } from '../src/jobs/program.ts'
import { findPrograms } from '../src/jobs/programs.ts'
import { openPortalData } from '../src/kit/data/create-portal-data.ts'
import { openLocalFiles } from '../src/store/portal-files.ts'
import { makeEngineContext } from '../src/testing/contexts.ts'
import { openTestDatabase } from '../src/testing/database.ts'
import { makeRandom } from '../src/testing/random.ts'
import { loadTestSpecies } from '../src/testing/species.ts'
import engine from '../src/tools/variation/engine.ts'
import tool, { limits } from '../src/tools/variation/tool.ts'

const siteCount = Number(process.argv[2] ?? 300_000)
const sampleCount = Number(process.argv[3] ?? 500)
const spacingBp = 40
const sequenceBp = 10_000_000

const random = makeRandom(7)

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

const main = async (): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), 'novodb-bench-variation-'))
  const database = await openTestDatabase({ max: 8 })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 100)
  try {
    const folder = join(root, 'folder')
    await mkdir(folder)
    const sequences = Math.ceil((siteCount * spacingBp) / sequenceBp)
    const letters = 'ACGT'
    const pieces: string[] = []
    const bases: string[] = []
    for (let number = 0; number < sequences; number += 1) {
      const text = Array.from({ length: sequenceBp / 100 }, () =>
        Array.from({ length: 100 }, () => letters[Math.floor(random() * 4)]!).join(''),
      )
      bases.push(text.join(''))
      pieces.push(`>chr${number + 1}\n${text.join('\n')}\n`)
    }
    await writeFile(join(folder, 'g.fa'), pieces.join(''))
    await writeFile(
      join(folder, 'g.gff3'),
      '##gff-version 3\nchr1\t.\tgene\t1001\t1300\t.\t+\t.\tID=g1\nchr1\t.\tCDS\t1001\t1300\t.\t+\t0\tParent=g1\n',
    )
    const file = join(folder, 'v.vcf.gz')
    // Columns of a few hundred kinds are made once: the generator is not what is measured.
    const columns = Array.from({ length: 400 }, (_, kind) => {
      const frequency = (kind + 1) / 801
      return Array.from({ length: sampleCount }, () =>
        random() < 0.02 ? './.' : `${random() < frequency ? 1 : 0}/${random() < frequency ? 1 : 0}`,
      ).join('\t')
    })
    await pipeline(
      (function* () {
        const names = Array.from({ length: sampleCount }, (_, at) => `S${at + 1}`)
        yield `##fileformat=VCFv4.2\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${names.join('\t')}\n`
        const perSequence = sequenceBp / spacingBp
        for (let site = 0; site < siteCount; site += 1) {
          const sequence = Math.floor(site / perSequence)
          const position = (site % perSequence) * spacingBp + 1
          const reference = bases[sequence]![position - 1]!
          yield `chr${sequence + 1}\t${position}\trs${site}\t${reference}\t${reference === 'A' ? 'G' : 'A'}\t.\tPASS\t.\tGT\t${columns[Math.floor(random() * columns.length)]!}\n`
        }
      })(),
      createGzip({ level: 1 }),
      createWriteStream(file),
    )
    await writeFile(
      join(folder, 'species.yaml'),
      'novodb: 1\nspecies: made\nname: Made\nassemblies:\n  - id: M\n    genome: g.fa\n    genes: g.gff3\n    variants:\n      - { id: v, name: V, file: v.vcf.gz }\n',
    )
    console.log(`${siteCount} sites x ${sampleCount} samples, ${megabytes((await stat(file)).size)} as gzip`)
    const dataDir = join(root, 'data')
    await mkdir(join(dataDir, 'bundles'), { recursive: true })
    peak = 0
    const began = Date.now()
    const report = await loadTestSpecies(database, dataDir, folder, {
      requirements: engine.programs,
      signal: AbortSignal.timeout(4 * 3_600_000),
    })
    if (!report.ok) throw new Error(JSON.stringify(report).slice(0, 2000))
    console.log(`loading: ${((Date.now() - began) / 1000).toFixed(1)} s, memory at most ${megabytes(peak)}`)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const data = await openPortalData({ sql: database.sql, files: openLocalFiles(dataDir) })
    const searchPath = process.env.PATH ?? ''
    const programs = await findPrograms(engine.programs, searchPath)
    const ask = async (what: string, input: Record<string, unknown>): Promise<void> => {
      const times: number[] = []
      let reported = ''
      peak = 0
      for (let round = 0; round < 5; round += 1) {
        const directory = join(root, `run-${what.replace(/\W+/g, '-')}-${round}`)
        await mkdir(directory)
        const signal = AbortSignal.timeout(600_000)
        const at = performance.now()
        const result = await engine.run(
          tool.input.parse({ assembly: 'M', ...input }),
          makeEngineContext({
            data,
            signal,
            directory,
            runProgram: createProgramRunner({ directory, signal, programs, searchPath }),
          }),
        )
        times.push(performance.now() - at)
        reported = String(
          result.variants?.total ??
            result.ld?.total ??
            result.haplotypes?.sites.length ??
            result.accessions?.counts.carriers ??
            '',
        )
      }
      times.sort((a, b) => a - b)
      console.log(
        `${what}: ${times[2]!.toFixed(0)} ms in the middle of five (${reported}), memory at most ${megabytes(peak)}`,
      )
    }
    // The middle of the first sequence that has sites.
    const middle = Math.floor((Math.min(siteCount, sequenceBp / spacingBp) * spacingBp) / 2)
    const region = (lengthBp: number): string => `chr1:${middle + 1}-${middle + lengthBp}`
    await ask('region of 20 kb, first page of 50', { region: region(20_000) })
    await ask('region of 100 kb, page of 200', { region: region(100_000), pageSize: 200 })
    await ask('id', { id: `rs${Math.floor(siteCount / 2)}` })
    const spread = Array.from({ length: limits.chosen }, (_, at) => {
      const site = Math.floor(((at + 0.5) * siteCount) / limits.chosen)
      const perSequence = sequenceBp / spacingBp
      return at % 2 === 0
        ? `rs${site}`
        : `chr${Math.floor(site / perSequence) + 1}:${(site % perSequence) * spacingBp + 1}`
    })
    await ask(`accessions with any of ${spread.length} variants`, {
      task: 'accessions',
      match: 'any',
      variants: spread,
    })
    await ask('whole genome by effect', { consequences: ['missense'] })
    await ask('whole genome by frequency, page 100', { minFrequency: 0.45, page: 100 })
    await ask('LD of 20 kb, 80 sites', { task: 'ld', region: region(20_000) })
    await ask('haplotypes of 4 kb', { task: 'haplotypes', region: region(4_000) })
    await data.close()
  } finally {
    clearInterval(watch)
    await database.close()
    await rm(root, { recursive: true, force: true })
  }
}

await main()
