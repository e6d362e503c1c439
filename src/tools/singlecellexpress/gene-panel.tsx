import { type ReactNode, useMemo } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { CellMap } from './cell-map.tsx'
import { useCellDatasets } from './cells.ts'
import messages from './messages.ts'
import { singleCellData } from './stored.ts'
import tool from './tool.ts'
import './screen.css'

/** What was measured stands before what is simulated. */
const useMeasured = (gene: Gene) => {
  const answer = useCellDatasets(gene.assembly, gene.id)
  const datasets = useMemo(
    () => answer.data?.toSorted((a, b) => Number(a.simulated) - Number(b.simulated)),
    [answer.data],
  )
  return { answer, datasets }
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const { answer, datasets } = useMeasured(gene)
  const dataset = datasets?.[0]
  const receipt = useCatalogueReceipt(
    `${tool.id}/gene`,
    'values of the gene in every cell, as loaded',
    useMemo(() => ({ gene: gene.id, dataset: dataset?.id ?? null }), [gene.id, dataset?.id]),
    useMemo(() => [gene.assembly], [gene.assembly]),
  )
  if (answer.isError) return <Unanswered of={answer} />
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
        maxHeight={340}
        {...(receipt === undefined ? {} : { receipt })}
      />
      <FoldActions>
        <ButtonLink size="small" look="quiet" to={`${tool.route}?${address}`}>
          {t('panel.open')}
        </ButtonLink>
      </FoldActions>
    </>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const format = useFormat()
  const { datasets } = useMeasured(gene)
  if (datasets === undefined) return undefined
  return {
    count: datasets.length,
    text: datasets.length === 0 ? t('panel.none') : format.list(datasets.map(({ name }) => format.text(name))),
  }
}

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: singleCellData,
  section: { topic: 'expression', order: 30, heightPx: 460, useGist, Panel },
})
