import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { Button } from './button.tsx'

/** The browser's own modal dialog: it keeps the focus inside, Escape closes it. */
export const Dialog = ({
  open,
  onClose,
  title,
  children,
  actions,
  wide = false,
}: {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  actions?: ReactNode
  wide?: boolean
}): ReactNode => {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const t = useText(messages)
  useEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (open && !element.open) element.showModal()
    if (!open && element.open) element.close()
  }, [open])
  return (
    <dialog
      ref={dialog}
      className={`nv-dialog${wide ? ' nv-dialog-wide' : ''}`}
      aria-labelledby={open ? titleId : undefined}
      onClose={onClose}
    >
      {open ? (
        <>
          <header>
            <h2 id={titleId}>{title}</h2>
            <Button look="quiet" aria-label={t('close')} icon={<X size={16} aria-hidden />} onClick={onClose} />
          </header>
          <div className="nv-dialog-body">{children}</div>
          {actions === undefined ? null : <footer>{actions}</footer>}
        </>
      ) : null}
    </dialog>
  )
}
