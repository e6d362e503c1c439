// How well places of genes lifted between assemblies agree with where the strains' annotation has the genes of the same names (SGD),
// which structural variants are found where they are known, and how long a load and a lift take.
//   node dist/node/bench/lift.js SHARED_DATA [DATA [list]]
// SHARED_DATA holds yeast/; DATA keeps the loaded portal between runs, a temporary directory is used and removed without it. With
// "list" every gene that is not on its namesake is told.
// Figures are printed, nothing is judged.
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { makeYeastFolder } from '../demo/yeast-manifest.ts'
import type { AssemblyLift } from '../src/contracts/lift.ts'
import { type OpenPortalData, openPortalData } from '../src/kit/data/create-portal-data.ts'
import { readConfig } from '../src/server/config.ts'
import { runLoad } from '../src/server/loads/load-folder.ts'
import { openPortalDatabase } from '../src/server/portal-database.ts'
import { openLocalFiles } from '../src/store/portal-files.ts'

const reference = 'R64'
const strains = ['S288C-PacBio', 'SK1', 'Y12', 'YPS128', 'DBVPG6044', 'UWOPS034614', 'CBS432']

interface Place {
  id: string
  sequence: string
  start: number
  end: number
  strand: string
}

const readLines = async (file: string): Promise<string[]> =>
  gunzipSync(await readFile(file))
    .toString('utf8')
    .split('\n')

/** Genes of a strain by SGD's names: those with "NA" or several names in one field are left out. */
const readStrainGenes = async (shared: string, strain: string): Promise<Map<string, Place[]>> => {
  const genes = new Map<string, Place[]>()
  for (const line of await readLines(
    join(shared, `yeast/strains/${strain.replace('-PacBio', '')}.all_feature.gff.gz`),
  )) {
    const cells = line.split('\t')
    if (cells[2] !== 'gene') continue
    const name = /Name=([^;]+)/.exec(cells[8] ?? '')?.[1]
    const id = /ID=([^;]+)/.exec(cells[8] ?? '')?.[1] ?? ''
    if (name === undefined || name === 'NA' || name.includes('/')) continue
    const locus = { id, sequence: cells[0]!, start: Number(cells[3]), end: Number(cells[4]), strand: cells[6]! }
    genes.set(name, [...(genes.get(name) ?? []), locus])
  }
  return genes
}

const overlap = (a: { start: number; end: number }, b: { start: number; end: number }): number =>
  Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start) + 1)

type Verdict = 'exact' | 'overlaps' | 'another' | 'no place'

const judge = (lift: AssemblyLift | undefined, named: readonly Place[]): Verdict => {
  const locus = lift?.loci[0]
  if (locus === undefined) return 'no place'
  const hit = named.find((gene) => gene.sequence === locus.sequence && overlap(gene, locus) > 0)
  if (hit === undefined) return 'another'
  return hit.start === locus.start && hit.end === locus.end ? 'exact' : 'overlaps'
}

const tell = (counts: Map<string, number>): string => {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const found = (counts.get('exact') ?? 0) + (counts.get('overlaps') ?? 0)
  return `${total} genes: ${((100 * found) / total).toFixed(2)} % on the gene (${((100 * (counts.get('exact') ?? 0)) / total).toFixed(1)} % at exactly its ends), ${counts.get('another') ?? 0} elsewhere, ${counts.get('no place') ?? 0} without a place`
}

const measureLift = async (data: OpenPortalData, shared: string): Promise<void> => {
  const genes: Place[] = []
  for await (const batch of data.streamGenes(reference))
    for (const { id, sequence, strand, transcripts } of batch) {
      // The strains' genes reach from start to stop codon.
      const coding = transcripts.flatMap(({ cds }) => cds)
      if (coding.length === 0) continue
      const [start, end] = [Math.min(...coding.map(([first]) => first)), Math.max(...coding.map(([, last]) => last))]
      genes.push({ id, sequence, start, end, strand })
    }
  const named = new Map<string, Map<string, Place[]>>()
  for (const strain of strains) named.set(strain, await readStrainGenes(shared, strain))
  const verdicts = new Map(strains.map((strain) => [strain, new Map<string, number>()]))
  const wrong: string[] = []
  const startedAt = performance.now()
  for (const gene of genes) {
    const { lifts } = await data.alignments.lift({
      assembly: reference,
      sequence: gene.sequence,
      start1: gene.start,
      end1: gene.end,
    })
    for (const strain of strains) {
      const theirs = named.get(strain)!.get(gene.id)
      // Copies of one name tell nothing of which of them is meant.
      if (theirs === undefined || theirs.length > 1) continue
      const lift = lifts.find(({ assembly }) => assembly === strain)
      const verdict = judge(lift, theirs)
      const counts = verdicts.get(strain)!
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
      if (verdict === 'another' || verdict === 'no place')
        wrong.push(
          `${strain} ${gene.id} ${verdict} ${lift?.outcome} ${JSON.stringify(lift?.loci[0] ?? null)} ${JSON.stringify(theirs[0])}`,
        )
    }
  }
  const perLift = (performance.now() - startedAt) / genes.length
  console.log(
    `${reference} to each strain, genes with one gene of their name there (${perLift.toFixed(1)} ms a lift to all):`,
  )
  for (const [strain, counts] of verdicts) console.log(`  ${strain}: ${tell(counts)}`)
  if (process.argv[4] === 'list') console.log(wrong.join('\n'))

  // Back: from the strain's own gene to the reference, and to another strain through it.
  for (const [from, to] of [
    ['SK1', reference],
    ['SK1', 'Y12'],
    ['UWOPS034614', 'DBVPG6044'],
  ] as const) {
    const counts = new Map<string, number>()
    const byName = new Map<string, Place[]>()
    if (to === reference) for (const gene of genes) byName.set(gene.id, [gene])
    else for (const [name, list] of named.get(to)!) byName.set(name, list)
    let number = 0
    for (const [name, [gene, ...more]] of named.get(from)!) {
      number += 1
      const theirs = byName.get(name)
      if (number % 5 !== 0 || gene === undefined || more.length > 0 || theirs?.length !== 1) continue
      const { lifts } = await data.alignments.lift(
        { assembly: from, sequence: gene.sequence, start1: gene.start, end1: gene.end },
        [to],
      )
      const verdict = judge(lifts[0], theirs)
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
    }
    console.log(`  ${from} to ${to}${to === reference ? '' : ` through ${reference}`}: ${tell(counts)}`)
  }
}

