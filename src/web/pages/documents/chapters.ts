import type { Language } from '../../../contracts/text.ts'
import { toolCategories } from '../../../contracts/tools/tool.ts'
import type { messages } from '../../messages/document.ts'

/** What the Usage pages need to know of a tool. */
export interface DocumentedTool {
  id: string
  route: string
  category: string
  title: Record<Language, string>
}

/** Chapters of the portal's own, in their order; the text of each stands in `web/documents` or `docs`. */
export const portalChapters = ['start', 'notebooks', 'statistics'] as const
/** One question each, followed through several tools. */
export const tutorials = ['tutorial-rd1', 'tutorial-resistance', 'tutorial-cholesterol'] as const
/** The demo's species, whose genes and data the tutorials work on. */
export const tutorialSpecies = 'mycobacterium-tuberculosis-complex'
export const isTutorial = (id: string): boolean => tutorials.some((one) => one === id)
/** For the administrator: how data are imported and loaded; the texts stand in `docs`. */
export const loadChapters = ['import', 'data-formats'] as const
/** Drawn from the portal's own OpenAPI document, without a text. */
export const apiChapter = 'api'

type TitledChapter =
  | (typeof portalChapters)[number]
  | (typeof tutorials)[number]
  | (typeof loadChapters)[number]
  | 'api'
type Texts = keyof typeof messages.en

/** One page of the Usage. */
export interface Chapter {
  id: string
  title: string
  tool: DocumentedTool | null
}

export interface ChapterGroup {
  key: string
  title: string
  chapters: Chapter[]
}

/** All chapters under their headings, in the order in which they are read. */
export const listChapters = (
  tools: readonly DocumentedTool[],
  language: Language,
  t: (key: Texts) => string,
  categoryName: (category: (typeof toolCategories)[number]) => string,
): ChapterGroup[] => {
  const own = (ids: readonly TitledChapter[]): Chapter[] =>
    ids.map((id) => ({ id, title: t(`chapter.${id}`), tool: null }))
  return [
    { key: 'portal', title: t('group.portal'), chapters: own(portalChapters) },
    { key: 'tutorials', title: t('group.tutorials'), chapters: own(tutorials) },
    ...toolCategories.map((category) => ({
      key: category,
      title: categoryName(category),
      chapters: tools
        .filter((tool) => tool.category === category)
        .map((tool) => ({ id: tool.id, title: tool.title[language], tool })),
    })),
    { key: 'reference', title: t('group.reference'), chapters: own([...loadChapters, apiChapter]) },
  ].filter(({ chapters }) => chapters.length > 0)
}

/** Address of a chapter: `/document/blast`. */
export const chapterAddress = (id: string): string => `/document/${id}`

/** The text of a document without its own title, which the page has. */
export const withoutTitle = (text: string): string => text.replace(/^#\s+.*\n/, '')

/** Id of the chapter whose text a file is: `../tools/blast/document.en.md` is of `blast`, `../documents/start.en.md` of `start`. */
export const chapterOfFile = (path: string): string => {
  const parts = path.split('/')
  return path.includes('/tools/') ? (parts.at(-2) ?? '') : ((parts.at(-1) ?? '').split('.')[0] ?? '')
}
