import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { identifiersSchema } from '../../../contracts/tools/tool.ts'

import {
  defaultValues,
  identifierLines,
  problemOf,
  rangeText,
  readQuery,
  schemaFields,
  writeQuery,
} from './schema-fields.ts'

const input = z.object({
  assembly: z.string().max(64),
  genes: identifiersSchema(5000),
  part: z.enum(['cds', 'protein']).default('cds'),
  upstreamBp: z.coerce.number().int().min(0).max(100_000).default(2000),
  evalue: z.number().min(0).max(10).optional(),
  clip: z.union([z.boolean(), z.enum(['true', 'false'])]).default(false),
  sequence: z.string().max(3_000_000).optional(),
  assemblies: z.array(z.string()).default([]),
  start: z.union([z.number(), z.string().max(40)]).optional(),
})
const fields = schemaFields(input)

describe('a form drawn from the input schema of a tool', () => {
  it('gives each field the control that its type asks for', () => {
    expect(Object.fromEntries(fields.map((field) => [field.name, field.kind]))).toEqual({
      assembly: 'assembly',
      genes: 'identifiers',
      part: 'choice',
      upstreamBp: 'integer',
      evalue: 'number',
      clip: 'boolean',
      sequence: 'long-text',
      assemblies: 'assemblies',
      start: 'text',
    })
  })

  it('states the bounds that the schema sets, and no others', () => {
    const upstream = fields.find((field) => field.name === 'upstreamBp')
    expect([upstream?.minimum, upstream?.maximum]).toEqual([0, 100_000])
    expect(fields.find((field) => field.name === 'genes')?.maximum).toBe(5000)
    expect(schemaFields(z.object({ seed: z.number().int() }))[0]?.maximum).toBeUndefined()
  })

  it('starts from the defaults and asks only for what has none', () => {
    expect(defaultValues(fields)).toEqual({ part: 'cds', upstreamBp: 2000, clip: false, assemblies: [] })
    expect(fields.filter((field) => field.required).map((field) => field.name)).toEqual(['assembly', 'genes'])
  })
})

describe('the state of a form in the address', () => {
  const roundTrip = (values: Record<string, unknown>): Record<string, unknown> =>
    readQuery(fields, new URLSearchParams(new URLSearchParams(writeQuery(fields, values)).toString()))

  it('leaves defaults out, so that an address says only what was chosen', () => {
    expect(writeQuery(fields, { ...defaultValues(fields), assembly: 'R64' })).toEqual([['assembly', 'R64']])
  })

  it('brings back pasted ids with their line breaks, numbers and truth values', () => {
    const values = { assembly: 'R64', genes: 'YAL001C\nYAL002W', upstreamBp: 0, evalue: 1e-30, clip: true }
    expect(roundTrip(values)).toEqual(values)
  })

  it('writes a plain list of genes readably and reads it as the same genes', () => {
    expect(writeQuery(fields, { genes: ['esxA', 'esxB'] })).toEqual([['genes', 'esxA,esxB']])
  })

  it('keeps a text that looks like its own encoding', () => {
    expect(roundTrip({ sequence: '~["a"]' })).toEqual({ sequence: '~["a"]' })
  })

  it('keeps a number that is not one as typed, for the message beside the field', () => {
    expect(readQuery(fields, [['upstreamBp', 'many']])).toEqual({ upstreamBp: 'many' })
  })

  it('reads a list that is written by repeating its parameter as the same list with commas', () => {
    const read = (query: string) => readQuery(fields, new URLSearchParams(query))
    expect(read('assemblies=R64&assemblies=S288C')).toEqual({ assemblies: ['R64', 'S288C'] })
    expect(read('assemblies=R64&assemblies=S288C')).toEqual(read('assemblies=R64,S288C'))
    expect(read('assemblies=&assemblies=R64')).toEqual({ assemblies: ['R64'] })
    expect(input.shape.genes.parse(read('genes=esxA&genes=esxB').genes)).toEqual(['esxA', 'esxB'])
  })

  it('passes over parameters that are no fields', () => {
    expect(
      readQuery(fields, [
        ['run', '1'],
        ['__proto__', 'x'],
      ]),
    ).toEqual({})
  })
})

describe('what is wrong with a field, in words', () => {
  const problems = (values: Record<string, unknown>): string[] => {
    const parsed = input.safeParse(values)
    return parsed.success
      ? []
      : parsed.error.issues.map((issue) => problemOf(issue, values)).map((one) => `${one.path[0]} ${one.key}`)
  }

  it('says "needed" of a missing assembly rather than naming a type', () => {
    expect(problems({ genes: 'a' })).toContain('assembly problem.required')
  })

  it('names the bound that a flank breaks', () => {
    expect(problems({ assembly: 'R64', genes: 'a', upstreamBp: 100_001 })).toEqual(['upstreamBp problem.tooBig'])
  })

  it('asks for a whole number where half a base was given', () => {
    expect(problems({ assembly: 'R64', genes: 'a', upstreamBp: 1.5 })).toEqual(['upstreamBp problem.integer'])
  })

  it('asks for one of the values offered', () => {
    expect(problems({ assembly: 'R64', genes: 'a', part: 'intron' })).toEqual(['part problem.choice'])
  })
})

describe('what a number may be', () => {
  it('has both ends where both can be met', () => {
    expect(rangeText({ minimum: 0, maximum: 500 }, String)).toBe('0 – 500')
  })

  it('leaves out an end that nobody comes near', () => {
    expect(rangeText({ minimum: 0, maximum: 1_000_000_000 }, String)).toBe('≥ 0')
    expect(rangeText({ maximum: 10 }, String)).toBe('≤ 10')
    expect(rangeText({ minimum: -1e9, maximum: 1e9 }, String)).toBeUndefined()
  })
})

it('a list of identifiers that an address had is shown an identifier a line; other texts stay as they are', () => {
  expect(identifierLines(fields, { genes: 'Rv0001,Rv0002', sequence: 'A,C', clip: true })).toEqual({
    genes: 'Rv0001\nRv0002',
    sequence: 'A,C',
    clip: true,
  })
  expect(identifierLines(fields, { genes: 'Rv0001, Rv0002' })).toEqual({ genes: 'Rv0001, Rv0002' })
})
