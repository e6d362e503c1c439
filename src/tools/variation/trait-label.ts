import type { LocalizedText } from '../../contracts/text.ts'
import type { Format } from '../../kit/ui/language.tsx'

/** A phenotype with its unit: `Rifampicin MIC (mg/L)`. */
export const traitLabel = (format: Format, { name, unit }: { name: LocalizedText; unit: string | null }): string =>
  format.withUnit(format.text(name), unit)
