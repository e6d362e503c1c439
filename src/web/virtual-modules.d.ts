declare module 'virtual:tool-list' {
  import type { ListedTool } from '../kit/ui/tool/tool-list.ts'

  export const listedTools: ListedTool[]
}

declare module 'virtual:tool-questions' {
  /** What each tool answers, by its id. */
  export const toolQuestions: Record<string, { en: string; zh: string }>
}
