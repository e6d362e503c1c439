import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  type AssemblyGeneState,
  type AssemblyProtein,
  type GeneState,
  type GeneStates,
  geneStates,
  listGeneStates,
  listProteinChanges,
} from '../../../contracts/gene-states.ts'
import { Tag } from '../controls/card.tsx'
import { useFormat, useText } from '../language.tsx'
import { call } from '../request.ts'
import { GeneLink, geneAddress } from './gene-link.tsx'
import { messages } from './gene-states-messages.ts'
import { useAssemblyNames } from './species-names.tsx'

/** Where on a gene's page its states stand; the page gives the section this id. */
export const geneStatesAnchor = 'states'

/** Address of what other assemblies have of a gene. */
export const geneStatesAddress = (id: string, assembly: string): string =>
  `${geneAddress(id, assembly)}#${geneStatesAnchor}`

/** What the other assemblies of the species have of a gene; asked once for all parts of a page. */
export const useGeneStates = (gene: { id: string; assembly: string }, enabled = true) =>
  useQuery({
    queryKey: ['gene-states', gene.assembly, gene.id],
    enabled,
    queryFn: (context) => call(listGeneStates, { id: gene.id, assembly: gene.assembly }, context),
    staleTime: 300_000,
    retry: false,
  })

/** What differs in the gene's protein in the other assemblies of the species. */
export const useProteinChanges = (gene: { id: string; assembly: string }, enabled = true) =>
  useQuery({
    queryKey: ['protein-changes', gene.assembly, gene.id],
    enabled,
    queryFn: (context) => call(listProteinChanges, { id: gene.id, assembly: gene.assembly }, context),
    staleTime: 300_000,
    retry: false,
  })

/** More changes than these are counted where there is little room. */
const fewChanges = 8

/** What differs in a protein, in one line: the changes, or how many where they are not a few. */
export const useProteinText = (): ((protein: AssemblyProtein) => string) => {
  const t = useText(messages)
  const format = useFormat()
  return ({ residues, compared, total, changes }) => {
    if (total > fewChanges) return t('protein.many', { count: total })
    if (total > 0) return format.series(changes)
    return compared < residues ? t('protein.part', { compared, residues }) : t('protein.identical')
  }
}

const tones: Record<GeneState, 'green' | 'blue' | 'amber' | 'red' | 'grey'> = {
  ortholog: 'green',
  'same-locus': 'green',
  unannotated: 'blue',
  paralogs: 'amber',
  gone: 'red',
  unknown: 'grey',
}

/**
 * A shape for each state, so that no two differ by colour alone: a full disc is the gene, a ring a gene in its place, a dashed box DNA that
 * no gene is annotated on, two small discs other copies, a cross nothing, and a question mark what nobody knows.
 */
const shapes: Record<GeneState, ReactNode> = {
  ortholog: <circle cx={8} cy={8} r={6} fill="currentColor" />,
  'same-locus': <circle cx={8} cy={8} r={5} fill="none" stroke="currentColor" strokeWidth={2.4} />,
  unannotated: (
    <rect
      x={2}
      y={3.5}
      width={12}
      height={9}
      rx={1}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeDasharray="2.6 2"
    />
  ),
  paralogs: (
    <g fill="none" stroke="currentColor" strokeWidth={1.8}>
      <circle cx={5} cy={10} r={3.4} />
      <circle cx={11.3} cy={5.6} r={3.4} />
    </g>
  ),
  gone: <path d="M3.5,3.5 12.5,12.5 M12.5,3.5 3.5,12.5" fill="none" stroke="currentColor" strokeWidth={2.4} />,
  unknown: (
    <path
      d="M5,6 C5,1.6 11.2,2 11,5.8 C10.9,8 8,8 8,10.3 M8,12.6 V14.4"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
    />
  ),
}

/** The shape of a state; words stand beside it. */
export const GeneStateMark = ({ state }: { state: GeneState }): ReactNode => (
  <svg className={`nv-state-mark nv-state-${tones[state]}`} viewBox="0 0 16 16" width={14} height={14} aria-hidden>
    {shapes[state]}
  </svg>
)

export const GeneStateTag = ({ state }: { state: GeneState }): ReactNode => {
  const t = useText(messages)
  return (
    <Tag tone={tones[state]} title={t(`lead.${state}`)}>
      <GeneStateMark state={state} />
      {t(`state.${state}`)}
    </Tag>
  )
}

/** What is said of the gene's DNA in one assembly. */
export const useDnaText = (): ((dna: AssemblyGeneState['dna']) => string) => {
  const t = useText(messages)
  const format = useFormat()
  return ({ state, reason, alignedShare }) => {
    if (state === 'unknown') return t(`dna.${reason ?? 'unaligned'}`)
    if (state === 'gone' && alignedShare > 0) return t('dna.remnant', { share: format.percent(alignedShare) })
    return t(`dna.${state}`)
  }
}

/** Beyond so many assemblies of one state, or genes of one assembly, the rest is counted. */
const maxAssemblies = 12
const maxGenes = 3

/** The states, each with its assemblies and the genes there: what is said of the gene before anything is said of its family. */
export const GeneStateList = ({
  answer,
  only = geneStates,
}: {
  answer: GeneStates
  /** Only these states. */
  only?: readonly GeneState[]
}): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  return (
    <ul className="nv-states">
      {geneStates
        .filter((state) => only.includes(state) && answer.states.some((one) => one.state === state))
        .map((state) => {
          const own = answer.states.filter((one) => one.state === state)
          return (
            <li key={state}>
              <GeneStateTag state={state} />
              <div>
                {own.slice(0, maxAssemblies).map(({ assembly, genes, paralogs }) => {
                  const shown = genes.length > 0 ? genes : paralogs
                  return (
                    <span key={assembly} className="nv-states-one">
                      <strong>{nameOf(assembly)}</strong>
                      {shown.slice(0, maxGenes).map(({ gene }) => (
                        <GeneLink key={gene} id={gene} assembly={assembly} />
                      ))}
                      {shown.length > maxGenes ? ` ${t('more', { count: shown.length - maxGenes })}` : null}
                    </span>
                  )
                })}
                {own.length > maxAssemblies ? (
                  <span className="nv-states-one">{t('more', { count: own.length - maxAssemblies })}</span>
                ) : null}
                <p className="nv-quiet">{t(`lead.${state}`)}</p>
              </div>
            </li>
          )
        })}
    </ul>
  )
}
