import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { z } from 'zod'
import type { ToolDefinition } from '../contracts/tools/tool.ts'
import { readScreenedTools } from './screened-tools.ts'

const moduleId = 'virtual:tool-list'
/** Of its own, since only the page of the search reads it. */
const questionsId = 'virtual:tool-questions'

/** Messages of a tool that name the kinds of files which its loader offers for download. */
const fileKindPrefix = 'file.kind.'

/** Drawn when a tool names an icon that lucide does not have. */
const fallbackIcon = 'Wrench'

const pascal = (name: string): string =>
  name.replace(/(^|-)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase())
const kebab = (name: string): string =>
  name
    .replace(/([a-z])([A-Z0-9])/g, '$1-$2')
    .replace(/([0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()

const inputFields = (tool: ToolDefinition): string[] => {
  const schema = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' }) as { properties?: object }
  return Object.keys(schema.properties ?? {})
}

/**
 * Gathers at build time what menus need of every tool with a screen: id, route, title, icon. Without it the menus would
 * pull the message tables and schemas of all tools into the first load.
 */
export const toolListPlugin = (toolsDirectory: string): Plugin => ({
  name: 'novodb-tool-list',
  resolveId: (id) => (id === moduleId || id === questionsId ? `\0${id}` : null),
  async load(id) {
    if (id === `\0${questionsId}`) {
      const questions: Record<string, { en: string; zh: string }> = {}
      for (const { directory, tool, messages } of await readScreenedTools(toolsDirectory)) {
        this.addWatchFile(join(directory, 'messages.ts'))
        questions[tool.id] = { en: messages.en.answers ?? '', zh: messages.zh.answers ?? '' }
      }
      return `export const toolQuestions = ${JSON.stringify(questions)}\n`
    }
    if (id !== `\0${moduleId}`) return null
    const icons = new Set<string>([fallbackIcon])
    const entries: string[] = []
    for (const { directory, tool, messages } of await readScreenedTools(toolsDirectory)) {
      for (const file of ['tool.ts', 'messages.ts']) this.addWatchFile(join(directory, file))
      const lucide = join(toolsDirectory, '../../node_modules/lucide-react/dist/esm/icons')
      const known = ['js', 'mjs'].some((ending) => existsSync(join(lucide, `${kebab(tool.icon)}.${ending}`)))
      if (!known) this.warn(`${tool.id}: lucide has no icon "${tool.icon}"`)
      const icon = known ? pascal(tool.icon) : fallbackIcon
      icons.add(icon)
      const listed = {
        id: tool.id,
        route: tool.route,
        category: tool.category,
        order: tool.order,
        mode: tool.mode,
        fields: inputFields(tool),
        title: { en: messages.en.title, zh: messages.zh.title },
        summary: { en: messages.en.summary, zh: messages.zh.summary },
        opens: (tool.opens ?? []).map((opening) => ({
          ...opening,
          label: { en: messages.en[`open.${opening.target}`], zh: messages.zh[`open.${opening.target}`] },
        })),
        records: tool.records ?? {},
        dataNeeds: tool.needs.flatMap((need) => (need.kind === 'data' ? [need.dataType] : [])),
        entryNeeds: tool.needs.flatMap((need) => (need.kind === 'data' ? [need.entry] : [])),
        fileKinds: Object.fromEntries(
          Object.keys(messages.en)
            .filter((key) => key.startsWith(fileKindPrefix))
            .map((key) => [key.slice(fileKindPrefix.length), { en: messages.en[key], zh: messages.zh[key] }]),
        ),
      }
      entries.push(`{...${JSON.stringify(listed)}, icon: ${icon}}`)
    }
    return `import { ${[...icons].join(', ')} } from 'lucide-react'\nexport const listedTools = [${entries.join(',\n')}]\n`
  },
})
