import type { ReactNode } from 'react'
import type { ImportDefect, ImportFile, ImportSurvey, PreviewGene } from '../../../../contracts/accounts/imports.ts'
import { Card, Facts, Tag } from '../../../../kit/ui/controls/card.tsx'
import { exonParts } from '../../../../kit/ui/figures/gene-structure.tsx'
import { useWidth } from '../../../../kit/ui/figures/use-width.ts'
import { useSpeciesNames } from '../../../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../../../kit/ui/language.tsx'
import { ResultTable } from '../../../../kit/ui/table/result-table.tsx'
import { messages } from '../../../messages/import.ts'
import { useEntryName } from './entry-name.ts'

/** The longest transcript of a gene to scale, as the gene page draws it. */
const GeneSketch = ({ gene }: { gene: PreviewGene }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>()
  const span = gene.end - gene.start + 1
  const x = (position: number): number => ((position - gene.start) / span) * width
  const label = t('import.gene', {
    gene: gene.symbol === null ? gene.id : `${gene.id} ${gene.symbol}`,
    sequenceName: gene.sequence,
    start: format.number(gene.start),
    end: format.number(gene.end),
    strand: gene.strand === '-' ? '−' : gene.strand,
  })
  const coding = gene.cds.length > 0
  return (
    <div ref={root}>
      <p>{label}</p>
      <svg viewBox={`0 0 ${width} 22`} preserveAspectRatio="none" role="img" aria-label={label}>
        <title>{label}</title>
        <line className="nv-intron" x1={0} x2={width} y1={11} y2={11} />
        {exonParts({ exons: gene.exons, cds: gene.cds }).map((part) => {
          const half = part.coding ? 9 : coding ? 5 : 7
          return (
            <rect
              key={part.start}
              className={part.coding ? 'nv-cds' : coding ? 'nv-utr' : 'nv-noncoding'}
              x={x(part.start)}
              width={Math.max(1, x(part.end + 1) - x(part.start))}
              y={11 - half}
              height={half * 2}
            />
          )
        })}
      </svg>
    </div>
  )
}

const tones = { error: 'red', warning: 'amber', repair: 'blue' } as const

/** What is wrong with the files, as a check or a load says it. */
export const DefectTable = ({
  defects,
  totals,
  name,
}: {
  defects: readonly ImportDefect[]
  totals: Readonly<Record<string, number>>
  name: string
}): ReactNode => {
  const t = useText(messages)
  const total = Object.values(totals).reduce((sum, count) => sum + count, 0)
  return (
    <>
      <ResultTable
        label={t('import.problems')}
        name={name}
        rows={[...defects]}
        rowKey={(one) => `${one.file} ${one.line} ${one.text}`}
        columns={[
          {
            key: 'severity',
            title: t('import.severity'),
            value: (one) => t(`import.severity.${one.severity}`),
            render: (one) => <Tag tone={tones[one.severity]}>{t(`import.severity.${one.severity}`)}</Tag>,
          },
          {
            key: 'file',
            title: t('import.file'),
            value: (one) => one.file,
            render: (one) => <span className="import-path">{one.file}</span>,
          },
          { key: 'line', title: t('import.line'), kind: 'number', value: (one) => one.line },
          {
            key: 'text',
            title: t('import.problem'),
            value: (one) => one.text,
            render: (one) => <div className="account-detail">{one.text}</div>,
          },
        ]}
      />
      {total > defects.length ? <p className="nv-quiet">{t('import.problemsMore', { count: total })}</p> : null}
    </>
  )
}

