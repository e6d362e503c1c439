// How well orthologs agree with the names that the strains' annotation gives them (SGD), and how long a load computes homologs.
//   node dist/node/bench/homologs.js SHARED_DATA [DATA]
// SHARED_DATA holds yeast/strains; DATA keeps the loaded portal between runs, a temporary directory is used and removed without it.
// Figures are printed, nothing is judged.
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { makeYeastFolder } from '../demo/yeast-manifest.ts'
import { openPortalData } from '../src/kit/data/create-portal-data.ts'
import { readConfig } from '../src/server/config.ts'
import { runLoad } from '../src/server/loads/load-folder.ts'
import { openPortalDatabase } from '../src/server/portal-database.ts'
import { openLocalFiles } from '../src/store/portal-files.ts'

const strains = ['S288C-PacBio', 'SK1', 'Y12', 'YPS128', 'DBVPG6044', 'UWOPS034614']
const wildRelative = 'CBS432'

/** SGD's name of each gene of a strain; "NA" and genes without a name are left out. */
const readNames = async (shared: string, strain: string): Promise<Map<string, string>> => {
  const file = join(shared, `yeast/strains/${strain.replace('-PacBio', '')}.all_feature.gff.gz`)
  const names = new Map<string, string>()
  for (const line of gunzipSync(await readFile(file))
    .toString('utf8')
    .split('\n')) {
    const cells = line.split('\t')
    if (cells[2] !== 'gene') continue
    const id = /ID=([^;]+)/.exec(cells[8] ?? '')?.[1]
    const name = /Name=([^;]+)/.exec(cells[8] ?? '')?.[1]
    if (id !== undefined && name !== undefined && name !== 'NA') names.set(id, name)
  }
  return names
}

interface Score {
  right: number
  wrong: number
  missed: number
}

const share = ({ right, wrong, missed }: Score): string =>
  `recall ${(right / (right + missed)).toFixed(4)}  precision ${(right / (right + wrong)).toFixed(4)}  (${right} right, ${wrong} wrong, ${missed} missed)`

const main = async (): Promise<void> => {
  const [shared, given] = process.argv.slice(2)
  if (shared === undefined) throw new Error('Name the directory of the shared data.')
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'novodb-bench-')))
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o755)
  const config = readConfig({ ...process.env, NOVODB_DATA: dataDir })
  const database = await openPortalDatabase(config, 'bench', {
    max: 14,
    statementTimeoutMs: 0,
    log: (line) => console.error(line),
  })
  try {
    const folder = join(dataDir, 'yeast-folder')
    await makeYeastFolder(shared, folder, { assemblies: [...strains, wildRelative] })
    const startedAt = Date.now()
    const report = await runLoad(config, database, folder, 'bench', new AbortController().signal, () => undefined)
    if (!report.ok) throw new Error(report.failure ?? JSON.stringify(report.defects.slice(0, 5)))
    console.log(`load: ${((Date.now() - startedAt) / 1000).toFixed(0)} s`)
    const data = await openPortalData({ sql: database.sql, files: openLocalFiles(dataDir) })
    const state = await data.getHomology()
    const about = state?.about as {
      elapsedMs: number
      edges: number
      orthogroups: number
      pairs: { all: number; kept: number }
    }
    const { all, kept } = about.pairs
    console.log(
      `homologs of ${state?.covered.length} assemblies: ${(about.elapsedMs / 1000).toFixed(0)} s, ${all - kept} pairs searched, ${kept} taken again; ${about.edges} edges, ${about.orthogroups} orthogroups`,
    )
    const names = new Map<string, Map<string, string>>()
    for (const strain of [...strains, wildRelative]) names.set(strain, await readNames(shared, strain))
    const measure = async (among: string[]): Promise<void> => {
      const single: Score = { right: 0, wrong: 0, missed: 0 }
      const every: Score = { right: 0, wrong: 0, missed: 0 }
      const copies: Score = { right: 0, wrong: 0, missed: 0 }
      for (const strain of among) {
        const own = names.get(strain)!
        const rows = new Map(
          (await data.listHomologs(strain, [...own.keys()])).map((row) => [row.gene, row.homologs] as const),
        )
        for (const other of among) {
          if (other === strain) continue
          const theirs = names.get(other)!
          const byName = new Map<string, string[]>()
          for (const [gene, name] of theirs) byName.set(name, [...(byName.get(name) ?? []), gene])
          const ownCounts = new Map<string, number>()
          for (const gene of rows.keys()) {
            const name = own.get(gene)!
            ownCounts.set(name, (ownCounts.get(name) ?? 0) + 1)
          }
          for (const [gene, homologs] of rows) {
            const name = own.get(gene)!
            const same = byName.get(name) ?? []
            const here = homologs.filter((one) => one.assembly === other && theirs.has(one.gene))
            const orthologs = new Set(here.filter((one) => one.relation === 'ortholog').map((one) => one.gene))
            const all = new Set(
              here.filter((one) => one.relation === 'ortholog' || one.relation === 'coortholog').map((one) => one.gene),
            )
            if (same.length === 1 && ownCounts.get(name) === 1) {
              if (orthologs.has(same[0]!)) single.right += 1
              else single.missed += 1
            }
            for (const found of orthologs)
              if (theirs.get(found) !== name && same.length <= 1 && ownCounts.get(name) === 1) single.wrong += 1
            for (const gene2 of same) {
              if (all.has(gene2)) every.right += 1
              else every.missed += 1
            }
            for (const found of orthologs) if (theirs.get(found) !== name) every.wrong += 1
            for (const found of all) {
              if (theirs.get(found) === name) copies.right += 1
              else copies.wrong += 1
            }
          }
        }
      }
      console.log(`  names once in either assembly, orthologs:            ${share(single)}`)
      console.log(`  all names, orthologs and (for recall) co-orthologs:  ${share(every)}`)
      console.log(
        `  all names, orthologs and co-orthologs alike:         ${share({ ...copies, missed: every.missed })}`,
      )
    }
    console.log('six S. cerevisiae assemblies:')
    await measure(strains)
    console.log('with S. paradoxus:')
    await measure([...strains, wildRelative])
    await data.close()
  } finally {
    await database.close({ waitForStop: true })
    if (given === undefined) await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
