import { z } from 'zod'
import { clusterRows } from '../../bio/statistics/clustering.ts'
import { takeEvenly } from '../../bio/statistics/even-samples.ts'
import { absentCopy, missingAllele, writeGenotype } from '../../bio/variation/vcf.ts'
import { fieldError } from '../../contracts/errors.ts'
import { listAccessions } from '../../kit/data/accession-data.ts'
import { listTraits } from '../../kit/data/phenotype-data.ts'
import { listVariantSets, readVariantHeader } from '../../kit/data/variant-data.ts'
import { openSet } from '../../kit/data/variants/open-set.ts'
import { createEffectTeller, type ToldEffect } from '../../kit/data/variants/told-effects.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { tableHead, tsvLine } from '../../kit/write-table.ts'
import { requireSet, showSet } from './asked-sets.ts'
import { openPanel } from './describe.ts'
import { getMatrix, listCarriers, listSets } from './endpoints.ts'
import {
  type FoundRecord,
  findLoci,
  genotypeTest,
  listRows,
  maxTested,
  rangesOf,
  readRecord,
  readRecords,
  rowFilterOf,
  symbolsOf,
} from './find-variants.ts'
import { readHaplotypes, showSite } from './tasks/haplotype-task.ts'
import tool, { filterFields, limits, type Site } from './tool.ts'

/** Names of samples that a form offers as examples. */
const shownSamples = 400
/** More accessions are left in their order: the square of their number is compared. */
const maxClustered = 800

const tsvColumns = ['sequence', 'position', 'id', 'reference', 'alternate', 'quality', 'filter']

