import { type ReactNode, useState } from 'react'
import { TextInput } from '../../../kit/ui/controls/field.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { messages } from '../../messages/admin.ts'

export const refreshMs = 5000
export const pageSize = 50

/** A page of rows under choices: a change of the choices leads back to the first page. */
export const usePaged = <Choices extends Record<string, string>>(initial: Choices) => {
  const [choices, setChoices] = useState(initial)
  const [page, setPage] = useState(1)
  return {
    choices,
    page,
    choose: (change: Partial<Choices>): void => {
      setChoices((before) => ({ ...before, ...change }))
      setPage(1)
    },
    pages: (total: number) => ({ page, pages: Math.max(1, Math.ceil(total / pageSize)), onPage: setPage }),
  }
}

export const orUndefined = (text: string): string | undefined => (text === '' ? undefined : text)

export const SearchWords = ({ value, onWords }: { value: string; onWords: (words: string) => void }): ReactNode => {
  const t = useText(messages)
  return (
    <TextInput
      type="search"
      className="nv-table-words"
      aria-label={t('info.search')}
      placeholder={t('info.search')}
      value={value}
      onChange={(event) => onWords(event.target.value)}
    />
  )
}
