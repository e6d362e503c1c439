declare module 'virtual:tool-list' {
  import type { ListedTool } from '../kit/ui/tool/tool-list.ts'

  export const listedTools: ListedTool[]
}
