import { z } from 'zod'
import { maxColumns } from '../../bio/statistics/correlation.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { listAccessions } from '../../kit/data/accession-data.ts'
import { readTrait, type StoredTrait, type TraitData, traitKind, traitRecord } from '../../kit/data/phenotype-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, defineRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { tableHead, tsvLine } from '../../kit/write-table.ts'
import { correlateTraits, pairTraits } from './correlate-traits.ts'
import { getAccession, getAccessions, getTraitPair, listPhenotypes } from './endpoints.ts'
import { findGrouping, findSet, findTrait, groupsOf, listDescribed, percentiles } from './find-traits.ts'
import { reportTrait } from './report-trait.ts'
import tool, { limits } from './tool.ts'

const estimateStep = {
  program: 'NovoDB phenotype, estimates',
  version: String(tool.version),
  formula:
    'least squares of value = accession + environment (replicates as blocks within it); the estimate of an accession is its effect and the mean over environments; variance components by Henderson’s method 3; H² = s²G / (s²G + s²GE/e + s²/n)',
}
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

/** What a result is computed from is the species' own; the receipt names it by the assembly that stands for the species. */
const assemblyOf = async (data: PortalData, species: string): Promise<string | undefined> => {
  const own = (await data.listAssemblies()).filter((one) => one.species === species)
  return (own.find((one) => one.reference) ?? own[0])?.id
}

const readSome = async (
  data: PortalData,
  species: string,
  set: string,
  traits: readonly string[],
): Promise<TraitData[]> => Promise.all(traits.map((trait) => readTrait(data, species, set, trait)))

export default defineEngine({
  tool,
  programs: [],
  run: async (input, { data, receipt }) => {
    const { species, set, table } = await findSet(data, input.species, input.dataset)
    const assembly = await assemblyOf(data, species)
    if (assembly !== undefined) receipt.addData(assembly)
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
  routes: [
    answerEndpoint(listPhenotypes, async ({ species }, { data }) => {
      const all = await listDescribed(data)
      const found = species === undefined ? all[0] : all.find(({ id }) => id === species)
      return {
        choices: all.map(({ id, name }) => ({ id, name })),
        species: found?.id ?? null,
        datasets: found?.sets ?? [],
        groupings: found?.table.groupings ?? [],
        accessionCount: found?.table.accessions.length ?? 0,
        placedCount: found?.table.accessions.filter(({ latitude }) => latitude !== null).length ?? 0,
      }
    }),
    answerEndpoint(getAccessions, async ({ species }, { data }) => {
      const { accessions, groupings, licence, simulated } = await listAccessions(data, species)
      return { accessions, groupings, licence, simulated }
    }),
    answerEndpoint(getAccession, async ({ species, id }, { data }) => {
      const found = (await listDescribed(data)).find((one) => one.id === species)
      const accession = found?.table.accessions.find((one) => one.id === id) ?? null
      const stored = new Map(
        (found === undefined ? [] : await data.listRecords<StoredTrait>(traitKind, { species })).map((record) => [
          record.id,
          record.data,
        ]),
      )
      const traits = (found?.sets ?? []).flatMap((set) =>
        set.traits.flatMap((trait) => {
          const values = stored.get(traitRecord(set.id, trait.id))
          const index = values?.accessions.indexOf(id) ?? -1
          if (values === undefined || index < 0) return []
          const value = values.values[index]!
          const level = trait.levels?.[value] ?? null
          const isNumber = trait.levels === null
          return [
            {
              dataset: set.id,
              datasetName: set.name,
              simulated: set.simulated,
              trait,
              value: isNumber ? value : null,
              level,
              error: values.errors?.[index] ?? null,
              percentile:
                trait.type === 'categorical' || trait.type === 'binary' ? null : percentiles(values.values)[index]!,
            },
          ]
        }),
      )
      if (accession === null && traits.length === 0)
        throw new PortalError('NOT_FOUND', { message: 'problem.noAccession', params: { accession: id, species } })
      return { species, accession, simulated: found?.table.simulated ?? false, traits }
    }),
    answerEndpoint(getTraitPair, async ({ species, dataset, x, y, group }, { data }) => {
      const { set, table } = await findSet(data, species, dataset)
      const [one, other] = await readSome(data, species, set.id, [findTrait(set, x).id, findTrait(set, y).id])
      const grouping = findGrouping(table, group)
      return { ...pairTraits(one!, other!, groupsOf(table, grouping)), grouping }
    }),
    defineRoute({
      method: 'POST',
      path: 'file',
      summary: 'All traits of a set as a table: a row an accession, a column a trait, one value each',
      input: z.object({ species: z.string().max(64), dataset: z.string().max(100) }),
      handle: async ({ species, dataset }, { data, describeReceipt }) => {
        const { set } = await findSet(data, species, dataset)
        const assembly = await assemblyOf(data, species)
        const head = await describeReceipt({
          parameters: { species, dataset },
          assemblies: assembly === undefined ? [] : [assembly],
          steps: set.traits.some(({ method }) => method === 'blue') ? [estimateStep] : [],
        })
        const traits = await readSome(
          data,
          species,
          set.id,
          set.traits.map(({ id }) => id),
        )
        const cells = traits.map(
          ({ values }) => new Map(values.map(({ accession, value, level }) => [accession, level ?? value])),
        )
        const accessions = [...new Set(traits.flatMap(({ values }) => values.map(({ accession }) => accession)))]
        const body = async function* (): AsyncGenerator<string> {
          yield tableHead(head, ['accession', ...traits.map(({ trait }) => trait.id)], 'tsv')
          for (const accession of accessions)
            yield tsvLine([accession, ...cells.map((column) => column.get(accession) ?? 'NA')])
        }
        return {
          body: body(),
          contentType: 'text/tab-separated-values; charset=utf-8',
          fileName: `${set.id}.tsv`,
        }
      },
    }),
  ],
})
