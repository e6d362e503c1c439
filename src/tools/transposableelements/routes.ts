import { join } from 'node:path'
import { z } from 'zod'
import { transposonClass, transposonName } from '../../bio/repeats/transposon-classes.ts'
import { describeProfile } from '../../bio/repeats/transposon-domains.ts'
import type { TransposonPart } from '../../bio/repeats/transposons.ts'
import { reverseComplement, wrapFasta } from '../../bio/sequence/sequence.ts'
import { PortalError } from '../../contracts/errors.ts'
import { jobIdSchema } from '../../contracts/tools/jobs.ts'
import { receiptNote } from '../../contracts/tools/receipt.ts'
import { findElementSummary } from '../../kit/data/element-data.ts'
import { findLocus } from '../../kit/data/find-locus.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { commentLines, formatLine, tableHead, tsvLine } from '../../kit/write-table.ts'
import { readTextIfPresent } from '../../store/baked-text.ts'
import {
  type ElementFilter,
  findElements,
  getElement,
  listElementsOfGenes,
  readParts,
  streamElements,
} from './element-rows.ts'
import { citations, requireSummary, segmentsOf, showElement } from './elements.ts'
import {
  type ElementAnswer,
  type ElementsAnswer,
  filterFields,
  type GeneAnswer,
  pageFields,
  type SummaryAnswer,
} from './endpoints.ts'
import { elementLines } from './gff3-lines.ts'
import { codesOfOrders, describePairs, relate } from './near-genes.ts'
import { gff3File } from './stored.ts'
import tool, { type FoundElement, resultSchema } from './tool.ts'

type Filters = z.output<z.ZodObject<typeof filterFields>>

const defaultOf = async (data: PortalData, given: string | undefined): Promise<string> => {
  if (given !== undefined && given !== '') return (await data.getAssembly(given)).id
  const assemblies = await data.listAssemblies()
  const loaded = assemblies.filter((one) => (one.dataTypes.transposableElements ?? 0) > 0)
  const chosen = loaded.find((one) => one.reference) ?? loaded[0] ?? (await data.defaultAssembly())
  if (chosen === null || chosen === undefined) throw new PortalError('UNKNOWN_ASSEMBLY', { params: { name: '' } })
  return chosen.id
}

const readFilter = async (filters: Filters, assembly: string, data: PortalData): Promise<ElementFilter> => {
  let place: Pick<ElementFilter, 'sequence' | 'segments'> = { sequence: null, segments: [] }
  if (filters.region !== '') {
    const { sequence, start1, end1 } = await findLocus(data, assembly, filters.region, ['region'])
    place = { sequence: sequence.name, segments: segmentsOf(sequence, start1, end1) }
  }
  const codes = [...filters.codes, ...codesOfOrders(filters.orders)]
  return {
    codes,
    forms: filters.forms,
    family: filters.family === '' ? null : filters.family,
    words: filters.q === '' ? null : filters.q,
    ...place,
    minBp: filters.minBp ?? null,
    maxBp: filters.maxBp ?? null,
    minLtrIdentity: filters.minLtrIdentity ?? null,
    maxDivergence: filters.maxDivergence ?? null,
  }
}

/** Bases on each side of an element within which genes are listed on its page. */
const nearBp = 10_000
const maxNear = 40
const maxOfGene = 200
/** Longest element whose bases its page shows. */
const maxShownBp = 100_000
const browseStep = {
  program: 'NovoDB transposable elements',
  version: String(tool.version),
  formula: 'elements as loaded; LTRs aligned globally, Kimura’s two-parameter distance between them',
}

const targetSite = async (
  parts: readonly TransposonPart[],
  assembly: string,
  sequence: string,
  data: PortalData,
): Promise<string | null> => {
  const site = parts.find(({ type }) => type === 'TSD')
  if (site === undefined || site.end1 - site.start1 > 60) return null
  return (await data.fetchSequence(assembly, sequence, site.start1, site.end1)).toUpperCase()
}

