import { type ReactNode, useEffect, useMemo } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useText } from '../../kit/ui/language.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { CellMap } from './cell-map.tsx'
import { useCellDatasets } from './cells.ts'
import messages from './messages.ts'
import { singleCellData } from './stored.ts'
import tool from './tool.ts'
import './screen.css'

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  const datasetsAnswer = useCellDatasets(gene.assembly, gene.id)
  const datasets = datasetsAnswer.data
  const count = datasets?.length
  useEffect(() => {
    if (count !== undefined) report(count)
  }, [count, report])
  const dataset = datasets?.[0]
  const receipt = useCatalogueReceipt(
    `${tool.id}/gene`,
    'values of the gene in every cell, as loaded',
    useMemo(() => ({ gene: gene.id, dataset: dataset?.id ?? null }), [gene.id, dataset?.id]),
    useMemo(() => [gene.assembly], [gene.assembly]),
  )
  if (datasetsAnswer.isError) return <Unanswered of={datasetsAnswer} />
  if (datasets === undefined) return <Waiting />
  if (dataset === undefined) return <p className="nv-quiet">{t('panel.none')}</p>
  const address = new URLSearchParams({ assembly: gene.assembly, task: 'genes', genes: gene.id, run: '1' })
  return (
    <>
      <CellMap
        key={dataset.id}
        assembly={gene.assembly}
        dataset={dataset}
        genes={gene.id}
        {...(receipt === undefined ? {} : { receipt })}
      />
      <p>
        <ButtonLink to={`${tool.route}?${address}`}>{t('panel.open')}</ButtonLink>
      </p>
    </>
  )
}

export default defineGenePanel({ id: tool.id, order: 106, messages, needs: singleCellData, Panel })
