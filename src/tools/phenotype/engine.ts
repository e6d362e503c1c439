import { maxColumns } from '../../bio/statistics/correlation.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { readTrait } from '../../kit/data/phenotype-data.ts'
import { defineEngine } from '../../kit/engine.ts'
import { correlateTraits } from './correlate-traits.ts'
import { assemblyOf, findGrouping, findSet, findTrait, readSome } from './find-traits.ts'
import { estimateStep, reportTrait } from './report-trait.ts'
import { routes } from './routes.ts'
import tool, { limits } from './tool.ts'

const testStep = {
  program: 'NovoDB phenotype, tests',
  version: String(tool.version),
  formula:
    'one-way analysis of variance; Kruskal and Wallis; between two groups Welch’s t and Mann and Whitney, both adjusted after Benjamini and Hochberg over the pairs; levels by chi-square; Shapiro and Wilk for normality',
}

const correlationStep = (method: string) => ({
  program: 'NovoDB phenotype, correlation',
  version: String(tool.version),
  formula: `${method === 'pearson' ? 'Pearson’s' : 'Spearman’s'} coefficient over accessions with both traits; p-value by Student’s t with n - 2 degrees of freedom, adjusted after Benjamini and Hochberg over all pairs`,
})

const citations = {
  blue: {
    text: 'Searle SR, Speed FM, Milliken GA (1980) Population marginal means in the linear model. American Statistician 34:216-221',
    doi: '10.1080/00031305.1980.10483031',
  },
  henderson: {
    text: 'Henderson CR (1953) Estimation of variance and covariance components. Biometrics 9:226-252',
    doi: '10.2307/3001853',
  },
  adjusted: {
    text: 'Benjamini Y, Hochberg Y (1995) Controlling the false discovery rate. Journal of the Royal Statistical Society B 57:289-300',
    doi: '10.1111/j.2517-6161.1995.tb02031.x',
  },
}

export default defineEngine({
  tool,
  programs: [],
  run: async (input, { data, receipt }) => {
    const { species, set, table } = await findSet(data, input.species, input.dataset)
    const assembly = await assemblyOf(data, species)
    if (assembly !== undefined) receipt.addData(assembly)
    receipt.addDataSet(set)
    const { traits, ...dataset } = set
    const answer = { species, dataset, trait: null, correlation: null }
    if (input.task === 'trait') {
      const trait = findTrait(set, input.trait)
      const grouping = findGrouping(table, input.group)
      const report = reportTrait(await readTrait(data, species, set.id, trait.id), table, grouping)
      if (trait.method === 'blue' || trait.heritability !== null) {
        receipt.addStep(estimateStep)
        receipt.cite(citations.blue)
        receipt.cite(citations.henderson)
      }
      receipt.addStep(testStep)
      receipt.cite(citations.adjusted)
      return { ...answer, trait: report }
    }
    const asked = input.traits.length === 0 ? traits : input.traits.map((id) => findTrait(set, id))
    const able = asked.filter(({ type }) => type !== 'categorical')
    const taken = able.slice(0, limits.traits)
    if (taken.length < 2) throw fieldError(['traits'], 'problem.fewTraits', { dataset: set.id, count: able.length })
    if (set.accessionCount > maxColumns)
      throw new PortalError('TOO_LARGE', { message: 'problem.manyAccessions', params: { max: maxColumns } })
    const kept = new Set(taken.map(({ id }) => id))
    const found = correlateTraits(await readSome(data, species, set.id, [...kept]), input.method)
    receipt.addStep(correlationStep(input.method))
    receipt.cite(citations.adjusted)
    return {
      ...answer,
      correlation: {
        ...found,
        traits: taken.map(({ id, name, unit, type, accessions }) => ({ id, name, unit, type, accessions })),
        leftOut: asked.filter(({ id }) => !kept.has(id)).map(({ id, name }) => ({ id, name })),
      },
    }
  },
  routes,
})
