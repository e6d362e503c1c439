import { expect, test } from 'vitest'
import { readIqTreeProgress } from './iqtree-progress.ts'

// Lines as IQ-TREE 2.0.7 wrote them with -m MFP -B 1000 -alrt 1000.
const head = `Seed:    1 (Using SPRNG - Scalable Parallel Random Number Generator)
Reading alignment file a.fa ... Fasta format detected
   1  s0     0.00%    passed     99.63%
`
const models = `ModelFinder will test up to 286 DNA models (sample size: 800) ...
 No. Model         -LnL         df  AIC          AICc         BIC
  1  GTR+F         5007.609     53  10121.219    10128.892    10369.503
 14  SYM           5008.406     50  10116.812    10123.621    10351.042
143  TPM3u+F       5010.424     50  10120.847    10127.656    10355.078
`
const chosen = `${models}Best-fit model: JC chosen according to BIC
`
const iterations = `Iteration 10 / LogL: -5012.497 / Time: 0h:0m:1s
Iteration 20 / LogL: -5012.497 / Time: 0h:0m:1s
`

test('the progress of IQ-TREE is read of its log: models by their number, the tree by the time left', () => {
  expect(readIqTreeProgress(head)).toBeNull()
  expect(readIqTreeProgress(head + models.slice(0, 70))).toEqual({ fraction: 0, step: 'step.model' })
  expect(readIqTreeProgress(head + models)).toEqual({ fraction: 0.25, step: 'step.model' })
  expect(readIqTreeProgress(head + chosen)).toEqual({ fraction: 0.5, step: 'step.tree' })
  expect(readIqTreeProgress(head + chosen + iterations)!.fraction).toBeCloseTo(0.5 + 0.5 * 0.95 * 0.2, 9)
  const later = `${head}${chosen}${iterations}Iteration 30 / LogL: -5012.496 / Time: 0h:1m:0s (0h:3m:0s left)\n`
  expect(readIqTreeProgress(later)!.fraction).toBeCloseTo(0.5 + 0.5 * 0.95 * 0.25, 9)
  expect(readIqTreeProgress(`${later}TREE SEARCH COMPLETED AFTER 200 ITERATIONS / Time: 0h:4m:0s\n`)!.fraction).toBe(
    0.975,
  )
})

test('with a model given the search is all there is', () => {
  expect(readIqTreeProgress(head + iterations)!.fraction).toBeCloseTo(0.95 * 0.2, 9)
})
