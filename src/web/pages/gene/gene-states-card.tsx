import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { PresenceState } from '../../../bio/comparative/gene-presence.ts'
import type { AssemblyGeneState, AssemblyProtein } from '../../../contracts/gene-states.ts'
import type { Gene } from '../../../contracts/genes.ts'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { GeneLink } from '../../../kit/ui/gene/gene-link.tsx'
import {
  GeneStateList,
  GeneStateMark,
  GeneStateTag,
  geneStatesAnchor,
  useDnaText,
  useGeneStates,
  useProteinChanges,
  useProteinText,
} from '../../../kit/ui/gene/gene-states.tsx'
import { messages } from '../../../kit/ui/gene/gene-states-messages.ts'
import { PresenceMark, PresenceTag, usePresenceText } from '../../../kit/ui/gene/presence-mark.tsx'
import { messages as presenceMessages } from '../../../kit/ui/gene/presence-messages.ts'
import { useAssemblyList, useAssemblyNames } from '../../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { useAssemblies } from '../../../kit/ui/portal-data.ts'
import { fileName } from '../../../kit/ui/table/export.ts'
import { ResultTable } from '../../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../../kit/ui/tool/catalogue-receipt.ts'
import { useOpenings } from '../../../kit/ui/tool/tool-openings.ts'

/** Beyond so many assemblies they stand by state, and not each by itself. */
const maxTiles = 24

/** States of a gene's DNA that are told beside the gene there: it may be annotated all the same. */
const damaged: readonly PresenceState[] = ['truncated', 'disrupted', 'split', 'moved', 'copies']

/** What is wrong with the gene's DNA there, or different; null where nothing is. */
const useDamage = (found: AssemblyGeneState | undefined): { text: string; lead: string } | null => {
  const words = useText(presenceMessages)
  const textOf = usePresenceText()
  if (found === undefined || !damaged.includes(found.presence.state)) return null
  const { state, frame, insertedBp } = found.presence
  const why = textOf({ state, frame, insertedBp, coverage: found.dna.alignedShare, reason: null })
  return {
    text: why === '' ? words(`state.${state}`) : `${words(`state.${state}`)}: ${why}`,
    lead: words(`lead.${state}`),
  }
}

