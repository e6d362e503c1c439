import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, type ButtonVariant } from './button.tsx'
import { copyText } from './copy-text.ts'

/** Copies a text, made when it is pressed, and says so in the words of `reported`. */
export const CopyButton = ({
  textOf,
  reported,
  look = 'default',
  size = 'small',
  children,
}: {
  textOf: () => string
  reported: string
  look?: ButtonVariant
  size?: 'small' | 'normal'
  children: ReactNode
}): ReactNode => (
  <Button
    size={size}
    look={look}
    icon={<Copy size={size === 'small' ? 14 : 15} aria-hidden />}
    onClick={() => void copyText(textOf(), reported)}
  >
    {children}
  </Button>
)
