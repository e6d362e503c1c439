import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { useAssemblies } from '../portal-data.ts'

/** Name of a collection of terms in the reader's language: the branches of GO by their names, others by what the lab calls their vocabulary. */
export const useCollectionName = (
  assembly: string | null,
): ((one: { source: string | null; namespace: string | null }) => string) => {
  const t = useText(messages)
  const format = useFormat()
  const titles = useAssemblies().find(({ id }) => id === assembly)?.termTitles
  return ({ source, namespace }) => {
    if (source === null && namespace === null) return t('collection.own')
    const title = source === null ? undefined : titles?.[source]
    const name = title === undefined ? (source ?? t('collection.own')) : format.text(title)
    if (namespace === null) return name
    if (namespace === 'unplaced') return t('collection.unplaced', { source: name })
    if (
      namespace === 'biological_process' ||
      namespace === 'molecular_function' ||
      namespace === 'cellular_component' ||
      namespace === 'cog' ||
      namespace === 'cog_category'
    )
      return t(`collection.${namespace}`)
    const branch = namespace.replaceAll('_', ' ')
    const prefix = source ?? name
    if (!branch.toLowerCase().startsWith(prefix.toLowerCase())) return `${name}: ${branch}`
    const rest = branch.slice(prefix.length).trim()
    return rest === '' ? name : `${name}: ${rest}`
  }
}
