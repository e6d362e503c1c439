import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openPortalData } from '../src/kit/data/create-portal-data.ts'
import { runTool } from '../src/kit/run-tool.ts'
import { readConfig } from '../src/server/config.ts'
import { runLoad } from '../src/server/loads/load-folder.ts'
import { openPortalDatabase } from '../src/server/portal-database.ts'
import { openLocalFiles } from '../src/store/portal-files.ts'
import { makeRandomBelow } from '../src/testing/random.ts'
import engine from '../src/tools/enrichment/engine.ts'
import type { EnrichmentResult } from '../src/tools/enrichment/tool.ts'
import tool from '../src/tools/enrichment/tool.ts'

const geneCount = 30_000
const setSize = 2000
const spacingBp = 60
/** Terms whose p-values are computed again by whole numbers. */
const compared = 150

const makeFolder = async (yeast: string, folder: string): Promise<string[]> => {
  const lines = gunzipSync(await readFile(join(yeast, 'go/yeastGO_ensembl88.tsv.gz')))
    .toString('utf8')
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split('\t'))
  const yeastGenes = [...new Set(lines.flatMap(([gene]) => (gene ? [gene] : [])))]
  const genes = Array.from(
    { length: geneCount },
    (_, at) => `${yeastGenes[at % yeastGenes.length]}.${Math.floor(at / yeastGenes.length) + 1}`,
  )
  const known = new Set(genes)
  const copies = Math.ceil(geneCount / yeastGenes.length)
  const annotation = lines.flatMap(([gene, term]) =>
    gene && term
      ? Array.from({ length: copies }, (_, copy) => `${gene}.${copy + 1}`)
          .filter((id) => known.has(id))
          .map((id) => `${id}\t${term}`)
      : [],
  )
  const random = makeRandomBelow(7)
  const bases = Array.from({ length: geneCount * spacingBp + 100 }, () => 'ACGT'[random(4)]!).join('')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'genome.fa'), `>chr1\n${bases}\n`)
  await writeFile(join(folder, 'go.tsv'), `${annotation.join('\n')}\n`)
  await writeFile(
    join(folder, 'genes.gff3'),
    `##gff-version 3\n${genes
      .map((id, at) => `chr1\t.\tgene\t${at * spacingBp + 1}\t${at * spacingBp + 48}\t.\t+\t.\tID=${id}`)
      .join('\n')}\n`,
  )
  const obo = join(yeast, 'go/go-basic_from_GO.db_2022-07-01.obo.gz')
  await writeFile(
    join(folder, 'species.yaml'),
    `novodb: 1
species: bench-species
name: Bench species
ontologies: [{ file: ${obo}, source: GO }]
assemblies:
  - { id: B30000, genome: genome.fa, genes: genes.gff3, annotation: [{ file: go.tsv, format: table, source: GO }] }
`,
  )
  return genes
}

/** The tail by whole numbers, each term from the one before it. */
const exactTail = (found: number, drawn: number, marked: number, total: number): number => {
  const choose = (n: number, k: number): bigint => {
    let value = 1n
    for (let at = 1; at <= k; at++) value = (value * BigInt(n - at + 1)) / BigInt(at)
    return value
  }
  const [small, large] = [Math.min(drawn, marked), Math.max(drawn, marked)]
  let term = choose(small, found) * choose(total - small, large - found)
  let sum = 0n
  for (let count = found; count <= small; count++) {
    sum += term
    term =
      (term * BigInt(small - count) * BigInt(large - count)) /
      (BigInt(count + 1) * BigInt(total - small - large + count + 1))
  }
  const all = choose(total, large)
  const digits = BigInt(Math.max(0, all.toString().length - sum.toString().length) + 25)
  return Number(`${(sum * 10n ** digits) / all}e-${digits}`)
}

const main = async (): Promise<void> => {
  const [shared] = process.argv.slice(2)
  if (shared === undefined) throw new Error('Name the directory of the shared data.')
  const dataDir = await mkdtemp(join(tmpdir(), 'novodb-bench-'))
  await chmod(dataDir, 0o755)
  const config = readConfig({ ...process.env, NOVODB_DATA: dataDir })
  const database = await openPortalDatabase(config, 'bench', {
    max: 14,
    statementTimeoutMs: 0,
    log: (line) => console.error(line),
  })
  try {
    const folder = join(dataDir, 'species')
    const genes = await makeFolder(resolve(shared, 'yeast'), folder)
    const report = await runLoad(config, database, folder, 'bench', new AbortController().signal, () => undefined)
    if (!report.ok) throw new Error(report.failure ?? JSON.stringify(report.defects.slice(0, 5)))
    const data = await openPortalData({ sql: database.sql, files: openLocalFiles(dataDir) })
    const random = makeRandomBelow(11)
    // Drawn by chance from all: the time does not depend on what is found.
    const set = [...new Set(Array.from({ length: setSize * 2 }, () => genes[random(geneCount)]!))].slice(0, setSize)
    const run = async (name: string): Promise<EnrichmentResult> => {
      const directory = await mkdtemp(join(tmpdir(), 'novodb-enrichment-'))
      const before = process.cpuUsage()
      const startedAt = performance.now()
      const { result } = await runTool(engine, {
        input: tool.input.parse({ assembly: 'B30000', genes: set }),
        data,
        directory,
        dataDir,
        searchPath: '',
        programs: [],
        portalVersion: 'bench',
        signal: new AbortController().signal,
        bounds: { timeoutMs: 600_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 4 * 1024 ** 3 },
        onProgress: () => undefined,
      })
      const elapsedMs = performance.now() - startedAt
      const { user, system } = process.cpuUsage(before)
      await rm(directory, { recursive: true })
      const found = result as EnrichmentResult
      const tests = found.collections.reduce((sum, one) => sum + one.tests, 0)
      console.log(
        `${name}: ${elapsedMs.toFixed(0)} ms (processor ${((user + system) / 1000).toFixed(0)} ms), ${found.genes.length} genes against ${geneCount}, ${tests} terms tested, ${found.termCount} told`,
      )
      return found
    }
    await run('first, annotation read')
    await run('again')
    await run('again')
    const result = await run('again')
    let worst = 0
    let min = 1
    const step = Math.max(1, Math.floor(result.terms.length / compared))
    let count = 0
    for (let at = 0; at < result.terms.length; at += step) {
      const term = result.terms[at]!
      const { setGenes, backgroundGenes } = result.collections[term.collection]!
      const exact = exactTail(term.setCount, setGenes, term.backgroundCount, backgroundGenes)
      worst = Math.max(worst, Math.abs(term.pValue / exact - 1))
      min = Math.min(min, exact)
      count += 1
    }
    console.log(
      `agreement with whole numbers: ${count} p-values, the least ${min.toExponential(2)}, greatest relative difference ${worst.toExponential(1)}`,
    )
    await data.close()
  } finally {
    await database.close({ waitForStop: true })
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