/** The gene in one assembly of its species: its state by shape and word, and the gene there. */
const StateTile = ({
  of,
  assembly,
  found,
  coding,
  protein,
  noFamily,
}: {
  of: Gene
  assembly: string
  found: AssemblyGeneState | undefined
  /** Whether the gene has a protein that may differ. */
  coding: boolean
  protein: AssemblyProtein | undefined
  /** Compared by proteins alone, and without a gene of the family. */
  noFamily: boolean
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const dnaText = useDnaText()
  const damage = useDamage(found)
  const proteinText = useProteinText()
  const assays = useOpenings('changedGene', of.assembly)
  const gene = found?.genes[0]
  const more = (found?.genes.length ?? 0) - 1
  return (
    <li data-state={found?.state} title={found === undefined ? undefined : t(`lead.${found.state}`)}>
      <strong>{nameOf(assembly)}</strong>
      <span className="gene-tile-state">
        {found === undefined ? null : (
          <>
            <GeneStateMark state={found.state} /> {t(`state.${found.state}`)}
          </>
        )}
      </span>
      {damage === null || found === undefined ? null : (
        <span className="gene-tile-state" title={damage.lead}>
          <PresenceMark state={found.presence.state} /> {damage.text}
        </span>
      )}
      <span className="gene-tile-gene">
        {found === undefined ? null : gene === undefined ? (
          <span className="nv-quiet">
            {found.paralogs.length > 0 ? (
              <>
                {found.paralogs.slice(0, 2).map(({ gene: id, symbol }) => (
                  <GeneLink key={id} id={id} assembly={assembly} symbol={symbol} />
                ))}
                {found.paralogs.length > 2 ? ` ${t('more', { count: found.paralogs.length - 2 })}` : null}
              </>
            ) : noFamily ? (
              t('unknown.noFamily')
            ) : (
              dnaText(found.dna)
            )}
          </span>
        ) : (
          <>
            <GeneLink id={gene.gene} assembly={assembly} symbol={gene.symbol} />
            {more > 0 ? ` ${t('more', { count: more })}` : null}
            {gene.identity === null ? null : (
              <small title={t('column.identity')}>{format.percent(gene.identity / 100, 1)}</small>
            )}
          </>
        )}
      </span>
      {coding ? (
        // Its line is there before it is known. No line is broken within a change (U+2060, word joiner).
        <span className="gene-tile-protein">
          {protein === undefined ? '\u00a0' : proteinText(protein).replaceAll('p.(', 'p.\u2060(')}{' '}
          {protein === undefined || protein.total === 0
            ? null
            : assays.map(({ tool, label, address }) => (
                <Link
                  key={tool.id}
                  to={address({ gene: of.id, assembly: of.assembly, otherAssembly: assembly }, { run: true })}
                >
                  {label}
                </Link>
              ))}
        </span>
      ) : null}
    </li>
  )
}

/** So many assemblies of which nothing is known for one reason are told by one sentence. */
const fewUnknown = 3

/** Assemblies of which it is not known whether they have the gene, all for the same reason. */
const UnknownTile = ({ states, noFamily }: { states: readonly AssemblyGeneState[]; noFamily: boolean }): ReactNode => {
  const t = useText(messages)
  const listOf = useAssemblyList()
  const dnaText = useDnaText()
  const { dna } = states[0]!
  const reason = dna.reason === 'assembly' ? t('unknown.assembly') : dnaText(dna)
  return (
    <li data-state="unknown" className="gene-tile-several">
      <span className="gene-tile-state">
        <GeneStateMark state="unknown" />{' '}
        {noFamily
          ? t('unknown.severalNoFamily', { count: states.length })
          : t('unknown.several', { count: states.length, reason })}
      </span>
      <span className="gene-tile-gene nv-quiet">{listOf(states.map(({ assembly }) => assembly))}</span>
    </li>
  )
}

/** States of `unknown` by their reason, of which there are more than a few. */
const gatherUnknown = (
  states: readonly AssemblyGeneState[],
  isWithoutFamily: (one: AssemblyGeneState) => boolean,
): AssemblyGeneState[][] => {
  const byReason = new Map<string, AssemblyGeneState[]>()
  for (const one of states)
    if (one.state === 'unknown') {
      const reason = isWithoutFamily(one) ? 'family' : (one.dna.reason ?? '')
      byReason.set(reason, [...(byReason.get(reason) ?? []), one])
    }
  return [...byReason.values()].filter((list) => list.length > fewUnknown)
}

const percent = (share: number | null): number | null => (share === null ? null : 100 * share)

/** What a gene's page says first: the gene itself in every other assembly of its species. */
export const GeneStatesCard = ({ gene, familyId }: { gene: Gene; familyId: string | undefined }): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const dnaText = useDnaText()
  const words = useText(presenceMessages)
  const proteinText = useProteinText()
  const found = useGeneStates(gene)
  const answer = found.data
  const [isOpen, setOpen] = useState(false)
  const ofSpecies = useAssemblies().filter(({ species }) => species === gene.species)
  const others = ofSpecies.filter(({ id }) => id !== gene.assembly)
  const isOutgroup = (id: string): boolean => ofSpecies.some((one) => one.id === id && one.outgroup)
  // Of many assemblies the table alone has room for them.
  const coding = gene.biotype === 'protein_coding'
  const proteins = useProteinChanges(gene, coding && (others.length <= maxTiles || isOpen))
  const proteinOf = (assembly: string): AssemblyProtein | undefined =>
    proteins.data?.proteins.find((one) => one.assembly === assembly)
  // That an outgroup is not aligned is no news: what is known is that its proteins have none of the family.
  const isWithoutFamily = ({ assembly, state, genes, paralogs }: AssemblyGeneState): boolean =>
    (isOutgroup(assembly) || isOutgroup(gene.assembly)) &&
    state === 'unknown' &&
    genes.length + paralogs.length === 0 &&
    (answer?.homology ?? null) !== null &&
    (answer?.family ?? null) !== null
  const unknown = gatherUnknown(answer?.states ?? [], isWithoutFamily)
  const having = answer?.states.filter(({ genes }) => genes.length > 0).length ?? 0
  const receipt = useCatalogueReceipt(
    'gene-states',
    `state of the gene in each other assembly of its species; orthologs as computed ${answer?.homology?.computedAt ?? '-'}; DNA by alignments of whole genomes (${answer?.alignment?.program ?? '-'}, computed ${answer?.alignment?.computedAt ?? '-'}, reference ${answer?.alignment?.reference ?? '-'}), there from half of the bases on; protein changes by the aligned bases, all of a gene read together; coordinates 1-based, inclusive`,
    { id: gene.id, assembly: gene.assembly },
    [gene.assembly, ...(answer?.states.map(({ assembly }) => assembly) ?? [])],
  )
  const genesOf = (genes: AssemblyGeneState['genes']): string =>
    genes.map((one) => (one.sameLocus === false ? t('moved', { gene: one.gene }) : one.gene)).join(t('comma'))
  /** All that differs, as a table has it. */
  const changesOf = (protein: AssemblyProtein | undefined): string | null => {
    if (protein === undefined) return null
    const { total, changes } = protein
    if (total === 0) return proteinText(protein)
    const text = changes.join(t('comma'))
    return total > changes.length ? t('protein.cut', { changes: text, count: total - changes.length }) : text
  }
  const links = (genes: AssemblyGeneState['genes'], assembly: string): ReactNode =>
    genes.length === 0 ? (
      '–'
    ) : (
      <span className="nv-states-genes">
        {genes.slice(0, 6).map(({ gene: id, symbol }) => (
          <GeneLink key={id} id={id} assembly={assembly} symbol={symbol} />
        ))}
        {genes.length > 6 ? t('more', { count: genes.length - 6 }) : null}
      </span>
    )
  return (
    <Card
      id={geneStatesAnchor}
      title={t('title')}
      aside={
        answer === undefined
          ? '\u00a0'
          : answer.homology === null && having === 0
            ? t('headline.notCompared')
            : t('headline', { count: having, all: answer.states.length })
      }
    >
      {found.isError ? (
        <Unanswered of={found} />
      ) : others.length <= maxTiles ? (
        // Each has its place before its state is known, and the same place for every gene.
        <ul className="gene-tiles" aria-busy={answer === undefined}>
          {others
            .filter(({ id }) => !unknown.some((list) => list.some(({ assembly }) => assembly === id)))
            .map(({ id }) => (
              <StateTile
                key={id}
                of={gene}
                assembly={id}
                found={answer?.states.find(({ assembly }) => assembly === id)}
                coding={coding}
                protein={proteinOf(id)}
                noFamily={answer?.states.some((one) => one.assembly === id && isWithoutFamily(one)) ?? false}
              />
            ))}
          {unknown.map((states) => (
            <UnknownTile key={states[0]!.assembly} states={states} noFamily={isWithoutFamily(states[0]!)} />
          ))}
        </ul>
      ) : answer === undefined ? (
        <Waiting />
      ) : (
        <GeneStateList answer={answer} />
      )}
      <div className="gene-states-foot">
        {answer === undefined ? null : (
          <>
            {answer.homology?.current === false ? <p className="nv-quiet">{t('note.stale')}</p> : null}
            {answer.family === null ? null : (
              <p className="nv-quiet">
                {t('family', { family: answer.family })}{' '}
                {familyId === undefined ? null : <a href={`#${familyId}`}>{t('family.link')}</a>}
              </p>
            )}
            <details className="nv-advanced" onToggle={(event) => setOpen(event.currentTarget.open)}>
              <summary>{t('table.name')}</summary>
              <ResultTable
                plain
                label={t('title')}
                name={fileName(gene.id, 'states')}
                receipt={receipt}
                rows={answer.states}
                rowKey={({ assembly }) => assembly}
                pageSize={50}
                columns={[
                  {
                    key: 'assembly',
                    title: t('column'),
                    value: ({ assembly }) => assembly,
                    render: ({ assembly }) => nameOf(assembly),
                  },
                  {
                    key: 'state',
                    title: t('column.state'),
                    value: ({ state }) => t(`state.${state}`),
                    render: ({ state }) => <GeneStateTag state={state} />,
                  },
                  {
                    key: 'genes',
                    title: t('column.genes'),
                    kind: 'id',
                    value: ({ genes }) => genesOf(genes),
                    render: ({ genes, assembly }) => links(genes, assembly),
                  },
                  {
                    key: 'identity',
                    title: t('column.identity'),
                    kind: 'number',
                    digits: 1,
                    help: t('help.identity'),
                    value: ({ genes, paralogs }) =>
                      genes[0]?.identity ??
                      (genes.length > 0
                        ? null
                        : paralogs.reduce<number | null>(
                            (max, { identity }) => (identity === null ? max : Math.max(max ?? 0, identity)),
                            null,
                          )),
                  },
                  {
                    key: 'paralogs',
                    title: t('column.paralogs'),
                    kind: 'id',
                    value: ({ paralogs }) => genesOf(paralogs.map((one) => ({ ...one, sameLocus: null }))),
                    render: ({ paralogs, assembly }) => links(paralogs, assembly),
                  },
                  { key: 'dna', title: t('column.dna'), value: ({ dna }) => dnaText(dna) },
                  {
                    key: 'presence',
                    title: t('column.presence'),
                    value: ({ presence }) => words(`state.${presence.state}`),
                    render: ({ presence }) => <PresenceTag state={presence.state} />,
                  },
                  { key: 'frame', title: t('column.frame'), value: ({ presence }) => presence.frame?.hgvs ?? null },
                  {
                    key: 'protein',
                    title: t('column.protein'),
                    help: t('help.protein', { transcript: proteins.data?.transcript ?? '–' }),
                    long: true,
                    value: ({ assembly }) => changesOf(proteinOf(assembly)),
                  },
                  {
                    key: 'compared',
                    title: t('column.compared'),
                    kind: 'number',
                    digits: 1,
                    hidden: true,
                    value: ({ assembly }) => {
                      const protein = proteinOf(assembly)
                      return protein === undefined ? null : percent(protein.compared / protein.residues)
                    },
                  },
                  {
                    key: 'aligned',
                    title: t('column.aligned'),
                    kind: 'number',
                    digits: 1,
                    value: ({ dna }) =>
                      dna.state === 'unknown' && dna.alignedShare === 0 ? null : percent(dna.alignedShare),
                  },
                  {
                    key: 'dnaIdentity',
                    title: t('column.dnaIdentity'),
                    kind: 'number',
                    digits: 2,
                    value: ({ dna }) => percent(dna.identity),
                  },
                  {
                    key: 'locus',
                    title: t('column.locus'),
                    kind: 'region',
                    value: ({ dna: { locus } }) =>
                      locus === null ? null : `${locus.sequence}:${locus.start}..${locus.end}`,
                    on: ({ assembly, dna: { locus } }) =>
                      locus === null ? null : { assembly, sequence: locus.sequence },
                  },
                  {
                    key: 'strand',
                    title: t('column.strand'),
                    hidden: true,
                    value: ({ dna }) => dna.locus?.strand ?? null,
                  },
                  { key: 'through', title: t('column.through'), hidden: true, value: ({ dna }) => dna.through },
                ]}
              />
              <p className="nv-quiet">{t('method')}</p>
            </details>
          </>
        )}
      </div>
    </Card>
  )
}
