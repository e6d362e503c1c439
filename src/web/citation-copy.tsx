import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../kit/ui/controls/button.tsx'
import { copyText } from '../kit/ui/controls/copy-text.ts'
import { useText } from '../kit/ui/language.tsx'
import { messages } from './messages/pages.ts'

/** Copies a citation: of the portal's data on Home, of a gene on its page. */
export const CitationCopy = ({ citation }: { citation: string }): ReactNode => {
  const t = useText(messages)
  return (
    <Button
      size="small"
      look="quiet"
      icon={<Copy size={14} aria-hidden />}
      onClick={() => void copyText(citation, t('cite.copied'))}
    >
      {t('cite.copy')}
    </Button>
  )
}
