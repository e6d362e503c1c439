import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { listDownloads } from '../../contracts/downloads.ts'
import { PortalError } from '../../contracts/errors.ts'
import { listGeneStates, listProteinChanges } from '../../contracts/gene-states.ts'
import { type FormerGene, getGene, listFormerGenes, listGenesInRegion, resolveGenes } from '../../contracts/genes.ts'
import { type AssemblyLift, liftRegion } from '../../contracts/lift.ts'
import { orientLocus } from '../../contracts/region.ts'
import { search, suggest } from '../../contracts/search.ts'
import { type AssemblyOverview, getAssemblyOverview, listSequences, listSpecies } from '../../contracts/species.ts'
import { listLoads } from '../../database/catalogue.ts'
import { findFormerGenes } from '../../database/former-genes.ts'
import { findSequenceRows } from '../../database/sequences.ts'
import { findGeneStates, findProteinChanges } from '../../kit/data/genes/gene-states.ts'
import { implement, RenderedData, readsGzip, turnsOf, WrittenAnswer } from '../answers/implement.ts'
import type { Portal } from '../portal.ts'

/** Names of genes that are looked up between other requests; a list of more goes to another process. */
const maxResolvedHere = 50

const otherStrand = { '+': '-', '-': '+' } as const

/** The places of a region as they lie for who reads it on its reverse strand. */
const turnLift = (lift: AssemblyLift): AssemblyLift => ({
  ...lift,
  loci: lift.loci.map((locus) => ({ ...locus, strand: otherStrand[locus.strand] })),
  deletedAt: lift.deletedAt === null ? null : { ...lift.deletedAt, strand: otherStrand[lift.deletedAt.strand] },
})

