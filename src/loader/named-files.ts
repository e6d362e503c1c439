import type { z } from 'zod'
import { isFilePath, isFolderPath } from '../contracts/manifest.ts'

/** A file that a value of the manifest names, and where it stands in that value. */
export interface NamedFile {
  path: (string | number)[]
  file: string
}

/** A schema as this walk needs it: what it is made of. */
interface Made {
  type: string
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  element?: z.core.$ZodType
  items?: z.core.$ZodType[]
  rest?: z.core.$ZodType | null
  shape?: Record<string, z.core.$ZodType>
  valueType?: z.core.$ZodType
  options?: z.core.$ZodType[]
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * Every file that a checked value names, by its schema: a text is a file where the schema says `filePathSchema` and nowhere else,
 * whatever its key. Of alternatives the first that the value fits counts.
 *
 * Example: of `{file: 'a.csv', missing: ['-9']}` under the schema of `phenotypes` that `file` is `a.csv`.
 */
export const listNamedFiles = (schema: z.core.$ZodType, value: unknown): NamedFile[] =>
  listNamed(schema, value, isFilePath, [])

/** Every folder that a checked value names, in the same way. */
export const listNamedFolders = (schema: z.core.$ZodType, value: unknown): NamedFile[] =>
  listNamed(schema, value, isFolderPath, [])

const listNamed = (
  schema: z.core.$ZodType,
  value: unknown,
  isPath: (schema: z.core.$ZodType) => boolean,
  path: (string | number)[],
): NamedFile[] => {
  if (value === undefined || value === null) return []
  if (isPath(schema)) return typeof value === 'string' ? [{ path, file: value }] : []
  const made = schema._zod.def as unknown as Made
  const within = (inner: z.core.$ZodType | null | undefined, item: unknown, key: string | number): NamedFile[] =>
    inner ? listNamed(inner, item, isPath, [...path, key]) : []
  switch (made.type) {
    case 'array':
      return Array.isArray(value) ? value.flatMap((item, at) => within(made.element, item, at)) : []
    case 'tuple':
      return Array.isArray(value) ? value.flatMap((item, at) => within(made.items?.[at] ?? made.rest, item, at)) : []
    case 'object':
      return isMap(value) ? Object.entries(value).flatMap(([key, item]) => within(made.shape?.[key], item, key)) : []
    case 'record':
      return isMap(value) ? Object.entries(value).flatMap(([key, item]) => within(made.valueType, item, key)) : []
    case 'union': {
      const fitting = made.options?.find((option) => (option as z.ZodType).safeParse(value).success)
      return fitting === undefined ? [] : listNamed(fitting, value, isPath, path)
    }
    default: {
      const inner = made.innerType ?? made.in
      return inner === undefined ? [] : listNamed(inner, value, isPath, path)
    }
  }
}
