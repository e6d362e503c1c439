import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type FormerGene, listFormerGenes } from '../../../contracts/genes.ts'
import { ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { EmptyState } from '../../../kit/ui/controls/empty-state.tsx'
import { GeneLink } from '../../../kit/ui/gene/gene-link.tsx'
import { useLocusLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import { messages } from '../../messages/pages.ts'

/** What an id of an annotation before has become; of an assembly where that is known. */
export const useFormerGenes = (id: string, assembly: string | undefined, enabled: boolean) =>
  useQuery({
    queryKey: ['former-genes', id, assembly],
    enabled: enabled && id !== '',
    // The page itself is told by another answer: without this one it lacks a note.
    queryFn: (context) => call(listFormerGenes, { id, assembly }, { ...context, skipErrorHandler: true }),
    staleTime: 300_000,
  })

/** Where a gene was, with its assembly. */
const usePlace = (): ((gene: FormerGene) => string) => {
  const locusLabel = useLocusLabel()
  return ({ assembly, sequence, start, end }) => `${assembly} ${locusLabel(assembly, { sequence, start, end })}`
}

/** That the id that was asked for is one of an earlier annotation, on the page of the gene that it leads to. */
export const FormerGeneNote = ({ former }: { former: FormerGene }): ReactNode => {
  const t = useText(messages)
  const place = usePlace()
  const { id, relation, genes, assembly } = former
  if (relation === 'gone') return null
  return (
    <p className="nv-banner nv-banner-info">
      {relation === 'renamed' ? t('gene.former.renamed', { id }) : null}
      {relation === 'merged' ? t('gene.former.merged', { id }) : null}
      {relation === 'elsewhere' ? t('gene.former.elsewhere', { id, place: place(former) }) : null}
      {relation === 'split' ? (
        <>
          {t('gene.former.split', { id, count: genes.length })}{' '}
          {genes.map((gene) => (
            <span key={gene.id} className="gene-alternative">
              <GeneLink id={gene.id} assembly={assembly} symbol={gene.symbol} />
            </span>
          ))}
        </>
      ) : null}
    </p>
  )
}

/** In place of a gene: that it is gone, with its place; or the genes that it was split into, to choose from. */
export const FormerGeneState = ({ former }: { former: FormerGene }): ReactNode => {
  const t = useText(messages)
  const place = usePlace()
  const { id, genes, assembly } = former
  if (genes.length === 0)
    return (
      <EmptyState
        title={t('gene.former.gone', { id })}
        why={t('gene.former.goneWhy', { place: place(former) })}
        action={
          former.symbol === null ? undefined : (
            <ButtonLink to={`/search?${new URLSearchParams({ q: former.symbol })}`}>
              {t('gene.former.searchSymbol', { symbol: former.symbol })}
            </ButtonLink>
          )
        }
      />
    )
  return (
    <EmptyState
      title={t('gene.former.choose', { id, count: genes.length })}
      why={t('gene.former.chooseWhy', { place: place(former) })}
      action={genes.map((gene) => (
        <span key={gene.id} className="gene-alternative">
          <GeneLink id={gene.id} assembly={assembly} symbol={gene.symbol} /> {gene.description}
        </span>
      ))}
    />
  )
}
