import type { ReactNode } from 'react'
import type { z } from 'zod'
import { defineScreen, type ResultProps } from '../../kit/ui/define-screen.ts'
import { SimulatedTag } from '../../kit/ui/expression-fields.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { HaplotypesView } from './haplotypes-view.tsx'
import { LdView } from './ld-view.tsx'
import { MarkersView } from './markers-view.tsx'
import messages from './messages.ts'
import { StartView } from './start-view.tsx'
import tool, { filterFields, type VariationResult } from './tool.ts'
import { VariantsView } from './variants-view.tsx'
import { VariationForm } from './variation-form.tsx'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

/** The conditions of a question, as files and the matrix take them. */
const filterOf = (input: Input): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(filterFields).flatMap((name) => {
      const value = (input as Record<string, unknown>)[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )

const ResultView = ({ input, result, receipt, pending }: ResultProps<Input, VariationResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  return (
    <>
      {result.unknown.length === 0 ? null : (
        <p className="nv-warn">{t('note.unknown', { names: format.names(result.unknown) })}</p>
      )}
      {result.variants === null ? null : (
        <VariantsView result={result} filter={filterOf(input)} receipt={receipt} pending={pending} />
      )}
      {result.haplotypes === null ? null : <HaplotypesView result={result} receipt={receipt} />}
      {result.ld === null ? null : <LdView result={result} receipt={receipt} />}
      {result.markers === null ? null : <MarkersView result={result} receipt={receipt} />}
    </>
  )
}

const Headline = ({ result }: { result: VariationResult }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { variants, haplotypes, ld, markers, set } = result
  const say = (): string => {
    if (variants !== null)
      return variants.total === null
        ? t('head.scanned', { found: variants.rows.length, set: format.text(set.name), ...variants.scanned! })
        : t('head.variants', { total: variants.total, set: format.text(set.name) })
    if (haplotypes !== null) {
      const { place, phenotype } = haplotypes
      const gene =
        haplotypes.symbol ??
        (haplotypes.gene === '' ? format.region(place.sequence, place.start, place.end) : haplotypes.gene)
      const counted = t('head.haplotypes', {
        ...{ count: haplotypes.haplotypes.length, gene, sites: haplotypes.sites.length },
      })
      if (phenotype === null) return counted
      const trait = format.text(phenotype.name)
      return `${counted} ${phenotype.test === null ? t('head.noTest', { trait }) : t('head.test', { trait, p: format.statistic(phenotype.test.pValue) })}`
    }
    if (ld !== null)
      return t('head.ld', { count: ld.sites.length, total: ld.total, all: ld.sites.length === ld.total ? 'yes' : 'no' })
    return t('head.markers', {
      kasp: markers?.kasp.length ?? 0,
      caps: markers?.caps.length ?? 0,
      variant: markers?.variant.key ?? '',
    })
  }
  return (
    <>
      {say()} <SimulatedTag simulated={set.simulated} />
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  Form: VariationForm,
  Start: StartView,
  Result: ResultView,
  layout: 'side',
  paging: ['page', 'pageSize'],
  headline: ({ result }) => <Headline result={result} />,
  fields: { assembly: { needs: 'variants' }, page: { hidden: true }, pageSize: { hidden: true } },
})
