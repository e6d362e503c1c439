import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { locusMessage, orientLocus } from '../../contracts/region.ts'
import { jobIdSchema } from '../../contracts/tools/jobs.ts'
import { findFeature } from '../../kit/data/find-locus.ts'
import { listPhenotypeSets } from '../../kit/data/phenotype-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { listVariantSets } from '../../kit/data/variant-data.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { commentLines } from '../../kit/write-table.ts'
import { renderBgzfBlocks } from '../../store/bgzf.ts'
import { findAtLocus, getRegion, getScan, getSegment, type LocusView, listScans, type ScanSet } from './endpoints.ts'
import {
  assemblyOf,
  findLinkageSet,
  findLoci,
  linkTo,
  openScan,
  readDoses,
  readRegionRows,
  runFiles,
  thinSegment,
} from './scan-data.ts'
import { type AssociationSet, listAssociationSets, readAssociations } from './stored.ts'
import { type AssociationHit, limits, resultSchema } from './tool.ts'

/** Points of a regional plot. */
const maxPoints = 4000
const maxGenes = 400
/** Rank of a quantile point among so many tests, of which `PValueDistribution.quantiles` makes what is expected. */
const rankOf = (expected: number, count: number): number => Math.round(10 ** -expected * count + 0.5)

/** Rows of a table that are read for one look at a place. */
const maxLocusRows = 200_000

const showSet = (set: AssociationSet): ScanSet => {
  const { id, name, description, format, unit, phenotypes, variants, licence, simulated, rows } = set
  return { id, name, description, format, unit, phenotypes, variants, licence, simulated, rows }
}

/** A segment of a sequence of the assembly, cut at its end. Tests have no strand: a reverse place is the same segment. */
const placeOf = async (
  data: PortalData,
  assembly: string,
  asked: { sequence: string; start: number; end: number },
): Promise<{ sequence: string; start1: number; end1: number }> => {
  const sequence = await data.getSequence(assembly, asked.sequence)
  const { start, end } = orientLocus(asked)
  if (start > sequence.lengthBp)
    throw fieldError(['start'], locusMessage('region-beyond-end'), {
      name: sequence.name,
      start,
      length: sequence.lengthBp,
    })
  return { sequence: sequence.name, start1: start, end1: Math.min(end, sequence.lengthBp) }
}

const runFileNames = {
  'associations.bed.gz': { file: runFiles.table, type: 'application/gzip' },
  'gemma.assoc.txt': { file: 'output/lmm.assoc.txt', type: 'text/tab-separated-values; charset=utf-8' },
  'gemma.log.txt': { file: 'output/lmm.log.txt', type: 'text/plain; charset=utf-8' },
  'plink2.linear.tsv': { file: 'scan.PHENO.glm.linear', type: 'text/tab-separated-values; charset=utf-8' },
  'plink2.logistic.tsv': { file: 'scan.PHENO.glm.logistic.hybrid', type: 'text/tab-separated-values; charset=utf-8' },
  'samples.tsv': { file: 'samples.tsv', type: 'text/tab-separated-values; charset=utf-8' },
} as const

