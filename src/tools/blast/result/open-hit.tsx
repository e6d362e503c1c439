import { useInfiniteQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Button, ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { geneAddress } from '../../../kit/ui/gene/gene-link.tsx'
import { SameLocusButton } from '../../../kit/ui/gene/same-locus.tsx'
import { RoleOf } from '../../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../../kit/ui/gene/species-names.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import { fileName } from '../../../kit/ui/table/export.ts'
import { type HitAnswer, listJobHsps } from '../endpoints.ts'
import { sequenceOf } from '../figures/figure-parts.tsx'
import { HspFigure } from '../figures/hsp-figure.tsx'
import messages from '../messages.ts'
import type { BlastResult } from '../tool.ts'
import { AlignmentView } from './alignment-view.tsx'
import { fileAddress, hitAddress, locusOfHit } from './job-addresses.ts'

const pageAlignments = 5

/** An opened hit: its links, its HSPs as ribbons, its alignments. */
export const OpenHit = ({
  job,
  query1,
  rank,
  result,
  receipt,
  drawn,
  follow,
  onClose,
}: {
  job: string
  query1: number
  rank: number
  result: BlastResult
  receipt: Receipt
  drawn: HitAnswer | undefined
  follow: boolean
  onClose: () => void
}): ReactNode => {
  const t = useText(messages)
  const assemblyName = useAssemblyNames()
  const about = result.queries[query1 - 1]!
  const pages = useInfiniteQuery({
    queryKey: ['blast', job, 'hsps', query1, rank],
    initialPageParam: 1,
    queryFn: (context) =>
      call(listJobHsps, { job, query: query1, hit: rank, page: context.pageParam, pageSize: pageAlignments }, context),
    getNextPageParam: (last, all) => (all.length * pageAlignments < last.total ? all.length + 1 : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const place = useRef<HTMLElement>(null)
  const ready = pages.data !== undefined
  useEffect(() => {
    if (ready && follow) place.current?.scrollIntoView({ block: 'start' })
  }, [ready, follow])
  if (pages.error !== null) return <Unanswered of={pages} />
  const first = pages.data?.pages[0]
  if (first === undefined) return <Waiting label={t('result.loading')} />
  const hit = drawn ?? first.hit
  const hsps = pages.data?.pages.flatMap((page) => page.hsps) ?? []
  const name = fileName('blast', about.id, hit.subject)
  const named = sequenceOf(hit)
  return (
    <section ref={place} className="blast-hit" aria-label={t('hit.open', { subject: hit.subject })}>
      {first.hit.hsps.length === 0 ? null : (
        <HspFigure
          hit={first.hit}
          queryLength={about.lengthResidues}
          queryName={about.id}
          receipt={receipt}
          name={name}
        />
      )}
      <Card
        title={
          <>
            <code>{hit.subject}</code>
            {named === null ? null : <RoleOf {...named} />} {hit.symbol === null ? null : <i>{hit.symbol}</i>}
          </>
        }
        aside={[
          hit.assembly === null ? null : assemblyName(hit.assembly),
          hit.kind === null ? t('option.kind.pasted') : t(`option.kind.${hit.kind}`),
        ]
          .filter((part) => part !== null)
          .join(' · ')}
        actions={
          <>
            {hit.gene === null || hit.assembly === null ? null : (
              <ButtonLink size="small" look="quiet" to={geneAddress(hit.gene, hit.assembly)}>
                {t('hit.gene')}
              </ButtonLink>
            )}
            {hit.kind === 'genome' ? (
              <>
                <ButtonLink size="small" look="quiet" to={hitAddress(job, hit)}>
                  {t('hit.jbrowse')}
                </ButtonLink>
                {hit.assembly === null ? null : <SameLocusButton region={locusOfHit(hit)} />}
                <ButtonLink
                  size="small"
                  look="quiet"
                  external
                  to={fileAddress(job, 'sequences', { query: query1, hits: [rank], what: 'region' })}
                >
                  {t('hit.region')}
                </ButtonLink>
              </>
            ) : hit.kind === null ? null : (
              <ButtonLink
                size="small"
                look="quiet"
                external
                to={fileAddress(job, 'sequences', { query: query1, hits: [rank], what: 'subject' })}
              >
                {t('hit.subject')}
              </ButtonLink>
            )}
            <ButtonLink
              size="small"
              look="quiet"
              external
              to={fileAddress(job, 'sequences', { query: query1, hits: [rank], what: 'aligned' })}
            >
              {t('hit.aligned')}
            </ButtonLink>
            <Button
              size="small"
              look="quiet"
              aria-label={t('hit.close')}
              icon={<X size={15} aria-hidden />}
              onClick={onClose}
            />
          </>
        }
      >
        {hit.title === '' ? null : <p className="nv-quiet">{hit.title}</p>}
        {hsps.map((hsp) => (
          <AlignmentView key={hsp.number} hit={hit} hsp={hsp} total={first.total} program={result.program} />
        ))}
        {pages.hasNextPage ? (
          <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('alignment.more')}
          </Button>
        ) : null}
      </Card>
    </section>
  )
}
