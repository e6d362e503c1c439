import { describe, expect, test } from 'vitest'
import type { SchemaField } from '../controls/schema-fields.ts'
import { formatFor, translator } from '../language.tsx'
import { messages } from '../messages.ts'
import { questionParts } from './question.ts'

const field = (name: string, kind: SchemaField['kind'], more: Partial<SchemaField> = {}): SchemaField => ({
  name,
  kind,
  required: false,
  defaultValue: undefined,
  ...more,
})

const texts: Record<string, string> = {
  'field.neighbours': 'Neighbours',
  'field.scale': 'Scale',
  'option.scale.bases': 'to scale',
  'field.paralogs': 'Include copies',
  'field.terms': 'Terms',
}
const words = (locale: 'en-US' | 'zh-CN') => ({
  text: (id: string) => texts[id] ?? null,
  t: translator(messages, locale),
  format: formatFor(locale),
  assemblyName: (id: string) => (id === 'R64' ? 'R64-1-1' : id),
})
const fields = [
  field('genes', 'identifiers'),
  field('assembly', 'assembly'),
  field('neighbours', 'integer', { defaultValue: 5 }),
  field('scale', 'choice', { defaultValue: 'genes', choices: ['genes', 'bases'] }),
  field('paralogs', 'boolean', { defaultValue: false }),
  field('terms', 'identifiers'),
  field('sequence', 'long-text'),
  field('locus', 'text'),
  field('dataset', 'text'),
  field('values', 'long-text'),
  field('parts', 'other'),
]
const ask = (values: Record<string, unknown>, locale: 'en-US' | 'zh-CN' = 'en-US', hints = {}): string[] =>
  questionParts(fields, hints, values, words(locale))

describe('the line that stands for a form', () => {
  test('names genes and assembly by themselves, and leaves out what stands at its default', () => {
    expect(ask({ genes: 'YAL001C, YAL002W', assembly: 'R64', neighbours: 5, scale: 'genes', paralogs: false })).toEqual(
      ['YAL001C, YAL002W', 'R64-1-1'],
    )
  })

  test('calls a field what the other values make of it', () => {
    const hints = {
      neighbours: { label: ({ scale }: Record<string, unknown>) => (scale === 'bases' ? 'field.terms' : undefined) },
    }
    expect(ask({ neighbours: 8, scale: 'bases' }, 'en-US', hints)).toEqual(['Terms: 8', 'Scale: to scale'])
    expect(ask({ neighbours: 8 }, 'en-US', hints)).toEqual(['Neighbours: 8'])
  })

  test('names the assemblies of a part of the question under its name', () => {
    expect(ask({ assembly: 'R64', terms: ['R64', 'SK1'] }, 'en-US', { terms: { widget: 'assemblies' } })).toEqual([
      'R64-1-1',
      'Terms: R64-1-1, SK1',
    ])
  })

  test('says what was changed under its name, in the words of the form', () => {
    expect(ask({ neighbours: 8, scale: 'bases', paralogs: true, terms: ['GO:1', 'GO:2'] })).toEqual([
      'Neighbours: 8',
      'Scale: to scale',
      'Include copies',
      'Terms: GO:1, GO:2',
    ])
    expect(ask({ neighbours: 8 }, 'zh-CN')).toEqual(['Neighbours：8'])
  })

  test('takes what stands in a list as one name each, blanks and all', () => {
    expect(ask({ terms: ['Lineage 1', 'Lineage 2'] })).toEqual(['Terms: Lineage 1, Lineage 2'])
  })

  test('parts a list whose entries have blanks at its lines and commas alone', () => {
    const listed = [field('variants', 'identifiers')]
    const words = {
      text: () => 'Variants',
      t: translator(messages, 'en-US'),
      format: formatFor('en-US'),
      assemblyName: String,
    }
    expect(
      questionParts(
        listed,
        { variants: { split: (typed) => typed.split(/[\n,]\s*/) } },
        { variants: 'rpoB S450L\nkatG S315T, rs1' },
        words,
      ),
    ).toEqual(['Variants: rpoB S450L, katG S315T, rs1'])
  })

  test('counts the genes of a long list', () => {
    expect(ask({ genes: ['a', 'b', 'c', 'd', 'e'] })).toEqual(['a, b, c and 2 more'])
    expect(ask({ genes: ['a', 'b', 'c', 'd', 'e'] }, 'zh-CN')).toEqual(['a、b、c 等，另有 2 个'])
  })

  test('names a sequence by its header, or by its first letters and its length', () => {
    expect(ask({ sequence: '>q1 first\nACGT\n>q2\nGG' })).toEqual(['q1, q2'])
    expect(ask({ sequence: `ACGTACGTACGT\n${'T'.repeat(88)}` })).toEqual(['ACGTACGTACGT… (100 characters)'])
    expect(ask({ sequence: 'ACGT' })).toEqual(['ACGT'])
  })

  test('names the place that was typed, and no id that nobody reads', () => {
    expect(ask({ locus: 'chrIV:1..900', dataset: 'rna-seq-7f3a', values: 'a\t1\nb\t2' })).toEqual(['chrIV:1..900'])
  })

  test('names the region that three fields ask for as one', () => {
    const region = [
      field('assembly', 'assembly'),
      field('sequence', 'text'),
      field('start', 'integer'),
      field('end', 'integer'),
    ]
    const told = (values: Record<string, unknown>) => questionParts(region, {}, values, words('en-US'))
    expect(told({ assembly: 'R64', sequence: 'chrIV', start: 1000, end: 2000 })).toEqual([
      'chrIV:1,000..2,000',
      'R64-1-1',
    ])
    expect(told({ sequence: 'chrIV', start: 2000, end: 1000 })).toEqual(['chrIV:1,000..2,000 (reverse strand)'])
    expect(told({ sequence: 'chrIV', assembly: 'R64' })).toEqual(['chrIV', 'R64-1-1'])
  })

  test('begins with what was typed, wherever its field stands', () => {
    const located = [field('assembly', 'assembly'), field('locus', 'text')]
    expect(questionParts(located, {}, { assembly: 'R64', locus: 'chrIV:1..900' }, words('en-US'))).toEqual([
      'chrIV:1..900',
      'R64-1-1',
    ])
  })

  test('says nothing of what the form does not show, of what is empty, and of structures', () => {
    const hints = { neighbours: { when: () => false }, terms: { hidden: true } }
    expect(
      ask({ neighbours: 8, terms: ['x'], genes: '', assembly: undefined, parts: [{ a: 1 }] }, 'en-US', hints),
    ).toEqual([])
  })
})
