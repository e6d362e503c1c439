/** Limits that a deployment sets otherwise than the tools do: by tool, then by the limit's name. */
export type LimitSettings = Record<string, Record<string, number>>

let settings: LimitSettings = {}
const stated = new Map<string, { own: Record<string, number>; inForce: Record<string, number> }>()

/**
 * Sets the limits of this deployment. Schemas hold their bounds from the moment a tool's module is read, so this comes before the
 * first tool is imported, once in every process and page; throws when a tool has been read with another value already.
 */
export const setToolLimits = (given: LimitSettings): void => {
  settings = given
  for (const [tool, { own, inForce }] of stated)
    for (const [name, value] of Object.entries(own))
      if ((given[tool]?.[name] ?? value) !== inForce[name])
        throw new Error(`The limit ${name} of ${tool} was set after the tool had been read.`)
}

/**
 * States the limits of a tool, with the values they have where the deployment says nothing else; gives back those in force.
 * A tool uses only these: in its schema, its engine and its form.
 *
 * Example: after `setToolLimits({blast: {queries: 500}})`, `defineLimits('blast', {queries: 100, databases: 24})` is
 * `{queries: 500, databases: 24}`.
 */
export const defineLimits = <Name extends string>(
  tool: string,
  own: Record<Name, number>,
): Readonly<Record<Name, number>> => {
  const inForce = { ...own }
  for (const name of Object.keys(own) as Name[]) inForce[name] = settings[tool]?.[name] ?? own[name]
  stated.set(tool, { own, inForce })
  return inForce
}

/** How many times greater than the tools' own the most raised limit is; at least 1. Bodies of requests may grow as much. */
export const findGreatestRaise = (): number =>
  Math.max(
    1,
    ...[...stated.values()].flatMap(({ own, inForce }) =>
      Object.entries(own).map(([name, value]) => inForce[name]! / value),
    ),
  )
