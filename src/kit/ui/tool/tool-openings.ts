import { writeRegion } from '../../../bio/sequence/region.ts'
import type { OpenTarget, OpenValues, ToolOpening } from '../../../contracts/tools/tool.ts'
import { useLanguage } from '../language.tsx'
import { useAssemblies } from '../portal-data.ts'
import { type ListedTool, useAvailableTools } from './tool-list.ts'

const fill = (template: unknown, values: Record<string, string | number | undefined>): unknown => {
  if (typeof template === 'string')
    return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
  if (Array.isArray(template)) return template.map((item) => fill(item, values))
  if (typeof template === 'object' && template !== null)
    return Object.fromEntries(Object.entries(template).map(([name, item]) => [name, fill(item, values)]))
  return template
}

/** Values with `region`: the segment in one text, as every tool reads it back, with its strand. */
const withRegion = (
  values: Record<string, string | number | undefined>,
): Record<string, string | number | undefined> =>
  values.sequence === undefined || values.start === undefined || values.end === undefined
    ? values
    : {
        ...values,
        region: writeRegion({
          sequenceName: String(values.sequence),
          start1: Number(values.start),
          end1: Number(values.end),
          strand: values.strand === '-' ? '-' : '+',
        }),
      }

/** The fields of the tool's input that the opening fills in; those that come out empty are left out. */
export const openingFields = <Target extends OpenTarget>(
  opening: ToolOpening & { target: Target },
  values: OpenValues<Target>,
): [string, unknown][] =>
  Object.entries(opening.query)
    .map(([name, template]): [string, unknown] => [name, fill(template, withRegion(values))])
    .filter(([, filled]) => filled !== '')

/**
 * Address of a tool with a thing filled in as the tool says. Example: with the route `/tools/cut` and the query
 * `{ assembly: '{assembly}', loc: '{region}' }` the region chrI:1..9 of R64 is `/tools/cut?assembly=R64&loc=chrI%3A1..9`.
 */
export const openingAddress = <Target extends OpenTarget>(
  route: string,
  opening: ToolOpening & { target: Target },
  values: OpenValues<Target>,
  options: { run?: boolean } = {},
): string => {
  const query = new URLSearchParams()
  // As schema-fields.ts reads structures.
  for (const [name, filled] of openingFields(opening, values))
    query.set(name, typeof filled === 'string' ? filled : `~${JSON.stringify(filled)}`)
  if (options.run === true && opening.run === true) query.set('run', '1')
  return `${route}?${query}`
}

export interface Opening<Target extends OpenTarget> {
  tool: ListedTool
  look: 'primary' | 'default'
  /** In the reader's language. */
  label: string
  /** With `run` the tool's form is run at once, where the tool allows it. */
  address(values: OpenValues<Target>, options?: { run?: boolean }): string
  /** The same as what a program hands over. */
  input(values: OpenValues<Target>): Record<string, unknown>
}

/** The tools of this portal that a thing can be opened in, in their order; of an assembly those alone whose data it has. */
export const useOpenings = <Target extends OpenTarget>(target: Target, assembly?: string): Opening<Target>[] => {
  const language = useLanguage()
  const loaded = useAssemblies().find(({ id }) => id === assembly)?.dataTypes
  return useAvailableTools().flatMap((tool) =>
    tool.opens
      .filter((opening) => opening.target === target)
      .filter(() => loaded === undefined || tool.dataNeeds.every((type) => (loaded[type] ?? 0) > 0))
      .map((opening) => ({
        tool,
        look: opening.look ?? 'default',
        label: opening.label[language],
        address: (values, options) => openingAddress(tool.route, { ...opening, target }, values, options),
        input: (values) => Object.fromEntries(openingFields({ ...opening, target }, values)),
      })),
  )
}
