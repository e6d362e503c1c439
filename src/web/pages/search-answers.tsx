import { useQuery } from '@tanstack/react-query'
import { Dna, GitCompareArrows } from 'lucide-react'
import type { ReactNode } from 'react'
import { geneChangeSchema } from '../../contracts/genes.ts'
import type { SearchAnswer } from '../../contracts/search.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { Answered } from '../../kit/ui/controls/empty-state.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { GeneStateList, geneStatesAddress, useGeneStates } from '../../kit/ui/gene/gene-states.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { messages } from '../messages/pages.ts'

/** Genomes that are named for themselves; a species may have many. */
const maxGenomes = 6
/** Genomes that are compared at once: more are not taken by tools. */
const maxCompared = 200

/** A question for a change of a gene: whether it is among the variants that are loaded, with the way to it. */
export const ChangeCard = ({ change }: { change: NonNullable<SearchAnswer['change']> }): ReactNode => {
  const t = useText(messages)
  const assemblyName = useAssemblyNames()
  const assemblies = useAssemblies()
  const openings = useOpenings('geneChange')
  const isLoaded = (id: string, needs: readonly string[]): boolean => {
    const loaded = assemblies.find((one) => one.id === id)?.dataTypes
    return loaded !== undefined && needs.every((type) => (loaded[type] ?? 0) > 0)
  }
  const [found] = change.genes.flatMap((gene) =>
    openings.flatMap((opening) => (isLoaded(gene.assembly, opening.tool.dataNeeds) ? [{ gene, opening }] : [])),
  )
  const gene = found?.gene ?? change.genes[0]!
  const values = { gene: gene.id, assembly: gene.assembly, change: change.written }
  const input = Object.fromEntries(new URLSearchParams(found?.opening.address(values).split('?')[1]))
  const answer = useQuery({
    queryKey: ['gene-change', found?.opening.tool.id, input],
    enabled: found !== undefined,
    queryFn: async (context) => {
      const run = await call(runTool, { ...input, tool: found!.opening.tool.id }, context)
      return 'result' in run ? geneChangeSchema.parse(run.result).variants.rows : []
    },
    staleTime: 300_000,
  })
  return (
    <section className="nv-card search-region" aria-label={`${gene.symbol ?? gene.id} ${change.written}`}>
      <Dna size={20} aria-hidden />
      <div>
        <strong>
          <GeneLink id={gene.id} assembly={gene.assembly} symbol={gene.symbol} /> <code>{change.written}</code>{' '}
          <Tag tone="grey">{assemblyName(gene.assembly)}</Tag>
        </strong>
        {found === undefined ? (
          <p className="nv-quiet">{t('search.changeNoVariants', { assembly: assemblyName(gene.assembly) })}</p>
        ) : (
          <Answered of={answer}>
            {(rows) => (
              <p className="nv-quiet" role="status">
                {rows.length === 0
                  ? t('search.changeNone', { assembly: assemblyName(gene.assembly) })
                  : t('search.changeFound', { count: rows.length })}{' '}
                {rows.slice(0, maxGenomes).map(({ key }) => (
                  <code key={key}>{key}</code>
                ))}
              </p>
            )}
          </Answered>
        )}
      </div>
      {found === undefined || answer.data === undefined || answer.data.length === 0 ? null : (
        <div className="nv-page-actions">
          <ButtonLink size="small" look="primary" to={found.opening.address(values, { run: true })}>
            {t('search.changeOpen')}
          </ButtonLink>
        </div>
      )}
    </section>
  )
}

/** The gene that is asked for, in the genomes that are named, or in all. */
const AbsentGene = ({
  absence: { genes, assemblies },
}: {
  absence: NonNullable<SearchAnswer['absence']>
}): ReactNode => {
  const t = useText(messages)
  const gene = genes[0]!
  const answer = useGeneStates(gene)
  return (
    <>
      <div>
        <strong>
          {t('search.absenceGene')} <GeneLink id={gene.id} assembly={gene.assembly} symbol={gene.symbol} />
        </strong>
        <Answered of={answer}>
          {(found) => {
            const named = found.states.filter(({ assembly }) => assemblies.includes(assembly))
            return <GeneStateList answer={named.length === 0 ? found : { ...found, states: named }} />
          }}
        </Answered>
      </div>
      <div className="nv-page-actions">
        <ButtonLink size="small" to={geneStatesAddress(gene.id, gene.assembly)}>
          {t('search.absenceAll')}
        </ButtonLink>
      </div>
    </>
  )
}

/** What a genome lacks, in the tools that list it. */
const LackedBy = ({ assembly: id }: { assembly: string }): ReactNode => {
  const assemblyName = useAssemblyNames()
  const assemblies = useAssemblies()
  const openings = useOpenings('absentGenes', id)
  const species = assemblies.find((one) => one.id === id)?.species
  const isCounted = (one: (typeof assemblies)[number]): boolean => one.partial === null && !one.outgroup
  const own = assemblies.filter((one) => one.species === species && (isCounted(one) || one.id === id))
  const reference = own.find((one) => one.reference)
  // Nothing is held against the reference, which lacks nothing of its own.
  if (reference === undefined || reference.id === id) return null
  const others = own.filter((one) => one !== reference && one.id !== id)
  const compared = [reference.id, id, ...others.map((one) => one.id)].slice(0, maxCompared)
  return openings.map(({ tool, label, address }) => (
    <ButtonLink
      key={tool.id}
      size="small"
      to={address({ assembly: id, reference: reference.id, assemblies: compared.join(',') }, { run: true })}
    >
      {`${assemblyName(id)}: ${label}`}
    </ButtonLink>
  ))
}

/** A question for what a genome lacks: the state of a gene there, or the tools that list what is not there. */
export const AbsenceCard = ({ absence }: { absence: NonNullable<SearchAnswer['absence']> }): ReactNode => {
  const t = useText(messages)
  const assemblies = useAssemblies()
  // Of a whole species the reference is what the others are held against.
  const genomes = absence.assemblies.filter(
    (id) => absence.assemblies.length === 1 || assemblies.find((one) => one.id === id)?.reference === false,
  )
  return (
    <section className="nv-card search-region" aria-label={t('search.absence')}>
      <GitCompareArrows size={20} aria-hidden />
      {absence.genes.length > 0 ? (
        <AbsentGene absence={absence} />
      ) : (
        <>
          <div>
            <strong>{t('search.absence')}</strong>
            <p className="nv-quiet">{t('search.absenceWhy')}</p>
          </div>
          <div className="nv-page-actions">
            {genomes.slice(0, maxGenomes).map((id) => (
              <LackedBy key={id} assembly={id} />
            ))}
          </div>
        </>
      )}
    </section>
  )
}