export const routes: ToolRoute[] = [
  answerEndpoint(listSets, async ({ assembly }, { data }) => {
    const summary = await data.getAssembly(assembly)
    const sets = await listVariantSets(data, summary.id)
    const [accessions, traits] = await Promise.all([
      listAccessions(data, summary.species),
      listTraits(data, summary.species),
    ])
    const populations: Record<string, Record<string, { name: string; samples: number }[]>> = {}
    for (const set of sets) {
      const own: (typeof populations)[string] = {}
      populations[set.id] = own
      if (set.hasGenotypes)
        for (const grouping of accessions.groupings) {
          const panel = await openPanel(data, set, grouping)
          own[grouping] = panel.populations.map(({ name, indexes }) => ({ name, samples: indexes.length }))
        }
    }
    return {
      assembly: summary.id,
      sets: sets.map(showSet),
      populations,
      samples: Object.fromEntries(sets.map((set) => [set.id, set.samples.slice(0, shownSamples)])),
      groupings: accessions.groupings,
      traits: traits.map(({ set, trait }) => ({
        value: `${set.id}|${trait.id}`,
        name: trait.name,
        unit: trait.unit,
      })),
    }
  }),
  answerEndpoint(getMatrix, async (filters, { data, signal }) => {
    const assembly = (await data.getAssembly(filters.assembly)).id
    const set = await requireSet(data, assembly, filters.set)
    if (!set.hasGenotypes) throw fieldError(['set'], 'problem.noGenotypes', { set: set.id })
    const open = await openSet(set)
    try {
      const found = await findLoci({ ...filters, assembly }, open, data, signal)
      const panel = await openPanel(data, set, filters.grouping)
      const ranges =
        found.rows === null ? await rangesOf(found.loci, open) : found.rows.map((row) => ({ from: row, to: row + 1 }))
      const rows = await listRows(open, ranges, rowFilterOf(filters), signal)
      const test = genotypeTest(filters, panel)
      const looked = test === null ? rows : rows.subarray(0, maxTested(set.samples.length))
      const passing: number[] = []
      if (test !== null)
        for await (const one of readRecords(open, looked, signal)) if (test(one.genotypes)) passing.push(one.row)
      const records: FoundRecord[] = []
      const asked = takeEvenly(test === null ? rows : Uint32Array.from(passing), limits.matrixSites)
      for await (const one of readRecords(open, asked, signal)) records.push(one)
      const tell = createEffectTeller(data, assembly)
      const shown: (Site & { sequence: string })[] = []
      for (const one of records) shown.push({ ...(await showSite(one, null, tell)), sequence: one.record.sequence })
      const symbols = await symbolsOf(
        data,
        assembly,
        shown.flatMap(({ gene }) => gene ?? []),
      )
      const sites = shown.map(({ row, key, sequence, position, reference, alternates, consequence, ...effect }) => ({
        ...{ row, key, sequence, position, reference, alternates, consequence },
        proteinChange: effect.proteinChange ?? null,
        gene: effect.gene ?? null,
        symbol: symbols.get(effect.gene ?? '') ?? null,
      }))
      const count = Math.min(set.samples.length, limits.matrixSamples)
      const texts = Array.from({ length: count }, (_, sample) =>
        records
          .map(({ genotypes }) => {
            if (genotypes === null) return '.'
            const { ploidy, alleles } = genotypes
            let copies = 0
            let others = 0
            for (let copy = 0; copy < ploidy; copy += 1) {
              const allele = alleles[sample * ploidy + copy]!
              if (allele === missingAllele) return '.'
              if (allele === absentCopy) continue
              copies += 1
              if (allele > 0) others += 1
            }
            const tenths = copies === 0 ? 0 : Math.round((10 * others) / copies)
            return tenths === 10 ? 'a' : String(tenths)
          })
          .join(''),
      )
      return {
        sites,
        total: test === null ? rows.length : passing.length,
        // Of a condition on accessions over more records than are looked at, the total is of those that were.
        complete: looked.length === rows.length,
        samples: panel.samples.slice(0, count).map((id, index) => ({
          id,
          name: panel.names[index]!,
          population: panel.groups[index]!,
        })),
        samplesLeftOut: set.samples.length - count,
        ploidy: set.ploidy,
        rows: texts,
        clustered: orderOf(texts),
      }
    } finally {
      await open.close()
    }
  }),
  answerEndpoint(listCarriers, async ({ haplotype, ...asked }, { data, signal }) => {
    const assembly = (await data.getAssembly(asked.assembly)).id
    const set = await requireSet(data, assembly, asked.set)
    const open = await openSet(set)
    try {
      const found = await findLoci({ ...asked, assembly }, open, data, signal)
      const { locus, kept, grouping } = await readHaplotypes(asked, open, found, signal)
      const haplotypes = kept.length === 0 ? [] : grouping.haplotypes
      const rank = Number(haplotype.slice(1)) - 1
      const own = haplotypes[rank]
      if (own === undefined)
        throw fieldError(['haplotype'], 'problem.unknownHaplotype', { haplotype, count: haplotypes.length })
      const panel = await openPanel(data, set, asked.grouping)
      return {
        assembly,
        set: set.id,
        sequence: locus.sequence,
        start: locus.start1,
        end: locus.end1,
        haplotype: `H${rank + 1}`,
        haplotypes: haplotypes.length,
        copies: own.copies,
        sites: kept.map(({ record }, at) => ({
          position: record.position1,
          allele: [record.reference, ...record.alternates][own.alleles[at]!] ?? '.',
        })),
        accessions: grouping.assigned.flatMap(({ haplotypes: ranks }, sample) => {
          const copies = ranks.filter((one) => one === rank).length
          return copies === 0
            ? []
            : [
                {
                  id: set.samples[sample]!,
                  name: panel.names[sample]!,
                  population: panel.groups[sample]!,
                  country: panel.about[sample]?.country ?? null,
                  copies,
                  ploidy: ranks.length,
                },
              ]
        }),
      }
    } finally {
      await open.close()
    }
  }),
  defineRoute({
    method: 'POST',
    path: 'file',
    summary: 'All variants that pass the conditions, as VCF or as a table, streamed from the file',
    input: z.object({ format: z.enum(['vcf', 'tsv']).default('tsv'), filter: z.object(filterFields) }),
    handle: async ({ format, filter: filters }, { data, signal, describeReceipt }) => {
      const assembly = (await data.getAssembly(filters.assembly)).id
      const set = await requireSet(data, assembly, filters.set)
      const open = await openSet(set)
      const close = (): Promise<void> => open.close()
      try {
        const found = await findLoci({ ...filters, assembly }, open, data, signal)
        const panel = await openPanel(data, set, filters.grouping)
        const test = genotypeTest(filters, panel)
        const ranges =
          found.rows === null ? await rangesOf(found.loci, open) : found.rows.map((row) => ({ from: row, to: row + 1 }))
        const head = await describeReceipt({
          parameters: Object.fromEntries(Object.entries(filters).filter(([, value]) => String(value ?? '') !== '')),
          assemblies: [assembly],
          steps: [
            {
              program: 'NovoDB variation',
              version: String(tool.version),
              formula: 'records of the set that pass the conditions',
            },
          ],
        })
        const header = await readVariantHeader(set)
        const tell = createEffectTeller(data, assembly)
        const body = async function* (): AsyncGenerator<string> {
          try {
            if (format === 'vcf') {
              const lines = header.trimEnd().split('\n')
              yield `${[...lines.slice(0, -1), ...head.map((line) => `##novodb=${line.replaceAll('\n', ' ')}`), lines.at(-1)].join('\n')}\n`
            } else {
              const headings = [
                ...tsvColumns,
                ...['consequence', 'gene', 'amino_acid_change', 'copies_called', 'alternate_frequency', 'missing'],
                ...panel.populations.map(({ name }) => `frequency_${name}`),
                ...set.samples,
              ]
              yield tableHead(head, headings, 'tsv')
            }
            for await (const piece of open.scan(ranges, rowFilterOf(filters), signal)) {
              const rows = piece.map(({ row }) => row)
              for await (const { row, line } of open.readRows(rows, signal)) {
                const one = format === 'vcf' && test === null ? null : readRecord(open, row, line)
                if (test !== null && (one === null || !test(one.genotypes))) continue
                if (format === 'vcf') yield `${line}\n`
                else if (one !== null) yield tsvLine(renderRow(one, await tell(one.record), panel))
              }
            }
          } finally {
            await close()
          }
        }
        return {
          body: body(),
          contentType: format === 'vcf' ? 'text/x-vcf; charset=utf-8' : 'text/tab-separated-values; charset=utf-8',
          fileName: `${assembly}-${set.id}.${format}`,
        }
      } catch (error) {
        await close()
        throw error
      }
    },
  }),
]

