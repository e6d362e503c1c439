import { join } from 'node:path'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import type { ToolRouteContext } from '../../kit/engine.ts'
import type { Series } from './series.ts'
import { type BakedSweeps, tableKind } from './stored.ts'
import { resultSchema, type SweepResult } from './tool.ts'
import { readWindowFile, type WindowTable, windowFile } from './window-table.ts'

export interface OpenWindows {
  assembly: string
  series: Series[]
  table: WindowTable
  /** What was computed here, or what was loaded. */
  of: { job: Receipt; populations: SweepResult['populations'] } | { loaded: BakedSweeps }
}

/** Windows of a job or of a loaded table, whichever is named. */
export const openSource = async (
  source: { job?: string | undefined; assembly?: string | undefined; table?: string | undefined },
  context: Pick<ToolRouteContext, 'data' | 'openJob'>,
): Promise<OpenWindows> => {
  if (source.job !== undefined) {
    const { directory, result, receipt } = await context.openJob(source.job)
    const parsed = resultSchema.safeParse(result)
    // A job of another tool has an address of this form too.
    if (!parsed.success) throw new PortalError('NOT_FOUND')
    const { assembly, series, populations } = parsed.data
    const table = await readWindowFile(join(directory, windowFile))
    return { assembly, series, table, of: { job: receipt, populations } }
  }
  if (source.assembly === undefined || source.table === undefined) throw fieldError(['job'], 'source.needed')
  const { id } = await context.data.getAssembly(source.assembly)
  const baked = await context.data.getRecord<BakedSweeps>(tableKind, source.table, { assembly: id })
  if (baked === null) throw new PortalError('NOT_FOUND')
  const file = await context.data.bundleFile(id, baked.file)
  if (file === null) throw new PortalError('NOT_FOUND')
  const table = await readWindowFile(file)
  return { assembly: id, series: baked.series, table, of: { loaded: baked } }
}

/** Number of a series in the table; throws beside the field that names it. */
export const findSeries = (
  { series, table }: OpenWindows,
  key: string,
  field: string,
): { at: number; about: Series } => {
  const at = table.keys.indexOf(key)
  const about = series.find((one) => one.key === key)
  if (at < 0 || about === undefined) throw fieldError([field], 'series.unknown', { key, known: table.keys.join(', ') })
  return { at, about }
}
