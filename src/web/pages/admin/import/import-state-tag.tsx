import type { ReactNode } from 'react'
import type { ImportSummary } from '../../../../contracts/accounts/imports.ts'
import { Tag } from '../../../../kit/ui/controls/card.tsx'
import { useText } from '../../../../kit/ui/language.tsx'
import { messages } from '../../../messages/import.ts'

export const ImportStateTag = ({ of }: { of: Pick<ImportSummary, 'state' | 'loaded'> }): ReactNode => {
  const t = useText(messages)
  if (of.loaded && of.state === 'looked') return <Tag>{t('import.state.loaded')}</Tag>
  const tone = of.state === 'failed' ? 'red' : of.state === 'looked' ? 'blue' : 'grey'
  return <Tag tone={tone}>{t(`import.state.${of.state}`)}</Tag>
}
