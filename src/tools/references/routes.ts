import { z } from 'zod'
import { formatCitation, formatCslJson } from '../../bio/literature/citations.ts'
import { formatBibtex, formatRis } from '../../bio/literature/references.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { commentLines, tableHead, tsvLine } from '../../kit/write-table.ts'
import { choosePublications, describePublications, findPublications, searchStep } from './find-publications.ts'
import { type FoundPublication, keySchema, limits, searchFields } from './tool.ts'

const formats = {
  bibtex: { ending: 'bib', type: 'application/x-bibtex' },
  ris: { ending: 'ris', type: 'application/x-research-info-systems' },
  csl: { ending: 'json', type: 'application/vnd.citationstyles.csl+json' },
  text: { ending: 'txt', type: 'text/plain' },
  tsv: { ending: 'tsv', type: 'text/tab-separated-values' },
} as const

const columns: [string, (publication: FoundPublication) => string | number | null][] = [
  ['key', (one) => one.key],
  ['species', (one) => one.records.map(({ species }) => species).join('; ')],
  ['title', (one) => one.title],
  ['authors', (one) => one.authors.join('; ')],
  ['year', (one) => one.year],
  ['journal', (one) => one.journal],
  ['volume', (one) => one.volume],
  ['issue', (one) => one.issue],
  ['pages', (one) => one.pages],
  ['doi', (one) => one.doi],
  ['pubmed_id', (one) => one.pubmedId],
  ['url', (one) => one.url],
  ['keywords', (one) => one.keywords.join('; ')],
  ['genes', (one) => one.genes.flatMap(({ genes }) => genes.map((gene) => `${gene.assembly}:${gene.id}`)).join('; ')],
  [
    'data_sets',
    (one) => one.dataSets.map((set) => (set.kind === 'assembly' ? set.id : `${set.assembly}:${set.id}`)).join('; '),
  ],
]

export const routes: ToolRoute[] = [
  defineRoute({
    method: 'POST',
    path: 'file',
    summary:
      'Publications found, or those of the keys given, as BibTeX, RIS, CSL-JSON, citations in the language asked for, or a table',
    input: z.object({
      ...searchFields,
      /** Chosen publications; absent: everything that is found. */
      keys: z.array(keySchema).min(1).max(limits.chosen).optional(),
      format: z.enum(['bibtex', 'ris', 'csl', 'text', 'tsv']).default('bibtex'),
    }),
    handle: async ({ format, keys, ...search }, { data, language, describeReceipt }) => {
      const { library, found } = await findPublications(search, data)
      const chosen = keys === undefined ? found : choosePublications(library.publications, keys)
      const references = chosen.map((group) => group[0]!.reference)
      const species = new Set(chosen.flat().map((one) => one.species))
      const receipt = await describeReceipt({
        parameters: keys === undefined ? search : { keys },
        assemblies: library.assemblies.filter((one) => species.has(one.species)).map((one) => one.id),
        steps: [searchStep],
      })
      const head = commentLines(receipt)
      const { ending, type } = formats[format]
      const body = async (): Promise<string> => {
        switch (format) {
          case 'bibtex':
            // BibTeX passes over what stands between entries, save an at sign.
            return `${receipt.map((line) => `% ${line.replaceAll('@', '(at)')}\n`).join('')}\n${formatBibtex(references)}`
          case 'ris':
            return formatRis(references)
          case 'csl':
            return formatCslJson(references)
          case 'text':
            return `${head}\n${references
              .map((reference, index) =>
                language === 'zh'
                  ? `[${index + 1}] ${formatCitation(reference, 'zh')}\n`
                  : `${index + 1}. ${formatCitation(reference, 'en')}\n`,
              )
              .join('')}`
          default: {
            const rows = await describePublications(chosen, library, data)
            const top = tableHead(
              receipt,
              columns.map(([name]) => name),
              'tsv',
            )
            return `${top}${rows.map((row) => tsvLine(columns.map(([, value]) => value(row)))).join('')}`
          }
        }
      }
      return { body: await body(), contentType: `${type}; charset=utf-8`, fileName: `references.${ending}` }
    },
  }),
]
