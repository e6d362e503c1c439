import { geneModelDefects } from '../gene-model-defects.ts'
import type { GeneModelOptions } from '../gene-models.ts'
import type { TakenIds } from './gene-model-store.ts'

/** Gives a feature the id wanted, else as the file writes it, else a numbered one, which is reported. */
export function takeId(
  { log, file }: GeneModelOptions,
  taken: TakenIds,
  wanted: string,
  raw: string,
  type: string,
  line: number,
): string {
  if (!taken.has(wanted)) {
    taken.set(wanted, line)
    return wanted
  }
  if (raw !== wanted && !taken.has(raw)) {
    taken.set(raw, line)
    return raw
  }
  let number = 2
  while (taken.has(`${wanted}_dup${number}`)) number++
  const renamed = `${wanted}_dup${number}`
  log.report(geneModelDefects, 'model-duplicate-renamed', file, line, {
    type,
    id: wanted,
    firstLine: taken.get(wanted)!,
    renamed,
  })
  taken.set(renamed, line)
  return renamed
}
