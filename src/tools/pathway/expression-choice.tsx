import { type ReactNode, useEffect } from 'react'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag, useDatasets } from '../../kit/ui/controls/expression-fields.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import tool from './tool.ts'

/** What of a data set a pathway is coloured by: a comparison, or a group of samples against all others. */
export interface Comparison {
  dataset: string
  contrast: string
  level: string
}

/** What an address says; null when it names no data set. */
export const readComparison = (query: URLSearchParams): Comparison | null => {
  const dataset = query.get('dataset')
  return dataset === null ? null : { dataset, contrast: query.get('contrast') ?? '', level: query.get('level') ?? '' }
}

/** A data set and what of it is compared. The first comparison there is stands chosen at first. */
export const ExpressionChoice = ({
  assembly,
  chosen,
  onChoose,
  problem,
  matched,
}: {
  assembly: string
  chosen: Comparison | null
  onChoose: (next: Comparison) => void
  problem: string | null
  /** Genes coloured; null while they are fetched. */
  matched: number | null
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const datasetsAnswer = useDatasets(tool.id, assembly)
  const datasets = datasetsAnswer.data
  const dataset = datasets?.find(({ id }) => id === chosen?.dataset) ?? datasets?.[0]
  const levelsOf = (one: typeof dataset): string[] =>
    one?.factors.find(({ name }) => name === one.group)?.levels ?? one?.samples.map(({ id }) => id) ?? []
  const firstOf = (one: NonNullable<typeof dataset>): Comparison => ({
    dataset: one.id,
    contrast: one.contrasts[0]?.id ?? '',
    level: levelsOf(one)[0] ?? '',
  })
  const first = chosen === null && dataset !== undefined ? firstOf(dataset) : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: chosen once, when the data sets have come.
  useEffect(() => {
    if (first !== null) onChoose(first)
  }, [first === null])
  if (datasets === undefined) return datasetsAnswer.isError ? <Unanswered of={datasetsAnswer} line /> : null
  if (dataset === undefined) return <p className="nv-quiet">{t('colour.noDataset')}</p>
  const current = chosen ?? firstOf(dataset)
  return (
    <div className="nv-figure-fields">
      <SelectField
        label={t('colour.dataset')}
        aside={<SimulatedTag simulated={dataset.simulated} beside={dataset.name} />}
        value={dataset.id}
        onChoose={(id) => onChoose(firstOf(datasets.find((one) => one.id === id)!))}
        options={datasets.map((one) => ({ value: one.id, label: format.text(one.name) }))}
      />
      <SelectField
        label={t('colour.comparison')}
        help={t(current.contrast === '' ? 'colour.levelHelp' : 'colour.contrastHelp')}
        problems={problem === null ? [] : [problem]}
        value={current.contrast === '' ? `l${current.level}` : `c${current.contrast}`}
        onChoose={(value) =>
          onChoose({
            dataset: dataset.id,
            contrast: value.startsWith('c') ? value.slice(1) : '',
            level: value.startsWith('l') ? value.slice(1) : '',
          })
        }
        options={[
          ...dataset.contrasts.map((one) => ({ value: `c${one.id}`, label: format.text(one.name) })),
          ...levelsOf(dataset).map((level) => ({
            value: `l${level}`,
            label: t('colour.level', { level: level === '' ? '–' : level }),
          })),
        ]}
      />
      {matched === null ? null : <span className="nv-quiet">{t('colour.matched', { count: matched })}</span>}
    </div>
  )
}
