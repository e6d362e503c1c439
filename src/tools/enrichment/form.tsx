import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CheckGroup } from '../../kit/ui/controls/check-group.tsx'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox, Field } from '../../kit/ui/controls/field.tsx'
import type { Values } from '../../kit/ui/controls/schema-fields.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useCollectionName } from '../../kit/ui/gene/collection-name.ts'
import { useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import type { FieldHint, FormProps } from '../../kit/ui/tool/define-screen.ts'
import { listCollections } from './endpoints.ts'
import messages from './messages.ts'

const isOwn = (values: Values): boolean => values.annotation === 'own'
const ownBackground = (values: Values): boolean => values.background === 'own'

const hints: Record<string, FieldHint> = {
  genes: { rows: 6 },
  assembly: { needs: 'genes', allowAll: false },
  ownAnnotation: { when: isOwn, widget: 'sequence', rows: 7 },
  ownFormat: { when: isOwn },
  backgroundGenes: { when: ownBackground, widget: 'identifiers', rows: 4 },
  annotatedOnly: { when: ownBackground },
  minSize: { advanced: true },
  maxSize: { advanced: true },
  direction: { advanced: true },
  correction: { advanced: true },
  correctedOver: { advanced: true },
  tested: { advanced: true },
  threshold: { advanced: true },
  propagate: { advanced: true },
}

const useCollections = (assembly: string | undefined) =>
  useQuery({
    queryKey: ['enrichment-collections', assembly ?? ''],
    queryFn: (context) => call(listCollections, { assembly }, context),
    staleTime: 60_000,
    retry: false,
  })

/** An assembly to begin with: the reference first, of those with annotation. */
export const useAnnotatedAssembly = (): string | undefined => {
  const assemblies = useAssemblies()
  const annotated = assemblies.filter((one) => (one.dataTypes.annotation ?? 0) > 0)
  return (annotated.find((one) => one.reference) ?? annotated[0])?.id
}

/** The form as the schema draws it, with the collections that the assembly has in the place of their ids. */
export const EnrichmentForm = ({ values, onValues, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const first = useAnnotatedAssembly()
  const assembly = typeof values.assembly === 'string' ? values.assembly : first
  const nameOf = useCollectionName(assembly ?? null)
  const collections = useCollections(assembly)
  const hasKegg = collections.data?.collections.some(({ source }) => source === 'KEGG') ?? true
  const text = useToolText(messages)
  // As an address has it: a list of plain words is one text there.
  const given = values.collections
  const chosen = Array.isArray(given)
    ? given.map(String)
    : typeof given === 'string' && given !== ''
      ? given.split(',')
      : []
  const choose = (id: string, on: boolean): void =>
    onValues({ collections: on ? [...chosen, id] : chosen.filter((one) => one !== id) })
  const before = ['genes', 'assembly', 'annotation']
  const form = (shown: (name: string) => boolean): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => name !== 'collections' && shown(name))}
      hints={{ ...hints, assembly: { ...hints.assembly, allowAll: isOwn(values) } }}
      values={values}
      onValues={onValues}
      problems={problems}
      text={text}
    />
  )
  return (
    <>
      {form((name) => before.includes(name))}
      {isOwn(values) ? null : (
        <Field
          label={t('field.collections')}
          problems={problems.collections}
          help={`${t('help.collections')}${hasKegg ? '' : ` ${t('collections.kegg')}`}`}
        >
          {(control) => (
            <CheckGroup
              id={control.id}
              label={t('field.collections')}
              className="nv-checks enr-collections"
              describedBy={control['aria-describedby']}
            >
              {collections.data?.collections.map((one) => (
                <span key={one.id} title={t('collections.size', { genes: one.genes, terms: one.terms })}>
                  <Checkbox checked={chosen.includes(one.id)} onCheck={(on) => choose(one.id, on)}>
                    {nameOf(one)}
                  </Checkbox>
                </span>
              ))}
              {collections.isError ? <Unanswered of={collections} line /> : null}
              {collections.data?.collections.length === 0 ? <p className="nv-quiet">{t('collections.none')}</p> : null}
            </CheckGroup>
          )}
        </Field>
      )}
      {form((name) => !before.includes(name))}
    </>
  )
}
