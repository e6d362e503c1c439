import type { ComponentType } from 'react'
import { createContext, useContext } from 'react'
import type { ToolCategory, ToolOpening } from '../../../contracts/tools/tool.ts'
import { useToolStatuses } from '../portal-data.ts'

/**
 * What menus need of a tool; gathered from the tools' folders when the browser part is built, so that no tool's own code is loaded for a
 * menu.
 */
export interface ListedTool {
  id: string
  route: string
  category: ToolCategory
  order: number
  mode: 'answer' | 'job'
  /** Names of the fields of its input. */
  fields: string[]
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  title: { en: string; zh: string }
  summary: { en: string; zh: string }
  records: Record<string, string>
  /** Kinds of data that an assembly must have for it. */
  dataNeeds: string[]
  /** The entries of species.yaml that bring them. */
  entryNeeds: string[]
  /** Names of the kinds of files that its loader offers for download, by kind. */
  fileKinds: Record<string, { en: string; zh: string }>
  opens: (ToolOpening & { label: { en: string; zh: string } })[]
}

export const ToolListContext = createContext<ListedTool[]>([])

/** Tools of this portal, by category and order. */
export const useToolList = (): ListedTool[] => useContext(ToolListContext)

/** Those of the tools that the server does not say to be without their data or programs. */
export const withoutUnavailable = (
  tools: readonly ListedTool[],
  statuses: readonly { id: string; available: boolean }[] | undefined,
): ListedTool[] => {
  const off = new Set((statuses ?? []).flatMap(({ id, available }) => (available ? [] : [id])))
  return tools.filter(({ id }) => !off.has(id))
}

/** Tools that can be used on this portal as it is: what a menu leads on to. */
export const useAvailableTools = (): ListedTool[] => withoutUnavailable(useToolList(), useToolStatuses().data)

/** Tools whose input takes a list of genes: where a gene set can be sent. */
export const useGeneTools = (): ListedTool[] => useAvailableTools().filter((tool) => tool.fields.includes('genes'))
