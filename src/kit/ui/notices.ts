/**
 * What is said outside the page's own flow: messages (a line that goes by itself) and notifications (with a title,
 * kept until closed). Kit and tools publish; the shell draws.
 */
export interface Notice {
  id: number
  kind: 'message' | 'notification'
  level: 'info' | 'success' | 'warning' | 'error'
  title?: string
  text: string
  action?: { label: string; run: () => void }
  /** Milliseconds until it goes; 0 keeps it until it is closed. */
  stayMs: number
}

type Listener = (notices: Notice[]) => void

let current: Notice[] = []
let nextId = 1
const listeners = new Set<Listener>()

const publish = (notices: Notice[]): void => {
  current = notices
  for (const listener of listeners) listener(current)
}

/** Shows a notice and gives back its id; the same text is not stacked twice. */
export const showNotice = (notice: Omit<Notice, 'id' | 'stayMs'> & { stayMs?: number }): number => {
  const same = current.find((other) => other.text === notice.text && other.title === notice.title)
  if (same !== undefined) return same.id
  const id = nextId
  nextId += 1
  const stayMs = notice.stayMs ?? (notice.kind === 'message' ? 5000 : 0)
  publish([...current, { ...notice, id, stayMs }].slice(-6))
  return id
}

export const closeNotice = (id: number): void => publish(current.filter((notice) => notice.id !== id))

export const subscribeNotices = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const currentNotices = (): Notice[] => current
