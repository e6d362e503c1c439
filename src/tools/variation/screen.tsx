import type { ReactNode } from 'react'
import type { z } from 'zod'
import { impactOf, impacts } from '../../bio/variation/consequences.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import type { PortalFacts } from '../../contracts/tools/tool.ts'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import type { Values } from '../../kit/ui/controls/schema-fields.ts'
import { useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { variantLabel } from './effect-parts.tsx'
import { VariationForm } from './form.tsx'
import messages from './messages.ts'
import tool, { filterFields, splitVariants, tasks, type VariantsResult, type VariationResult } from './tool.ts'
import { AccessionsView } from './views/accessions-view.tsx'
import { HaplotypesView } from './views/haplotypes-view.tsx'
import { LdView } from './views/ld-view.tsx'
import { MarkersView } from './views/markers-view.tsx'
import { StartView } from './views/start-view.tsx'
import { VariantsView } from './views/variants-view.tsx'
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
        <VariantsView
          result={result}
          filter={filterOf(input)}
          consequences={input.consequences}
          receipt={receipt}
          pending={pending}
        />
      )}
      {result.accessions === null ? null : <AccessionsView result={result} receipt={receipt} />}
      {result.haplotypes === null ? null : <HaplotypesView result={result} receipt={receipt} />}
      {result.ld === null ? null : <LdView result={result} receipt={receipt} />}
      {result.markers === null ? null : <MarkersView result={result} receipt={receipt} />}
    </>
  )
}

const Headline = ({ result }: { result: VariationResult }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const { variants, accessions, haplotypes, ld, markers, set } = result
  /** How many variants of each impact there are, the gravest first; nothing where not all of them were looked at. */
  const impactsTold = ({ marks, total }: VariantsResult): string => {
    if (set.consequences === null || marks.length !== total) return ''
    return impacts
      .flatMap((impact) => {
        const count = marks.filter(([, consequence]) => impactOf(consequence) === impact).length
        return count === 0 ? [] : [t('head.impact', { count, impact: t(`impact.${impact}`) })]
      })
      .join(t('head.between'))
  }
  const say = (): string => {
    if (variants !== null)
      return variants.total === null
        ? t('head.scanned', { found: variants.scanned!.passed, set: format.text(set.name), ...variants.scanned! })
        : t('head.variants', {
            total: variants.total,
            set: format.text(set.name),
            impacts: impactsTold(variants) || 'none',
          })
    if (accessions !== null)
      return t('head.accessions', {
        carriers: accessions.counts.carriers,
        total: accessions.counts.accessions,
        count: accessions.variants.length,
        match: accessions.match,
        variant: accessions.variants.map(variantLabel).join(', '),
      })
    if (haplotypes !== null) {
      const { locus, phenotype } = haplotypes
      const gene = haplotypes.symbol ?? (haplotypes.gene === '' ? regionOf(result.assembly, locus) : haplotypes.gene)
      const counted = t('head.haplotypes', {
        count: haplotypes.haplotypes.length,
        gene,
        sites: haplotypes.sites.length,
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
      {say()} <SimulatedTag simulated={set.simulated} beside={set.name} />
    </>
  )
}

type Asked = z.input<(typeof tool)['input']>

/** An example of the task that the form stands at, in its assembly if that has variants. */
const exampleOf = ({ assemblies }: PortalFacts, values: Values): Asked | null => {
  const chosen = assemblies.filter(({ id }) => id === values.assembly)
  const example = tool.example({ assemblies: chosen }) ?? tool.example({ assemblies })
  const task = tasks.find((one) => one === values.task)
  if (example === null || task === undefined || task === 'variants') return example
  const genes = assemblies.find(({ id }) => id === example.assembly)?.exampleGenes.map(({ id }) => id)
  // Of several genes, one is chosen below.
  return { ...example, task, genes: genes ?? example.genes }
}

const countVariants = async (asked: Asked): Promise<{ total: number; keys: string[] }> => {
  const question = { ...asked, task: 'variants', pageSize: 2 }
  const answer = await call(runTool, { tool: tool.id, ...question })
  const variants = 'result' in answer ? (answer.result as VariationResult).variants : null
  return { total: variants?.total ?? 0, keys: variants?.rows.map(({ key }) => key) ?? [] }
}

/** Haplotypes and linkage of the gene that differs most between accessions; carriers of its first variants, markers of its first substitution. */
const loadExample = async (example: Asked): Promise<Asked | null> => {
  if (example.task === undefined || example.task === 'variants') return null
  const { genes, ...rest } = example
  const asked: Asked =
    example.task === 'markers'
      ? { ...rest, types: ['snv'] }
      : { ...rest, minFrequency: example.task === 'accessions' ? 0 : 0.05 }
  const counted = await Promise.all(
    [genes ?? []].flat().map(async (gene) => ({
      gene,
      ...(await countVariants({ ...asked, genes: [gene] }).catch(() => ({ total: 0, keys: [] }))),
    })),
  )
  const best = counted.reduce((one, other) => (other.total > one.total ? other : one))
  const isNamed = example.task === 'markers' || example.task === 'accessions'
  const [first] = best.keys
  if (!isNamed) return { ...rest, genes: [best.gene] }
  if (first === undefined) return { ...rest, task: 'variants', genes: [best.gene] }
  if (example.task === 'markers') return { ...rest, id: first }
  return { task: example.task, assembly: example.assembly, variants: best.keys, match: 'any' }
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form: VariationForm,
  Start: StartView,
  Result: ResultView,
  layout: 'top',
  paging: ['page', 'pageSize', 'sort', 'descending'],
  example: exampleOf,
  loadExample,
  headline: ({ result }) => <Headline result={result} />,
  fields: {
    assembly: { needs: 'variants' },
    variants: { split: splitVariants },
    sort: { hidden: true },
    descending: { hidden: true },
    page: { hidden: true },
    pageSize: { hidden: true },
  },
})
