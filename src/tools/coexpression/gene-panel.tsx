import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { expressionData } from '../../contracts/expression.ts'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag, useDatasets } from '../../kit/ui/controls/expression-fields.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call, RequestError } from '../../kit/ui/request.ts'
import { CorrelatedTable } from './correlated-table.tsx'
import messages from './messages.ts'
import tool, { type CoexpressionResult, minSamples } from './tool.ts'
import './screen.css'

const shown = 20

const isUnknown = (error: Error): boolean => error instanceof RequestError && error.errorCode === 'UNKNOWN_GENE'

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, id } = gene
  const datasetsAnswer = useDatasets(tool.id, assembly)
  const datasets = datasetsAnswer.data
  const [chosen, setChosen] = useState<string>()
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
  const absent = answer.error !== null && isUnknown(answer.error)
  const count = absent ? 0 : found?.result.rows.length
  useEffect(() => {
    if (count !== undefined) report(count)
  }, [count, report])
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
        <ButtonLink size="small" to={`${tool.route}?${open}`}>
          {t('panel.open')}
        </ButtonLink>
      </div>
      {absent ? (
        <p className="nv-quiet">{t('panel.none')}</p>
      ) : found === undefined ? (
        <Waiting />
      ) : (
        <CorrelatedTable result={found.result} receipt={found.receipt} pageSize={shown} />
      )}
    </div>
  )
}

export default defineGenePanel({ id: tool.id, order: 107, messages, needs: expressionData, Panel })
