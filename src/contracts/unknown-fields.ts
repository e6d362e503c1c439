import type { z } from 'zod'
import { countSlips } from '../bio/text/spelling.ts'
import { isRecord } from './canonical-json.ts'

/** A field of an input that its schema does not have. */
interface UnknownField {
  path: (string | number)[]
  /** The known field that it is likely meant for; null where none is alike. */
  near: string | null
}

/** Most that are told at once. */
const maxReported = 20

/** The same before it is compared with what there is. */
interface Stranger {
  path: (string | number)[]
  name: string
  /** Fields that there are beside it. */
  known: readonly string[]
}

interface Def {
  type: string
  shape?: Record<string, z.ZodType>
  catchall?: z.ZodType
  element?: z.ZodType
  items?: z.ZodType[]
  rest?: z.ZodType | null
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: z.ZodType[]
  left?: z.ZodType
  right?: z.ZodType
  valueType?: z.ZodType
  getter?: () => z.ZodType
}

const defOf = (schema: z.ZodType): Def => (schema as unknown as { _zod: { def: Def } })._zod.def

/** The schemas that a value of a schema may be read by, without what only wraps them. */
const unwrap = (schema: z.ZodType): z.ZodType => {
  const def = defOf(schema)
  if (def.innerType !== undefined) return unwrap(def.innerType)
  if (def.type === 'lazy' && def.getter !== undefined) return unwrap(def.getter())
  // Of a pipe the first part is what is given, save where it only prepares the value for the second.
  if (def.type === 'pipe' && def.in !== undefined && def.out !== undefined)
    return unwrap(defOf(def.in).type === 'transform' ? def.out : def.in)
  return schema
}

/** Whether a value of the schema can have fields at all: a list of ten thousand names is not walked through. */
const mayHaveFields = (schema: z.ZodType, within: ReadonlySet<z.ZodType> = new Set()): boolean => {
  const bare = unwrap(schema)
  if (within.has(bare)) return true
  const def = defOf(bare)
  const inner = [def.element, def.rest ?? undefined, def.valueType, def.left, def.right]
  const parts = [...inner, ...(def.items ?? []), ...(def.options ?? [])].filter((one) => one !== undefined)
  return def.type === 'object' || parts.some((one) => mayHaveFields(one, new Set([...within, bare])))
}
const fieldsKnown = new WeakMap<z.ZodType, boolean>()
const hasFields = (schema: z.ZodType): boolean => {
  const known = fieldsKnown.get(schema) ?? mayHaveFields(schema)
  fieldsKnown.set(schema, known)
  return known
}

/** The field that a name is likely meant for: at most a third of its letters are slips, case aside. */
const nearest = (name: string, known: readonly string[]): string | null => {
  const typed = name.slice(0, 60)
  const [best] = known
    .map((field) => ({ field, slips: countSlips(typed.toLowerCase(), field.toLowerCase()) }))
    .sort(
      (a, b) => a.slips - b.slips || Math.abs(a.field.length - typed.length) - Math.abs(b.field.length - typed.length),
    )
  if (best === undefined) return null
  return best.slips <= Math.max(1, Math.ceil(Math.max(typed.length, best.field.length) / 3)) ? best.field : null
}

const walk = (schema: z.ZodType, value: unknown, path: (string | number)[], found: Stranger[]): void => {
  if (found.length >= maxReported || typeof value !== 'object' || value === null || !hasFields(schema)) return
  const bare = unwrap(schema)
  const def = defOf(bare)
  switch (def.type) {
    case 'object': {
      if (!isRecord(value)) return
      const shape = def.shape ?? {}
      const known = Object.keys(shape)
      const open = def.catchall !== undefined && defOf(def.catchall).type !== 'never'
      for (const [name, item] of Object.entries(value)) {
        const own = Object.hasOwn(shape, name) ? shape[name] : undefined
        if (own !== undefined) walk(own, item, [...path, name], found)
        // What a form leaves out is not there.
        else if (!open && item !== undefined) found.push({ path: [...path, name], name, known })
      }
      return
    }
    case 'array':
    case 'set':
      if (Array.isArray(value) && def.element !== undefined)
        for (const [at, item] of value.entries()) walk(def.element, item, [...path, at], found)
      return
    case 'tuple':
      if (Array.isArray(value))
        for (const [at, item] of value.entries()) {
          const part = def.items?.[at] ?? def.rest
          if (part !== undefined && part !== null) walk(part, item, [...path, at], found)
        }
      return
    case 'record':
      if (isRecord(value) && def.valueType !== undefined)
        for (const [name, item] of Object.entries(value)) walk(def.valueType, item, [...path, name], found)
      return
    case 'union': {
      // Of several shapes the one that is meant: it takes the value, or else has the fewest strangers.
      const readings = (def.options ?? []).map((option) => {
        const strangers: Stranger[] = []
        walk(option, value, path, strangers)
        return { strangers, fits: option.safeParse(value).success }
      })
      readings.sort((a, b) => Number(b.fits) - Number(a.fits) || a.strangers.length - b.strangers.length)
      found.push(...(readings[0]?.strangers ?? []))
      return
    }
    case 'intersection': {
      const [left, right]: [Stranger[], Stranger[]] = [[], []]
      if (def.left !== undefined) walk(def.left, value, path, left)
      if (def.right !== undefined) walk(def.right, value, path, right)
      const ofRight = new Map(right.map((one) => [JSON.stringify(one.path), one]))
      for (const one of left) {
        const other = ofRight.get(JSON.stringify(one.path))
        if (other !== undefined) found.push({ ...one, known: [...one.known, ...other.known] })
      }
      return
    }
  }
}

/**
 * The fields of an input, at any depth, that its schema does not have. zod passes over them unless each object says otherwise, and a
 * mistyped `regoin` would be answered with the whole genome. Bounded: the first twenty.
 */
export const findUnknownFields = (schema: z.ZodType, input: unknown): UnknownField[] => {
  const found: Stranger[] = []
  walk(schema, input, [], found)
  // Only those that are told are compared: of a body of a hundred thousand strangers it would take minutes.
  return found.slice(0, maxReported).map(({ path, name, known }) => ({ path, near: nearest(name, known) }))
}
