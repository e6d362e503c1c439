import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Busco } from '../../contracts/busco.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { AssemblyMarks } from '../../kit/ui/controls/assembly-picker.tsx'
import { Card, Tag } from '../../kit/ui/controls/card.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import messages from './messages.ts'
import type { ComparedAssembly, PanGenome } from './tool.ts'

/** The genomes compared: how whole they are, and what they have. */
export const AssemblyTable = ({ result, receipt }: { result: PanGenome; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const assemblyName = useAssemblyNames()
  const [report] = useOpenings('comparedAssembly')
  const known = new Map(useAssemblies().map((one) => [one.id, one]))
  const buscoText = ({ complete, single, duplicated, fragmented, missing, total, lineage }: Busco): string =>
    t('assemblies.busco', {
      complete,
      single,
      duplicated,
      fragmented,
      missing,
      total,
      lineage: lineage ?? 'none',
    })
  const number = (
    key: string,
    title: string,
    value: (row: ComparedAssembly) => number | null,
    more: Partial<TableColumn<ComparedAssembly>> = {},
  ): TableColumn<ComparedAssembly> => ({ key, title, kind: 'number', value, ...more })
  const columns: TableColumn<ComparedAssembly>[] = [
    {
      key: 'assembly',
      title: t('column.assembly'),
      value: ({ id }) => id,
      render: ({ id, reference }) => {
        const about = known.get(id)
        const own = result.assemblies.find((one) => one.reference && known.get(one.id)?.species === about?.species)
        return (
          <>
            {reference || own === undefined || report === undefined ? (
              assemblyName(id)
            ) : (
              <Link to={report.address({ assembly: id, reference: own.id }, { run: true })} title={report.label}>
                {assemblyName(id)}
              </Link>
            )}{' '}
            {reference ? <Tag>{t('assemblies.reference')}</Tag> : null}{' '}
            {about === undefined ? null : <AssemblyMarks assembly={about} />}
          </>
        )
      },
    },
    { key: 'species', title: t('column.species'), hidden: true, value: ({ speciesName }) => speciesName },
    number('length', t('column.length'), ({ lengthBp }) => lengthBp),
    number('gc', t('column.gc'), ({ gcFraction }) => 100 * gcFraction, { digits: 2 }),
    number('sequences', t('column.sequences'), ({ sequenceCount }) => sequenceCount),
    number('n50', t('column.n50'), ({ n50Bp }) => n50Bp),
    number('l50', t('column.l50'), ({ l50 }) => l50, { help: t('help.l50') }),
    number('gaps', t('column.gaps'), ({ gapBp }) => gapBp),
    number('genes', t('column.geneCount'), ({ geneCount }) => geneCount),
    number('coding', t('column.coding'), ({ codingGeneCount }) => codingGeneCount),
    number('families', t('column.families'), ({ families }) => families),
    number('alone', t('column.alone'), ({ alone }) => alone, { help: t('help.alone') }),
    ...(result.assemblies.some(({ busco }) => busco !== null)
      ? [
          number('busco', t('column.busco'), ({ busco }) => busco?.complete ?? null, { digits: 1 }),
          {
            key: 'buscoAll',
            title: t('column.buscoAll'),
            value: ({ busco }: ComparedAssembly) => (busco === null ? null : buscoText(busco)),
          },
        ]
      : []),
    {
      key: 'partial',
      title: t('assemblies.partial'),
      hidden: true,
      value: ({ partial }) => partial,
    },
    { key: 'simulated', title: t('assemblies.simulated'), hidden: true, value: ({ simulated }) => simulated },
  ]
  return (
    <Card title={t('assemblies.title')} flush>
      <ResultTable
        columns={columns}
        rows={result.assemblies}
        rowKey={({ id }) => id}
        name="assemblies"
        receipt={receipt}
        label={t('assemblies.title')}
      />
    </Card>
  )
}
