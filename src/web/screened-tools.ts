import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import type { Language } from '../contracts/text.ts'
import type { ToolDefinition } from '../contracts/tools/tool.ts'

export interface ScreenedTool {
  /** The name of its folder, which is the tool's id. */
  folder: string
  directory: string
  tool: ToolDefinition
  messages: Record<Language, Record<string, string>>
}

/** Every tool that has a screen, read at build time, in the order of their folders' names. */
export const readScreenedTools = async (toolsDirectory: string): Promise<ScreenedTool[]> => {
  if (!existsSync(toolsDirectory)) return []
  const folders = readdirSync(toolsDirectory).filter((folder) =>
    ['tool.ts', 'messages.ts', 'screen.tsx'].every((file) => existsSync(join(toolsDirectory, folder, file))),
  )
  const tools: ScreenedTool[] = []
  for (const folder of folders) {
    const directory = join(toolsDirectory, folder)
    const read = async <Value>(file: string): Promise<Value> =>
      (await runnerImport<{ default: Value }>(join(directory, file))).module.default
    tools.push({ folder, directory, tool: await read('tool.ts'), messages: await read('messages.ts') })
  }
  return tools
}
