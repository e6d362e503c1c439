import type { CSSProperties, ReactNode } from 'react'
import { useFormat } from '../../../kit/ui/language.tsx'

/** A frequency over a bar as long as it is; what no accession has stays quiet. */
export const Share = ({ value }: { value: number | null }): ReactNode => {
  const format = useFormat()
  if (value === null) return <span className="nv-none">–</span>
  return (
    <span
      className={value === 0 ? 'variation-share nv-quiet' : 'variation-share'}
      style={{ '--share': `${100 * value}%` } as CSSProperties}
    >
      {format.fixed(value, 3)}
    </span>
  )
}
