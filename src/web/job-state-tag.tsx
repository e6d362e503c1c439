import type { ReactNode } from 'react'
import { Tag } from '../kit/ui/controls/card.tsx'
import { useText } from '../kit/ui/language.tsx'
import { messages } from './messages/admin.ts'

const tones = {
  waiting: 'grey',
  queued: 'grey',
  running: 'blue',
  done: 'green',
  failed: 'red',
  cancelled: 'amber',
  undone: 'grey',
} as const

/** The state of a job or load in words and colour; one that is not known shows as it is. */
export const JobStateTag = ({ state }: { state: string }): ReactNode => {
  const t = useText(messages)
  if (!Object.hasOwn(tones, state)) return <Tag tone="grey">{state}</Tag>
  const known = state as keyof typeof tones
  return <Tag tone={tones[known]}>{t(`state.${known}`)}</Tag>
}
