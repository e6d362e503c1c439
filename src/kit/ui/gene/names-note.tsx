import type { ReactNode } from 'react'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'

/**
 * How the names of genes that were given have been read: those that no gene of the assembly has, that the data lack, and of several
 * genes.
 */
export const NamesNote = ({
  assembly,
  unknown,
  ambiguous,
  absent = [],
  dataset = '',
}: {
  assembly: string
  unknown: string[]
  /** The gene that each was taken for. */
  ambiguous: readonly { name: string; gene: string }[]
  /** Genes of which the data set has no values. */
  absent?: string[]
  dataset?: string
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  return (
    <>
      {unknown.length === 0 ? null : (
        <p className="nv-warn">{t('names.unknown', { assembly, names: format.names(unknown) })}</p>
      )}
      {absent.length === 0 ? null : (
        <p className="nv-warn">{t('names.absent', { dataset, names: format.names(absent) })}</p>
      )}
      {ambiguous.length === 0 ? null : (
        <p className="nv-quiet">
          {t('names.ambiguous', { names: format.names(ambiguous.map(({ name, gene }) => `${name} (${gene})`)) })}
        </p>
      )}
    </>
  )
}