/** Species, sequences, genes, places in other assemblies, search and the list of downloads. */
export const mountData = (app: FastifyInstance, portal: Portal): void => {
  const { data } = portal

  implement(app, listSpecies, async (_, { caller }) => {
    const loads = await listLoads(data.sql, 20)
    const recently = Date.now() - 24 * 3600 * 1000
    return {
      species: await data.listSpecies(),
      compared: (await data.getHomology())?.covered ?? [],
      loads: loads
        // One whose manifest was refused, or is still to be read, is of no species: only its administrator hears of it.
        .filter((load) => load.species !== '')
        .filter((load) => load.endedAt === null || Date.parse(load.endedAt) > recently)
        // A failure is the administrator's matter, and over with the next load of the species; visitors see what is loading.
        .filter(
          (load) =>
            load.state === 'waiting' ||
            load.state === 'running' ||
            load.state === 'done' ||
            (caller.access === 'admin' && load.id === loads.find((one) => one.species === load.species)?.id),
        )
        .map(({ folder: _, startedBy: __, report: ___, spaceFolder: ____, ...load }) => load),
      demoStage: portal.demo.stage,
      demoSpace: portal.demo.space,
      diskFull: await portal.disks.isFull(),
    }
  })

  implement(app, listSequences, async ({ assembly, q, limit }) => {
    const { total, rows } = await findSequenceRows(data.sql, await data.bundleNumber(assembly), { text: q, limit })
    return {
      total,
      sequences: rows.map((row) => ({
        name: row.name,
        lengthBp: row.lengthBp,
        role: row.role,
        circular: row.circular,
        geneCount: row.geneCount,
        aliases: row.aliases,
      })),
    }
  })

  implement(app, getAssemblyOverview, async ({ assembly }) => {
    const file = await data.bundleFile(assembly, 'overview')
    if (file === null) throw new PortalError('NOT_FOUND')
    return JSON.parse(await readFile(file, 'utf8')) as AssemblyOverview
  })

  implement(app, getGene, async ({ id, assembly }) => {
    const found = await data.getGene(id, assembly)
    if (found === null) throw new PortalError('UNKNOWN_GENE', { params: { gene: id } })
    return found
  })

  implement(app, listFormerGenes, async ({ id, assembly }) => {
    if (assembly !== undefined) await data.getAssembly(assembly)
    const { active } = await data.snapshot()
    const bundles = new Map(
      active.flatMap((species) =>
        species.bundles.flatMap((one) =>
          one.assembly !== null && (assembly === undefined || one.assembly === assembly)
            ? [[one.bundle, one.assembly] as const]
            : [],
        ),
      ),
    )
    const rows = await findFormerGenes(data.sql, [...bundles.keys()], id)
    const former = rows.map(async ({ bundle, start1, end1, genes, ...row }) => {
      const home = bundles.get(bundle)!
      const found = await data.getGenes(home, genes)
      return {
        ...row,
        assembly: home,
        start: start1,
        end: end1,
        genes: found.map(({ id, symbol, description }) => ({ id, symbol, description })),
      } as FormerGene
    })
    return { former: await Promise.all(former) }
  })

  implement(app, listGeneStates, async ({ id, assembly, to }) => {
    const found = await data.getGene(id, assembly)
    if (found === null) throw new PortalError('UNKNOWN_GENE', { params: { gene: id } })
    if (to !== undefined) await data.getAssembly(to)
    return findGeneStates(data, found.gene, to)
  })

  implement(app, listProteinChanges, async ({ id, assembly, to }) => {
    const found = await data.getGene(id, assembly)
    if (found === null) throw new PortalError('UNKNOWN_GENE', { params: { gene: id } })
    if (to !== undefined) await data.getAssembly(to)
    return findProteinChanges(data, found.gene, to)
  })

  implement(app, liftRegion, async ({ assembly, sequence, to, ...asked }) => {
    const { start, end, strand } = orientLocus(asked)
    await data.getAssembly(assembly)
    if (to !== undefined) await data.getAssembly(to)
    const state = await data.alignments.getState(assembly)
    if (state === null || state.missing.includes(assembly))
      return { assembly, sequence, start, end, strand, alignment: null, lifts: [] }
    const locus = { assembly, sequence, start1: start, end1: end }
    const { state: aligned, ...answer } = await data.alignments.lift(locus, to === undefined ? undefined : [to])
    const { reference, program, computedAt, missing } = aligned
    const lifts = strand === '+' ? answer.lifts : answer.lifts.map(turnLift)
    return { ...answer, strand, lifts, alignment: { reference, program, computedAt, missing } }
  })

  implement(app, listGenesInRegion, async ({ assembly, sequence, limit, ...asked }) => {
    const { start, end } = orientLocus(asked)
    const { genes, truncated } = await data.renderGenesInRegion(assembly, sequence, start, end, limit)
    return new RenderedData(`{"genes":${genes},"truncated":${truncated}}`)
  })

  implement(app, resolveGenes, async ({ ids, assembly }, { caller, request, signal }) => {
    if (ids.length <= maxResolvedHere) {
      const resolved = await data.resolveGenes(ids, assembly)
      return Object.assign(resolved, { nearest: await portal.search.nearest(resolved.unknown, assembly) })
    }
    const asked = { names: ids, assembly, gzip: readsGzip(request) }
    const answer = await portal.pool.resolveGenes(asked, { client: turnsOf(caller), signal })
    if (answer.kind === 'json') return new WrittenAnswer(answer)
    const nearest = JSON.stringify(await portal.search.nearest(answer.unknown, assembly))
    return new RenderedData(Buffer.concat([answer.json.subarray(0, -1), Buffer.from(`,"nearest":${nearest}}`)]))
  })
  implement(app, search, async (query) => portal.search.search(query))
  implement(app, suggest, async (query) => portal.search.suggest(query))

  implement(app, listDownloads, async ({ species, assembly, kind }) => {
    const { active } = await data.snapshot()
    const files = active.flatMap((entry) =>
      entry.bundles.flatMap((bundle) =>
        bundle.summary.files.flatMap((file) =>
          file.download === null
            ? []
            : [
                {
                  species: entry.id,
                  assembly: bundle.assembly,
                  kind: file.kind,
                  name: file.path.split('/').at(-1)!,
                  title: file.download.title,
                  description: file.download.description,
                  url: `/data/${bundle.uid}/${file.path}`,
                  bytes: file.bytes,
                  sha256: file.sha256,
                  createdAt: entry.loadedAt.toISOString(),
                  licence: file.download.licence,
                  simulated: file.download.simulated,
                },
              ],
        ),
      ),
    )
    return {
      files: files.filter(
        (file) =>
          (species === undefined || file.species === species) &&
          (assembly === undefined || file.assembly === assembly) &&
          (kind === undefined || file.kind === kind),
      ),
    }
  })
}
