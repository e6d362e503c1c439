import { RefreshCw } from 'lucide-react'
import { Component, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { checkConnection } from '../../kit/ui/connection.ts'
import { isConnected, subscribeConnection } from '../../kit/ui/connection-state.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { EmptyState, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { messages } from '../messages/shell.ts'
import { isChunkFailure, mayRetryChunk, retryChunk } from './chunk.ts'

const Failure = ({
  title,
  why,
  reload,
  busy,
}: {
  title: string
  why: string
  reload?: () => void
  busy?: boolean
}): ReactNode => {
  const t = useText(messages)
  return (
    <div className="nv-page" role="alert">
      <EmptyState
        title={title}
        why={why}
        action={
          reload === undefined ? undefined : (
            <Button look="primary" icon={<RefreshCw size={15} aria-hidden />} busy={busy ?? false} onClick={reload}>
              {t('page.reload')}
            </Button>
          )
        }
      />
    </div>
  )
}

/** Failures known to be of a lost connection: who comes back to such a part later is not told of a newer version. */
const cutOff = new WeakSet<Error>()

/** A part that the server no longer has, or one that never came for want of a connection: which of them, the server is asked. */
const ChunkFailure = ({ error, whole }: { error: Error; whole: boolean }): ReactNode => {
  const t = useText(messages)
  const connected = useSyncExternalStore(subscribeConnection, isConnected)
  const [asking, setAsking] = useState(true)
  const [cut, setCut] = useState(cutOff.has(error))
  useEffect(() => {
    void checkConnection().then(() => setAsking(false))
  }, [])
  useEffect(() => {
    if (!connected) {
      cutOff.add(error)
      setCut(true)
    }
    // Nothing is lost by loading a page anew of which nothing is there; beside a part, the reader may have begun something.
    else if (cut && whole) location.reload()
  }, [error, connected, cut, whole])

  if (!connected)
    return (
      <Failure
        title={t('error.offlineTitle')}
        why={t(whole ? 'error.offlineWhy' : 'error.offlinePart')}
        busy={asking}
        reload={async () => {
          // Without the server a page loaded anew would be less than what is there now.
          setAsking(true)
          await checkConnection()
          if (isConnected()) location.reload()
          else setAsking(false)
        }}
      />
    )
  if (asking || (cut && whole)) return <Waiting />
  if (cut) return <Failure title={t('error.backTitle')} why={t('error.backWhy')} reload={() => location.reload()} />
  const address = location.pathname
  const retry = mayRetryChunk(address)
  return (
    <Failure
      title={t('error.chunkTitle')}
      why={t(retry ? 'error.chunkWhy' : 'error.chunkAgain')}
      {...(retry ? { reload: () => retryChunk(address) } : {})}
    />
  )
}

const OwnFailure = (): ReactNode => {
  const t = useText(messages)
  return <Failure title={t('error.title')} why={t('error.why')} reload={() => location.reload()} />
}

interface Guarded {
  children: ReactNode
  name: string
  /** It holds all that there is of a page: in its place nothing of the reader's is left. */
  whole?: boolean
}

/** Keeps a failure in one part from taking the page with it; `name` changes (a new address) give it another try. */
export class ErrorBoundary extends Component<Guarded, { error: unknown; name: string }> {
  override state: { error: unknown; name: string } = { error: null, name: this.props.name }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  static getDerivedStateFromProps(
    props: { name: string },
    state: { error: unknown; name: string },
  ): { error: unknown; name: string } | null {
    return props.name === state.name ? null : { error: null, name: props.name }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return isChunkFailure(error) ? (
      <ChunkFailure key={this.state.name} error={error} whole={this.props.whole === true} />
    ) : (
      <OwnFailure />
    )
  }
}
