import { describe, expect, it } from 'vitest'
import { translator } from '../language.tsx'
import { messages } from '../messages.ts'
import { assemblyNames, speciesMarks } from './species-names.tsx'

const assembly = (name: string, strain: string | null = name, reference = false) => ({ name, strain, reference })
const yeast = (id: string, ...assemblies: ReturnType<typeof assembly>[]) => ({
  id,
  name: 'Saccharomyces cerevisiae',
  assemblies,
})

describe('two species of one scientific name', () => {
  it('are told apart by the strain of their reference', () => {
    const marks = speciesMarks([
      yeast('laboratory', assembly('SK1'), assembly('R64-1-1', 'S288C', true)),
      yeast('sake', assembly('Y12')),
      { id: 'wild', name: 'Saccharomyces paradoxus', assemblies: [assembly('CBS432')] },
    ])
    expect(Object.fromEntries(marks)).toEqual({
      laboratory: { mark: 'S288C', assemblies: 2 },
      sake: { mark: 'Y12', assemblies: 1 },
    })
  })

  it('are told apart by the name of the assembly when they are of one strain, or of none', () => {
    const ofOne = speciesMarks([
      yeast('a', assembly('R64-1-1', 'S288C')),
      yeast('b', assembly('S288C (PacBio)', 's288c ')),
    ])
    expect([...ofOne.values()].map(({ mark }) => mark)).toEqual(['R64-1-1', 'S288C (PacBio)'])
    const ofNone = speciesMarks([yeast('a', assembly('R64-1-1', 'S288C')), yeast('b', assembly('v2', null))])
    expect([...ofNone.values()].map(({ mark }) => mark)).toEqual(['R64-1-1', 'v2'])
  })

  it('are told apart by their ids when nothing else differs', () => {
    const twice = speciesMarks([yeast('a', assembly('v1', null)), yeast('b', assembly('v1', null)), yeast('c')])
    expect([...twice.values()]).toEqual(['a', 'b', 'c'].map((mark) => ({ mark, assemblies: 1 })))
  })

  it('are the same species also when written with another case or with more spaces', () => {
    const written = { ...yeast('b', assembly('Y12')), name: 'saccharomyces  cerevisiae' }
    expect(speciesMarks([yeast('a', assembly('SK1')), written]).size).toBe(2)
  })

  it('have marks that say in both languages how many assemblies they stand for', () => {
    const [english, chinese] = (['en-US', 'zh-CN'] as const).map((locale) => translator(messages, locale))
    expect(english!('species.mark', { mark: 'S288C', assemblies: 1 })).toBe('S288C')
    expect(english!('species.mark', { mark: 'S288C', assemblies: 2 })).toBe('S288C and 1 more')
    expect(chinese!('species.mark', { mark: 'S288C', assemblies: 1 })).toBe('S288C')
    expect(chinese!('species.mark', { mark: 'S288C', assemblies: 3 })).toBe('S288C 等 3 个基因组')
  })
})

describe('assemblies of one name', () => {
  it('have their ids behind it, and only they', () => {
    const names = assemblyNames([
      { id: 'A', name: 'v1' },
      { id: 'B', name: 'V1' },
      { id: 'R64', name: 'R64-1-1' },
    ])
    expect([...names.values()]).toEqual(['v1 (A)', 'V1 (B)', 'R64-1-1'])
  })
})
