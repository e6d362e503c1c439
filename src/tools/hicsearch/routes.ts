import type { PortalData } from '../../kit/data/portal-data.ts'
import type { ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { listContactMaps } from './endpoints.ts'
import { listMaps } from './map/open-map.ts'
import { listSignals } from './read-signal.ts'
import type { BakedContacts } from './stored.ts'

/** A well described gene on the map, else the middle of its longest chromosome. */
const findExample = async (
  data: PortalData,
  assembly: string,
  map: BakedContacts | undefined,
): Promise<string | null> => {
  if (map === undefined) return null
  const { exampleGenes } = await data.getAssembly(assembly)
  const placed = map.chromosomes.filter(({ sequence }) => sequence !== null)
  const gene = exampleGenes.find(({ sequence }) => placed.some((one) => one.sequence === sequence))
  if (gene !== undefined) return gene.id
  const longest = [...placed].sort((a, b) => b.lengthBp - a.lengthBp)[0]
  if (longest === undefined) return null
  const binBp = map.resolutions[0]!.binBp
  const start = Math.floor(longest.lengthBp / 2 / binBp) * binBp + 1
  return `${longest.sequence}:${start}..${Math.min(longest.lengthBp, start + binBp - 1)}`
}

export const routes: ToolRoute[] = [
  answerEndpoint(listContactMaps, async ({ assembly }, { data }) => {
    const maps = await listMaps(data, assembly)
    const signals = await listSignals(data, assembly)
    return {
      maps,
      signals: signals.map(({ id, name, simulated }) => ({ id, name, simulated })),
      example: await findExample(data, assembly, maps[0]),
    }
  }),
]
