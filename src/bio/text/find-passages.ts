/** A passage of a document with a word that was looked for: where it stands and the text around. */
export interface Passage {
  /** Anchor to go to. */
  id: string
  title: string
  before: string
  match: string
  after: string
}

const around = 60
/** Passages of one section; more would hide those of the others. */
const perSection = 4

/** Text of a Markdown document without its signs, good enough to look for words and to show a line of it. */
const plain = (markdown: string): string =>
  markdown
    .replace(/^#+\s+/gm, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[*`|]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/**
 * Passages that have the words as typed, from the beginning of a word and in any case, in the order of the sections; those of a section
 * whose title has them come first.
 *
 * Example: in a section `blast` with the text "The **e-value** of a hit", `e-value` finds one passage with `match` "e-value".
 */
export const findPassages = (
  sections: readonly { id: string; title: string; text: string }[],
  words: string,
): Passage[] => {
  const wanted = words.trim().toLowerCase().replace(/\s+/g, ' ')
  if (wanted === '') return []
  const named = (title: string): boolean => title.toLowerCase().includes(wanted)
  const ordered = sections.toSorted((a, b) => Number(named(b.title)) - Number(named(a.title)))
  return ordered.flatMap(({ id, title, text }) => {
    const whole = plain(`${title}. ${text}`)
    const lower = whole.toLowerCase()
    const passages: Passage[] = []
    for (
      let at = lower.indexOf(wanted);
      at >= 0 && passages.length < perSection;
      at = lower.indexOf(wanted, at + wanted.length)
    ) {
      // "E value" is not in "the value"; Chinese has no such bounds.
      if (/^[\p{Script=Latin}\p{N}]/u.test(wanted) && /[\p{Script=Latin}\p{N}]$/u.test(lower.slice(0, at))) continue
      passages.push({
        id,
        title,
        before: whole.slice(Math.max(0, at - around), at),
        match: whole.slice(at, at + wanted.length),
        after: whole.slice(at + wanted.length, at + wanted.length + around),
      })
    }
    return passages
  })
}
