import { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import { orientLocus } from '../../contracts/region.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { listAlignedSegments, listStructuralVariants } from './alignment-endpoints.ts'

/** Spans of whole chromosomes are many: a longer region is asked for in parts. */
const spanLimitBp = 20_000_000

/** What the alignments of a species' assemblies to its reference tell. */
export const alignmentRoutes: ToolRoute[] = [
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
