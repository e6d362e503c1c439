import { type ReactNode, useCallback } from 'react'
import type { AssemblySummary } from '../../contracts/species.ts'
import { useFormat, useText } from './language.tsx'
import { messages } from './messages.ts'
import { useAssemblies } from './portal-data.ts'

type Role = AssemblySummary['sequences'][number]['role']

/** Roles that a reader has to know of: what is said of such a sequence is not said of the genome. */
const marked: readonly Role[] = ['accessory', 'organelle', 'plasmid']

/** What a sequence is in words, null of an ordinary chromosome or scaffold. Of the sequences of summaries, at most 60 an assembly. */
export const useSequenceRole = (): ((assembly: string, name: string) => string | null) => {
  const t = useText(messages)
  const assemblies = useAssemblies()
  return useCallback(
    (assembly, name) => {
      const sequences = assemblies.find(({ id }) => id === assembly)?.sequences
      const role = sequences?.find((one) => one.name === name)?.role
      return role !== undefined && marked.includes(role) ? t(`sequence.${role as 'accessory'}`) : null
    },
    [assemblies, t],
  )
}

/** A sequence's name with its role, as text: for axes, tooltips and tables' files. Example: `chr_14 (accessory)`. */
export const useSequenceLabel = (): ((assembly: string, name: string) => string) => {
  const roleOf = useSequenceRole()
  const t = useText(messages)
  return useCallback(
    (assembly, name) => {
      const role = roleOf(assembly, name)
      return role === null ? name : t('sequence.withRole', { name, role })
    },
    [roleOf, t],
  )
}

/** A sequence's name, with its role beside it. */
export const SequenceName = ({ assembly, name }: { assembly: string; name: string }): ReactNode => {
  const role = useSequenceRole()(assembly, name)
  return (
    <>
      <code>{name}</code>
      {role === null ? null : <SequenceRole role={role} />}
    </>
  )
}

const SequenceRole = ({ role }: { role: string }): ReactNode => (
  <>
    {' '}
    <span className="nv-quiet">{role}</span>
  </>
)

/** The role of a sequence alone, beside a region that names it; nothing for an ordinary one. */
export const RoleOf = ({ assembly, name }: { assembly: string; name: string }): ReactNode => {
  const role = useSequenceRole()(assembly, name)
  return role === null ? null : <SequenceRole role={role} />
}

/** Which of a figure's sequences have a role, in words; their names stand in italics there (`useSequenceRole`). Nothing without any. */
export const RoleNote = ({ assembly, names }: { assembly: string; names: readonly string[] }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const roleOf = useSequenceRole()
  const byRole = new Map<string, string[]>()
  for (const name of names) {
    const role = roleOf(assembly, name)
    if (role !== null) byRole.set(role, [...(byRole.get(role) ?? []), name])
  }
  if (byRole.size === 0) return null
  const parts = [...byRole].map(([role, own]) => t('sequence.ofRole', { role, names: format.names(own) }))
  return <p className="nv-quiet">{t('sequence.inItalics', { roles: parts.join(t('sequence.between')) })}</p>
}
