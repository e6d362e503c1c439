import type { ListedTool } from '../../kit/ui/tool/tool-list.ts'

type Texts = Record<'en' | 'zh', string>
export type FoundTool = Pick<ListedTool, 'id' | 'title' | 'summary'>

/** Tools that are named beside what a search finds. */
const maxTools = 4

/** Words of two letters or two Chinese characters and more; shorter ones are in too much. */
const wordsOf = (question: string): string[] =>
  question
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    // Of an English plural the singular is meant as well.
    .map((word) => (/^[a-z]{4,}s$/.test(word) && !word.endsWith('ss') ? word.slice(0, -1) : word))

/** Words of letters are looked for where a word begins; Chinese has no spaces between its words. */
const contains = (text: string, word: string): boolean =>
  /\p{Script=Han}/u.test(word) ? text.includes(word) : new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'u').test(text)

/**
 * Tools whose title, summary or questions have all words of what was searched for, in either language; those first whose title has
 * them, then by summary, each in the order of the list.
 */
export const findTools = <Tool extends FoundTool>(
  tools: readonly Tool[],
  questions: Readonly<Record<string, Texts>>,
  question: string,
): Tool[] => {
  const words = wordsOf(question)
  if (words.length === 0) return []
  /** How little of its texts has the words: 1 its title, 2 its summary too, 3 its questions too; 0 for none. */
  const rankOf = ({ id, title, summary }: Tool): number => {
    const texts = [title, summary, questions[id]]
    return (
      texts.findIndex((_, last) => {
        const text = texts
          .slice(0, last + 1)
          .map((one) => (one === undefined ? '' : `${one.en} ${one.zh}`))
          .join(' ')
          .toLowerCase()
        return words.every((word) => contains(text, word))
      }) + 1
    )
  }
  return tools
    .map((tool) => ({ tool, rank: rankOf(tool) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxTools)
    .map(({ tool }) => tool)
}
