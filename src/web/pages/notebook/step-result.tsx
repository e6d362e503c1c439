import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { getNotebookResult, type NotebookStep } from '../../../contracts/notebooks.ts'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { useAssemblyNames } from '../../../kit/ui/gene/species-names.tsx'
import { type Translate, useFormat, useText } from '../../../kit/ui/language.tsx'
import { messages as shared } from '../../../kit/ui/messages.ts'
import { call } from '../../../kit/ui/request.ts'
import type { Screen } from '../../../kit/ui/tool/define-screen.ts'
import { ReceiptBelow, ReceiptView } from '../../../kit/ui/tool/receipt.tsx'
import { messages } from '../../messages/notebook.ts'
import { loadScreen } from '../../shell/tool-screens.ts'
import type { StepResult } from './notebook-files.ts'

type Run = NonNullable<NotebookStep['run']>

/** The screen of a tool; null where it has a page of its own or is not of this build. */
const useScreen = (tool: string) =>
  useQuery({
    queryKey: ['screen', tool],
    queryFn: async () => {
      const screen = await loadScreen(tool)
      return screen === null || 'Page' in screen ? null : screen
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The kept result of a step, asked for once. */
export const stepResultQuery = (notebook: string, step: string) =>
  queryOptions({
    queryKey: ['notebook-result', notebook, step],
    queryFn: async (context): Promise<StepResult> => {
      const { result, receipt } = await call(getNotebookResult, { id: notebook, step }, context)
      return { result, receipt }
    },
    // It is what it was.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

export const useStepResult = (notebook: string, step: string, enabled: boolean) =>
  useQuery({ ...stepResultQuery(notebook, step), enabled })

const useParsed = (screen: Screen | null | undefined, run: Run): unknown =>
  useMemo(() => {
    const parsed = screen?.tool.input.safeParse(run.input)
    return parsed?.success === true ? parsed.data : run.input
  }, [screen, run])

const Headline = ({ screen, run, result }: { screen: Screen; run: Run; result: unknown }): ReactNode => {
  const own = useText(screen.messages) as Translate<string>
  const t = useText(shared)
  const format = useFormat()
  const assemblyName = useAssemblyNames()
  const input = useParsed(screen, run)
  return screen.headline?.({ input, result, t: own, shared: t, format, assemblyName }) ?? null
}

/** What a tool's screen says was found, of a result as it was. */
export const RunHeadline = ({ run, result }: { run: Run; result: unknown }): ReactNode => {
  const { data: screen } = useScreen(run.tool)
  return screen === undefined || screen === null ? null : <Headline screen={screen} run={run} result={result} />
}

/** A result as the tool's own screen draws it, from what was kept. */
export const StepResultView = ({ notebook, step, run }: { notebook: string; step: string; run: Run }): ReactNode => {
  const t = useText(messages)
  const screen = useScreen(run.tool)
  const answer = useStepResult(notebook, step, true)
  const input = useParsed(screen.data, run)
  if (answer.isError) return <Unanswered of={answer} />
  if (screen.isError) return <Unanswered of={screen} />
  if (answer.data === undefined || screen.data === undefined) return <Waiting />
  const { result, receipt } = answer.data
  if (screen.data === null) return <EmptyState title={t('step.unknownTool', { tool: run.tool })} why="" />
  const { Result, tool } = screen.data
  // Of an earlier version of the tool: what its screen does not know is not drawn by halves.
  const parsed = tool.result.safeParse(result)
  if (!parsed.success)
    return (
      <div className="note-stack">
        <p className="note-quiet">{t('step.oldResult')}</p>
        <ReceiptView receipt={receipt} open />
      </div>
    )
  return (
    <div className="note-stack">
      <p className="nv-headline">
        <Headline screen={screen.data} run={run} result={result} />
      </p>
      <ReceiptBelow value={receipt}>
        <Result input={input} result={parsed.data} receipt={receipt} job={run.job} pending={false} />
      </ReceiptBelow>
      <ReceiptView receipt={receipt} />
    </div>
  )
}
