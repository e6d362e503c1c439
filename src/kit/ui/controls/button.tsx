import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'

export type ButtonVariant = 'primary' | 'default' | 'quiet' | 'danger'

export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonVariant
  size?: 'small' | 'normal' | 'large'
  icon?: ReactNode
  busy?: boolean
}

/**
 * The one button; while `busy` it keeps its width and does nothing, but is not disabled: a disabled button loses the focus, and who
 * works by keyboard would begin again at the top of the page. Without children, give `aria-label` and it becomes square.
 */
export const Button = ({
  look = 'default',
  size = 'normal',
  icon,
  busy = false,
  children,
  className = '',
  onClick,
  ...rest
}: ButtonProps): ReactNode => (
  <button
    type="button"
    {...rest}
    aria-busy={busy || undefined}
    aria-disabled={busy || undefined}
    // A click on a busy one would hand its form in once more.
    onClick={busy ? (event) => event.preventDefault() : onClick}
    className={`nv-button nv-button-${look} nv-button-${size}${children === undefined ? ' nv-button-square' : ''} ${className}`}
  >
    {icon}
    {children}
  </button>
)

/** A link that looks like a button; `external` for addresses that the browser's own routes do not hold. */
export const ButtonLink = ({
  to,
  look = 'default',
  size = 'normal',
  icon,
  children,
  external = false,
  title,
}: {
  to: string
  look?: ButtonVariant
  size?: 'small' | 'normal' | 'large'
  icon?: ReactNode
  children: ReactNode
  external?: boolean
  title?: string
}): ReactNode => {
  const className = `nv-button nv-button-${look} nv-button-${size}`
  return external ? (
    <a href={to} className={className} title={title}>
      {icon}
      {children}
    </a>
  ) : (
    <Link to={to} className={className} title={title}>
      {icon}
      {children}
    </Link>
  )
}
