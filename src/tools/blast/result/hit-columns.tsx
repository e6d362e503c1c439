import type { ReactNode } from 'react'
import { GeneLink } from '../../../kit/ui/gene/gene-link.tsx'
import type { Format, Translate } from '../../../kit/ui/language.tsx'
import type { TableColumn } from '../../../kit/ui/table/result-table.tsx'
import type { HitAnswer } from '../endpoints.ts'
import { sequenceOf } from '../figures/figure-parts.tsx'
import { renderBitScore, renderEvalue } from '../hits/tabular.ts'
import type messages from '../messages.ts'
import type { BlastResult } from '../tool.ts'

/** Genes of a hit that its row names; the opened hit has all. */
const shownUnder = 2

/** Columns of the table of hits: all that there is, with those shown at first that tell hits of this search apart. */
export const hitColumns = (
  result: BlastResult,
  t: Translate<keyof (typeof messages)['en']>,
  openHit: (rank: number) => void,
  nameOf: (assembly: string) => string,
  format: Format,
): TableColumn<HitAnswer>[] => {
  const best = t('help.bestHsp')
  const number = (
    key: string,
    title: string,
    value: (hit: HitAnswer) => number,
    more: Partial<TableColumn<HitAnswer>> = {},
  ): TableColumn<HitAnswer> => ({ key, title, value, kind: 'number', ...more })
  const described = result.databases.some((database) => database.kind !== 'genome')
  // A hit in a genome is known by the genome, anything else by its own name.
  const isGenomic = result.databases.every((database) => database.kind === 'genome')
  const isOfOne = result.databases.length === 1
  const opens = (hit: HitAnswer, text: string): ReactNode => (
    <button type="button" className="blast-open-link" onClick={() => openHit(hit.rank)}>
      {text}
    </button>
  )
  const assemblyOf = (hit: HitAnswer): string =>
    hit.assembly === null ? t('option.kind.pasted') : nameOf(hit.assembly)
  const assembly: TableColumn<HitAnswer> = {
    key: 'assembly',
    title: t('column.assembly'),
    main: isGenomic && !isOfOne,
    value: assemblyOf,
    ...(isGenomic ? { render: (hit: HitAnswer) => opens(hit, assemblyOf(hit)) } : {}),
    hidden: isOfOne,
  }
  const kind: TableColumn<HitAnswer> = {
    key: 'kind',
    title: t('column.kind'),
    value: (hit) => (hit.kind === null ? t('option.kind.pasted') : t(`option.kind.${hit.kind}`)),
    hidden: new Set(result.databases.map((database) => database.kind)).size === 1,
  }
  return [
    number('rank', t('column.rank'), (hit) => hit.rank, { main: false }),
    ...(isGenomic ? [assembly] : []),
    {
      key: 'subject',
      main: !isGenomic || isOfOne,
      title: t('column.subject'),
      kind: 'id',
      value: (hit) => hit.subject,
      on: sequenceOf,
      render: (hit) => opens(hit, hit.subject),
    },
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: (hit) => hit.gene,
      hidden: !result.databases.some((database) => database.kind !== null && database.kind !== 'genome'),
      render: (hit) =>
        hit.gene === null ? (
          <span className="nv-none">–</span>
        ) : (
          <GeneLink id={hit.gene} assembly={hit.assembly} symbol={hit.symbol} />
        ),
    },
    {
      key: 'under',
      title: t('column.under'),
      main: true,
      help: t('help.under'),
      kind: 'id',
      value: ({ under }) =>
        under === undefined
          ? null
          : [
              ...under.genes.map(({ id }) => id),
              // A file says what it leaves out.
              ...(under.count > under.genes.length ? [`(${under.count}${under.countExact ? '' : '+'})`] : []),
            ].join(' '),
      hidden: !result.databases.some((database) => database.kind === 'genome'),
      render: ({ under, assembly, kind }) =>
        kind !== 'genome' || under === undefined ? (
          <span className="nv-none">–</span>
        ) : under.count === 0 ? (
          <span className="nv-quiet">{t('hit.underNone')}</span>
        ) : (
          <span className="blast-under">
            {under.genes.slice(0, shownUnder).map(({ id, symbol }) => (
              <GeneLink key={id} id={id} assembly={assembly} symbol={symbol} />
            ))}
            {under.count > shownUnder ? (
              <span className="nv-quiet">
                {t('hit.underMore', { count: under.count - shownUnder, exact: String(under.countExact) })}
              </span>
            ) : null}
          </span>
        ),
    },
    ...(isGenomic ? [] : [assembly]),
    kind,
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: (hit) => hit.symbol, hidden: true },
    {
      key: 'description',
      title: t('column.description'),
      value: (hit) => hit.title,
      render: (hit) =>
        hit.title === '' ? (
          <span className="nv-none">–</span>
        ) : (
          <span className="blast-description" title={hit.title}>
            {hit.title}
          </span>
        ),
      hidden: !described,
    },
    {
      key: 'evalue',
      main: true,
      title: t('column.evalue'),
      kind: 'statistic',
      value: (hit) => hit.evalue,
      render: (hit) => renderEvalue(hit.evalue),
      help: best,
    },
    number('bitScore', t('column.bitScore'), (hit) => hit.bitScore, {
      // As BLAST rounds it.
      render: (hit) => format.number(Number(renderBitScore(hit.bitScore)), 1),
      help: best,
    }),
    number('identity', t('column.identity'), (hit) => hit.identityPercent, { digits: 2, main: true, help: best }),
    number('coverage', t('column.coverage'), (hit) => hit.queryCoveragePercent, { help: t('help.coverage') }),
    number('length', t('column.length'), (hit) => hit.lengthColumns, { help: best }),
    number('hspCount', t('column.hspCount'), (hit) => hit.hspCount),
    number('subjectStart', t('column.subjectStart'), (hit) => hit.subjectStart1, { help: best }),
    number('subjectEnd', t('column.subjectEnd'), (hit) => hit.subjectEnd1, { help: best }),
    { key: 'strand', title: t('column.strand'), value: (hit) => hit.strand, help: best },
    number('queryStart', t('column.queryStart'), (hit) => hit.queryStart1, { hidden: true, help: best }),
    number('queryEnd', t('column.queryEnd'), (hit) => hit.queryEnd1, { hidden: true, help: best }),
    number('subjectLength', t('column.subjectLength'), (hit) => hit.subjectLength, { hidden: true }),
    number('totalBitScore', t('column.totalBitScore'), (hit) => hit.totalBitScore, { digits: 1, hidden: true }),
    number('score', t('column.score'), (hit) => hit.score, { hidden: true, help: best }),
    number('identical', t('column.identical'), (hit) => hit.identical, { hidden: true, help: best }),
    number('mismatches', t('column.mismatches'), (hit) => hit.mismatches, { hidden: true, help: best }),
    number('positives', t('column.positives'), (hit) => hit.positives, { hidden: true, help: best }),
    number('positivesPercent', t('column.positivesPercent'), (hit) => hit.positivesPercent, {
      digits: 2,
      hidden: true,
      help: best,
    }),
    number('gapOpens', t('column.gapOpens'), (hit) => hit.gapOpens, { hidden: true, help: best }),
    number('gaps', t('column.gaps'), (hit) => hit.gaps, { hidden: true, help: best }),
    number('queryFrame', t('column.queryFrame'), (hit) => hit.queryFrame, { hidden: true, help: best }),
    number('subjectFrame', t('column.subjectFrame'), (hit) => hit.subjectFrame, { hidden: true, help: best }),
  ]
}
