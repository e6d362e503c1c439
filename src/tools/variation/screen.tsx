import type { ReactNode } from 'react'
import type { z } from 'zod'
import { runTool } from '../../contracts/jobs.ts'
import type { PortalFacts } from '../../contracts/tool.ts'
import { defineScreen, type ResultProps } from '../../kit/ui/define-screen.ts'
import { SimulatedTag } from '../../kit/ui/expression-fields.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import type { Values } from '../../kit/ui/schema-fields.ts'
import { HaplotypesView } from './haplotypes-view.tsx'
import { LdView } from './ld-view.tsx'
import { MarkersView } from './markers-view.tsx'
import messages from './messages.ts'
import { StartView } from './start-view.tsx'
import tool, { filterFields, tasks, type VariationResult } from './tool.ts'
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

/** The example gene of an assembly with variants, for the task that the form stands at. */
const exampleOf = ({ assemblies }: PortalFacts, values: Values): z.input<(typeof tool)['input']> | null => {
  const chosen = assemblies.filter(({ id }) => id === values.assembly)
  const example = tool.example({ assemblies: chosen }) ?? tool.example({ assemblies })
  const task = tasks.find((one) => one === values.task)
  return example === null || task === undefined ? example : { ...example, task }
}

/** Markers are of one variant: the first substitution of the example gene. */
const loadMarkerExample = async (
  example: z.input<(typeof tool)['input']>,
): Promise<z.input<(typeof tool)['input']> | null> => {
  if (example.task !== 'markers') return null
  const { genes, ...rest } = example
  const asked = { ...rest, genes, task: 'variants', types: ['snv'], pageSize: 1 }
  const answer = await call(runTool, { tool: tool.id, ...asked }, { skipErrorHandler: true })
  const found = 'result' in answer ? (answer.result as VariationResult).variants?.rows[0] : undefined
  return found === undefined ? { ...example, task: 'variants' } : { ...rest, id: found.key }
}

export default defineScreen({
  tool,
  messages,
  Form: VariationForm,
  Start: StartView,
  Result: ResultView,
  layout: 'side',
  paging: ['page', 'pageSize'],
  example: exampleOf,
  loadExample: loadMarkerExample,
  headline: ({ result }) => <Headline result={result} />,
  fields: { assembly: { needs: 'variants' }, page: { hidden: true }, pageSize: { hidden: true } },
})
