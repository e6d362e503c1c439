import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../kit/ui/controls/button.tsx'
import { TextInput } from '../../kit/ui/controls/field.tsx'
import { useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'

const width = 220
const height = 64

/** Publications by year as bars, and the years that bound the list; a bar chooses its year. */
export const YearFigure = ({
  years,
  from,
  to,
  onYears,
}: {
  years: { year: number; count: number }[]
  from: number | null
  to: number | null
  onYears: (from: number | null, to: number | null) => void
}): ReactNode => {
  const t = useText(messages)
  const [typed, setTyped] = useState({ from: from === null ? '' : `${from}`, to: to === null ? '' : `${to}` })
  const first = years[0]?.year ?? 0
  const last = years.at(-1)?.year ?? 0
  const max = Math.max(1, ...years.map((one) => one.count))
  // A few years still make bars of a width that a finger can touch, not one broad block.
  const step = width / Math.max(12, last - first + 1)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const read = (text: string): number | null => (/^\d{4}$/.test(text.trim()) ? Number(text) : null)
    onYears(read(typed.from), read(typed.to))
  }
  return (
    <section className="ref-facet" aria-label={t('years.title')}>
      <h2>{t('years.title')}</h2>
      {years.length === 0 ? null : (
        <>
          <svg className="ref-years" viewBox={`0 0 ${width} ${height}`}>
            <title>{t('years.title')}</title>
            {years.map(({ year, count }) => {
              const inside = (from === null || year >= from) && (to === null || year <= to)
              const only = from === year && to === year
              const tall = Math.max(3, (count / max) * (height - 6))
              return (
                // biome-ignore lint/a11y/useSemanticElements: a button cannot stand inside a drawing.
                <g
                  key={year}
                  role="button"
                  tabIndex={0}
                  aria-pressed={only}
                  aria-label={t('years.figure', { year: String(year), count })}
                  onClick={() => onYears(only ? null : year, only ? null : year)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' && event.key !== ' ') return
                    event.preventDefault()
                    onYears(only ? null : year, only ? null : year)
                  }}
                >
                  <title>{t('years.figure', { year: String(year), count })}</title>
                  <rect className="ref-years-hit" x={(year - first) * step} y={0} width={step} height={height} />
                  <rect
                    className={inside ? 'ref-years-bar' : 'ref-years-bar ref-years-out'}
                    x={(year - first) * step + step * 0.1}
                    y={height - tall}
                    width={step * 0.8}
                    height={tall}
                    rx={1}
                  />
                </g>
              )
            })}
          </svg>
          <p className="ref-years-axis">
            <span>{first}</span>
            {last === first ? null : <span>{last}</span>}
          </p>
        </>
      )}
      <form className="ref-years-form" onSubmit={submit}>
        <TextInput
          inputMode="numeric"
          maxLength={4}
          aria-label={t('field.yearFrom')}
          placeholder={String(first === 0 ? '' : first)}
          value={typed.from}
          onChange={(event) => setTyped({ ...typed, from: event.target.value })}
        />
        <span aria-hidden>–</span>
        <TextInput
          inputMode="numeric"
          maxLength={4}
          aria-label={t('field.yearTo')}
          placeholder={String(last === 0 ? '' : last)}
          value={typed.to}
          onChange={(event) => setTyped({ ...typed, to: event.target.value })}
        />
        <Button type="submit" size="small">
          {t('years.apply')}
        </Button>
      </form>
    </section>
  )
}