const measureVariants = async (data: OpenPortalData, shared: string): Promise<void> => {
  const transposons = (await readLines(join(shared, 'yeast/derived/R64.TE_and_structural.gff3.gz')))
    .map((line) => line.split('\t'))
    .filter((cells) => cells[2] === 'LTR_retrotransposon')
    .map((cells) => ({ sequence: cells[0]!, start: Number(cells[3]), end: Number(cells[4]) }))
  let found = 0
  let large = 0
  const counts = new Map<string, number>()
  const deletions: { sequence: string; start: number; end: number }[] = []
  for (const { name, lengthBp } of await data.listSequences(reference)) {
    const { variants } = await data.alignments.listVariants(
      { assembly: reference, sequence: name, start1: 1, end1: lengthBp },
      100_000,
    )
    for (const variant of variants) {
      counts.set(variant.class, (counts.get(variant.class) ?? 0) + 1)
      if (variant.class === 'deletion') deletions.push(variant)
    }
  }
  for (const variant of deletions) {
    const size = variant.end - variant.start + 1
    if (size < 5000 || size > 6500) continue
    large += 1
    if (transposons.some((ty) => ty.sequence === variant.sequence && overlap(ty, variant) >= 0.8 * size)) found += 1
  }
  console.log(`variants by class: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}`)
  console.log(
    `deletions of 5.0 to 6.5 kb: ${large}, ${found} of them at an annotated Ty (at least 80 % of the deletion)`,
  )
  const absent = transposons.filter((ty) =>
    deletions.some((variant) => variant.sequence === ty.sequence && overlap(ty, variant) >= 0.8 * (ty.end - ty.start)),
  )
  console.log(
    `annotated Ty elements: ${transposons.length}, ${absent.length} of them absent from at least one assembly`,
  )
  const moved = ['chrVII', 'chrVIII', 'chrX', 'chrXI', 'chrXIII']
  const breakpoints: string[] = []
  for (const { name, lengthBp } of await data.listSequences(reference)) {
    const { variants } = await data.alignments.listVariants(
      { assembly: reference, sequence: name, start1: 1, end1: lengthBp },
      1000,
      { classes: ['breakpoint'], carriers: ['UWOPS034614'] },
    )
    for (const { sequence, start, mate } of variants)
      if (moved.includes(sequence) && mate !== null && sequence < mate.sequence)
        breakpoints.push(`${sequence}:${start}-${mate.sequence}:${mate.position}`)
  }
  console.log(`UWOPS034614, joins between chromosomes VII, VIII, X, XI and XIII: ${breakpoints.join(' ')}`)
}

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
    await makeYeastFolder(shared, folder, { assemblies: [reference, ...strains] })
    const startedAt = Date.now()
    const report = await runLoad(config, database, folder, 'bench', new AbortController().signal, () => undefined)
    if (!report.ok) throw new Error(report.failure ?? JSON.stringify(report.defects.slice(0, 5)))
    console.log(`load: ${((Date.now() - startedAt) / 1000).toFixed(0)} s`)
    const data = await openPortalData({ sql: database.sql, files: openLocalFiles(dataDir) })
    const state = await data.alignments.getState(reference)
    if (state === null) throw new Error(JSON.stringify(report.defects.slice(-5)))
    for (const one of state.assemblies)
      console.log(
        `${one.id}: divergence ${one.divergence?.toFixed(4)}, ${one.preset}, ${(one.alignedBp / 1e6).toFixed(2)} Mb of the reference and ${(one.ownAlignedBp / 1e6).toFixed(2)} Mb of its own aligned, ${one.chains} chains, ${JSON.stringify(one.variants)}, ${one.leftOut} in gaps`,
      )
    await measureLift(data, shared)
    await measureVariants(data, shared)
    await data.close()
  } finally {
    await database.close({ waitForStop: true })
    if (given === undefined) await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
