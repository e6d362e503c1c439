import type { ReactNode } from 'react'
import type { ImportSummary } from '../../../../contracts/accounts/imports.ts'
import { Tag } from '../../../../kit/ui/controls/card.tsx'
import { useText } from '../../../../kit/ui/language.tsx'
import { messages } from '../../../messages/import.ts'

const tones = {
  collecting: 'grey',
  working: 'grey',
  looked: 'blue',
  unrecognised: 'amber',
  loading: 'grey',
  failed: 'red',
  cancelled: 'amber',
  undone: 'grey',
} as const

export const ImportStateTag = ({ of }: { of: Pick<ImportSummary, 'state' | 'loaded'> }): ReactNode => {
  const t = useText(messages)
  if (of.loaded && of.state === 'looked') return <Tag>{t('import.state.loaded')}</Tag>
  return <Tag tone={tones[of.state]}>{t(`import.state.${of.state}`)}</Tag>
}
