import type { ReactNode } from 'react'
import { useText } from '../../kit/ui/language.tsx'
import type { Provenance } from './endpoints.ts'
import messages from './messages.ts'

/** What the families rest on, in a sentence. */
export const ProvenanceNote = ({ about }: { about: Provenance }): ReactNode => {
  const t = useText(messages)
  const { searched, withDomains, profiles } = about
  return (
    <p className="nv-quiet">
      {about.source === 'profiles'
        ? t('browse.fromProfiles', { searched, withDomains, profiles: profiles.length })
        : t('browse.fromAnnotation', { searched, withDomains })}
    </p>
  )
}

/** How the families were told, for receipts of what was computed at load. */
export const methodOf = (about: Provenance | null): string =>
  about === null
    ? ''
    : about.source === 'profiles'
      ? `${about.commands.map((command) => command.join(' ')).join('; ')}; families by rules`
      : 'domains of the loaded annotation; families by rules'
