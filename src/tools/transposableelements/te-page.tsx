import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { transposonClasses, transposonName } from '../../bio/repeats/transposon-classes.ts'
import { transposonForms } from '../../bio/repeats/transposons.ts'
import { readListValue, useAddressValues } from '../../kit/ui/address-values.ts'
import { AssemblyPicker } from '../../kit/ui/controls/assembly-picker.tsx'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Field, SelectField, TextInput } from '../../kit/ui/controls/field.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { ColumnMenu, TableFrame } from '../../kit/ui/table/table-frame.tsx'
import { definePage } from '../../kit/ui/tool/define-screen.ts'
import { callToolRoute, downloadToolRoute } from '../../kit/ui/tool/tool-route.ts'
import { useElementColumns } from './element-columns.tsx'
import { TransposonNav, useRate } from './element-parts.tsx'
import { elementsAnswer, filterFields } from './endpoints.ts'
import messages from './messages.ts'
import tool, { type Element } from './tool.ts'
import './screen.css'

const filterNames = Object.keys(filterFields)
const sortable = new Set(['start', 'length', 'family', 'divergence', 'ltrIdentity'])
const pageSizes = [25, 50, 100, 500]

/** A box that writes to the address when typing pauses. */
const FilterBox = ({
  label,
  value,
  onValue,
  numeric = false,
}: {
  label: string
  value: string
  onValue: (value: string) => void
  numeric?: boolean
}): ReactNode => {
  const [typed, setTyped] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setTyped(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <Field label={label}>
      {(control) => (
        <TextInput
          {...control}
          inputMode={numeric ? 'decimal' : undefined}
          value={typed}
          onChange={(event) => {
            const next = event.target.value
            setTyped(next)
            clearTimeout(timer.current)
            timer.current = setTimeout(() => onValue(numeric ? next.replace(/[^\d.]/g, '') : next), 350)
          }}
        />
      )}
    </Field>
  )
}

