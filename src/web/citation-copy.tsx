import type { ReactNode } from 'react'
import { CopyButton } from '../kit/ui/controls/copy-button.tsx'
import { useText } from '../kit/ui/language.tsx'
import { messages } from './messages/home.ts'

/** Copies a citation: of the portal's data on Home, of a gene on its page. */
export const CitationCopy = ({ citation }: { citation: string }): ReactNode => {
  const t = useText(messages)
  return (
    <CopyButton look="quiet" textOf={() => citation} reported={t('cite.copied')}>
      {t('cite.copy')}
    </CopyButton>
  )
}
