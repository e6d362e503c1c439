import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readScreenedTools } from '../screened-tools.ts'
import { findTools } from './find-tools.ts'

const screened = await readScreenedTools(join(import.meta.dirname, '../../tools'))
const both = (key: string, { messages }: (typeof screened)[number]) => ({
  en: messages.en[key] ?? '',
  zh: messages.zh[key] ?? '',
})
const tools = screened.map((one) => ({ id: one.tool.id, title: both('title', one), summary: both('summary', one) }))
const questions = Object.fromEntries(screened.map((one) => [one.tool.id, both('answers', one)]))
const idsOf = (question: string): string[] => findTools(tools, questions, question).map(({ id }) => id)

it.each(['引物', 'primers', 'Primer', '引物设计'])('finds the tools for %s', (question) => {
  expect(idsOf(question)).toContain('primerdesign')
})

it('finds a tool by a question that only its questions have, in either language', () => {
  const own = findTools(tools, {}, 'off-target').map(({ id }) => id)
  expect(own).not.toContain('primerdesign')
  expect(idsOf('off-target')).toContain('primerdesign')
})

it('names those first whose title has the words, and at most four', () => {
  expect(idsOf('primer design')[0]).toBe('primerdesign')
  expect(idsOf('gene')).toHaveLength(4)
})

it('finds none for names of genes, letters within a word and what is too short', () => {
  for (const question of ['Rv3545c', 'katG', 'rimer', 'p', '基', '', '*('])
    expect(idsOf(question), question).toEqual([])
})
