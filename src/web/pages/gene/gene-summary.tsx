import type { ReactNode } from 'react'
import type { Gene } from '../../../contracts/genes.ts'
import { AssemblyMarks } from '../../../kit/ui/controls/assembly-picker.tsx'
import { Card, Facts } from '../../../kit/ui/controls/card.tsx'
import { useBiotypeName } from '../../../kit/ui/gene/biology-names.ts'
import { geneAddress } from '../../../kit/ui/gene/gene-link.tsx'
import { RegionText } from '../../../kit/ui/gene/region-text.tsx'
import { RoleOf } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { useAssemblies, useSpecies } from '../../../kit/ui/portal-data.ts'
import { CitationCopy } from '../../citation-copy.tsx'
import { messages } from '../../messages/pages.ts'
import { portalTitle } from '../../portal-settings.ts'
import { useCircularLength } from './gene-files.ts'

/** What the gene is: place, kind, products and names. */
export const GeneSummary = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const biotypeName = useBiotypeName()
  const format = useFormat()
  const assembly = useAssemblies().find((one) => one.id === gene.assembly)
  const species = useSpecies().data?.species.find((one) => one.id === gene.species)
  const citation = t('gene.citeText', {
    gene: gene.symbol === null ? gene.id : `${gene.symbol} (${gene.id})`,
    species: gene.speciesName,
    assembly: assembly?.name ?? gene.assembly,
    release: species?.release ?? 1,
    portal: portalTitle(),
    address: `${location.origin}${geneAddress(gene.id, gene.assembly)}`,
    date: format.date(new Date().toISOString()),
  })
  const longest = [...gene.transcripts].sort(
    (a, b) => b.cdsLengthBp - a.cdsLengthBp || b.cdnaLengthBp - a.cdnaLengthBp,
  )[0]
  const strands = { '+': t('gene.strandPlus'), '-': t('gene.strandMinus'), '.': t('gene.strandNone') }
  const hidden = new Set([
    'id',
    'name',
    'gene',
    'symbol',
    'description',
    'product',
    'parent',
    'biotype',
    'gene_biotype',
    'locus_tag',
    'alias',
  ])
  const more = Object.entries(gene.attributes).filter(
    ([name, values]) => !hidden.has(name.toLowerCase()) && values.length > 0,
  )
  const circularBp = useCircularLength(gene)
  // `GeneID:886209` is no name: what other databases call the gene, once.
  const ids = gene.aliases.flatMap((alias): [string, string][] => {
    const [, database, id] = /^([A-Za-z][\w.-]*):(?:\1:)?(\S+)$/.exec(alias) ?? []
    return database === undefined || id === undefined ? [] : [[database.replaceAll('_', ' '), id]]
  })
  const names = gene.aliases.filter((alias) => !ids.some(([, id]) => alias === id || alias.endsWith(`:${id}`)))
  return (
    <Card id="summary">
      <Facts
        facts={[
          {
            name: t('gene.location'),
            value: (
              <>
                <code>
                  <RegionText>
                    {circularBp !== null && gene.end > circularBp
                      ? `${format.region(gene.sequence, gene.start, circularBp)}, 1..${format.number(gene.end - circularBp)}`
                      : format.region(gene.sequence, gene.start, gene.end)}
                  </RegionText>
                </code>
                <RoleOf assembly={gene.assembly} sequence={gene.sequence} />
              </>
            ),
          },
          { name: t('gene.strand'), value: strands[gene.strand] },
          { name: t('gene.length'), value: `${format.number(gene.end - gene.start + 1)} bp` },
          { name: t('gene.type'), value: biotypeName(gene.biotype) },
          {
            name: t('gene.assembly'),
            value: (
              <>
                {assembly?.name ?? gene.assembly}{' '}
                {assembly === undefined ? null : <AssemblyMarks assembly={assembly} />}
              </>
            ),
          },
          ...(longest === undefined
            ? []
            : [
                {
                  name: t('gene.transcripts'),
                  value: t('gene.transcriptsValue', { count: gene.transcripts.length, exons: longest.exons.length }),
                },
              ]),
          ...(longest?.proteinLength === null || longest === undefined
            ? []
            : [
                {
                  name: t('gene.protein'),
                  value: (
                    <>
                      {t('gene.proteinLength', { count: longest.proteinLength })}{' '}
                      {longest.proteinId === null ? null : <code className="nv-quiet">{longest.proteinId}</code>}
                    </>
                  ),
                },
              ]),
          ...(names.length === 0 ? [] : [{ name: t('gene.aliases'), value: names.join(', '), wide: names.length > 4 }]),
          ...(ids.length === 0
            ? []
            : [
                {
                  name: t('gene.crossReferences'),
                  value: ids.map(([database, id]) => `${database} ${id}`).join(', '),
                  wide: ids.length > 4,
                },
              ]),
        ]}
      />
      <div className="gene-more">
        {more.length === 0 ? null : (
          <details className="nv-advanced">
            <summary>{t('gene.attributes')}</summary>
            <Facts facts={more.map(([name, values]) => ({ name: <code>{name}</code>, value: values.join(', ') }))} />
          </details>
        )}
        <details className="nv-advanced">
          <summary>{t('gene.cite')}</summary>
          <p>
            {citation} <CitationCopy citation={citation} />
          </p>
        </details>
      </div>
      {/* On paper, where the page was and when. */}
      <p className="gene-printed">{citation}</p>
    </Card>
  )
}
