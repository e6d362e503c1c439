import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { runTool } from '../../contracts/tools/jobs.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import type { FieldHint, FormProps } from '../../kit/ui/tool/define-screen.ts'
import { type PathwayList, pathwayListSchema } from './endpoints.ts'
import messages from './messages.ts'
import tool from './tool.ts'

export const hints: Record<string, FieldHint> = {
  assembly: { needs: 'genes', allowAll: false },
  genes: { widget: 'genes', rows: 5 },
}

/** All pathways of an assembly; of one that has some, where none is named. */
export const usePathways = (assembly: string | undefined) =>
  useQuery({
    queryKey: ['pathways', assembly ?? ''],
    queryFn: async (context): Promise<{ list: PathwayList; receipt: Receipt }> => {
      const found = await call(runTool, { tool: tool.id, ...(assembly === undefined ? {} : { assembly }) }, context)
      const { result, receipt } = found as { result: unknown; receipt: Receipt }
      return { list: pathwayListSchema.parse(result), receipt }
    },
    placeholderData: (before) => before,
    staleTime: 60_000,
    retry: false,
  })

/** The form as the schema draws it, with the collections that are loaded in the place of their ids. */
export const PathwayForm = ({ values, onValues, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const text = useToolText(messages)
  const answer = usePathways(typeof values.assembly === 'string' ? values.assembly : undefined)
  const sources = answer.data?.list.sources ?? []
  return (
    <>
      <SchemaForm
        fields={fields.filter(({ name }) => name !== 'source')}
        hints={hints}
        values={values}
        onValues={onValues}
        problems={problems}
        text={text}
      />
      {answer.isError ? <Unanswered of={answer} line /> : null}
      {sources.length < 2 ? null : (
        <SelectField
          label={t('field.source')}
          problems={problems.source}
          value={typeof values.source === 'string' ? values.source : ''}
          onChoose={(source) => onValues({ source })}
          options={[
            { value: '', label: t('list.every') },
            ...sources.map(({ id, title, pathways }) => ({
              value: id,
              label: `${format.text(title) || id} (${format.number(pathways)})`,
            })),
          ]}
        />
      )}
    </>
  )
}
