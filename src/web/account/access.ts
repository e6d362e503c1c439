import type { CurrentUser } from '../../contracts/accounts/auth.ts'

/** Names that a route may carry, each true, or a function that says so (portal specification, section 6). */
export type AccessMap = Record<string, boolean | ((route: { path?: string }) => boolean)>

/** A user is admin when the name is admin or the access is. */
export const accessOf = (user: CurrentUser | null): AccessMap => {
  const canAdmin = user !== null && (user.username === 'admin' || user.access === 'admin')
  return { canAdmin, canUse: user !== null && user.access !== 'visitor' }
}

/**
 * Whether the map allows a route with this access name; no name allows everybody. Throws when the name is no string,
 * as the specification asks: `allows({canAdmin: true}, 'canAdmin')` is true, an unknown name is false.
 */
export const allows = (map: AccessMap, access: unknown, route: { path?: string } = {}): boolean => {
  if (access === undefined || access === null) return true
  if (typeof access !== 'string') throw new TypeError('The access of a route must be a string')
  const rule = map[access]
  return typeof rule === 'function' ? rule(route) === true : rule === true
}

export interface AccessRoute {
  path?: string
  access?: unknown
  children?: AccessRoute[]
}

/** A route is accessible when its own name is allowed and, where it has children, at least one of them is. */
export const isAccessible = (map: AccessMap, route: AccessRoute): boolean =>
  allows(map, route.access, route) &&
  (route.children === undefined ||
    route.children.length === 0 ||
    route.children.some((child) => isAccessible(map, child)))
