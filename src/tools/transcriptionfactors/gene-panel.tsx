import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { familyAddress } from './addresses.ts'
import { DomainFigure } from './domain-figure.tsx'
import { DomainTable } from './domain-table.tsx'
import { getGeneDomains } from './endpoints.ts'
import messages from './messages.ts'
import { methodOf } from './provenance.tsx'
import { whyNone } from './rules/domain-words.ts'
import tool, { factorData } from './tool.ts'
import './screen.css'

const useDomains = (gene: Gene) =>
  useQuery({
    queryKey: ['tf-gene', gene.assembly, gene.id],
    queryFn: (context) => call(getGeneDomains, { assembly: gene.assembly, gene: gene.id }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const { assembly, id } = gene
  const answer = useDomains(gene)
  const receipt = useCatalogueReceipt(
    tool.id,
    methodOf(answer.data?.about ?? null),
    useMemo(() => ({ assembly, gene: id }), [assembly, id]),
    [assembly],
  )
  const found = answer.data?.found
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  const { about } = answer.data
  const source = t(about?.source === 'annotation' ? 'source.annotation' : 'source.profiles')
  if (found === null || found === undefined) return <p className="nv-quiet">{t('panel.none', { source })}</p>
  const protein = { ...found, name: id, symbol: gene.symbol }
  const shown = receipt === undefined ? {} : { receipt }
  const scan = new URLSearchParams({ genes: id, assembly, run: '1' })
  return (
    <div className="tf-panel">
      <p>
        {found.family === null ? (
          t('panel.noFamily', { why: whyNone(found, t) ?? '' })
        ) : (
          <>
            <strong>{t('panel.family', { family: found.family })}</strong>{' '}
            <Tag title={t('help.type')}>{found.type}</Tag> {found.within.join(' > ')}
          </>
        )}{' '}
        <span className="nv-quiet">{t('panel.evidence', { source })}</span>
      </p>
      <DomainFigure proteins={[protein]} name={`${id}-domains`} annotated={about?.source === 'annotation'} {...shown} />
      {about?.source === 'annotation' ? null : <DomainTable proteins={[protein]} name={`${id}-domains`} {...shown} />}
      <p className="tf-links">
        {found.family === null ? null : (
          <ButtonLink to={familyAddress(assembly, found.family)}>{t('panel.open')}</ButtonLink>
        )}
        {about?.source === 'profiles' ? (
          <ButtonLink look="quiet" to={`${tool.route}?${scan}`}>
            {t('panel.scan')}
          </ButtonLink>
        ) : null}
      </p>
    </div>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const answer = useDomains(gene).data
  if (answer === undefined) return undefined
  const { found } = answer
  return {
    count: found?.domains.length ?? 0,
    text:
      found == null
        ? t('panel.gistNone')
        : found.family === null
          ? t('panel.gistNoFamily')
          : t('panel.family', { family: found.family }),
  }
}

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: factorData,
  section: { topic: 'function', order: 30, heightPx: 300, useGist, Panel },
})
