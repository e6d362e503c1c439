import { z } from 'zod'

/** What was done to get a result: enough to repeat it by hand and to cite it. Part of every result and every export. */
export const receiptSchema = z.object({
  tool: z.string(),
  portalVersion: z.string(),
  startedAt: z.string(),
  elapsedMs: z.number(),
  /** Programs run, in order: argument vectors with the data directory's paths shortened to names. */
  steps: z.array(
    z.object({
      program: z.string(),
      version: z.string(),
      command: z.array(z.string()).optional(),
      formula: z.string().optional(),
      elapsedMs: z.number().optional(),
    }),
  ),
  data: z.array(z.object({ assembly: z.string(), bundle: z.string(), checksum: z.string() })),
  parameters: z.record(z.string(), z.unknown()),
  citations: z.array(z.object({ text: z.string(), doi: z.string().optional() })),
})
export type Receipt = z.infer<typeof receiptSchema>
