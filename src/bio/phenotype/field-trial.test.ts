import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import { analyseTrial } from './field-trial.ts'
import { parsePhenotypes } from './phenotype-table.ts'

// Nine accessions in three environments of two blocks, nine plots lost (simulated in R, seed 5).
const trial = (keep: (observation: { replicate: string | null }) => boolean = () => true) => {
  const text = readFileSync(new URL('./fixtures/field-trial.txt', import.meta.url), 'utf8')
  const table = parsePhenotypes(text.split('\n'), { file: 'field-trial.txt', log: new DefectLog() })!
  const [trait] = table.traits
  const measured = table.observations.map((one, at) => ({ ...one, value: trait!.values[at]! })).filter(keep)
  return { measured, table }
}
const byName = (table: { accessions: string[] }, values: Float64Array) =>
  Object.fromEntries(table.accessions.map((name, at) => [name, values[at]!]))

describe('a trial of accessions in environments with blocks, some plots lost', () => {
  test('gives the marginal means and standard errors of R’s lm(y ~ acc + block)', () => {
    const { measured, table } = trial()
    const found = analyseTrial(measured, 9)
    expect(found.model).toBe('accession + environment:replicate')
    const estimates = byName(table, found.estimates)
    const errors = byName(table, found.errors)
    // R 4.2: tapply(predict(lm(y ~ acc + factor(paste(env, rep)))), acc, mean) over the whole grid.
    for (const [name, value] of Object.entries({
      A1: 19.271172814908,
      A2: 22.863333333333,
      A3: 17.319283242881,
      A4: 20.668410724,
      A5: 25.083194333751,
      A8: 20.719590844687,
      A9: 19.763333333333,
    }))
      expect(estimates[name]).toBeCloseTo(value, 10)
    expect(errors.A1).toBeCloseTo(0.54028341835274, 10)
    expect(errors.A5).toBeCloseTo(0.71482703289204, 10)
    expect(errors.A8).toBeCloseTo(0.61110896140786, 10)
  })

  test('gives the variance components of Henderson’s method 3 by explicit projections, and H2 from them', () => {
    const { measured } = trial()
    const { components, heritability } = analyseTrial(measured, 9)
    expect(components!.accession).toBeCloseTo(3.114439305814568, 10)
    expect(components!.interaction).toBeCloseTo(0.94040321330831, 10)
    expect(components!.residual).toBeCloseTo(0.689395850840596, 10)
    const { environmentsPerAccession: e, observationsPerAccession: n } = heritability!
    expect(heritability!.value).toBeCloseTo(
      3.114439305814568 / (3.114439305814568 + 0.94040321330831 / e + 0.689395850840596 / n),
      10,
    )
  })

  test('without block names the environment is the block, as in lm(y ~ acc + env)', () => {
    const { measured, table } = trial()
    const found = analyseTrial(
      measured.map((one) => ({ ...one, replicate: null })),
      9,
    )
    expect(found.model).toBe('accession + environment')
    const estimates = byName(table, found.estimates)
    expect(estimates.A1).toBeCloseTo(19.324649833906, 10)
    expect(estimates.A5).toBeCloseTo(25.167603355386, 10)
    expect(found.components!.accession).toBeCloseTo(3.160327775678088, 10)
    expect(found.components!.interaction).toBeCloseTo(0.935212397058927, 10)
    expect(found.components!.residual).toBeCloseTo(0.825280000000203, 10)
  })
})

describe('replicates of one environment', () => {
  test('give the components of a one-way analysis of variance', () => {
    // Balanced: MS between 12.5, within 0.5 with 2 replicates; s2 = (12.5 - 0.5) / 2.
    const values = { A: [1, 2], B: [6, 7], C: [3, 4] }
    const measured = Object.values(values).flatMap((own, accession) =>
      own.map((value) => ({ accession, environment: -1, replicate: null, value })),
    )
    const { model, components, heritability, estimates } = analyseTrial(measured, 3)
    expect(model).toBe('accession')
    expect([...estimates]).toEqual([1.5, 6.5, 3.5])
    const between = (2 * ((1.5 - 23 / 6) ** 2 + (6.5 - 23 / 6) ** 2 + (3.5 - 23 / 6) ** 2)) / 2
    expect(components!.residual).toBeCloseTo(0.5, 12)
    expect(components!.accession).toBeCloseTo((between - 0.5) / 2, 12)
    expect(heritability!.value).toBeCloseTo((between - 0.5) / between, 12)
  })

  test('numbered anew in each accession are no blocks', () => {
    const measured = [0, 1, 2].flatMap((accession) =>
      ['p', 'q'].map((plant, at) => ({
        accession,
        environment: -1,
        replicate: `${accession}${plant}`,
        value: accession + at,
      })),
    )
    expect(analyseTrial(measured, 3).model).toBe('accession')
  })
})

test('accessions that share no environment with the others get no estimate', () => {
  const measured = [
    { accession: 0, environment: 0, replicate: null, value: 1 },
    { accession: 1, environment: 0, replicate: null, value: 2 },
    { accession: 0, environment: 1, replicate: null, value: 3 },
    { accession: 1, environment: 1, replicate: null, value: 5 },
    { accession: 2, environment: 2, replicate: null, value: 9 },
  ]
  const { estimates, unconnected } = analyseTrial(measured, 3)
  expect(unconnected).toBe(1)
  expect(estimates[0]).toBeCloseTo(2)
  expect(estimates[1]).toBeCloseTo(3.5)
  expect(estimates[2]).toBeNaN()
})
