import './screen.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type ReactNode, useDeferredValue } from 'react'
import { z } from 'zod'
import { localizedTextSchema } from '../../contracts/text.ts'
import { AssembliesPicker } from '../../kit/ui/controls/assembly-picker.tsx'
import { Button } from '../../kit/ui/controls/button.tsx'
import { CheckGroup } from '../../kit/ui/controls/check-group.tsx'
import { Combobox } from '../../kit/ui/controls/combobox.tsx'
import { SimulatedTag, useUnitName } from '../../kit/ui/controls/expression-fields.tsx'
import { Checkbox, Field, NumberInput, Select, TextInput } from '../../kit/ui/controls/field.tsx'
import { maxIdentifierCharacters } from '../../kit/ui/controls/gene-input.tsx'
import { GeneSetPicker } from '../../kit/ui/controls/gene-set-picker.tsx'
import { TextBox } from '../../kit/ui/controls/text-box.tsx'
import { useBiotypeName } from '../../kit/ui/gene/biology-names.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { FormProps } from '../../kit/ui/tool/define-screen.ts'
import { callToolRoute } from '../../kit/ui/tool/tool-route.ts'
import messages from './messages.ts'
import tool, { type CriterionInput, type ExpressionMeasure } from './tool.ts'

export type Groups = { rows: CriterionInput[] }[]

const kinds = ['text', 'names', 'prefix', 'location', 'term', 'biotype', 'length', 'expression'] as const
type Kind = (typeof kinds)[number]

const emptyRow = (kind: Kind): CriterionInput => {
  switch (kind) {
    case 'names':
      return { kind, names: '' }
    case 'location':
      return { kind, region: '', strand: 'any', within: false }
    case 'term':
      return { kind, source: '', term: '', descendants: true }
    case 'biotype':
      return { kind, biotypes: [] }
    case 'length':
      return { kind, measure: 'gene' }
    case 'expression':
      return { kind, dataset: '', measure: 'mean', level: '' }
    default:
      return { kind, text: '' }
  }
}

const optionsSchema = z.object({
  biotypes: z.array(z.object({ biotype: z.string(), count: z.number() })),
  sources: z.array(z.string()),
  datasets: z.array(
    z.object({
      id: z.string(),
      name: localizedTextSchema,
      unit: z.string(),
      simulated: z.boolean(),
      specific: z.boolean(),
      factor: z.string().nullable(),
      levels: z.array(z.string()),
      comparisons: z.array(z.object({ id: z.string(), name: localizedTextSchema })),
    }),
  ),
})
const termsSchema = z.array(
  z.object({ source: z.string(), term: z.string(), name: z.string().nullable(), geneCount: z.number() }),
)

/** Types of genes and vocabularies of the assemblies, asked once. */
export const useOptions = (assemblies: string[]): z.output<typeof optionsSchema> => {
  const answer = useQuery({
    queryKey: ['genesearch-options', assemblies.join(',')],
    queryFn: (context) =>
      callToolRoute('GET', tool.id, 'options/', { assemblies: assemblies.join(',') }, optionsSchema, context),
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  })
  return answer.data ?? { biotypes: [], sources: [], datasets: [] }
}

const readGroups = (value: unknown): Groups => (Array.isArray(value) ? (value as Groups) : [])

