import type { ReactNode } from 'react'

export const FormFailure = ({ failure }: { failure: string | null }): ReactNode =>
  failure === null ? null : (
    <p className="nv-field-problem" role="alert">
      {failure}
    </p>
  )
