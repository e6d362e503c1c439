import { z } from 'zod'
import type { manifestDefects } from './manifest-defects.ts'

/** A wrong entry of a manifest, for the catalogue of defects; `path` leads to the entry. */
export interface ManifestProblem {
  code: keyof typeof manifestDefects
  path: PropertyKey[]
  params: Record<string, string>
}

type Issue = z.core.$ZodIssue

const inChinese = z.locales.zhCN().localeError
/** What schemas say of themselves, in Chinese. */
const ownRules: Record<string, string> = {
  'lower-case letters, digits and dashes': '只能用小写字母、数字与连字符',
  'letters, digits, dot, dash and underscore': '只能用字母、数字、点、连字符与下划线',
  'name a file, or say what to find': '请给出文件（file），或注明要寻找什么（find）',
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (at === null || typeof at !== 'object' ? undefined : Reflect.get(at, key)), value)

/** Names of what was written and of what is expected, as words of both languages (bio/text/defects.ts). */
const kinds: Record<string, string> = {
  string: '@yaml-text',
  number: '@yaml-number',
  int: '@yaml-number',
  boolean: '@yaml-truth',
  array: '@yaml-list',
  object: '@yaml-entries',
  record: '@yaml-entries',
}
const kindOf = (value: unknown): string =>
  value === null ? '@yaml-nothing' : (kinds[Array.isArray(value) ? 'array' : typeof value] ?? typeof value)

/** Alternatives of a text for readers: one string, or both languages. */
const isText = (issue: Extract<Issue, { code: 'invalid_union' }>): boolean =>
  issue.errors.some((errors) => errors.some((one) => one.code === 'invalid_type' && one.expected === 'string')) &&
  issue.errors.some((errors) =>
    errors.some(
      (one) =>
        (one.code === 'invalid_type' && one.expected === 'object') || one.path[0] === 'en' || one.path[0] === 'zh',
    ),
  )

/** Names by how many letters they differ: `genom` and `genome` by one. */
const letterDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

/** Entries that may stand at a path, by the manifest's JSON Schema. */
const namesAt = (schema: JsonSchema, path: readonly PropertyKey[]): string[] => {
  let places = [schema]
  const alternatives = (one: JsonSchema): JsonSchema[] => [one, ...(one.anyOf ?? []).flatMap(alternatives)]
  for (const key of path)
    places = places
      .flatMap(alternatives)
      .flatMap((one) => (typeof key === 'number' ? one.items : one.properties?.[String(key)]) ?? [])
  return [...new Set(places.flatMap(alternatives).flatMap((one) => Object.keys(one.properties ?? {})))]
}

const describe = (issue: Issue, path: PropertyKey[], manifest: unknown, schema: JsonSchema): ManifestProblem[] => {
  const entry = path.map(String).join('.') || '/'
  const value = valueAt(manifest, path)
  if (value === undefined && issue.code !== 'custom')
    return [{ code: 'manifest-entry-missing', path, params: { entry } }]
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = namesAt(schema, path)
      return issue.keys.map((key): ManifestProblem => {
        const own = [...path, key]
        const nearest = known
          .map((name) => ({ name, apart: letterDistance(key.toLowerCase(), name.toLowerCase()) }))
          .sort((a, b) => a.apart - b.apart)[0]
        // A third of the letters may be wrong.
        if (nearest !== undefined && 3 * nearest.apart <= nearest.name.length)
          return {
            code: 'manifest-entry-misspelt',
            path: own,
            params: { entry: own.map(String).join('.'), name: nearest.name },
          }
        return { code: 'manifest-entry-unknown', path: own, params: { entry: own.map(String).join('.') } }
      })
    }
    case 'invalid_union': {
      // The alternative of the kind that was written says what is wrong with it.
      const meant = issue.errors.find((errors) =>
        errors.every((one) => one.path.length > 0 || one.code !== 'invalid_type'),
      )
      if (meant !== undefined && meant.length > 0)
        return meant.flatMap((one) => describe(one, [...path, ...one.path], manifest, schema))
      const first = issue.errors.flat().find((one) => one.code === 'invalid_type')
      const expected = isText(issue) ? '@yaml-text-for-readers' : (kinds[first?.expected ?? ''] ?? '?')
      return [{ code: 'manifest-entry-kind', path, params: { entry, expected, found: kindOf(value) } }]
    }
    case 'invalid_type':
      return [
        {
          code: 'manifest-entry-kind',
          path,
          params: { entry, expected: kinds[issue.expected] ?? issue.expected, found: kindOf(value) },
        },
      ]
    case 'invalid_value':
      return [{ code: 'manifest-entry-choice', path, params: { entry, values: issue.values.map(String).join(', ') } }]
    default: {
      const reported = inChinese(issue as Parameters<typeof inChinese>[0])
      const chinese = typeof reported === 'string' ? reported : reported?.message
      const own = issue.code === 'custom' || issue.code === 'invalid_format'
      return [
        {
          code: 'manifest-entry-rule',
          path,
          params: {
            entry,
            reason: issue.message,
            reasonZh: own ? (ownRules[issue.message] ?? issue.message) : (chinese ?? issue.message),
          },
        },
      ]
    }
  }
}

/**
 * What is wrong with a manifest, for people: which entry is missing, unknown (and what may have been meant), or of another kind.
 * `manifest` is what was read from the YAML, `schema` its JSON Schema.
 *
 * Example: of `{assemblies: [{id: 'A', genom: 'a.fa'}]}` that `assemblies.0.genome` is missing, and that `assemblies.0.genom` is not
 * known, `genome` may be meant.
 */
export const describeManifestIssues = (
  issues: readonly Issue[],
  manifest: unknown,
  schema: Record<string, unknown>,
): ManifestProblem[] => issues.flatMap((issue) => describe(issue, issue.path, manifest, schema as JsonSchema))
