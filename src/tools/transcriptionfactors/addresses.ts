import { viewPrefix } from '../../kit/ui/address-values.ts'
import tool from './tool.ts'

/** Names of the address under which it is told what is looked at before anything is run. */
export const viewNames = { assembly: `${viewPrefix}in`, family: `${viewPrefix}family` } as const
/** In the place of a family: all factors together. */
export const allFamilies = '*'

/** Address of a family, or of all families of an assembly. */
export const familyAddress = (assembly: string, family?: string): string =>
  `${tool.route}?${new URLSearchParams({
    [viewNames.assembly]: assembly,
    ...(family === undefined ? {} : { [viewNames.family]: family }),
  })}`
