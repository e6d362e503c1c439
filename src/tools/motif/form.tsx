import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import type { Values } from '../../kit/ui/controls/schema-fields.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import type { FieldHint, FormProps } from '../../kit/ui/tool/define-screen.ts'
import { listCollections } from './endpoints.ts'
import messages from './messages.ts'

const isSource =
  (...sources: string[]) =>
  (values: Values): boolean =>
    sources.includes(String(values.source ?? 'genes'))
const isMotifs =
  (source: string) =>
  (values: Values): boolean =>
    String(values.motifSource ?? 'collection') === source
const advanced = { advanced: true }
const compares = (values: Values): boolean => isSource('genes')(values) && values.enrichment !== false

const hints: Record<string, FieldHint> = {
  genes: { when: isSource('genes'), rows: 4, required: true },
  assembly: { needs: 'genome', allowAll: false },
  sequence: { when: isSource('sequence'), widget: 'sequence', rows: 6 },
  motifNames: { when: isMotifs('collection'), rows: 2, widget: 'identifiers', required: false },
  matrices: { when: isMotifs('matrices'), widget: 'sequence', rows: 7 },
  consensus: { when: isMotifs('consensus'), widget: 'long-text', rows: 4 },
  inexact: { when: isMotifs('consensus') },
  from: { when: isSource('genes', 'all') },
  upstreamBp: { when: isSource('genes', 'all') },
  insideBp: { advanced: true, when: isSource('genes', 'all') },
  clip: { when: isSource('genes', 'all') },
  enrichment: { when: isSource('genes') },
  backgroundGenes: { advanced: true, when: compares, rows: 2, widget: 'identifiers' },
  codingOnly: { advanced: true, when: (values) => isSource('all')(values) || compares(values) },
  qValue: advanced,
  bothStrands: advanced,
  background: advanced,
  backgroundModel: { advanced: true, when: (values) => values.background === 'own', widget: 'sequence', rows: 5 },
  order: { advanced: true, when: ({ background }) => background === 'sequences' || background === 'own' },
  pseudocount: advanced,
}

const useCollections = () =>
  useQuery({
    queryKey: ['motif-collections'],
    queryFn: async (context) => (await call(listCollections, {}, context)).collections,
    staleTime: 60_000,
  })

/** The form as the schema draws it, with the collections that are loaded in the place of their ids. */
export const MotifForm = ({ values, onValues, onAdjust, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const collections = useCollections()
  const text = useToolText(messages)
  const [address] = useSearchParams()
  // A first visit begins with a reference genome; a result that is shown is left as it is.
  const first = useAssemblies().find((one) => (one.dataTypes.genes ?? 0) > 0)?.id
  const settled = address.has('job') || address.has('run')
  const suggested = useRef(false)
  useEffect(() => {
    if (settled || suggested.current || first === undefined) return
    suggested.current = true
    if (values.assembly === undefined) onAdjust({ assembly: first })
  }, [settled, first, values.assembly, onAdjust])
  // Without a collection the words are what can be searched at once; who chooses the collection all the same keeps it.
  const worded = useRef(false)
  const hasNone = collections.data?.length === 0
  useEffect(() => {
    if (!hasNone || worded.current) return
    worded.current = true
    if (!settled && !address.has('motifSource') && isMotifs('collection')(values))
      onAdjust({ motifSource: 'consensus' })
  }, [hasNone, settled, address, values, onAdjust])
  const before = ['source', 'genes', 'assembly', 'sequence', 'motifSource']
  const form = (shown: (name: string) => boolean): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => name !== 'collection' && shown(name))}
      hints={hints}
      values={values}
      onValues={onValues}
      problems={problems}
      text={text}
    />
  )
  return (
    <>
      {form((name) => before.includes(name))}
      {isMotifs('collection')(values) && collections.isError ? <Unanswered of={collections} line /> : null}
      {isMotifs('collection')(values) ? (
        <SelectField
          label={t('field.collection')}
          problems={problems.collection}
          // A run says the same: once is enough.
          help={hasNone && (problems.collection ?? []).length === 0 ? t('collection.none') : undefined}
          value={typeof values.collection === 'string' ? values.collection : ''}
          onChoose={(collection) => onValues({ collection: collection === '' ? undefined : collection })}
          options={[
            { value: '', label: t('collection.first') },
            ...(collections.data ?? []).map(({ id, title, motifCount, speciesName }) => ({
              value: id,
              label: t('collection.option', { title: format.text(title), count: motifCount, species: speciesName }),
            })),
          ]}
        />
      ) : null}
      {form((name) => !before.includes(name))}
    </>
  )
}
