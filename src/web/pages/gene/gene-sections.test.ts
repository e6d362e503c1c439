import { expect, test } from 'vitest'
import { languages } from '../../../contracts/text.ts'
import type { GenePanel } from '../../../kit/ui/gene/define-gene-panel.ts'
import { messages as states } from '../../../kit/ui/gene/gene-states-messages.ts'
import { messages } from '../../messages/pages.ts'

const panels = Object.entries(
  import.meta.glob<GenePanel>('../../../tools/*/gene-panel.tsx', { eager: true, import: 'default' }),
).map(([file, panel]) => ({ folder: file.split('/').at(-2), panel }))

test('every panel is of its own tool, and brings a section, analyses or both', () => {
  expect(panels.length).toBeGreaterThan(10)
  for (const { folder, panel } of panels) {
    expect(panel.id).toBe(folder)
    expect(panel.section !== undefined || panel.analyses !== undefined, panel.id).toBe(true)
  }
})

test('no two sections of the gene page have one name, in either language', () => {
  for (const language of languages) {
    const own = (
      [
        'gene.summary',
        'gene.structure',
        'gene.neighbourhood',
        'gene.function',
        'gene.sequences',
        'gene.alignment',
      ] as const
    ).map((key) => messages[language][key])
    const told = panels.flatMap(({ panel }) =>
      // One that stands for a section of the page has that one's name.
      panel.section === undefined || panel.section.standsFor !== undefined
        ? []
        : [panel.messages[language]['panel.title']],
    )
    const names = [...own, states[language].title, ...told]
    expect(names).toEqual([...new Set(names)])
  }
})

test('no two sections stand at one place of a topic', () => {
  const places = panels.flatMap(({ panel }) =>
    panel.section === undefined ? [] : [`${panel.section.topic} ${panel.section.order}`],
  )
  expect(places).toEqual([...new Set(places)])
})

test('a section that stands for one of the page, or at which an address opens, is the only one', () => {
  const claims = panels.flatMap(({ panel: { section } }) =>
    [section?.standsFor, section?.opensAt, section?.tellsFamily && 'family'].filter((claim) => claim !== undefined),
  )
  expect(claims).toEqual([...new Set(claims)])
})
