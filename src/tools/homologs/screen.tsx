import { type ReactNode, useMemo, useState } from 'react'
import type { z } from 'zod'
import { Card } from '../../kit/ui/controls/card.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { NeighbourhoodFigure } from '../../kit/ui/figures/neighbourhood-figure.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { StaleHomology } from '../../kit/ui/gene/stale-homology.tsx'
import { WithSymbols } from '../../kit/ui/gene/with-symbols.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { HomologTable } from './homolog-table.tsx'
import messages from './messages.ts'
import { OrthogroupCard, type Result } from './orthogroup-card.tsx'
import { OrthologCards } from './ortholog-cards.tsx'
import { summarise } from './ortholog-counts.ts'
import tool, { type HomologQuery } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

/** How many of the assemblies have a gene of the orthogroup. */
/** Genomes that a headline names. */
const mostNamed = 3

const presence = ({ orthogroup }: HomologQuery): { present: number; all: number } => ({
  present: orthogroup?.counts.filter(({ genes }) => genes.length > 0).length ?? 0,
  all: orthogroup?.counts.length ?? 0,
})

/** Genomes without a gene of the orthogroup, where they are few enough for a headline. */
const absentNames = (
  { orthogroup }: HomologQuery,
  { missing }: Result,
  nameOf: (id: string) => string,
  names: (all: string[]) => string,
): string => {
  const absent = (orthogroup?.counts ?? []).filter(
    ({ assembly, genes }) => genes.length === 0 && !missing.includes(assembly),
  )
  return absent.length === 0 || absent.length > mostNamed
    ? 'none'
    : names(absent.map(({ assembly }) => nameOf(assembly)))
}

/** Its assembly was loaded after the comparison: that nothing was found says nothing of it. */
const isUncompared = ({ gene }: HomologQuery, { missing }: Result): boolean =>
  gene !== null && missing.includes(gene.assembly)

const ResultView = ({ input, result, receipt }: ResultProps<Input, Result>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const [chosen, setChosen] = useState(0)
  const query = result.queries[Math.min(chosen, result.queries.length - 1)]
  const loci = useMemo(
    () =>
      query?.loci.map((locus) => {
        const found = query.homologs.find((one) => one.gene === locus.gene && one.assembly === locus.assembly)
        return { ...locus, relation: found?.relation ?? null }
      }) ?? [],
    [query],
  )
  const { orthologs } = result
  if (orthologs !== null)
    return (
      <>
        <StaleHomology state={result} own={orthologs.rows.map(({ gene }) => gene.assembly)} chosen={input.assemblies} />
        <OrthologCards table={orthologs} missing={result.missing} receipt={receipt} />
      </>
    )
  if (query === undefined) return null
  const { gene } = query
  const speciesOf = new Map(result.assemblies.map(({ id, speciesName }) => [id, speciesName]))
  const uncompared = isUncompared(query, result)
  return (
    <>
      <StaleHomology
        state={result}
        own={result.queries.flatMap((one) => one.gene?.assembly ?? [])}
        chosen={input.assemblies}
      />
      {result.queries.length > 1 ? (
        <div className="hom-queries">
          <SelectField
            label={t('query.choose')}
            value={String(chosen)}
            onChoose={(value) => setChosen(Number(value))}
            options={result.queries.map((one, number) => ({
              value: String(number),
              label: isUncompared(one, result) ? one.name : `${one.name} (${one.total})`,
            }))}
          />
        </div>
      ) : null}
      {gene !== null && query.otherInterpretations.length > 0 ? (
        <p className="nv-quiet">
          {t('query.meanings', {
            name: query.name,
            gene: gene.id,
            assembly: nameOf(gene.assembly),
            others: format.series(query.otherInterpretations.map(({ id, assembly }) => `${id} (${nameOf(assembly)})`)),
          })}
        </p>
      ) : null}
      {gene === null ? null : uncompared ? (
        <p>{t('query.uncompared', { gene: gene.id, assembly: nameOf(gene.assembly) })}</p>
      ) : query.orthogroup === null ? (
        <p>{t('query.noProtein', { gene: gene.id })}</p>
      ) : null}
      <OrthogroupCard query={query} assemblies={result.assemblies} receipt={receipt} />
      {gene !== null && query.orthogroup === null && query.total === 0 ? null : (
        <Card title={t('table.title')} flush>
          {query.total > query.homologs.length ? (
            <p className="nv-quiet">{t('query.cut', { shown: query.homologs.length, total: query.total })}</p>
          ) : null}
          <HomologTable
            key={query.name}
            homologs={query.homologs}
            name={`${gene?.id ?? query.name}-homologs`}
            receipt={receipt}
          />
        </Card>
      )}
      {query.loci.length === 0 ? null : (
        <NeighbourhoodFigure
          loci={loci}
          gaps={query.gaps}
          // That other species lack it is no news.
          without={query.without.filter((id) => speciesOf.get(id) === speciesOf.get(gene?.assembly ?? ''))}
          receipt={receipt}
        />
      )}
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Result: ResultView,
  fields: {
    genes: { widget: 'genes', beyond: 'geneFamilies', required: true, when: (values) => values.by !== 'sequence' },
    assembly: { needs: 'proteins', allowAll: true },
    sequence: { widget: 'sequence', rows: 7, required: true, when: (values) => values.by === 'sequence' },
    assemblies: { needs: 'proteins', advanced: true },
    minimumIdentity: { advanced: true },
    minimumCoverage: { advanced: true },
    evalue: { advanced: true },
  },
  headline: ({ result, t, format, assemblyName }) => {
    if (result.orthologs !== null) {
      const { all, fewest } = summarise(result.orthologs)
      return t('head.orthologs', {
        genes: result.orthologs.rows.length,
        assemblies: result.orthologs.assemblies.length,
        all,
        fewest: fewest === null ? 'none' : assemblyName(fewest.assembly),
        count: fewest?.count ?? 0,
      })
    }
    const [only] = result.queries
    if (only === undefined || result.queries.length > 1)
      return t('head.several', {
        count: result.queries.length,
        homologs: result.queries.reduce((sum, query) => sum + query.total, 0),
      })
    const group = only.orthogroup?.id ?? 'none'
    if (only.gene === null)
      return t('head.oneSequence', { name: only.name, hits: only.total, group, ...presence(only) })
    if (isUncompared(only, result))
      return (
        <WithSymbols
          genes={[only.gene]}
          text={t('head.uncompared', { name: only.gene.symbol ?? only.gene.id, assembly: only.gene.assembly })}
        />
      )
    const orthologs = only.homologs.filter(({ relation }) => relation === 'ortholog').length
    return (
      <WithSymbols
        genes={[only.gene]}
        text={t('head.one', {
          name: only.gene.symbol ?? only.gene.id,
          group,
          orthologs,
          others: only.total - orthologs,
          ...presence(only),
          absent: absentNames(only, result, assemblyName, format.names),
        })}
      />
    )
  },
})
