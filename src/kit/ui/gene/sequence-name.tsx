import { type CSSProperties, type ReactNode, useCallback } from 'react'
import { type Format, useFormat, useText } from '../language.tsx'
import { useAssemblies } from '../portal-data.ts'
import { messages } from './sequence-messages.ts'

/** A sequence by its name in an assembly; one that is of none, as what was pasted, has no role. */
export interface NamedSequence {
  assembly: string | null
  sequence: string
}

/** What a sequence is in words, null of an ordinary chromosome or scaffold. */
export const useSequenceRole = (): ((assembly: string | null, name: string) => string | null) => {
  const t = useText(messages)
  const assemblies = useAssemblies()
  return useCallback(
    (assembly, name) => {
      const role = assemblies.find(({ id }) => id === assembly)?.sequenceRoles[name]
      return role === undefined ? null : t(`sequence.${role}`)
    },
    [assemblies, t],
  )
}

/** How a figure writes a sequence's name: in italics where it has a role, which `RoleNote` says; undefined for an ordinary one. */
export const useRoleStyle = (): ((assembly: string | null, name: string) => CSSProperties['fontStyle']) => {
  const roleOf = useSequenceRole()
  return useCallback((assembly, name) => (roleOf(assembly, name) === null ? undefined : 'italic'), [roleOf])
}

/** Text that names a sequence, with the role of the sequence behind it. */
const useWithRole = (): ((assembly: string | null, sequence: string, name: string) => string) => {
  const roleOf = useSequenceRole()
  const t = useText(messages)
  return useCallback(
    (assembly, sequence, name) => {
      const role = roleOf(assembly, sequence)
      return role === null ? name : t('sequence.withRole', { name, role })
    },
    [roleOf, t],
  )
}

/** A sequence's name with its role, for headings and tooltips, never for a file. Example: `chr_14 (accessory chromosome)`. */
export const useSequenceLabel = (): ((assembly: string | null, name: string) => string) => {
  const withRole = useWithRole()
  return useCallback((assembly, name) => withRole(assembly, name, name), [withRole])
}

/** Without an end it is one base. */
export type RegionLabel = (
  assembly: string | null,
  locus: { sequence: string; start: number; end?: number; strand?: string },
) => string

/** A feature's place for headings and tooltips, never for a file. Example: `chr_14:1,000..2,000 (−) (accessory chromosome)`. */
export const useRegionLabel = (): RegionLabel => {
  const withRole = useWithRole()
  const format = useFormat()
  return useCallback(
    (assembly, { sequence, start, end, strand }) => {
      return withRole(assembly, sequence, format.region(sequence, start, end ?? start, strand))
    },
    [withRole, format],
  )
}

/** Likewise a place that was asked for: its reverse strand is said in words. */
export const useLocusLabel = (): ((assembly: string, locus: Parameters<Format['locus']>[0]) => string) => {
  const withRole = useWithRole()
  const format = useFormat()
  return useCallback((assembly, locus) => withRole(assembly, locus.sequence, format.locus(locus)), [withRole, format])
}

/** The role of a sequence alone, beside what names it; nothing for an ordinary one. */
export const RoleOf = ({ assembly, sequence }: NamedSequence): ReactNode => {
  const role = useSequenceRole()(assembly, sequence)
  return role === null ? null : (
    <>
      {' '}
      <span className="nv-quiet">{role}</span>
    </>
  )
}

/** A sequence's name, with its role beside it. */
export const SequenceName = ({ assembly, sequence }: NamedSequence): ReactNode => (
  <>
    <code>{sequence}</code>
    <RoleOf assembly={assembly} sequence={sequence} />
  </>
)

/** Which of a figure's sequences have a role, in words; their names stand in italics there (`useRoleStyle`). Nothing without any. */
export const RoleNote = ({ sequences }: { sequences: readonly NamedSequence[] }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const roleOf = useSequenceRole()
  const byRole = new Map<string, Set<string>>()
  for (const { assembly, sequence } of sequences) {
    const role = roleOf(assembly, sequence)
    if (role !== null) byRole.set(role, (byRole.get(role) ?? new Set()).add(sequence))
  }
  if (byRole.size === 0) return null
  const parts = [...byRole].map(([role, own]) => t('sequence.ofRole', { role, names: format.names([...own]) }))
  return <p className="nv-quiet">{t('sequence.inItalics', { roles: parts.join(t('sequence.between')) })}</p>
}
