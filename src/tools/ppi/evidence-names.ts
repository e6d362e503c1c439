import { isTransferred, plainChannel } from '../../bio/networks/interaction-scores.ts'
import { useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'

/** Names of kinds of evidence in the reader's language; those of other databases stand as they are. */
export const useEvidenceName = (): ((channel: string) => string) => {
  const t = useText(messages)
  return (channel) => {
    const plain = plainChannel(channel)
    const id = `channel.${plain}`
    const name = id in messages.en ? t(id as 'channel.experiments') : plain
    return isTransferred(channel) ? t('channel.transferred', { channel: name }) : name
  }
}
