import { useEffect, useState } from 'react'

/** Seconds left until something may be done again, counted down each second; 0 when it may. `start(60)` begins anew. */
export const useCountdown = (): { seconds: number; start: (seconds: number) => void } => {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(0)
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  useEffect(() => {
    if (until === 0) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= until) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  return {
    seconds,
    start: (length) => {
      setNow(Date.now())
      setUntil(Date.now() + length * 1000)
    },
  }
}
