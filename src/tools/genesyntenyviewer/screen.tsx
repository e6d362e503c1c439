import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { NeighbourhoodFigure } from '../../kit/ui/figures/neighbourhood-figure.tsx'
import { GeneLink, geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { StaleHomology } from '../../kit/ui/gene/stale-homology.tsx'
import { WithSymbols } from '../../kit/ui/gene/with-symbols.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { BlockTable } from './block-table.tsx'
import messages from './messages.ts'
import tool, { type GeneSyntenyResult } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

/** Genomes whose alignment passes over the whole gene, and how much it leaves out there. */
const deletedFrom = ({ gene, gaps }: GeneSyntenyResult): { assembly: string; lengthBp: number }[] =>
  gaps.flatMap(({ assembly, lost }) =>
    (lost?.deletions ?? [])
      .filter(({ start, end }) => start <= gene.start && end >= gene.end)
      .map(({ lengthBp }) => ({ assembly, lengthBp })),
  )

const ResultView = ({ input, result, receipt }: ResultProps<Input, GeneSyntenyResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const listOf = useAssemblyList()
  const [, change] = useAddressValues()
  const beside = useOpenings('regionPair')
  const navigate = useNavigate()
  const { gene, tracks } = result
  const partial = new Set(useAssemblies().flatMap((one) => (one.partial === null ? [] : [one.id])))
  const absent = result.without.filter((id) => !partial.has(id))
  const unaligned = result.without.filter((id) => partial.has(id))
  const recentre = ({ id, assembly }: { id: string; assembly: string }): void => {
    // The gene of the first track is in the middle already.
    if (id === gene.id && assembly === gene.assembly) void navigate(geneAddress(id, assembly))
    else change({ genes: id, assembly, run: '1', job: null })
  }
  const segment = (track: GeneSyntenyResult['tracks'][number]): string =>
    `${track.sequence}:${Math.min(...track.genes.map(({ start }) => start))}..${Math.max(...track.genes.map(({ end }) => end))}`
  return (
    <>
      <StaleHomology state={result} own={tracks.map(({ assembly }) => assembly)} chosen={input.assemblies} />
      {result.together.length === 0 ? null : (
        <p className="nv-quiet">
          {t('note.together', { count: result.together.length, gene: gene.symbol ?? gene.id })}
        </p>
      )}
      {result.otherInterpretations.length === 0 ? null : (
        <p className="nv-quiet">
          {t('result.meanings', {
            gene: gene.id,
            assembly: nameOf(gene.assembly),
            others: format.series(result.otherInterpretations.map(({ id, assembly }) => `${id} (${nameOf(assembly)})`)),
          })}
        </p>
      )}
      {result.found > tracks.length ? (
        <p className="nv-quiet">{t('result.cut', { shown: tracks.length, total: result.found })}</p>
      ) : null}
      {absent.length === 0 ? null : <p className="nv-quiet">{t('result.without', { assemblies: listOf(absent) })}</p>}
      {unaligned.length === 0 ? null : (
        <p className="nv-quiet">{t('result.unaligned', { assemblies: listOf(unaligned) })}</p>
      )}
      <NeighbourhoodFigure
        loci={tracks}
        gaps={result.gaps}
        without={result.without}
        receipt={receipt}
        scale={input.scale}
        onGene={recentre}
      />
      <p className="nv-quiet">{t('result.help')}</p>
      <Card title={t('tracks.title')} flush>
        <ResultTable
          label={t('tracks.title')}
          name={`${gene.id}-tracks`}
          receipt={receipt}
          rows={tracks}
          rowKey={(track) => `${track.assembly}/${track.gene}`}
          gene={(track) => ({ id: track.gene, assembly: track.assembly })}
          columns={[
            { key: 'assembly', title: t('column.assembly'), value: (track) => nameOf(track.assembly) },
            {
              key: 'species',
              title: t('column.species'),
              value: (track) => track.speciesName,
              render: (track) => <i>{track.speciesName}</i>,
            },
            {
              key: 'gene',
              title: t('column.gene'),
              kind: 'id',
              value: (track) => track.gene,
              render: (track) => (
                <GeneLink
                  id={track.gene}
                  assembly={track.assembly}
                  symbol={track.genes.find(({ id }) => id === track.gene)?.symbol ?? null}
                />
              ),
            },
            {
              key: 'relation',
              title: t('column.relation'),
              value: (track) => (track.relation === null ? null : t(`relation.${track.relation}`)),
            },
            {
              key: 'identity',
              title: t('column.identity'),
              kind: 'number',
              digits: 1,
              value: (track) => track.identity,
            },
            {
              key: 'shared',
              title: t('column.shared'),
              help: t('help.shared'),
              value: (track) => t('value.shared', { shared: track.shared, neighbours: track.neighbours }),
            },
            { key: 'locus', title: t('column.locus'), kind: 'id', value: segment, on: (track) => track },
            {
              key: 'beside',
              title: t('column.beside'),
              value: () => null,
              render: (track) =>
                track === tracks[0]
                  ? null
                  : beside.map((opening) => (
                      <ButtonLink
                        key={opening.tool.id}
                        size="small"
                        to={opening.address({
                          assembly: gene.assembly,
                          loc: segment(tracks[0]!),
                          otherAssembly: track.assembly,
                          otherLoc: segment(track),
                        })}
                      >
                        {opening.label}
                      </ButtonLink>
                    )),
            },
          ]}
        />
      </Card>
      {result.missing.includes(gene.assembly) ? null : (
        <Card title={t('blocks.title')} aside={format.number(result.totalBlocks)} flush>
          {result.totalBlocks > result.blocks.length ? (
            <p className="nv-quiet">{t('blocks.cut', { shown: result.blocks.length, total: result.totalBlocks })}</p>
          ) : null}
          <BlockTable blocks={result.blocks} gene={gene.id} assembly={gene.assembly} receipt={receipt} />
        </Card>
      )}
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Result: ResultView,
  layout: 'top',
  fields: {
    genes: { widget: 'genes', required: true },
    assembly: { needs: 'proteins', allowAll: true },
    assemblies: { needs: 'proteins', advanced: true },
    paralogs: {},
    besides: {},
    scale: {},
  },
  headline: ({ result, t, format, assemblyName }) => {
    const deletions = deletedFrom(result)
    // Tracks of homologs say what they are to the gene.
    const own = result.tracks.filter(({ relation }) => relation === null)
    const isSeveral = own.length > 1
    return (
      <WithSymbols
        genes={[result.gene]}
        text={
          isSeveral
            ? t('head.several', { count: own.length })
            : result.missing.includes(result.gene.assembly)
              ? t('head.uncompared', {
                  gene: result.gene.symbol ?? result.gene.id,
                  assembly: assemblyName(result.gene.assembly),
                })
              : t('head', {
                  gene: result.gene.symbol ?? result.gene.id,
                  group: result.orthogroup ?? 'none',
                  // Of a list that is cut nobody has counted the genomes.
                  tracks: result.found > result.tracks.length ? result.found : 0,
                  present: new Set(result.tracks.map(({ assembly }) => assembly)).size,
                  genomes: new Set([...result.tracks.map(({ assembly }) => assembly), ...result.without]).size,
                  deleted: format.series(
                    deletions.map(({ assembly, lengthBp }) =>
                      t('head.deletion', { assembly: assemblyName(assembly), bp: lengthBp }),
                    ),
                  ),
                  isDeleted: String(deletions.length > 0),
                  blocks: result.totalBlocks,
                })
        }
      />
    )
  },
})
