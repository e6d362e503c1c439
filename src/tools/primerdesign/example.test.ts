import { expect, test } from 'vitest'
import type { AssemblySummary } from '../../contracts/species.ts'
import { makeAssemblySummary } from '../../testing/assembly-summary.ts'
import tool from './tool.ts'

type Gene = AssemblySummary['exampleGenes'][number]

const gene = (id: string, symbol: string, start: number, end: number): Gene => ({
  id,
  symbol,
  description: null,
  sequence: 'chr',
  start,
  end,
  strand: '+',
})

const assemblyOf = (id: string, species: string, reference: boolean, exampleGenes: Gene[]): AssemblySummary =>
  makeAssemblySummary(id, {
    species,
    reference,
    exampleGenes,
    dataTypes: { genome: 1 },
    speciesName: species === 'tb' ? 'Mycobacterium tuberculosis complex' : 'Ustilago maydis',
  })

const smut = assemblyOf('Umaydis-521', 'ustilago', true, [gene('um10944', 'um10944', 1001, 2200)])

test('where the tubercle bacillus and the vaccine are loaded, the example is ESAT-6 in all their genomes and no others', () => {
  const assemblies = [
    assemblyOf('BCG-Pasteur', 'tb', false, [gene('BCG_0001', 'dnaA', 1, 1524)]),
    assemblyOf('H37Rv', 'tb', true, [gene('Rv3875', 'esxA', 4_352_609, 4_352_896)]),
    smut,
  ]
  const example = tool.example({ assemblies })
  expect(example).toMatchObject({ genes: ['Rv3875'], assembly: 'H37Rv', assemblies: ['H37Rv', 'BCG-Pasteur'] })
  const { flankBp, ignoreMismatches, target } = tool.input.parse(example)
  expect(target).toBe(`${flankBp + 1}..${flankBp + 288}`)
  // BCG has paralogs of it with four mismatches in each primer.
  expect(ignoreMismatches).toBe(4)
  // primer3web's product sizes begin at 150 bp; the gene alone has 288.
  expect(288 + 2 * flankBp).toBeGreaterThan(800)
})

test('elsewhere it is a gene of the reference that is long enough', () => {
  expect(tool.example({ assemblies: [smut] })).toMatchObject({ genes: ['um10944'], assemblies: ['Umaydis-521'] })
})
