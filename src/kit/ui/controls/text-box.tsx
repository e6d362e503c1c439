import { type ClipboardEvent, type ReactNode, useMemo, useState } from 'react'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { Button } from './button.tsx'
import { FileButton, TextArea } from './field.tsx'

/** Longer texts are held but not edited: a browser lays out every line of a box anew at each key, a tenth of a second for two thousand. */
const maxEdited = 100_000
/** Of those the beginning is shown. */
const shownOfLong = 2000

const countLines = (text: string): number => {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/**
 * A box for text that is pasted, typed or read from a file. What would make it longer than `max` characters is refused at once and
 * said so, and what stood there stays. A long text is held whole, and its beginning shown.
 */
export const TextBox = ({
  value,
  onText,
  max,
  rows = 6,
  placeholder,
  accept,
  aside,
  actions,
  ...ids
}: {
  value: string
  onText: (text: string) => void
  /** Characters of the text, and bytes of a file. */
  max: number
  rows?: number | undefined
  placeholder?: string | undefined
  /** Kinds of files, as of an input. */
  accept?: string
  /** Stands below the box, before its buttons, in place of the count of characters. */
  aside?: ReactNode
  /** Further buttons. */
  actions?: ReactNode
  id?: string | undefined
  'aria-label'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [refused, setRefused] = useState<number | null>(null)
  const isLong = value.length > maxEdited
  const lines = useMemo(() => (isLong ? countLines(value) : 0), [isLong, value])
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const text = event.clipboardData.getData('text')
    const { selectionStart: from, selectionEnd: to } = event.currentTarget
    // Into a text of which only the beginning is shown nothing can be put: a paste takes its place.
    const before = isLong ? '' : value.slice(0, from)
    const after = isLong ? '' : value.slice(to)
    const length = before.length + text.length + after.length
    setRefused(length > max ? length : null)
    if (length <= maxEdited && !isLong) return
    event.preventDefault()
    if (length <= max) onText(before + text.replaceAll(/\r\n?/g, '\n') + after)
  }
  return (
    <div className="nv-gene-input">
      <TextArea
        {...ids}
        className="nv-mono"
        rows={rows}
        placeholder={placeholder}
        readOnly={isLong}
        value={isLong ? `${value.slice(0, shownOfLong)}…` : value}
        onChange={(event) => {
          setRefused(null)
          onText(event.target.value)
        }}
        onPaste={paste}
      />
      {refused === null ? null : (
        <span className="nv-field-problem" role="alert">
          {t('form.pasteTooLong', { count: refused, max })}
        </span>
      )}
      {isLong ? (
        <span className="nv-quiet" role="status">
          {t('form.longText', { count: value.length, lines })}{' '}
          <Button size="small" look="quiet" onClick={() => onText('')}>
            {t('form.emptyBox')}
          </Button>
        </span>
      ) : null}
      <div className="nv-gene-input-bar">
        {aside === undefined ? (
          <span className="nv-quiet">{`${format.number(value.length)} / ${format.number(max)}`}</span>
        ) : (
          aside
        )}
        <span className="nv-grow" />
        <FileButton
          accept={accept}
          maximumBytes={max}
          onText={(text) => {
            setRefused(null)
            onText(text)
          }}
        />
        {actions}
      </div>
    </div>
  )
}
