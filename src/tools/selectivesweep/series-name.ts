import { type Format, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { Series } from './series.ts'

/** How readers call a series: its statistic and populations, or what the loaded file calls it. */
export const useSeriesName = (): ((series: Pick<Series, 'statistic' | 'label' | 'populations'>) => string) => {
  const t = useText(messages)
  return ({ statistic, label, populations }) => {
    const [one, other] = populations
    // A ratio is of one over the other; the rest compares both.
    const joined =
      other === undefined || populations.length > 2 || statistic.toLowerCase().includes('ratio')
        ? populations.join(' / ')
        : t('series.between', { one: one ?? '', other })
    if (label !== null) return joined === '' ? label : t('series.label', { label, populations: joined })
    return t('series.of', { statistic: t(`statistic.${statistic}`), populations: joined })
  }
}

/** The same without its populations, where these stand beside it. */
export const useShortName = (): ((series: Pick<Series, 'statistic' | 'label'>) => string) => {
  const t = useText(messages)
  return ({ statistic, label }) => label ?? t(`statistic.${statistic}`)
}

/** Diversity is a few thousandths: three digits of it, whatever its size, a last zero too. Values beside each other have as many decimals. */
export const writeValue = (format: Format, value: number): string =>
  value !== 0 && Math.abs(value) < 0.01
    ? format.fixed(value, 2 - Math.floor(Math.log10(Math.abs(value))))
    : Math.abs(value) < 10
      ? format.fixed(value, 3)
      : format.statistic(value)