export const routes: ToolRoute[] = [
  answerEndpoint(listScans, async (input, { data }) => {
    const assembly = await assemblyOf(data, input.assembly)
    const { species } = await data.getAssembly(assembly)
    const [sets, variants, phenotypes, assemblies] = await Promise.all([
      listAssociationSets(data, assembly),
      listVariantSets(data, assembly),
      listPhenotypeSets(data, species),
      data.listAssemblies(),
    ])
    return {
      assembly,
      sets: sets.map((set) => ({ ...showSet(set), traits: set.traits })),
      variants: variants
        .filter(({ hasGenotypes }) => hasGenotypes)
        .map(({ id, name, samples, sites, ploidy, simulated }) => ({
          id,
          name,
          sites,
          ploidy,
          simulated,
          samples: samples.length,
          names: samples.slice(0, 4),
        })),
      phenotypes: phenotypes.map(({ id, name, simulated, traits }) => ({
        id,
        name,
        simulated,
        traits: traits
          .filter(({ type }) => type !== 'categorical')
          .map(({ id: trait, name: title, type }) => ({ id: trait, name: title, type })),
      })),
      loaded: assemblies.flatMap((one) => {
        const count = one.dataTypes.gwas ?? 0
        return count > 0 ? [{ assembly: one.id, count }] : []
      }),
    }
  }),
  answerEndpoint(getScan, async (input, { data, openJob, signal }) => {
    const scan = await openScan(data, input, openJob)
    const threshold = input.threshold ?? scan.trait.threshold
    const found = await findLoci(data, scan, {
      threshold,
      minR2: input.minR2,
      signal,
      windowBp: input.windowBp,
    })
    return {
      assembly: scan.assembly,
      set: scan.set === null ? null : showSet(scan.set),
      trait: scan.trait,
      sequences: scan.plot.sequences,
      scan: scan.plot.scan,
      quantiles: scan.plot.quantiles.map((point) => ({ ...point, rank: rankOf(point.expected, scan.trait.count) })),
      hits: scan.plot.hits.slice(0, limits.hits),
      hitCount: scan.plot.hits.length,
      threshold,
      ...found,
    }
  }),
  answerEndpoint(getSegment, async (input, { data, openJob, signal }) => {
    const scan = await openScan(data, input, openJob)
    const region = await placeOf(data, scan.assembly, input)
    const { scan: thin, rows } = await thinSegment(scan, region, signal)
    return { scan: thin, rows, sequence: region.sequence, start: region.start1, end: region.end1 }
  }),
  answerEndpoint(getRegion, async (input, { data, openJob, signal }) => {
    const scan = await openScan(data, input, openJob)
    const region = await placeOf(data, scan.assembly, input)
    const { sequence, start1, end1 } = region
    if (end1 - start1 + 1 > limits.regionBp)
      throw fieldError(['end'], 'problem.regionTooLong', { limit: limits.regionBp })
    const { rows, total } = await readRegionRows(scan, region, maxPoints, signal)
    const best = rows.reduce<AssociationHit | null>(
      (before, row) => (before === null || row.logP > before.logP ? row : before),
      null,
    )
    const lead = rows.find(({ id }) => id === input.lead) ?? best
    const set = await findLinkageSet(data, scan, input.variants)
    const doses = set === null || lead === null ? null : await readDoses(set, lead, signal)
    const r2 = set === null || doses === null ? rows.map(() => null) : await linkTo(set, doses, rows, signal)
    const genes = await data.listGenesInRegion(scan.assembly, sequence, start1, end1, maxGenes + 1)
    return {
      sequence,
      start: start1,
      end: end1,
      lead,
      total,
      rows: rows.map((row, at) => ({ ...row, r2: r2[at] === null ? null : Number(r2[at]!.toFixed(4)) })),
      linkage: set?.id ?? null,
      linkageSamples: set?.samples.length ?? 0,
      leadInVariants: doses !== null,
      genes: genes
        .slice(0, maxGenes)
        .map(({ id, symbol, description, start, end, strand }) => ({ id, symbol, description, start, end, strand })),
      genesCut: genes.length > maxGenes,
    }
  }),
  answerEndpoint(findAtLocus, async (input, { data, signal }) => {
    const assembly = await assemblyOf(data, input.assembly)
    let gene: LocusView['gene'] = null
    let asked: { sequence: string; start: number; end: number }
    if (input.gene !== undefined && input.gene !== '') {
      const found = await data.getGene(input.gene, assembly)
      const feature = found === null ? await findFeature(data, assembly, input.gene, ['gene']) : null
      if (found === null && feature === null)
        throw new PortalError('UNKNOWN_GENE', {
          message: 'problem.unknownGene',
          params: { name: input.gene, assembly },
          problems: [{ path: ['gene'], message: 'problem.unknownGene', params: { name: input.gene, assembly } }],
        })
      const { sequence, start, end } = found?.gene ?? feature!
      gene = found === null ? null : { id: found.gene.id, symbol: found.gene.symbol }
      asked = { sequence, start, end }
    } else {
      if (input.sequence === undefined || input.start === undefined) throw fieldError(['sequence'], 'problem.noLocus')
      asked = { sequence: input.sequence, start: input.start, end: input.end ?? input.start }
    }
    const { start, end } = orientLocus(asked)
    const region = await placeOf(data, assembly, {
      sequence: asked.sequence,
      start: Math.max(1, start - input.flankBp),
      end: end + input.flankBp,
    })
    const sets = await listAssociationSets(data, assembly)
    const rows: LocusView['rows'] = []
    let cut = false
    for (const set of sets) {
      const traits = new Map(set.traits.map((trait) => [trait.id, trait]))
      const own = new Map<string, LocusView['rows'][number]>()
      let read = 0
      for await (const row of readAssociations(set.path, region, null, signal)) {
        read += 1
        if (read > maxLocusRows) {
          cut = true
          break
        }
        const trait = traits.get(row.trait)
        if (trait === undefined) continue
        const passes = trait.threshold === null || row.logP >= -Math.log10(trait.threshold)
        const before = own.get(row.trait)
        if (before === undefined)
          own.set(row.trait, {
            set: set.id,
            setName: set.name,
            simulated: set.simulated,
            trait: trait.id,
            threshold: trait.threshold,
            complete: trait.complete,
            count: 1,
            significant: passes ? 1 : 0,
            best: row,
          })
        else {
          before.count += 1
          if (passes) before.significant += 1
          if (row.logP > before.best.logP) before.best = row
        }
      }
      rows.push(...own.values())
    }
    return {
      assembly,
      sequence: region.sequence,
      start: region.start1,
      end: region.end1,
      gene,
      rows: rows.sort((a, b) => b.best.logP - a.best.logP),
      traitCount: sets.reduce((sum, { traits }) => sum + traits.length, 0),
      cut,
    }
  }),
  defineRoute({
    path: 'jobs/{job}/file',
    summary:
      'A file of a run with its receipt at the head: all tests as a table, what the program wrote with the names of variants and sequences, the samples with their values',
    input: z.object({ job: jobIdSchema, name: z.enum(Object.keys(runFileNames) as [keyof typeof runFileNames]) }),
    handle: async ({ job, name }, { openJob, describeReceipt, signal }) => {
      const { directory, result, receipt } = await openJob(job)
      const parsed = resultSchema.safeParse(result)
      if (!parsed.success) throw new PortalError('NOT_FOUND')
      const { file, type } = runFileNames[name]
      const path = join(directory, file)
      await access(path).catch(() => {
        throw new PortalError('NOT_FOUND')
      })
      const { trait, samples, threshold } = parsed.data
      const lines = await describeReceipt({
        job: receipt,
        parameters: { trait, samples, threshold },
        assemblies: [parsed.data.assembly],
        steps: [],
      })
      const head = commentLines(lines)
      const body = async function* (): AsyncGenerator<Uint8Array | string> {
        // The table's own heading is its last line of comments.
        yield name.endsWith('.gz') ? await renderBgzfBlocks(Buffer.from(head)) : head
        yield* createReadStream(path, { signal }) as AsyncIterable<Uint8Array>
      }
      return { body: body(), contentType: type, fileName: name }
    },
  }),
]
