import { useText } from '../../../../kit/ui/language.tsx'
import { messages } from '../../../messages/import.ts'

type Kind = keyof typeof messages.en & `import.kind.${string}`

const isKind = (key: string): key is Kind => Object.hasOwn(messages.en, key)

/** What an entry of species.yaml holds, in the reader's language: "variants" for `variants`. Of one that is not known, its key. */
export const useEntryName = (): ((entry: string) => string) => {
  const t = useText(messages)
  return (entry) => {
    const key = `import.kind.${entry}`
    return isKind(key) ? t(key) : entry
  }
}
