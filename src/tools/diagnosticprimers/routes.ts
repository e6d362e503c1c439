import { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import { jobIdSchema } from '../../contracts/tools/jobs.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { allPairs, renderDiagnosticOrder, renderProducts } from './order-files.ts'
import { type DiagnosticPair, resultSchema } from './tool.ts'

type Render = (pairs: readonly DiagnosticPair[], head: readonly string[]) => string
const files: Record<string, { summary: string; render: Render }> = {
  'order.tsv': {
    summary: 'Order list: name, sequence 5′ to 3′ with the tails of KASP, scale, purification',
    render: renderDiagnosticOrder,
  },
  'products.tsv': { summary: 'Predicted products of every pair in every genome', render: renderProducts },
}

/** Files of a design that is done: of all pairs, of the best, or of the suggested multiplex. */
export const routes: ToolRoute[] = Object.entries(files).map(([name, { summary, render }]) =>
  defineRoute({
    path: `jobs/{job}/${name}`,
    summary,
    input: z.object({ job: jobIdSchema, which: z.enum(['all', 'best', 'multiplex']).default('all') }),
    handle: async ({ job, which }, context) => {
      const { result, receipt } = await context.openJob(job)
      const parsed = resultSchema.safeParse(result)
      // A job of another tool has an address of this form too.
      if (!parsed.success) throw new PortalError('NOT_FOUND')
      const all = allPairs(parsed.data)
      const ranks = which === 'best' ? [1] : (parsed.data.multiplex?.ranks ?? [])
      const chosen = which === 'all' ? all : all.filter(({ rank }) => ranks.includes(rank))
      const head = await context.describeReceipt({
        job: receipt,
        parameters: { which },
        assemblies: [...new Set(chosen.map(({ assembly }) => assembly))],
        steps: [],
      })
      return { body: render(chosen, head), contentType: 'text/tab-separated-values; charset=utf-8', fileName: name }
    },
  }),
)
