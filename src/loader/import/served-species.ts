import { findLoadFolder, listActiveSpecies } from '../../database/catalogue.ts'
import type { Sql } from '../../database/connect.ts'
import type { Question, SpeciesPlan } from './compose.ts'
import { toSpeciesId } from './names.ts'

/** A species in service, by what an import under its id would take the place of. */
export interface ServedSpecies {
  /** The one that it was loaded from. */
  folder: string | null
  assemblies: string[]
}

export const listServedSpecies = async (sql: Sql): Promise<Map<string, ServedSpecies>> => {
  const served = new Map<string, ServedSpecies>()
  for (const { id, bundles } of await listActiveSpecies(sql))
    served.set(id, {
      folder: (await findLoadFolder(sql, id))?.folder ?? null,
      assemblies: bundles.flatMap(({ assembly }) => assembly ?? []),
    })
  return served
}

const isWithin = (served: ServedSpecies, { assemblies }: SpeciesPlan): boolean =>
  served.assemblies.every((id) => assemblies.some((one) => one.id === id))

/**
 * What a person is asked of a plan that would take assemblies out of service that are none of its own: another strain of a species, from
 * another folder. Null where it takes none.
 */
export const replacementQuestion = (
  plan: SpeciesPlan,
  folder: string,
  all: ReadonlyMap<string, ServedSpecies>,
): Question | null => {
  const served = all.get(plan.id)
  // Whoever imports the same folder again has taken them out of it.
  if (served === undefined || served.folder === folder || isWithin(served, plan)) return null
  const lost = served.assemblies.filter((id) => plan.assemblies.every((one) => one.id !== id))
  const [names, own] = [lost.slice(0, 5), ownId(plan, all)]
  const [en, zh] = [names.join(', '), names.join('、')]
  return {
    id: `served.${plan.id}`,
    text: {
      en: `${plan.name} is in service with other assemblies (${en}). To have all of them in one species, import their files together. Is this one loaded as a species of its own?`,
      zh: `${plan.name} 已投入使用，所含为其他基因组（${zh}）。若要将它们放在同一物种中，请将各基因组的文件一并导入。本次是否作为单独的物种加载？`,
    },
    choices: [
      { value: 'own', text: { en: `as a species of its own (${own})`, zh: `作为单独的物种（${own}）` } },
      { value: 'replace', text: { en: `in place of ${en}`, zh: `替换 ${zh}` } },
    ],
    fallback: 'own',
  }
}

/** The id of a species of its own: that of the species with the assembly's, which nothing else is in service under. */
export const ownId = (plan: SpeciesPlan, all: ReadonlyMap<string, ServedSpecies>): string => {
  const base = toSpeciesId(`${plan.id}-${plan.assemblies[0]?.id ?? ''}`)
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`
    const served = all.get(id)
    if (served === undefined || isWithin(served, plan)) return id
  }
}