const Browse = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const [query, change] = useAddressValues()
  const filters = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = (readListValue(query, name) ?? []).join(',')
      return value === '' ? [] : [[name, value]]
    }),
  )
  const paging = Object.fromEntries(
    ['page', 'pageSize', 'sort', 'descending'].flatMap((name) => {
      const value = query.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  const answer = useQuery({
    queryKey: ['te-elements', JSON.stringify(filters), JSON.stringify(paging)],
    queryFn: (context) =>
      callToolRoute('GET', tool.id, 'elements/', { ...filters, ...paging }, elementsAnswer, context),
    placeholderData: (before) => before,
    retry: false,
  })
  const found = answer.data
  const rate = useRate(found?.rate ?? null)
  const columns = useElementColumns<Element>((one) => one, rate)
  const [hidden, setHidden] = useState<Set<string>>(
    () => new Set(columns.filter((one) => one.hidden).map((one) => one.key)),
  )
  const set = (values: Record<string, string | null>): void => change({ ...values, page: null })
  const value = (name: string): string => query.get(name) ?? ''
  const assembly = value('assembly') || (found?.assembly ?? '')
  const sortKey = value('sort') === '' ? 'position' : value('sort')
  const size = Number(value('pageSize')) || 50
  const pages = Math.max(1, Math.ceil((found?.total ?? 0) / size))
  const conditions = Object.keys(filters).filter((name) => name !== 'assembly')
  return (
    <main className="nv-page te-page">
      <title>{`${t('browse.title')} · NovoDB`}</title>
      <header className="nv-page-head">
        <div>
          <h1>{t('browse.title')}</h1>
          <p className="nv-lead">{t('browse.lead')}</p>
        </div>
        <div className="nv-page-actions te-assembly">
          <AssemblyPicker value={assembly} onChoose={(chosen) => set({ assembly: chosen, region: null })} />
        </div>
      </header>
      <TransposonNav now="browse" assembly={assembly} />
      <Card>
        <search className="te-filters">
          <FilterBox label={t('browse.q')} value={value('q')} onValue={(q) => set({ q: q || null })} />
          <SelectField
            label={t('browse.class')}
            value={value('codes')}
            onChoose={(codes) => set({ codes: codes || null })}
            options={[
              { value: '', label: t('browse.anyClass') },
              ...transposonClasses.map(({ code }) => ({
                value: code,
                label: `${code} ${transposonName(code, language)}`,
              })),
            ]}
          />
          <SelectField
            label={t('column.form')}
            value={value('forms')}
            onChoose={(forms) => set({ forms: forms || null })}
            options={[
              { value: '', label: t('browse.anyForm') },
              ...transposonForms.map((form) => ({ value: form, label: t(`form.${form}`) })),
            ]}
          />
          <FilterBox
            label={t('browse.family')}
            value={value('family')}
            onValue={(family) => set({ family: family || null })}
          />
          <FilterBox
            label={t('browse.region')}
            value={value('region')}
            onValue={(region) => set({ region: region || null })}
          />
          <FilterBox
            numeric
            label={t('browse.minBp')}
            value={value('minBp')}
            onValue={(minBp) => set({ minBp: minBp || null })}
          />
          <FilterBox
            numeric
            label={t('browse.maxBp')}
            value={value('maxBp')}
            onValue={(maxBp) => set({ maxBp: maxBp || null })}
          />
          <FilterBox
            numeric
            label={t('browse.minLtr')}
            value={value('minLtrIdentity')}
            onValue={(min) => set({ minLtrIdentity: min || null })}
          />
        </search>
      </Card>
      {answer.isError ? (
        <Unanswered of={answer} />
      ) : found === undefined ? (
        <Waiting />
      ) : (
        <Card flush>
          <TableFrame
            label={t('browse.title')}
            busy={answer.isPlaceholderData}
            columns={columns.filter(({ key }) => !hidden.has(key))}
            rows={found.elements}
            rowKey={({ id }) => id}
            sort={{ key: sortKey === 'position' ? 'start' : sortKey, descending: value('descending') === '1' }}
            sortable={sortable}
            onSort={(key) => {
              const name = key === 'start' ? 'position' : key
              set({ sort: name, descending: sortKey === name && value('descending') !== '1' ? '1' : null })
            }}
            none={
              <EmptyState
                title={t('browse.none')}
                why={t('browse.noneWhy')}
                action={
                  <Button onClick={() => set(Object.fromEntries(conditions.map((name) => [name, null])))}>
                    {t('browse.clear')}
                  </Button>
                }
              />
            }
            bar={
              <>
                <span className="nv-table-count">
                  {t('browse.found', { total: found.total, bases: format.basePairs(found.bases) })}
                </span>
                {conditions.length > 0 ? (
                  <Button
                    size="small"
                    look="quiet"
                    onClick={() => set(Object.fromEntries(conditions.map((name) => [name, null])))}
                  >
                    {t('browse.clear')}
                  </Button>
                ) : null}
                <span className="nv-table-tools">
                  <ColumnMenu columns={columns} hidden={hidden} onHidden={setHidden} />
                  <Menu
                    size="small"
                    look="quiet"
                    icon={<Download size={15} aria-hidden />}
                    label={t('browse.download')}
                    items={(['tsv', 'gff3', 'bed', 'fasta'] as const).map((which) => ({
                      key: which,
                      label: which.toUpperCase(),
                      run: () =>
                        void downloadToolRoute(
                          tool.id,
                          'file',
                          { assembly: found.assembly, format: which, filter: filters },
                          `transposable-elements.${which}`,
                        ),
                    }))}
                  />
                </span>
              </>
            }
            pages={
              found.total > pageSizes[0]!
                ? {
                    page: found.page,
                    pages,
                    onPage: (page) => change({ page: String(page) }),
                    size: {
                      value: size,
                      sizes: pageSizes,
                      onSize: (next) => set({ pageSize: String(next) }),
                    },
                  }
                : null
            }
          />
        </Card>
      )}
    </main>
  )
}

export default definePage({ Page: Browse })
