import type { ReactNode } from 'react'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Dialog } from '../../../kit/ui/controls/dialog.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { messages } from '../../messages/admin.ts'

/** A question before something that is not easily taken back. */
export const ConfirmDialog = ({
  title,
  why,
  action,
  danger = false,
  onYes,
  onNo,
}: {
  title: string
  why: string
  action: string
  danger?: boolean
  onYes: () => void
  onNo: () => void
}): ReactNode => {
  const t = useText(messages)
  return (
    <Dialog
      open
      onClose={onNo}
      title={title}
      actions={
        <>
          <Button onClick={onNo}>{t('info.back')}</Button>
          <Button
            look={danger ? 'danger' : 'primary'}
            onClick={() => {
              onNo()
              onYes()
            }}
          >
            {action}
          </Button>
        </>
      }
    >
      <p>{why}</p>
    </Dialog>
  )
}
