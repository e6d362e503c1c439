import type { ReactNode } from 'react'

/** A form that this program checks and sends: not the browser, whose messages are in its own language and gone at the next click. */
export const SubmitForm = ({
  columns = false,
  onSubmit,
  children,
}: {
  /** Fields stand side by side where the window is wide enough. */
  columns?: boolean
  onSubmit: () => void
  children: ReactNode
}): ReactNode => (
  <form
    className={columns ? 'nv-form account-columns' : 'nv-form'}
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
  </form>
)
