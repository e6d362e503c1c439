import { loadStepText } from '../../../contracts/load-steps.ts'
import { useLanguage } from '../../../kit/ui/language.tsx'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'

/** Steps of a load in the reader's words; a tool's step is the tool's title. */
export const useLoadStep = (): ((step: string) => string) => {
  const language = useLanguage()
  const tools = useToolList()
  return (step) => loadStepText(step, language, (id) => tools.find((tool) => tool.id === id)?.title[language] ?? null)
}