const TermInput = ({
  row,
  assemblies,
  onRow,
}: {
  row: Extract<CriterionInput, { kind: 'term' }>
  assemblies: string[]
  onRow: (row: CriterionInput) => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const typed = useDeferredValue(row.term ?? '')
  const answer = useQuery({
    queryKey: ['genesearch-terms', assemblies.join(','), row.source, typed],
    queryFn: (context) =>
      callToolRoute(
        'GET',
        tool.id,
        'terms/',
        { q: typed, source: row.source ?? '', assemblies: assemblies.join(',') },
        termsSchema,
        context,
      ),
    enabled: typed.trim().length >= 2,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  })
  return (
    <Combobox
      label={t('row.term')}
      placeholder={t('row.term')}
      text={row.term ?? ''}
      busy={answer.isFetching}
      clearable
      onText={(term) => onRow({ ...row, term })}
      choices={(typed.trim().length >= 2 ? (answer.data ?? []) : []).map((one) => ({
        value: one.term,
        group: one.source,
        label: (
          <>
            {one.name ?? one.term} {one.name === null ? null : <code>{one.term}</code>}
          </>
        ),
        hint: format.number(one.geneCount),
      }))}
      onChoose={(term) => onRow({ ...row, term })}
    />
  )
}

const RowBody = ({
  row,
  assemblies,
  options,
  onRow,
}: {
  row: CriterionInput
  assemblies: string[]
  options: z.output<typeof optionsSchema>
  onRow: (row: CriterionInput) => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const biotypeName = useBiotypeName()
  const unitName = useUnitName()
  switch (row.kind) {
    case 'names': {
      const text = Array.isArray(row.names) ? row.names.join('\n') : row.names
      return (
        <TextBox
          rows={3}
          aria-label={t('row.names')}
          placeholder={t('row.names')}
          max={maxIdentifierCharacters}
          aside={null}
          actions={<GeneSetPicker onPick={(set) => onRow({ ...row, names: set.genes.join('\n') })} />}
          value={text}
          onText={(names) => onRow({ ...row, names })}
        />
      )
    }
    case 'location':
      return (
        <>
          <TextInput
            className="nv-mono"
            aria-label={t('kind.location')}
            placeholder={t('row.region')}
            value={row.region}
            onChange={(event) => onRow({ ...row, region: event.target.value })}
          />
          <Select
            aria-label={t('row.strand')}
            value={row.strand ?? 'any'}
            options={(['any', '+', '-'] as const).map((strand) => ({
              value: strand,
              label: t(`row.strand.${strand}`),
            }))}
            onChoose={(strand) => onRow({ ...row, strand: strand === '+' || strand === '-' ? strand : 'any' })}
          />
          <Checkbox checked={row.within === true} onCheck={(within) => onRow({ ...row, within })}>
            {t('row.within')}
          </Checkbox>
        </>
      )
    case 'term':
      return (
        <>
          <Select
            aria-label={t('row.source')}
            value={row.source ?? ''}
            options={[
              { value: '', label: t('row.source.any') },
              ...options.sources.map((source) => ({ value: source, label: source })),
            ]}
            onChoose={(source) => onRow({ ...row, source })}
          />
          <TermInput row={row} assemblies={assemblies} onRow={onRow} />
          <Checkbox checked={row.descendants !== false} onCheck={(descendants) => onRow({ ...row, descendants })}>
            {t('row.descendants')}
          </Checkbox>
        </>
      )
    case 'biotype':
      return (
        <CheckGroup label={t('kind.biotype')} className="nv-checks nv-checks-inline">
          {options.biotypes.map(({ biotype, count }) => (
            <Checkbox
              key={biotype}
              checked={row.biotypes.includes(biotype)}
              onCheck={(checked) =>
                onRow({
                  ...row,
                  biotypes: checked ? [...row.biotypes, biotype] : row.biotypes.filter((one) => one !== biotype),
                })
              }
            >
              {biotypeName(biotype)} <small className="nv-quiet">{format.number(count)}</small>
            </Checkbox>
          ))}
        </CheckGroup>
      )
    case 'length':
      return (
        <>
          <Select
            aria-label={t('row.measure')}
            value={row.measure}
            options={(['gene', 'protein', 'exons', 'transcripts'] as const).map((measure) => ({
              value: measure,
              label: t(`row.measure.${measure}`),
            }))}
            onChoose={(measure) => onRow({ ...row, measure: measure as typeof row.measure })}
          />
          <NumberInput
            aria-label={t('row.minimum')}
            placeholder={t('row.minimum')}
            min={0}
            step={1}
            value={row.minimum ?? undefined}
            onNumber={(minimum) => onRow({ ...row, minimum })}
          />
          <NumberInput
            aria-label={t('row.maximum')}
            placeholder={t('row.maximum')}
            min={0}
            step={1}
            value={row.maximum ?? undefined}
            onNumber={(maximum) => onRow({ ...row, maximum })}
          />
        </>
      )
    case 'expression': {
      const dataset = options.datasets.find(({ id }) => id === row.dataset) ?? options.datasets[0]
      if (dataset === undefined) return <p className="nv-quiet">{t('row.noDataset')}</p>
      const measure = row.measure ?? 'mean'
      const step = { mean: 1, tau: 0.05, log2FoldChange: 0.5, adjustedPValue: 0.01 }[measure]
      const chosenContrast =
        row.contrast === undefined || row.contrast === '' ? dataset.comparisons[0]?.id : row.contrast
      return (
        <>
          <Select
            aria-label={t('row.dataset')}
            value={dataset.id}
            options={options.datasets.map((one) => ({
              value: one.id,
              label: `${format.text(one.name)} (${unitName(one.unit)})`,
            }))}
            onChoose={(id) => onRow({ kind: 'expression', not: row.not, dataset: id, measure: 'mean', level: '' })}
          />
          <SimulatedTag simulated={dataset.simulated} />
          <Select
            aria-label={t('row.expression')}
            value={
              measure === 'mean' ? `=${row.level ?? ''}` : `~${measure}${measure === 'tau' ? '' : ` ${chosenContrast}`}`
            }
            options={[
              { value: '=', label: t('row.meanAll', { unit: unitName(dataset.unit) }) },
              ...dataset.levels.map((level) => ({
                value: `=${level}`,
                label: t('row.meanOf', { level: level === '' ? '–' : level, unit: unitName(dataset.unit) }),
              })),
              ...(dataset.specific ? [{ value: '~tau', label: t('row.tau', { factor: dataset.factor ?? '' }) }] : []),
              ...dataset.comparisons.flatMap(({ id, name }) =>
                (['log2FoldChange', 'adjustedPValue'] as const).map((one) => ({
                  value: `~${one} ${id}`,
                  label: t('row.comparison', { measure: t(`row.measure.${one}`), name: format.text(name) }),
                })),
              ),
            ]}
            onChoose={(chosen) => {
              const [what, contrast = ''] = chosen.slice(1).split(' ')
              onRow({
                ...row,
                dataset: dataset.id,
                ...(chosen.startsWith('=')
                  ? { measure: 'mean', level: chosen.slice(1), contrast: '' }
                  : { measure: what as ExpressionMeasure, level: '', contrast }),
              })
            }}
          />
          <NumberInput
            aria-label={t('row.minimum')}
            placeholder={t('row.minimum')}
            step={step}
            value={row.minimum ?? undefined}
            onNumber={(minimum) => onRow({ ...row, dataset: dataset.id, minimum })}
          />
          <NumberInput
            aria-label={t('row.maximum')}
            placeholder={t('row.maximum')}
            step={step}
            value={row.maximum ?? undefined}
            onNumber={(maximum) => onRow({ ...row, dataset: dataset.id, maximum })}
          />
        </>
      )
    }
    default:
      return (
        <TextInput
          aria-label={t(`kind.${row.kind}`)}
          placeholder={t(row.kind === 'text' ? 'row.text' : 'row.prefix')}
          value={row.text}
          onChange={(event) => onRow({ ...row, text: event.target.value })}
        />
      )
  }
}

/** Criteria as they are joined: boxes with "and" between, rows in a box with "or" between. */
export const CriteriaForm = ({ values, onValues, problems }: FormProps): ReactNode => {
  const t = useText(messages)
  const groups = readGroups(values.groups)
  const assemblies = Array.isArray(values.assemblies) ? values.assemblies.map(String) : []
  const options = useOptions(assemblies)
  // Another search begins at its first page.
  const write = (next: Groups): void => onValues({ groups: next.filter((group) => group.rows.length > 0), page: 1 })
  const setRow = (group: number, row: number, to: CriterionInput | null): void =>
    write(
      groups.map((one, index) =>
        index === group
          ? { rows: one.rows.flatMap((old, at) => (at === row ? (to === null ? [] : [to]) : [old])) }
          : one,
      ),
    )
  return (
    <>
      <Field label={t('field.assemblies')} help={t('help.assemblies')} problems={problems.assemblies}>
        {() => (
          <AssembliesPicker
            label={t('field.assemblies')}
            value={assemblies}
            needs="genes"
            onChoose={(chosen) => onValues({ assemblies: chosen, page: 1 })}
          />
        )}
      </Field>
      <Field label={t('field.groups')} problems={problems.groups}>
        {() => (
          <div className="gs-groups">
            {groups.length === 0 ? <p className="nv-quiet">{t('group.none')}</p> : null}
            {groups.map((group, groupIndex) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: groups have no other identity than their place.
              <div key={groupIndex} className="gs-groups">
                {groupIndex === 0 ? null : <span className="gs-word">{t('group.and')}</span>}
                <div className="gs-group">
                  {group.rows.map((row, rowIndex) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity than their place.
                    <div key={rowIndex} className="gs-row">
                      {rowIndex === 0 ? null : <span className="gs-word gs-or">{t('group.or')}</span>}
                      <div className="gs-row-head">
                        <Checkbox
                          checked={row.not === true}
                          onCheck={(not) => setRow(groupIndex, rowIndex, { ...row, not })}
                        >
                          {t('row.not')}
                        </Checkbox>
                        <Select
                          aria-label={t('row.kind')}
                          value={row.kind}
                          options={kinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
                          onChoose={(kind) => setRow(groupIndex, rowIndex, { ...emptyRow(kind as Kind), not: row.not })}
                        />
                        <Button
                          size="small"
                          look="quiet"
                          aria-label={t('row.remove')}
                          title={t('row.remove')}
                          icon={<X size={14} aria-hidden />}
                          onClick={() => setRow(groupIndex, rowIndex, null)}
                        />
                      </div>
                      <div className="gs-row-body">
                        <RowBody
                          row={row}
                          assemblies={assemblies}
                          options={options}
                          onRow={(to) => setRow(groupIndex, rowIndex, to)}
                        />
                      </div>
                    </div>
                  ))}
                  {group.rows.length >= tool.limits.rowsAGroup! ? null : (
                    <div>
                      <Button
                        size="small"
                        look="quiet"
                        icon={<Plus size={14} aria-hidden />}
                        onClick={() =>
                          write(
                            groups.map((one, index) =>
                              index === groupIndex ? { rows: [...one.rows, emptyRow('text')] } : one,
                            ),
                          )
                        }
                      >
                        {t('group.addRow')}
                      </Button>
                    </div>
                  )}
                </div>
              </div>
            ))}
            {groups.length >= tool.limits.groups! ? null : (
              <div>
                <Button
                  size="small"
                  icon={<Plus size={14} aria-hidden />}
                  onClick={() => write([...groups, { rows: [emptyRow('text')] }])}
                >
                  {t(groups.length === 0 ? 'group.first' : 'group.add')}
                </Button>
              </div>
            )}
          </div>
        )}
      </Field>
    </>
  )
}
