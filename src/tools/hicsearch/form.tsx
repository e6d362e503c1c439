import type { ReactNode } from 'react'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { givenText } from '../../kit/ui/controls/form-values.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import type { FormProps } from '../../kit/ui/tool/define-screen.ts'
import { MapFields } from './map/map-fields.tsx'
import messages from './messages.ts'
import { contactsData } from './stored.ts'
import { useMaps } from './use-maps.ts'

export const SearchForm = ({ values, onValues, problems, fields }: FormProps): ReactNode => {
  const text = useToolText(messages)
  const mapsAnswer = useMaps(givenText(values.assembly))
  const part = (names: string[]): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => names.includes(name))}
      hints={{ assembly: { needs: contactsData } }}
      values={values}
      onValues={onValues}
      problems={problems}
      text={text}
    />
  )
  return (
    <>
      {part(['locus', 'assembly'])}
      {mapsAnswer.isError ? <Unanswered of={mapsAnswer} line /> : null}
      <MapFields
        maps={mapsAnswer.data?.maps ?? []}
        value={{
          map: givenText(values.map),
          resolution: typeof values.resolution === 'number' ? values.resolution : undefined,
          normalization: givenText(values.normalization),
        }}
        onValue={onValues}
        problems={problems}
      />
      {part(['partners', 'distance', 'minimum'])}
    </>
  )
}
