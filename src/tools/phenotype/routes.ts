import { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import { listAccessions } from '../../kit/data/accession-data.ts'
import { type StoredTrait, traitKind, traitRecord } from '../../kit/data/phenotype-data.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { tableHead, tsvLine } from '../../kit/write-table.ts'
import { pairTraits } from './correlate-traits.ts'
import { getAccession, getAccessions, getTraitPair, listPhenotypes } from './endpoints.ts'
import {
  assemblyOf,
  findGrouping,
  findSet,
  findTrait,
  groupsOf,
  listDescribed,
  percentiles,
  readSome,
} from './find-traits.ts'
import { estimateStep } from './report-trait.ts'

export const routes: ToolRoute[] = [
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
]
