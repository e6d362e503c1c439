import { ArrowUp } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useText } from '../../kit/ui/language.tsx'
import { messages } from '../messages/shell.ts'

/** Shown after this many pixels, and how long the way up takes (portal specification, section 9). */
const visibleAfterPx = 400
const scrollMs = 450

const scrollToTop = (): void => {
  const from = scrollY
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    scrollTo(0, 0)
    return
  }
  const began = performance.now()
  const step = (now: number): void => {
    const part = Math.min(1, (now - began) / scrollMs)
    scrollTo(0, from * (1 - part) ** 3)
    if (part < 1) requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}

export const BackToTop = (): ReactNode => {
  const t = useText(messages)
  const [visible, setVisible] = useState(false)
  useEffect(() => {
    const look = (): void => setVisible(scrollY > visibleAfterPx)
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  return visible ? (
    // A landmark of its own: what stands beside the content is found by whoever goes from one to the next.
    <aside aria-label={t('top.back')}>
      <button
        type="button"
        className="shell-top"
        aria-label={t('top.back')}
        title={t('top.back')}
        onClick={scrollToTop}
      >
        <ArrowUp size={18} aria-hidden />
      </button>
    </aside>
  ) : null
}
