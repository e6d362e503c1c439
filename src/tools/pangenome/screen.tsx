import { type ReactNode, useMemo, useState } from 'react'
import type { z } from 'zod'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { Checkbox } from '../../kit/ui/controls/field.tsx'
import { SpeciesName, useAssemblyList } from '../../kit/ui/gene/species-names.tsx'
import { StaleHomology } from '../../kit/ui/gene/stale-homology.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { AssemblyTable } from './assembly-table.tsx'
import { ClassCard } from './class-card.tsx'
import { readMatrix, useFamilies } from './families.ts'
import { FamilyTable } from './family-table.tsx'
import { PanGenomeForm, panGenomeFields } from './form.tsx'
import { FrequencyFigure } from './frequency-figure.tsx'
import { GrowthFigure } from './growth-figure.tsx'
import { MatrixFigure } from './matrix-figure.tsx'
import messages from './messages.ts'
import { SetCard } from './set-card.tsx'
import tool, { countedOf, limits, type PanGenome } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

/** Counts the outgroups of the species with it, or no longer. */
const OutgroupSwitch = ({ result: { assemblies, outgroups } }: { result: PanGenome }): ReactNode => {
  const t = useText(messages)
  const listOf = useAssemblyList()
  const [, change] = useAddressValues()
  const own = assemblies.flatMap(({ id }) => (outgroups.includes(id) ? [] : [id]))
  if (outgroups.length === 0 || own.length < 2) return null
  const counted = own.length < assemblies.length
  return (
    <div className="pan-outgroup">
      <Checkbox
        checked={counted}
        onCheck={(checked) => change({ assemblies: [...own, ...(checked ? outgroups : [])].join(',') })}
      >
        {t('outgroup.switch', { assemblies: listOf(outgroups) })}
      </Checkbox>
      <span className="nv-quiet">{t(counted ? 'outgroup.counted' : 'outgroup.leftOut')}</span>
    </div>
  )
}

const ResultView = ({ input, result, receipt }: ResultProps<Input, PanGenome>): ReactNode => {
  const t = useText(messages)
  const listOf = useAssemblyList()
  const matrix = useMemo(() => readMatrix(result), [result])
  const families = useFamilies(result)
  const [chosen, setChosen] = useState<number[]>([])
  const partial = result.assemblies.filter((one) => one.partial).map(({ id }) => id)
  return (
    <>
      <StaleHomology state={result} own={result.assemblies.map(({ id }) => id)} chosen={input.assemblies} />
      {partial.length === 0 ? null : <p className="nv-warn">{t('note.partial', { assemblies: listOf(partial) })}</p>}
      {result.leftOut.length === 0 ? null : (
        <p className="nv-quiet">{t('note.leftOut', { assemblies: listOf(result.leftOut) })}</p>
      )}
      <OutgroupSwitch result={result} />
      <SetCard result={result} receipt={receipt} />
      <ClassCard result={result} matrix={matrix} receipt={receipt} />
      <div className="pan-pair">
        <FrequencyFigure frequencies={result.frequencies} receipt={receipt} height={340} />
        <GrowthFigure result={result} receipt={receipt} />
      </div>
      <MatrixFigure
        key={result.assemblies.map(({ id }) => id).join()}
        {...{ result, matrix, families, chosen, receipt }}
        onChoose={setChosen}
      />
      <FamilyTable {...{ result, matrix, families, chosen, receipt }} onClear={() => setChosen([])} />
      <AssemblyTable result={result} receipt={receipt} />
    </>
  )
}

/** What there is to compare, before anything is asked. */
const Start = (): ReactNode => {
  const t = useText(messages)
  const assemblies = useAssemblies().filter(({ codingGeneCount }) => codingGeneCount > 0)
  const species = [...new Set(assemblies.map((one) => one.species))]
    .map((id) => ({ id, own: assemblies.filter((one) => one.species === id) }))
    .filter(({ own }) => own.length > 1)
  if (assemblies.length < 2) return <p className="nv-quiet">{t('start.none')}</p>
  return (
    <Card title={t('start.title')}>
      <ul className="pan-start">
        {species.map(({ id, own }) => {
          const taken = countedOf(own).slice(0, limits.assemblies)
          const address = new URLSearchParams({ assemblies: taken.map((one) => one.id).join(','), run: '1' })
          return (
            <li key={id}>
              <SpeciesName id={id} />
              <span className="nv-quiet">
                {t('start.count', {
                  count: own.length,
                  partial: own.filter((one) => one.partial !== null).length,
                  outgroups: own.filter((one) => one.outgroup).length,
                })}
              </span>
              <ButtonLink size="small" to={`${tool.route}?${address}`}>
                {t('start.open')}
              </ButtonLink>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Start,
  Result: ResultView,
  layout: 'top',
  fields: panGenomeFields,
  Form: PanGenomeForm,
  headline: ({ result, t }) => {
    const { frequencies, assemblies, heaps } = result
    const genomes = assemblies.length
    return t('head', {
      families: frequencies.slice(1).reduce((sum, count) => sum + count, 0),
      assemblies: genomes,
      core: frequencies[genomes] ?? 0,
      single: genomes === 1 ? 0 : (frequencies[1] ?? 0),
      heaps: heaps === null || genomes < 3 ? 'none' : String(Number(heaps.exponent.toPrecision(2))),
    })
  },
})
