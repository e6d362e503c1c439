import { RefreshCw } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { Button } from '../kit/ui/button.tsx'
import { EmptyState } from '../kit/ui/empty-state.tsx'
import { useText } from '../kit/ui/language.tsx'
import { isChunkFailure, mayRetryChunk, retryChunk } from './chunk.ts'
import { messages } from './messages/shell.ts'

const Failure = ({ error }: { error: unknown }): ReactNode => {
  const t = useText(messages)
  const chunk = isChunkFailure(error)
  const address = location.pathname
  const retry = !chunk || mayRetryChunk(address)
  return (
    <div className="nv-page" role="alert">
      <EmptyState
        title={t(chunk ? 'error.chunkTitle' : 'error.title')}
        why={t(chunk ? (retry ? 'error.chunkWhy' : 'error.chunkAgain') : 'error.why')}
        action={
          retry ? (
            <Button
              look="primary"
              icon={<RefreshCw size={15} aria-hidden />}
              onClick={() => (chunk ? retryChunk(address) : location.reload())}
            >
              {t('page.reload')}
            </Button>
          ) : undefined
        }
      />
    </div>
  )
}

/** Keeps a failure in one part from taking the page with it; `name` changes (a new address) give it another try. */
export class ErrorBoundary extends Component<{ children: ReactNode; name: string }, { error: unknown; name: string }> {
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
    return this.state.error === null ? this.props.children : <Failure error={this.state.error} />
  }
}
