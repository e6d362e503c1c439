import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

export interface Outcome {
  /** The address of the page: until it is another than where a run was begun, what stands there is the answer before. */
  address: string
  /** `refused` is what failed by its input: that is said beside the field, which then takes the focus. */
  stage: 'nothing' | 'progress' | 'failure' | 'refused' | 'result'
}

/** In the upper part of the window, with room below for what it heads. */
const inSight = (element: HTMLElement): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight * 0.6
}

/**
 * Brings what comes of a run into the window and gives it the focus, which also reads it aloud: first its progress, then the line that
 * heads the result. Only what the reader asked for here: an answer that stands when a link is opened takes nothing, nor does one that
 * comes while the reader has gone on to something else; of these `announcement` is the headline, for a live region. `container` holds
 * the outcome, `head` its first line; `seekField` leads to what is wrong in the form. `follow` begins a run, with the address that it
 * will leave, or null where it stays at its own.
 */
export const useOutcomeFocus = (
  { address, stage }: Outcome,
  container: RefObject<HTMLElement | null>,
  head: RefObject<HTMLElement | null>,
  seekField: () => void,
): { follow: (before: string | null) => void; announcement: string } => {
  const [announcement, setAnnouncement] = useState('')
  const followed = useRef<string | null | undefined>(undefined)
  /** How it stood when it was last looked at; null where a run has just begun. */
  const seen = useRef<Outcome['stage'] | null>('nothing')
  // After every drawing: the line itself may have been replaced between two of them, as progress is by a result.
  useEffect(() => {
    const element = head.current
    if (followed.current === address || seen.current === stage || element === null) return
    const isFirst = seen.current === null
    seen.current = stage
    if (stage === 'nothing') return
    const focused = document.activeElement
    const isFree = focused === null || focused === document.body || container.current?.contains(focused) === true
    if (followed.current !== undefined && (isFirst || isFree)) {
      if (stage === 'refused') seekField()
      else if (!inSight(element)) element.scrollIntoView({ block: 'start' })
      if (stage !== 'refused') element.focus({ preventScroll: true })
      setAnnouncement('')
    } else if (stage === 'result') setAnnouncement(element.textContent ?? '')
    if (stage !== 'progress') followed.current = undefined
  })
  const follow = useCallback((before: string | null) => {
    followed.current = before
    seen.current = null
  }, [])
  return { follow, announcement }
}
