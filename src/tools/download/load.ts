import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { filePathSchema } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { type BakeContext, defineLoader } from '../../kit/loader.ts'
import { publicFileName } from '../../kit/public-file-name.ts'

const downloadsSchema = z.array(
  z
    .object({
      file: filePathSchema,
      title: localizedTextSchema,
      description: localizedTextSchema.optional(),
      licence: z.string().max(200).optional(),
      simulated: z.boolean().optional(),
    })
    .strict(),
)
type Downloads = z.output<typeof downloadsSchema>

const bake = async (value: Downloads | null, context: BakeContext): Promise<Record<string, number>> => {
  const taken = new Set<string>()
  for (const entry of value ?? []) {
    const name = publicFileName(entry.file, taken)
    await copyFile(await context.resolveFile(entry.file), join(context.directory, name))
    context.addFile(name, {
      kind: 'other',
      download: {
        title: entry.title,
        description: entry.description,
        licence: entry.licence ?? context.licence,
        simulated: entry.simulated ?? context.simulated,
      },
    })
  }
  return value === null ? {} : { downloads: value.length }
}

/** Files that a lab offers for download, with an assembly or with the species as a whole. */
export default [
  defineLoader({ entry: 'downloads', scope: 'assembly', schema: downloadsSchema, version: 1, bake }),
  defineLoader({ entry: 'downloads', scope: 'species', schema: downloadsSchema, version: 1, bake }),
]
