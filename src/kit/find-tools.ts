import { readdir } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { DefectCatalogue } from '../bio/text/defects.ts'
import type { Messages } from '../contracts/text.ts'
import type { ToolDefinition } from '../contracts/tools/tool.ts'
import type { Engine } from './engine.ts'
import type { GeneColumnSource } from './gene-columns.ts'
import type { PortalLoader, ToolLoader } from './loader.ts'

/** A tool as found by its folder; heavy parts are imported when asked for. */
export interface FoundTool {
  id: string
  directory: string
  /** Null for a folder that only loads data or only has a screen. */
  tool: ToolDefinition | null
  messages: Messages | null
  importEngine(): Promise<Engine | null>
  /** A tool may bring several kinds of data. */
  importLoaders(): Promise<ToolLoader[]>
  /** What can be wrong with its files; null where it brings none, or tells it by the catalogues of formats alone. */
  importDefects(): Promise<DefectCatalogue | null>
  /** What it computes over everything that is loaded, if anything. */
  importPortalLoader(): Promise<PortalLoader | null>
  /** What it knows of each gene of a list, if anything. */
  importGeneColumns(): Promise<GeneColumnSource | null>
}

const toolsDirectory = join(dirname(fileURLToPath(import.meta.url)), '../tools')
// The same code runs as source (tests) and compiled: the tools' files have this module's own extension.
const extension = extname(fileURLToPath(import.meta.url))

let found: Promise<FoundTool[]> | null = null

/** Every folder of src/tools, in alphabetical order; the folders are the only list there is. */
export const findTools = (): Promise<FoundTool[]> => {
  found ??= readTools()
  return found
}

const listFolders = async (): Promise<string[]> => {
  const entries = await readdir(toolsDirectory, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** The tool alone, without reading the others; null when no folder is called so. */
export const findTool = async (id: string): Promise<FoundTool | null> =>
  (await listFolders()).includes(id) ? readTool(id) : null

const readTools = async (): Promise<FoundTool[]> => {
  const tools: FoundTool[] = []
  for (const id of (await listFolders()).sort()) tools.push(await readTool(id))
  return tools
}

const readTool = async (id: string): Promise<FoundTool> => {
  const directory = join(toolsDirectory, id)
  const files = new Set(await readdir(directory))
  const importDefault = async <T>(name: string): Promise<T | null> => {
    if (!files.has(`${name}${extension}`)) return null
    const module = (await import(pathToFileURL(join(directory, `${name}${extension}`)).href)) as { default: T }
    return module.default
  }
  return {
    id,
    directory,
    tool: await importDefault<ToolDefinition>('tool'),
    messages: await importDefault<Messages>('messages'),
    importEngine: () => importDefault<Engine>('engine'),
    importLoaders: async () => [(await importDefault<ToolLoader | ToolLoader[]>('load')) ?? []].flat(),
    importDefects: () => importDefault<DefectCatalogue>('defects'),
    importPortalLoader: () => importDefault<PortalLoader>('load-portal'),
    importGeneColumns: () => importDefault<GeneColumnSource>('gene-columns'),
  }
}
