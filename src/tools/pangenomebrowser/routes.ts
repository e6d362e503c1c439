import { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import { orientLocus } from '../../contracts/region.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { describeAlignedGraph } from './aligned-graph.ts'
import { getOverview, listAlignedSegments, listGraphs, listStructuralVariants } from './endpoints.ts'
import { describeGraph, listStoredGraphs } from './read-graph.ts'
import { overviewKind, type StoredOverview } from './stored.ts'
import type { GraphAbout } from './tool.ts'

/** Spans of whole chromosomes are many: a longer region is asked for in parts. */
const spanLimitBp = 20_000_000

/** Those that were loaded, then the one that is made of alignments. */
const listAllGraphs = async (data: PortalData, assembly: string): Promise<GraphAbout[]> => {
  const made = await describeAlignedGraph(data, assembly)
  return [...(await listStoredGraphs(data, assembly)).map(describeGraph), ...(made === null ? [] : [made])]
}

export const routes: ToolRoute[] = [
  answerEndpoint(listGraphs, async ({ assembly }, { data }) => ({
    graphs: await listAllGraphs(data, (await data.getAssembly(assembly)).id),
  })),
  answerEndpoint(getOverview, async ({ assembly, graph, sequence }, { data }) => {
    const { id } = await data.getAssembly(assembly)
    const { name } = await data.getSequence(id, sequence)
    const records = await data.listRecords<StoredOverview>(overviewKind, { assembly: id })
    return {
      segments: records
        .filter((record) => record.id.startsWith(`${graph}/`) && record.data.sequence === name)
        .map(({ data: { binBp, start0, samples } }) => ({ binBp, start0, samples })),
    }
  }),
  answerEndpoint(
    listStructuralVariants,
    async ({ assembly, sequence, start: from, end: to, limit, class: kind, minBp, carrier }, { data }) => {
      const { start, end } = orientLocus({ start: from, end: to })
      return data.alignments.listVariants({ assembly, sequence, start1: start, end1: end }, limit, {
        ...(kind === undefined ? {} : { classes: [kind] }),
        ...(minBp === undefined ? {} : { minBp }),
        ...(carrier === undefined ? {} : { carriers: [carrier] }),
      })
    },
  ),
  answerEndpoint(listAlignedSegments, async ({ assembly, sequence, ...asked }, { data }) => {
    const { start, end } = orientLocus(asked)
    if (end - start >= spanLimitBp)
      throw new PortalError('TOO_LARGE', { message: 'alignment.regionLong', params: { limit: spanLimitBp } })
    if ((await data.alignments.getState(assembly)) === null) return { aligned: false, assemblies: [] }
    return {
      aligned: true,
      assemblies: await data.alignments.listSpans({ assembly, sequence, start1: start, end1: end }),
    }
  }),
  defineRoute({
    path: 'structural-variants.vcf.gz',
    summary: 'All structural variants of a species as VCF (BGZF)',
    input: z.object({ assembly: z.string().min(1).max(64) }),
    handle: async ({ assembly }, { data }) => {
      await data.getAssembly(assembly)
      const file = await data.alignments.variantFile(assembly)
      if (file === null) throw new PortalError('TOOL_UNAVAILABLE', { message: 'alignment.none', params: { assembly } })
      return { file: file.path, contentType: 'application/gzip', fileName: file.name }
    },
  }),
]
