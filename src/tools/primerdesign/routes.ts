import { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import { jobIdSchema } from '../../contracts/tools/jobs.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { type ChosenPair, renderBed, renderGff3, renderPairOrder, renderPrimerFasta } from './order-files.ts'
import { resultSchema } from './tool.ts'

const files = {
  'order.tsv': {
    summary: 'Order list: name, sequence 5′ to 3′, scale, purification',
    type: 'text/tab-separated-values',
    render: renderPairOrder,
  },
  'primers.fa': {
    summary: 'Primers as FASTA',
    type: 'text/x-fasta',
    render: renderPrimerFasta,
  },
  'primers.gff3': { summary: 'Products and primers as GFF3', type: 'text/x-gff3', render: renderGff3 },
  'primers.bed': { summary: 'Primers as BED', type: 'text/x-bed', render: renderBed },
} as const satisfies Record<
  string,
  { summary: string; type: string; render: (chosen: readonly ChosenPair[], head: readonly string[]) => string }
>

const fileNames = Object.keys(files) as (keyof typeof files)[]

/** Files of a design that is done: of all pairs, or of the best pair of each template. */
export const routes: ToolRoute[] = fileNames.map((name) => {
  const { summary, type } = files[name]
  const render: (chosen: readonly ChosenPair[], head: readonly string[]) => string = files[name].render
  return defineRoute({
    path: `jobs/{job}/${name}`,
    summary,
    input: z.object({ job: jobIdSchema, which: z.enum(['all', 'best']).default('all') }),
    handle: async ({ job, which }, context) => {
      const { result, receipt } = await context.openJob(job)
      const parsed = resultSchema.safeParse(result)
      // A job of another tool has an address of this form too.
      if (!parsed.success) throw new PortalError('NOT_FOUND')
      const chosen = parsed.data.designs.flatMap((design) =>
        (which === 'best' ? design.pairs.slice(0, 1) : design.pairs).map((pair) => ({ design, pair })),
      )
      const head = await context.describeReceipt({
        job: receipt,
        parameters: { which },
        assemblies: [...new Set(chosen.flatMap(({ design }) => design.assembly ?? []))],
        steps: [],
      })
      return { body: render(chosen, head), contentType: `${type}; charset=utf-8`, fileName: name }
    },
  })
})
