import { parseBuscoSummary } from '../../bio/comparative/busco.ts'
import { type Busco, buscoKind } from '../../contracts/busco.ts'
import { filePathSchema } from '../../contracts/manifest.ts'
import { type CheckContext, defineLoader } from '../../kit/loader.ts'
import { readInputText } from '../../kit/read-input.ts'
import toolDefects from './defects.ts'

/** A summary is a page of text; more is another file. */
const maxBytes = 4_000_000

const read = async (file: string, context: CheckContext): Promise<Busco | null> => {
  const text = await readInputText(file, context, maxBytes)
  if (text === null) return null
  const summary = parseBuscoSummary(text)
  if (summary === null) context.report(toolDefects, { code: 'busco-summary', file, line: null, params: {} })
  return summary
}

export default defineLoader({
  entry: 'busco',
  scope: 'assembly',
  schema: filePathSchema.describe(
    'short_summary of BUSCO (.txt or .json) of the assembly or its proteins: shown beside it among the genomes of a species.',
  ),
  version: 1,
  bake: async (file, context): Promise<Record<string, number>> => {
    if (file === null) return {}
    const summary = await read(file, context)
    if (summary === null) return {}
    await context.addRecord({ kind: buscoKind, id: buscoKind, data: summary })
    return { [buscoKind]: 1 }
  },
})