const renderRow = (
  { record, genotypes }: FoundRecord,
  effects: readonly ToldEffect[],
  panel: Awaited<ReturnType<typeof openPanel>>,
): (string | number)[] => {
  const shareOf = (indexes?: readonly number[]): { called: number; share: string; missing: number } => {
    let [called, others, missing] = [0, 0, 0]
    if (genotypes === null) return { called, share: '', missing }
    const { ploidy, alleles } = genotypes
    const count = indexes?.length ?? panel.samples.length
    for (let number = 0; number < count; number += 1) {
      const first = (indexes === undefined ? number : indexes[number]!) * ploidy
      let gap = false
      for (let copy = 0; copy < ploidy; copy += 1) {
        const allele = alleles[first + copy]!
        if (allele === missingAllele) gap = true
        else if (allele >= 0) {
          called += 1
          if (allele > 0) others += 1
        }
      }
      if (gap) missing += 1
    }
    return { called, share: called === 0 ? '' : String(Number((others / called).toPrecision(8))), missing }
  }
  const all = shareOf()
  const joined = (values: (string | null)[]): string => [...new Set(values.filter((value) => value !== null))].join(',')
  return [
    ...[record.sequence, record.position1, record.ids.join(';') || '.', record.reference],
    ...[record.alternates.join(',') || '.', record.quality ?? '.', record.filters.join(';') || 'PASS'],
    joined(effects.map(({ consequences }) => consequences.join('&'))) || '.',
    joined(effects.map(({ gene }) => gene)) || '.',
    joined(effects.map(({ proteinChange }) => proteinChange)) || '.',
    ...[all.called, all.share, all.missing],
    ...panel.populations.map(({ indexes }) => shareOf(indexes).share),
    ...panel.samples.map((_, sample) => (genotypes === null ? '' : writeGenotype(genotypes, sample))),
  ]
}

const tenthsOf = (letter: number): number => (letter === 97 ? 10 : letter - 48)

/** Like beside like; in their own order where there are too many to compare. */
const orderOf = (rows: readonly string[]): number[] => {
  const own = rows.map((_, at) => at)
  if (rows.length < 3 || rows.length > maxClustered || rows[0] === '') return own
  const distances = new Float64Array((rows.length * (rows.length - 1)) / 2)
  let index = 0
  for (let a = 0; a < rows.length; a += 1)
    for (let b = a + 1; b < rows.length; b += 1) {
      const [x, y] = [rows[a]!, rows[b]!]
      let [sum, both] = [0, 0]
      for (let site = 0; site < x.length; site += 1) {
        const [p, q] = [x.charCodeAt(site), y.charCodeAt(site)]
        if (p === 46 || q === 46) continue
        both += 1
        sum += Math.abs(tenthsOf(p) - tenthsOf(q))
      }
      distances[index++] = both === 0 ? 10 : sum / both
    }
  return [...clusterRows(distances, rows.length, 'average').order]
}
