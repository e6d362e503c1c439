import { Fragment, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Tag } from '../../kit/ui/controls/card.tsx'
import { NoDataState } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox } from '../../kit/ui/controls/field.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { enrichmentAddress, mapAddress } from './addresses.ts'
import type { PathwayList } from './endpoints.ts'
import messages from './messages.ts'

/** Characters of genes that go into a map's address. */
const addressLimit = 1500
/** Genes of a set that a row links to: a cell shows few lines. */
const linkedGenes = 12

/** Pathways of an assembly with their numbers of genes; with the genes of a set in each, where one was asked with. */
export const PathwayTable = ({
  list,
  genes,
  source,
  receipt,
}: {
  list: PathwayList
  /** The set as it was asked with; empty for none. */
  genes: readonly string[]
  /** The collection asked for; empty for all. */
  source: string
  receipt: Receipt | undefined
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const assemblyName = useAssemblyNames()
  const assembly = list.assembly ?? ''
  const isSet = genes.length > 0
  const [everyOne, setEveryOne] = useState(false)
  const anyDrawn = list.pathways.some(({ drawn }) => drawn)
  const sourceName = (id: string): string => format.text(list.sources.find((one) => one.id === id)?.title) || id
  const nameOf = (gene: string): string => list.symbols[gene] ?? gene
  const withGenes = list.pathways.filter(({ setGenes }) => setGenes.length > 0)
  const without = list.pathways.length - withGenes.length
  const isChoice = isSet && withGenes.length > 0 && without > 0
  const licences = list.sources.filter(({ licence }) => licence !== null)
  if (list.sources.length === 0)
    return (
      <Card>
        <NoDataState title={t('list.none', { assembly: assemblyName(assembly) })} how={t('list.noneWhy')} />
      </Card>
    )
  return (
    <Card
      title={t('list.title')}
      aside={assemblyName(assembly)}
      flush
      actions={
        isSet ? (
          <ButtonLink size="small" to={enrichmentAddress(genes, assembly, source)}>
            {t('list.enrich')}
          </ButtonLink>
        ) : undefined
      }
      foot={licences.map(({ id, licence }) => (
        <p key={id} className="nv-quiet">
          {t('list.licence', { source: sourceName(id), licence: licence ?? '' })}
        </p>
      ))}
    >
      {isChoice ? (
        <div className="path-choice">
          <Checkbox checked={everyOne} onCheck={setEveryOne}>
            {t('list.without', { count: without })}
          </Checkbox>
        </div>
      ) : null}
      <ResultTable
        key={isChoice ? `set ${everyOne}` : isSet ? 'set' : 'all'}
        label={t('list.title')}
        name={`${assembly}-pathways`}
        receipt={receipt}
        rows={isChoice && !everyOne ? withGenes : list.pathways}
        rowKey={({ source: of, id }) => `${of}|${id}`}
        pageSize={50}
        initialSort={isSet ? { key: 'set', descending: true } : { key: 'genes', descending: true }}
        columns={[
          {
            key: 'name',
            title: t('column.name'),
            value: ({ name, id }) => name ?? id,
            render: (one) => (
              <Link
                to={mapAddress(one, assembly, isSet ? { genes: one.setGenes.join(',').slice(0, addressLimit) } : {})}
              >
                {one.name ?? one.id}
              </Link>
            ),
          },
          // What is asked for comes first: on a phone the columns that follow are beyond its edge.
          ...(isSet
            ? [
                {
                  key: 'set',
                  title: t('column.set'),
                  kind: 'number' as const,
                  value: ({ setGenes }: PathwayList['pathways'][number]) => setGenes.length,
                },
              ]
            : []),
          { key: 'genes', title: t('column.genes'), kind: 'number', value: ({ geneCount }) => geneCount },
          ...(isSet
            ? [
                {
                  key: 'share',
                  title: t('column.setShare'),
                  kind: 'number' as const,
                  digits: 1,
                  value: ({ setGenes, geneCount }: PathwayList['pathways'][number]) =>
                    geneCount === 0 ? null : (100 * setGenes.length) / geneCount,
                },
                {
                  key: 'setGenes',
                  title: t('column.setGenes'),
                  long: true,
                  value: ({ setGenes }: PathwayList['pathways'][number]) => setGenes.map(nameOf).join(' '),
                  render: ({ setGenes }: PathwayList['pathways'][number]) =>
                    setGenes.length === 0 ? (
                      <span className="nv-none">–</span>
                    ) : (
                      <span className="nv-cell-lines" title={setGenes.map(nameOf).join(' ')}>
                        {setGenes.slice(0, linkedGenes).map((id) => (
                          <Fragment key={id}>
                            <GeneLink id={id} assembly={assembly} symbol={list.symbols[id]} />{' '}
                          </Fragment>
                        ))}
                        {setGenes.length > linkedGenes ? `+${setGenes.length - linkedGenes}` : null}
                      </span>
                    ),
                },
              ]
            : []),
          { key: 'id', title: t('column.id'), kind: 'id', value: ({ id }) => id },
          {
            key: 'source',
            title: t('column.source'),
            value: ({ source: of }) => sourceName(of),
            hidden: list.sources.length === 1,
          },
          ...(anyDrawn
            ? [
                {
                  key: 'map',
                  title: t('column.map'),
                  value: ({ drawn }: PathwayList['pathways'][number]) => (drawn ? t('column.drawn') : ''),
                  render: ({ drawn }: PathwayList['pathways'][number]) => (drawn ? <Tag>{t('column.drawn')}</Tag> : ''),
                },
              ]
            : []),
        ]}
      />
    </Card>
  )
}
