import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'
import type { Language } from '../contracts/text.ts'
import { readScreenedTools } from './screened-tools.ts'

const languages: readonly Language[] = ['en', 'zh']

/**
 * Writes the Usage into the build as texts that need no scripts (contracts/plain-documents.ts), with the components that draw it in the
 * browser; `root` is the folder of the repository.
 */
export const documentsPlugin = (root: string): Plugin => ({
  name: 'novodb-plain-documents',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const toolsDirectory = join(root, 'src/tools')
      const screened = await readScreenedTools(toolsDirectory)
      const folders = screened.map(({ folder }) => folder)
      const tools = screened
        .map(({ folder, tool, messages }) => ({
          id: folder,
          route: tool.route,
          category: tool.category,
          order: tool.order,
          title: { en: messages.en.title ?? folder, zh: messages.zh.title ?? folder },
        }))
        .sort((a, b) => a.order - b.order || a.id.localeCompare(b.id))
      const assets = Object.values(bundle).filter((one) => one.type === 'asset')
      const addressOf = (ending: string): string | undefined =>
        assets.find(({ originalFileNames }) => originalFileNames.some((name) => name.endsWith(ending)))?.fileName
      const { renderPlainDocuments } = (
        await runnerImport<typeof import('./pages/documents/plain-documents.tsx')>(
          join(root, 'src/web/pages/documents/plain-documents.tsx'),
        )
      ).module
      const style = assets.find(({ fileName }) => /document-page-[^/]*\.css$/.test(fileName))
      if (style === undefined) return this.error('the build has no style sheet of the Usage')
      for (const language of languages) {
        const textsIn = (folder: string): [string, string][] =>
          readdirSync(join(root, folder))
            .filter((name) => name.endsWith(`.${language}.md`))
            .map((name) => [name.split('.')[0]!, readFileSync(join(root, folder, name), 'utf8')])
        const documents = folders.flatMap((id): [string, string][] => {
          const file = join(toolsDirectory, id, `document.${language}.md`)
          return existsSync(file) ? [[id, readFileSync(file, 'utf8')]] : []
        })
        const figures = folders.flatMap((id): [string, string][] => {
          const file = addressOf(`tools/${id}/figure.${language}.webp`)
          return file === undefined ? [] : [[id, `/${file}`]]
        })
        const plain = renderPlainDocuments(language, {
          tools,
          texts: new Map([...textsIn('docs'), ...textsIn('src/web/documents'), ...documents]),
          figures: new Map(figures),
          style: `/${style.fileName}`,
        })
        this.emitFile({ type: 'asset', fileName: `plain/${language}.json`, source: JSON.stringify(plain) })
      }
    },
  },
})
