import { z } from 'zod'
import { type Defect, defectText } from '../../bio/text/defects.ts'
import type { getLoad } from '../../contracts/accounts/admin.ts'
import type { Language } from '../../contracts/text.ts'
import { readDefectCatalogue } from '../../loader/defect-catalogue.ts'

const toldDefects = 200

/** What the row of a load keeps: the loader's report, or no more than why there is none. */
const storedSchema = z.object({
  failure: z.string().nullable().default(null),
  interrupted: z.boolean().default(false),
  defects: z
    .array(
      z.object({
        code: z.string(),
        severity: z.enum(['error', 'repair', 'warning']),
        file: z.string(),
        line: z.number().nullable(),
        params: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    )
    .default([]),
  totals: z.array(z.object({ severity: z.string(), count: z.number() })).default([]),
})

type ToldReport = z.infer<(typeof getLoad)['output']>['report']

/** The report of a load in the reader's language; null of one that has none. */
export const reportIn = async (stored: unknown, language: Language): Promise<ToldReport> => {
  const report = storedSchema.safeParse(stored).data
  if (report === undefined) return null
  const catalogue = await readDefectCatalogue()
  const totals: Record<string, number> = {}
  for (const { severity, count } of report.totals) totals[severity] = (totals[severity] ?? 0) + count
  // A load of an earlier version may name what is told no more.
  const textOf = (defect: Defect): string =>
    catalogue[defect.code] === undefined ? defect.code : defectText(defect, catalogue, language)
  return {
    failure: report.failure,
    interrupted: report.interrupted,
    defects: report.defects
      .slice(0, toldDefects)
      .map((defect) => ({ severity: defect.severity, file: defect.file, line: defect.line, text: textOf(defect) })),
    totals,
  }
}
