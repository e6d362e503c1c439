import { join } from 'node:path'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { ToolRouteContext } from '../../kit/engine.ts'
import { type BakedSweeps, tableKind } from './baked-table.ts'
import type { Series } from './series.ts'
import { resultSchema } from './tool.ts'
import { readWindowFile, type WindowTable, windowFile } from './window-table.ts'

export interface OpenWindows {
  assembly: string
  series: Series[]
  table: WindowTable
}

/** Windows of a job or of a loaded table, whichever is named. */
export const openSource = async (
  source: { job?: string | undefined; assembly?: string | undefined; table?: string | undefined },
  context: Pick<ToolRouteContext, 'data' | 'openJob'>,
): Promise<OpenWindows> => {
  if (source.job !== undefined) {
    const { directory, result } = await context.openJob(source.job)
    const parsed = resultSchema.safeParse(result)
    // A job of another tool has an address of this form too.
    if (!parsed.success) throw new PortalError('NOT_FOUND')
    const { assembly, series } = parsed.data
    return { assembly, series, table: await readWindowFile(join(directory, windowFile)) }
  }
  if (source.assembly === undefined || source.table === undefined) throw fieldError(['job'], 'source.needed')
  const { id } = await context.data.getAssembly(source.assembly)
  const baked = await context.data.getRecord<BakedSweeps>(tableKind, source.table, { assembly: id })
  if (baked === null) throw new PortalError('NOT_FOUND')
  const directory = await context.data.bundleDirectory(id)
  return { assembly: id, series: baked.series, table: await readWindowFile(join(directory, baked.file)) }
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
