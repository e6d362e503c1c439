import type { ReactNode } from 'react'
import type { PresenceState, ReadingFrame, UnknownReason } from '../../../bio/comparative/gene-presence.ts'
import { Tag } from '../controls/card.tsx'
import { useFormat, useText } from '../language.tsx'
import { messages } from './presence-messages.ts'

type Tone = 'green' | 'blue' | 'amber' | 'red' | 'grey'
const tones: Record<PresenceState, Tone> = {
  intact: 'green',
  unannotated: 'green',
  copies: 'blue',
  moved: 'blue',
  split: 'amber',
  truncated: 'amber',
  disrupted: 'amber',
  paralog: 'red',
  gone: 'red',
  'not-found': 'grey',
  unknown: 'grey',
}

export const presenceColour: Record<PresenceState, string> = {
  intact: 'var(--primary)',
  unannotated: 'var(--primary)',
  copies: 'var(--info)',
  moved: 'var(--info)',
  split: 'var(--accent)',
  truncated: 'var(--accent)',
  disrupted: 'var(--accent)',
  paralog: 'var(--danger)',
  gone: 'var(--danger)',
  'not-found': 'var(--muted)',
  unknown: 'var(--muted)',
}

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.8 } as const

/**
 * A shape for each state in a square of 16, so that no two differ by colour alone: what is there is filled or framed as a box, what is not
 * there is crossed.
 */
export const presenceShapes: Record<PresenceState, ReactNode> = {
  intact: <rect x={2} y={3.5} width={12} height={9} rx={1} fill="currentColor" />,
  unannotated: <rect x={2.5} y={4} width={11} height={8} rx={1} strokeDasharray="2.6 2" {...line} />,
  copies: (
    <g fill="currentColor">
      <rect x={1.5} y={3.5} width={5.6} height={9} rx={1} />
      <rect x={8.9} y={3.5} width={5.6} height={9} rx={1} />
    </g>
  ),
  moved: <path d="M2,8 H11 M8,4 12.5,8 8,12" {...line} strokeWidth={2.4} />,
  split: (
    <g fill="currentColor">
      <path d="M2,3.5 H7 L5,12.5 H2 Z" />
      <path d="M11,3.5 H14 V12.5 H9 Z" />
    </g>
  ),
  truncated: (
    <g>
      <rect x={2.5} y={4} width={11} height={8} rx={1} {...line} strokeWidth={1.2} />
      <rect x={2.5} y={4} width={5.5} height={8} fill="currentColor" />
    </g>
  ),
  disrupted: <path d="M2,8 5,4 8,12 11,4 14,8" {...line} strokeWidth={2.2} />,
  paralog: (
    <g {...line}>
      <circle cx={5} cy={10} r={3.4} />
      <circle cx={11.3} cy={5.6} r={3.4} />
    </g>
  ),
  gone: <path d="M3.5,3.5 12.5,12.5 M12.5,3.5 3.5,12.5" {...line} strokeWidth={2.4} />,
  'not-found': <circle cx={8} cy={8} r={5} strokeDasharray="2 2" {...line} />,
  unknown: <path d="M5,6 C5,1.6 11.2,2 11,5.8 C10.9,8 8,8 8,10.3 M8,12.6 V14.4" {...line} strokeWidth={2} />,
}

/** The shape of a state; words stand beside it. */
export const PresenceMark = ({ state }: { state: PresenceState }): ReactNode => (
  <svg className={`nv-state-mark nv-state-${tones[state]}`} viewBox="0 0 16 16" width={14} height={14} aria-hidden>
    {presenceShapes[state]}
  </svg>
)

export const PresenceTag = ({ state }: { state: PresenceState }): ReactNode => {
  const t = useText(messages)
  return (
    <Tag tone={tones[state]} title={t(`lead.${state}`)}>
      <PresenceMark state={state} />
      {t(`state.${state}`)}
    </Tag>
  )
}

/** What makes the state, in a few words; empty where the state says all. */
export const usePresenceText = (): ((told: {
  state: PresenceState
  frame: Pick<ReadingFrame, 'change' | 'hgvs'> | null
  insertedBp: number
  coverage: number
  reason: UnknownReason | null
}) => string) => {
  const t = useText(messages)
  const format = useFormat()
  return ({ state, frame, insertedBp, coverage, reason }) => {
    const isCut = state === 'truncated' || ((state === 'gone' || state === 'paralog') && coverage > 0)
    return [
      isCut ? t('remnant', { share: format.percent(coverage) }) : '',
      state === 'split' && insertedBp > 0 ? t('inserted', { bp: insertedBp }) : '',
      frame?.change == null ? '' : `${t(`change.${frame.change}`)} ${frame.hgvs ?? ''}`.trim(),
      state === 'unknown' && reason !== null ? t(`reason.${reason}`) : '',
    ]
      .filter((part) => part !== '')
      .join(t('separator'))
  }
}
