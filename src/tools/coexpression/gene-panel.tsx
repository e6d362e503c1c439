import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { expressionData } from '../../contracts/expression.ts'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag, useDatasets } from '../../kit/ui/controls/expression-fields.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call, RequestError } from '../../kit/ui/request.ts'
import { CorrelatedTable } from './correlated-table.tsx'
import messages from './messages.ts'
import tool, { type CoexpressionResult, minSamples } from './tool.ts'
import './screen.css'

const shown = 20

const isUnknown = (error: Error): boolean => error instanceof RequestError && error.errorCode === 'UNKNOWN_GENE'

/** Genes correlated with one in a data set: the chosen one, else the first of enough samples, a measured one before a simulated. */
const useCorrelated = ({ assembly, id }: Gene, chosen?: string) => {
  const datasetsAnswer = useDatasets(tool.id, assembly)
  const datasets = useMemo(
    () => datasetsAnswer.data?.toSorted((a, b) => Number(a.simulated) - Number(b.simulated)),
    [datasetsAnswer.data],
  )
  const first = datasets?.find(({ samples }) => samples.length >= minSamples) ?? datasets?.[0]
  const dataset = chosen ?? first?.id
  const answer = useQuery({
    queryKey: ['coexpressed', assembly, id, dataset ?? ''],
    enabled: dataset !== undefined,
    queryFn: (context) =>
      call(
        runTool,
        { tool: tool.id, assembly, genes: [id], dataset, top: shown },
        // A gene that the data set does not measure: the panel says so.
        { ...context, skipErrorHandler: isUnknown },
      ),
    staleTime: 5 * 60_000,
    retry: false,
  })
  const data = answer.data
  const found =
    data !== undefined && 'result' in data ? { ...data, result: data.result as CoexpressionResult } : undefined
  return { answer, datasetsAnswer, datasets, dataset, found, absent: answer.error !== null && isUnknown(answer.error) }
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, id } = gene
  const [chosen, setChosen] = useState<string>()
  const { answer, datasetsAnswer, datasets, dataset, found, absent } = useCorrelated(gene, chosen)
  if (answer.isError && !absent) return <Unanswered of={answer} />
  if (datasetsAnswer.isError) return <Unanswered of={datasetsAnswer} />
  if (datasets === undefined) return <Waiting />
  const open = new URLSearchParams({ assembly, genes: id, run: '1', ...(dataset === undefined ? {} : { dataset }) })
  return (
    <div className="coe-panel">
      <div className="coe-bar">
        <SelectField
          label={t('panel.dataset')}
          value={dataset ?? ''}
          onChoose={setChosen}
          options={datasets.map((one) => ({ value: one.id, label: format.text(one.name) }))}
        />
        <SimulatedTag simulated={datasets.find((one) => one.id === dataset)?.simulated ?? false} />
        <FoldActions>
          <ButtonLink size="small" look="quiet" to={`${tool.route}?${open}`}>
            {t('panel.open')}
          </ButtonLink>
        </FoldActions>
      </div>
      {absent ? (
        <p className="nv-quiet">{t('panel.none')}</p>
      ) : found === undefined ? (
        <Waiting />
      ) : (
        <CorrelatedTable result={found.result} receipt={found.receipt} pageSize={10} />
      )}
    </div>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const format = useFormat()
  const { found, absent, datasets, dataset } = useCorrelated(gene)
  const simulated = datasets?.find(({ id }) => id === dataset)?.simulated ?? false
  if (absent) return { count: 0, text: t('panel.none'), simulated }
  if (found === undefined) return undefined
  const [top] = found.result.rows
  return {
    count: found.result.rows.length,
    simulated,
    ...(top === undefined
      ? {}
      : { text: t('panel.gist', { gene: top.symbol ?? top.id, r: format.number(top.correlation, 2) }) }),
  }
}

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: expressionData,
  section: { topic: 'expression', order: 20, heightPx: 520, useGist, Panel },
})