const foundLines = (one: FoundElement): string[] =>
  elementLines(`TE${one.number}`, {
    family: one.family,
    code: one.code,
    sequenceName: one.sequence,
    start1: one.start,
    end1: one.end,
    strand: one.strand,
    form: 'full',
    divergence: null,
    ltrIdentity: one.ltrIdentity,
    source: one.kind === 'LTR' ? 'LTRharvest' : 'TIRvish',
    parts: one.parts.map((part) => ({
      type: part.type,
      start1: part.start,
      end1: part.end,
      strand: part.strand,
      name: part.name,
      evalue: part.evalue,
    })),
  })

const columns = [
  'id',
  'sequence',
  'start',
  'end',
  'strand',
  'length_bp',
  'wicker',
  'class',
  'family',
  'form',
  'divergence',
  'ltr_identity',
  'ltr_divergence',
] as const

export const routes: ToolRoute[] = [
  defineRoute({
    path: 'summary/',
    summary: 'Transposable elements of an assembly in figures: by class, family, chromosome and age',
    input: z.object({ assembly: z.string().max(64).optional() }),
    handle: async (input, { data }) => {
      const assembly = await defaultOf(data, input.assembly)
      const assemblies = await data.listAssemblies()
      const answer: SummaryAnswer = {
        assembly,
        summary: await findElementSummary(data, assembly),
        loaded: assemblies.flatMap((one) => {
          const count = one.dataTypes.transposableElements ?? 0
          return count > 0 ? [{ assembly: one.id, count }] : []
        }),
      }
      return { json: answer }
    },
  }),
  defineRoute({
    path: 'elements/',
    summary: 'Transposable elements of an assembly that pass the conditions, by pages',
    input: z.object({ ...filterFields, ...pageFields }),
    handle: async ({ page, pageSize, sort, descending, ...filters }, { data }) => {
      const assembly = await defaultOf(data, filters.assembly)
      const summary = await requireSummary(data, assembly)
      const { rows, total, bases } = await findElements(
        data.sql,
        await data.bundleNumber(assembly),
        await readFilter(filters, assembly, data),
        { sort, descending, offset: (page - 1) * pageSize, limit: pageSize, longestBp: summary.longestBp },
      )
      const answer: ElementsAnswer = {
        assembly,
        total,
        bases,
        page,
        pageSize,
        rate: summary.rate,
        elements: rows.map((row) => showElement(assembly, row)),
      }
      return { json: answer }
    },
  }),
  defineRoute({
    path: 'element/',
    summary: 'One transposable element: structure, domains, age, genes around it',
    input: z.object({ assembly: z.string().max(64).optional(), id: z.string().min(1).max(300) }),
    handle: async (input, { data }) => {
      const assembly = await defaultOf(data, input.assembly)
      const summary = await requireSummary(data, assembly)
      const bundle = await data.bundleNumber(assembly)
      const row = await getElement(data.sql, bundle, input.id)
      if (row === null)
        throw new PortalError('NOT_FOUND', { message: 'problem.noElement', params: { id: input.id, assembly } })
      const parts = readParts(row.details.parts)
      const sequence = await data.getSequence(assembly, row.sequence)
      const near = await data.listGenesInRegion(
        assembly,
        row.sequence,
        Math.max(1, row.start1 - nearBp),
        Math.min(sequence.lengthBp, row.end1 + nearBp),
        maxNear,
      )
      const genes = await data.getGenes(
        assembly,
        near.map(({ id }) => id),
      )
      const base = {
        codes: [],
        forms: [],
        words: null,
        minBp: null,
        maxBp: null,
        minLtrIdentity: null,
        maxDivergence: null,
      }
      const order = { sort: 'position' as const, descending: false, offset: 0, longestBp: summary.longestBp }
      const [beside, family] = await Promise.all([
        findElements(
          data.sql,
          bundle,
          {
            ...base,
            family: null,
            sequence: row.sequence,
            segments: segmentsOf(sequence, row.start1, row.end1),
          },
          { ...order, limit: maxNear },
        ),
        row.family === ''
          ? null
          : findElements(
              data.sql,
              bundle,
              { ...base, family: row.family, sequence: null, segments: [] },
              { ...order, limit: 1 },
            ),
      ])
      const element = showElement(assembly, row)
      const bases =
        element.lengthBp > maxShownBp ? null : await data.fetchSequence(assembly, row.sequence, row.start1, row.end1)
      const answer: ElementAnswer = {
        element,
        givenClass: row.details.class,
        source: row.details.source,
        parts: parts.map((part) => ({
          type: part.type,
          start: part.start1,
          end: part.end1,
          strand: part.strand,
          name: part.name,
          evalue: part.evalue,
          kind: part.type === 'domain' && part.name !== null ? (describeProfile(part.name)?.kind ?? null) : null,
        })),
        targetSite: await targetSite(parts, assembly, row.sequence, data),
        genes: genes.map((gene) => {
          const { relation, distanceBp } = relate(gene, element)
          const { id, symbol, description, biotype, sequence: on, start, end, strand } = gene
          return {
            relation,
            distanceBp,
            gene: { assembly, id, symbol, description, biotype, sequence: on, start, end, strand },
          }
        }),
        overlapping: beside.rows.filter(({ id }) => id !== row.id).map((one) => showElement(assembly, one)),
        familyCount: family?.total ?? 0,
        rate: summary.rate,
        sequenceLengthBp: sequence.lengthBp,
        bases: bases !== null && row.strand === '-' ? reverseComplement(bases) : bases,
      }
      return { json: answer }
    },
  }),
  defineRoute({
    path: 'gene/',
    summary: 'Transposable elements in and near one gene',
    input: z.object({
      assembly: z.string().max(64),
      gene: z.string().min(1).max(200),
      flankBp: z.coerce.number().int().min(0).max(100_000).default(5000),
    }),
    handle: async (input, { data }) => {
      const assembly = (await data.getAssembly(input.assembly)).id
      const summary = await findElementSummary(data, assembly)
      const rows =
        summary === null
          ? []
          : await listElementsOfGenes(
              data.sql,
              await data.bundleNumber(assembly),
              [input.gene],
              { codes: [], forms: [] },
              { flankBp: input.flankBp, longestBp: summary.longestBp, limit: maxOfGene },
            )
      const answer: GeneAnswer = {
        rows: await describePairs(rows, assembly, data),
        flankBp: input.flankBp,
        rate: summary?.rate ?? null,
      }
      return { json: answer }
    },
  }),
  defineRoute({
    method: 'POST',
    path: 'file',
    summary: 'All elements that pass the conditions, as a table, GFF3, BED or FASTA',
    input: z.object({
      assembly: z.string().max(64).optional(),
      format: z.enum(['tsv', 'gff3', 'bed', 'fasta']).default('tsv'),
      /** The conditions of the page, as its address has them. */
      filter: z.object(filterFields).prefault({}),
    }),
    handle: async ({ format, filter: filters, assembly: wanted }, { data, describeReceipt, language, signal }) => {
      const assembly = await defaultOf(data, wanted ?? filters.assembly)
      const summary = await requireSummary(data, assembly)
      const bundle = await data.bundleNumber(assembly)
      const conditions = await readFilter(filters, assembly, data)
      const head = await describeReceipt({
        parameters: Object.fromEntries(Object.entries(filters).filter(([, value]) => String(value ?? '') !== '')),
        assemblies: [assembly],
        steps: [browseStep],
        citations: [citations.wicker, citations.kimura],
      })
      const note = receiptNote(head)
      const body = async function* (): AsyncGenerator<string> {
        if (format === 'gff3') yield `##gff-version 3\n${commentLines(head)}`
        if (format === 'bed') yield commentLines(head)
        if (format === 'tsv') yield tableHead(head, columns, 'tsv')
        for await (const rows of streamElements(data.sql, bundle, conditions, summary.longestBp)) {
          signal.throwIfAborted()
          const pieces: string[] = []
          for (const row of rows) {
            const element = showElement(assembly, row)
            if (format === 'gff3')
              pieces.push(
                ...elementLines(row.id, {
                  ...row,
                  family: element.family,
                  sequenceName: row.sequence,
                  source: row.details.source,
                  parts: readParts(row.details.parts),
                }).map((line) => `${line}\n`),
              )
            else if (format === 'bed')
              pieces.push(
                formatLine([
                  row.sequence,
                  row.start1 - 1,
                  row.end1,
                  row.id,
                  0,
                  /[+-]/.test(row.strand) ? row.strand : '.',
                ]),
              )
            else if (format === 'tsv')
              pieces.push(
                tsvLine([
                  ...[row.id, row.sequence, row.start1, row.end1, row.strand, element.lengthBp, row.code],
                  ...[transposonName(row.code, language), element.family ?? '', row.form, row.divergence ?? ''],
                  ...[row.ltrIdentity ?? '', row.ltrDivergence ?? ''],
                ]),
              )
            else {
              const bases = await data.fetchSequence(assembly, row.sequence, row.start1, row.end1)
              const heading = `${row.id}#${transposonClass(row.code).repeatMasker} ${assembly} ${row.sequence}:${row.start1}-${row.end1} (${row.strand}) ${row.code} ${note}`
              pieces.push(wrapFasta(heading, row.strand === '-' ? reverseComplement(bases) : bases))
            }
          }
          yield pieces.join('')
        }
      }
      const types = { tsv: 'text/tab-separated-values', gff3: 'text/x-gff3', bed: 'text/x-bed', fasta: 'text/x-fasta' }
      return {
        body: body(),
        contentType: `${types[format]}; charset=utf-8`,
        fileName: `${assembly}-transposable-elements.${format === 'fasta' ? 'fa' : format}`,
      }
    },
  }),
  defineRoute({
    path: 'jobs/{job}/elements.gff3',
    summary: 'Elements of an identification as GFF3, with LTRs, target sites and domains',
    input: z.object({ job: jobIdSchema }),
    handle: async ({ job }, { openJob, describeReceipt }) => {
      const { result, receipt } = await openJob(job)
      const parsed = resultSchema.safeParse(result)
      if (!parsed.success || parsed.data.identify === null) throw new PortalError('NOT_FOUND')
      const { identify } = parsed.data
      const head = await describeReceipt({
        job: receipt,
        parameters: {},
        assemblies: identify.assembly === null ? [] : [identify.assembly],
        steps: [],
      })
      const lines = [
        '##gff-version 3',
        commentLines(head).trimEnd(),
        ...identify.sequences.map(({ name }) => `# searched ${name}`),
        ...identify.elements.flatMap(foundLines),
      ]
      return { body: `${lines.join('\n')}\n`, contentType: 'text/x-gff3; charset=utf-8', fileName: 'elements.gff3' }
    },
  }),
  ...(['LTRharvest', 'TIRvish'] as const).map((program) => {
    const file = `${program.toLowerCase()}.gff3`
    return defineRoute({
      path: `jobs/{job}/${file}`,
      summary: `What ${program} itself wrote; positions within the region that was searched`,
      input: z.object({ job: jobIdSchema }),
      handle: async ({ job }, { openJob, describeReceipt }) => {
        const { directory, result, receipt } = await openJob(job)
        const parsed = resultSchema.safeParse(result)
        if (!parsed.success) throw new PortalError('NOT_FOUND')
        const text = await readTextIfPresent(join(directory, file))
        if (text === null) throw new PortalError('NOT_FOUND')
        const assembly = parsed.data.identify?.assembly ?? null
        const head = await describeReceipt({
          job: receipt,
          parameters: {},
          assemblies: assembly === null ? [] : [assembly],
          steps: [
            {
              program,
              version: receipt.steps.find((step) => step.program === 'gt')?.version ?? '',
              formula: 'as written by the program; positions within the region',
            },
          ],
        })
        // The version of the format stays the first line; of no element the program writes nothing at all.
        const [version] = /^##gff-version.*\n/.exec(text) ?? ['']
        return {
          body: `${version || '##gff-version 3\n'}${commentLines(head)}${text.slice(version.length)}`,
          contentType: 'text/x-gff3; charset=utf-8',
          fileName: file,
        }
      },
    })
  }),
  defineRoute({
    path: 'gff3',
    summary: 'The file of all elements of an assembly',
    input: z.object({ assembly: z.string().max(64).optional() }),
    handle: async (input, { data }) => {
      const assembly = await defaultOf(data, input.assembly)
      const file = await data.bundleFile(assembly, gff3File)
      if (file === null) throw new PortalError('NOT_FOUND', { message: 'problem.notLoaded', params: { assembly } })
      return { file, contentType: 'application/gzip', fileName: `${assembly}.${gff3File}` }
    },
  }),
]
