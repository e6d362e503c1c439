import { type Query, useQueryClient } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Button } from '../../kit/ui/controls/button.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { messages as kit } from '../../kit/ui/messages.ts'
import { isReported, subscribeReported } from '../../kit/ui/reported-failures.ts'
import { failureText, RequestError } from '../../kit/ui/request.ts'
import { messages } from '../messages/shell.ts'

/** Whether something on the page lacks its answer since the server could not give one; that there is no such gene is an answer. */
const lacksAnswer = ({ state: { data, error } }: Query): boolean =>
  data === undefined &&
  error instanceof RequestError &&
  (error.status === 0 || error.status >= 500) &&
  !isReported(error)

/**
 * What a page leaves out, a list of choices or a line beside a figure, for want of an answer that nothing on it tells of: said here for
 * all of them, so that no screen looks as if there were nothing to choose or to see.
 */
export const UnaskedBar = (): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const client = useQueryClient()
  const lacking = (): Query[] => client.getQueryCache().findAll({ type: 'active', predicate: lacksAnswer })
  const shown = useSyncExternalStore(
    (listener) => {
      const stop = [client.getQueryCache().subscribe(listener), subscribeReported(listener)]
      return () => {
        for (const end of stop) end()
      }
    },
    () =>
      lacking()
        .map(({ queryHash }) => queryHash)
        .join(' '),
  )
  if (shown === '') return null
  const asked = lacking()
  return (
    <div className="nv-banner nv-banner-warn shell-unasked" role="alert">
      <CircleAlert size={18} aria-hidden />
      <span>{t('unasked', { count: asked.length, why: failureText(asked[0]?.state.error ?? null, k) })}</span>
      <Button size="small" onClick={() => void client.refetchQueries({ type: 'active', predicate: lacksAnswer })}>
        {k('failure.retry')}
      </Button>
    </div>
  )
}
