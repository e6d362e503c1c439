import { Upload } from 'lucide-react'
import {
  type ChangeEvent,
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useRef,
  useState,
} from 'react'
import type { TextLog } from '../../../bio/text/text-encoding.ts'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { Button } from './button.tsx'

interface FieldProps {
  label: ReactNode
  help?: ReactNode
  problems?: string[]
  optional?: boolean
  aside?: ReactNode
}

/** A labelled control with its help, its bound and, when wrong, the message beside it. The child gets the ids to point at. */
export const Field = ({
  label,
  help,
  problems = [],
  optional = false,
  aside,
  children,
}: FieldProps & {
  children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': true | undefined }) => ReactNode
}): ReactNode => {
  const id = useId()
  const t = useText(messages)
  return (
    <div className={`nv-field${problems.length > 0 ? ' nv-field-wrong' : ''}`}>
      <div className="nv-field-head">
        <label htmlFor={id}>{label}</label>
        {optional ? <span className="nv-field-optional">{t('form.optional')}</span> : null}
        {aside === undefined ? null : <span className="nv-field-aside">{aside}</span>}
      </div>
      {children({ id, 'aria-describedby': `${id}-help`, 'aria-invalid': problems.length > 0 ? true : undefined })}
      <div id={`${id}-help`}>
        {problems.map((problem) => (
          <p key={problem} className="nv-field-problem" role="alert">
            {problem}
          </p>
        ))}
        {help === undefined || help === '' ? null : <p className="nv-field-help">{help}</p>}
      </div>
    </div>
  )
}

export const TextInput = ({ className = '', ...rest }: InputHTMLAttributes<HTMLInputElement>): ReactNode => (
  <input type="text" autoComplete="off" spellCheck={false} {...rest} className={`nv-input ${className}`} />
)

/** A number as typed, kept as text while it is being typed; `onNumber` gets undefined when the box is empty. */
export const NumberInput = ({
  value,
  onNumber,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> & {
  value: number | string | undefined
  onNumber: (value: number | undefined) => void
}): ReactNode => (
  <input
    type="number"
    inputMode="decimal"
    {...rest}
    value={value ?? ''}
    onChange={(event: ChangeEvent<HTMLInputElement>) =>
      onNumber(event.target.value === '' ? undefined : event.target.valueAsNumber)
    }
    className="nv-input nv-number"
  />
)

export const TextArea = ({ className = '', ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>): ReactNode => (
  <textarea autoComplete="off" spellCheck={false} {...rest} className={`nv-input nv-textarea ${className}`} />
)

export interface Option {
  value: string
  label: string
  group?: string
}

/** A native list: it opens with the keyboard and on a phone as people know it. Options may be grouped. */
export const Select = ({
  options,
  onChoose,
  ...rest
}: Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> & {
  options: Option[]
  onChoose: (value: string) => void
}): ReactNode => {
  const groups = [...new Set(options.map((option) => option.group ?? ''))]
  const draw = (group: string): ReactNode =>
    options
      .filter((option) => (option.group ?? '') === group)
      .map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))
  return (
    <select {...rest} className="nv-input nv-select" onChange={(event) => onChoose(event.target.value)}>
      {groups.map((group) =>
        group === '' ? (
          draw(group)
        ) : (
          <optgroup key={group} label={group}>
            {draw(group)}
          </optgroup>
        ),
      )}
    </select>
  )
}

/** A labelled list. */
export const SelectField = ({
  label,
  help,
  problems,
  optional,
  aside,
  ...select
}: FieldProps & ComponentProps<typeof Select>): ReactNode => (
  <Field label={label} help={help} problems={problems} optional={optional} aside={aside}>
    {(control) => <Select {...control} {...select} />}
  </Field>
)

/** Two to five short choices, all seen at once. A radio group to the keyboard and to screen readers. */
export const Segmented = ({
  options,
  value,
  onChoose,
  label,
  disabled = false,
}: {
  options: { value: string; label: ReactNode }[]
  value: string
  onChoose: (value: string) => void
  label: string
  disabled?: boolean
}): ReactNode => {
  const name = useId()
  return (
    <div className="nv-segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={option.value === value ? 'nv-chosen' : ''}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={disabled}
            onChange={() => onChoose(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  )
}

export const Checkbox = ({
  checked,
  onCheck,
  children,
  disabled = false,
  indeterminate = false,
  label,
}: {
  checked: boolean
  onCheck: (checked: boolean) => void
  children?: ReactNode
  disabled?: boolean
  indeterminate?: boolean
  label?: string
}): ReactNode => (
  <label className="nv-checkbox">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      aria-label={label}
      ref={(element) => {
        if (element !== null) element.indeterminate = indeterminate
      }}
      onChange={(event) => onCheck(event.target.checked)}
    />
    {children === undefined ? null : <span>{children}</span>}
  </label>
)

/** The text of a file in whatever encoding it is, lines parted by line feeds; null when it is no text that can be read surely. */
const readText = async (file: File): Promise<string | null> => {
  let refused = false
  const log: TextLog = {
    report: (_catalogue, code) => {
      if (code !== 'text-empty') refused ||= defectsThatRefuse.has(code)
    },
  }
  // When a file is chosen: most pages that have fields read none.
  const { readByteLines } = await import('../../../bio/text/text-lines.ts')
  const lines = readByteLines(new Uint8Array(await file.arrayBuffer()), file.name, log)
  return refused ? null : lines.join('\n')
}
const defectsThatRefuse = new Set([
  ...['text-compressed', 'text-archive', 'text-html', 'text-binary', 'text-utf8-damaged', 'text-utf16-damaged'],
  ...['text-encoding-mixed', 'text-encoding-unclear'],
])

/**
 * Reads a text file that the reader chooses and hands over its whole text. One above `maximumBytes` is refused unread, one in no
 * encoding that can be told likewise, and it is said so.
 */
export const FileButton = ({
  onText,
  accept,
  maximumBytes,
  size = 'small',
}: {
  onText: (text: string, fileName: string) => void
  accept?: string | undefined
  maximumBytes: number
  size?: 'small' | 'normal'
}): ReactNode => {
  const input = useRef<HTMLInputElement>(null)
  const t = useText(messages)
  const format = useFormat()
  const [refusedBytes, setRefusedBytes] = useState<number | null>(null)
  const [unreadable, setUnreadable] = useState(false)
  return (
    <>
      {unreadable ? (
        <span className="nv-field-problem" role="alert">
          {t('form.fileNoText')}
        </span>
      ) : null}
      {refusedBytes === null ? null : (
        <span className="nv-field-problem" role="alert">
          {t('form.fileTooLarge', { size: format.bytes(refusedBytes), limit: format.bytes(maximumBytes) })}
        </span>
      )}
      <Button size={size} look="quiet" icon={<Upload size={14} aria-hidden />} onClick={() => input.current?.click()}>
        {t('form.upload')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={async (event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file === undefined) return
          const refused = file.size > maximumBytes
          setRefusedBytes(refused ? file.size : null)
          const text = refused ? null : await readText(file)
          setUnreadable(!refused && text === null)
          if (text !== null) onText(text, file.name)
        }}
      />
    </>
  )
}