/** What was recognised: species and assemblies with previews, tables, every file, and what is wrong. */
export const SurveyView = ({ survey, loaded }: { survey: ImportSurvey; loaded: boolean }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const speciesName = useSpeciesNames()
  const entryName = useEntryName()
  const { addition, sources, species, tables, files, counts, defects, totals } = survey
  const stateOf = ({ state }: ImportFile): string =>
    t(state === 'taken' && loaded ? 'import.file.loaded' : `import.file.${state}`)
  const fileCount = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <>
      {addition === null || addition.species === null || addition.entries.length === 0 ? null : (
        <Card
          title={t(addition.removes ? 'import.removes' : 'import.adds', { species: speciesName(addition.species) })}
        >
          <ul className="account-list">
            {addition.entries.map(({ assembly, entry, id, replaces }) => (
              <li key={`${assembly} ${entry} ${id}`}>
                {assembly === null ? null : <strong>{assembly}</strong>} {entryName(entry)}{' '}
                {id === null ? null : <code>{id}</code>}{' '}
                {replaces ? <span className="nv-quiet">{t('import.replaces')}</span> : null}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {addition === null && files.length === 0 && survey.manifests.length > 0 ? <p>{t('import.ownManifest')}</p> : null}
      {defects.length === 0 ? null : (
        <Card title={t('import.problems')} flush>
          <DefectTable defects={defects} totals={totals} name="novodb-import-problems" />
        </Card>
      )}
      {species.map((one) => (
        <Card key={one.id} title={<i>{one.name}</i>} aside={<code>{one.id}</code>}>
          <div className="account-stack">
            {sources.length === 0 ? null : (
              <p className="account-actions">
                {sources.map((source) => (
                  <Tag key={source.title}>{t('import.sourceFiles', source)}</Tag>
                ))}
              </p>
            )}
            {one.assemblies.map((assembly) => (
              <section key={assembly.id} className="account-stack">
                <h3>{assembly.id}</h3>
                {assembly.sequences === null || assembly.totalBp === null ? null : (
                  <Facts
                    facts={[
                      {
                        name: t('import.sequences'),
                        value: t('import.sequencesOf', {
                          count: assembly.sequences,
                          length: format.basePairs(assembly.totalBp),
                        }),
                      },
                      {
                        name: t('import.firstSequences'),
                        wide: true,
                        value: (
                          <ul className="import-names">
                            {assembly.first.slice(0, 12).map((sequence) => (
                              <li key={sequence.name}>
                                <code>{sequence.name}</code>{' '}
                                <span className="nv-quiet">{format.basePairs(sequence.lengthBp)}</span>
                              </li>
                            ))}
                          </ul>
                        ),
                      },
                    ]}
                  />
                )}
                {assembly.genes.length === 0 ? null : (
                  <div className="import-genes">
                    <h4>{t('import.firstGenes')}</h4>
                    {assembly.genes.map((gene) => (
                      <GeneSketch key={gene.id} gene={gene} />
                    ))}
                  </div>
                )}
              </section>
            ))}
            {tables.map((table) => (
              <details key={table.path}>
                <summary className="import-path">{t('import.firstRows', { path: table.path })}</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by keyboard. */}
                <div className="import-rows" tabIndex={0}>
                  <table>
                    <tbody>
                      {table.rows.map((row, at) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file keep their order.
                        <tr key={at}>
                          {row.map((cell, column) => (
                            // biome-ignore lint/suspicious/noArrayIndexKey: so do their cells.
                            <td key={column}>{cell}</td>
                          ))}
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              </details>
            ))}
          </div>
        </Card>
      ))}
      {files.length === 0 ? null : (
        <Card title={t('import.recognised')} flush>
          <ResultTable
            label={t('import.recognised')}
            name="novodb-import-files"
            rows={files}
            rowKey={(file) => file.path}
            columns={[
              {
                key: 'path',
                title: t('import.file'),
                value: (file) => file.path,
                render: (file) => <span className="import-path">{file.path}</span>,
              },
              {
                key: 'bytes',
                title: t('import.size'),
                kind: 'number',
                value: (file) => file.bytes,
                render: (file) => format.bytes(file.bytes),
              },
              {
                key: 'state',
                title: t('import.result'),
                value: stateOf,
                render: (file) => (
                  <Tag tone={file.state === 'taken' ? 'green' : file.state === 'unknown' ? 'amber' : 'grey'}>
                    {stateOf(file)}
                  </Tag>
                ),
              },
              {
                key: 'what',
                title: t('import.what'),
                value: (file) => (file.state === 'unknown' ? null : file.what),
              },
              {
                key: 'becomes',
                title: t('import.becomes'),
                value: (file) => {
                  if (file.entry === null) return null
                  const entry = entryName(file.entry)
                  return file.assembly === null ? entry : t('import.becomesOf', { entry, assembly: file.assembly })
                },
              },
              { key: 'why', title: t('import.note'), value: (file) => file.why },
            ]}
          />
          {fileCount > files.length ? (
            <p className="nv-quiet">{t('import.filesMore', { count: fileCount, shown: files.length })}</p>
          ) : null}
        </Card>
      )}
    </>
  )
}
