import type { ReactNode } from 'react'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { messages as kit } from '../../kit/ui/messages.ts'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import type { FieldHint, FormProps } from '../../kit/ui/tool/define-screen.ts'
import messages from './messages.ts'
import { countedOf } from './tool.ts'

export const panGenomeFields: Record<string, FieldHint> = {
  assemblies: { needs: 'proteins' },
  genes: { widget: 'genes', rows: 3 },
  assembly: { needs: 'proteins', allowAll: true },
  orders: { advanced: true },
  seed: { advanced: true },
}

/** The form of the schema, which names the assemblies that are left out where none are chosen. */
export const PanGenomeForm = ({ values, onValues, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const text = useToolText(messages)
  const nameOf = useAssemblyNames()
  const all = useAssemblies().filter(({ dataTypes }) => (dataTypes.proteins ?? 0) > 0)
  const species = (all.find((one) => one.reference) ?? all[0])?.species
  const own = all.filter((one) => one.species === species)
  const counted = new Set(countedOf(own))
  const leftOut = own
    .filter((one) => !counted.has(one))
    .map(({ id, outgroup }) =>
      t('form.named', { name: nameOf(id), why: k(outgroup ? 'assembly.outgroup' : 'assembly.partial') }),
    )
  return (
    <SchemaForm
      fields={fields}
      hints={panGenomeFields}
      values={values}
      onValues={onValues}
      problems={problems}
      text={(id) =>
        id !== 'help.assemblies' || counted.size === 0
          ? text(id)
          : leftOut.length === 0
            ? t('form.all', { count: counted.size })
            : t('form.allBut', { count: counted.size, names: format.names(leftOut) })
      }
    />
  )
}
