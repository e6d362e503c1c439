import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'

/** Stands for a folded form: the question in one line, and what opens the form again. */
export const FormLine = ({
  question,
  form,
  open,
  onOpen,
}: {
  question: string
  /** Id of the form. */
  form: string
  open: boolean
  onOpen: (open: boolean) => void
}): ReactNode => {
  const t = useText(messages)
  return (
    <div className="nv-form-line">
      <p className="nv-question" title={question}>
        {question}
      </p>
      <Button
        size="small"
        icon={<SlidersHorizontal size={14} aria-hidden />}
        aria-expanded={open}
        aria-controls={form}
        onClick={() => onOpen(!open)}
      >
        {t('form.change')}
      </Button>
    </div>
  )
}
