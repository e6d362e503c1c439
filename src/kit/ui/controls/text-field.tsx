import type { InputHTMLAttributes, ReactNode } from 'react'
import { Field, TextInput } from './field.tsx'

/** A line of text in its labelled row: what a form asks for again and again. Whatever else an input has is the input's. */
export const TextField = ({
  label,
  help,
  problems = [],
  optional = false,
  aside,
  onText,
  ...input
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'id'> & {
  label: ReactNode
  help?: ReactNode
  problems?: string[]
  optional?: boolean
  aside?: ReactNode
  value: string
  onText: (text: string) => void
}): ReactNode => (
  <Field label={label} help={help} problems={problems} optional={optional} aside={aside}>
    {(ids) => <TextInput {...ids} {...input} onChange={(event) => onText(event.target.value)} />}
  </Field>
)
