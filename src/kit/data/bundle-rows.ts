import type { GeneModel } from '../../bio/annotation/gene-models.ts'
import { PackedNames } from '../../bio/text/packed-names.ts'
import { cjkPairs } from '../../bio/text/search-words.ts'
import type { BakedWriter } from '../../database/baked-tables.ts'
import { nameKinds, type StoredTranscript } from '../../database/genes.ts'
import { positionsPerRelevance } from '../../database/search/posting-lists.ts'
import type { BakedSearchEntry } from '../loader.ts'
import { namesOfGene } from './genes/gene-names.ts'

/** Descriptions that tell nothing: entries with only these sort after described ones. */
const uninformative =
  /^(hypothetical|uncharacteri[sz]ed|unknown|predicted|conserved hypothetical|putative|unnamed)\b|protein of unknown function|^expressed protein$/i

// PostgreSQL refuses a tsvector beyond 1 MB; texts this long tell nothing more to a search.
const longestText = 20_000
const bestRelevance = 9

/** Rows of the search tables of one bundle, with the words they use counted for spelling. */
export class SearchIndexer {
  readonly #writer: BakedWriter
  #words = new PackedNames()
  #wordCounts: number[] = []
  #arrival = 0

  constructor(writer: BakedWriter) {
    this.#writer = writer
  }

  async add(entry: BakedSearchEntry, kinds: { name: string; kind: number }[] = []): Promise<void> {
    const relevance = Math.min(bestRelevance, Math.max(0, Math.round(entry.relevance ?? 0)))
    const position = (bestRelevance - relevance) * positionsPerRelevance + this.#arrival
    this.#arrival += 1
    const names = [...new Set([entry.label, entry.id, ...(entry.names ?? [])])]
    // PostgreSQL's parser takes words joined by a slash for one file name: "ATPase/helicase" must be found as helicase.
    const body = (entry.description ?? '').replaceAll('/', ' ')
    const extra = (entry.extra ?? '').replaceAll('/', ' ')
    await this.#writer.add('search_entries', [
      position,
      entry.type,
      entry.id,
      entry.label,
      entry.description,
      entry.sequence,
      entry.start1,
      entry.end1,
      entry.strand,
      // Names with dots, dashes and underscores are found whole; parts of them by prefix search.
      names.join(' ').slice(0, longestText),
      `${body} ${cjkPairs(body)}`.slice(0, longestText),
      `${extra} ${cjkPairs(extra)}`.slice(0, longestText),
    ])
    const written = new Set<string>()
    const named = kinds.length > 0 ? kinds : names.map((name) => ({ name, kind: nameKinds.identifier }))
    for (const { name, kind } of named) {
      const key = name.toLowerCase().slice(0, 300)
      if (key === '' || written.has(key)) continue
      written.add(key)
      await this.#writer.add('search_names', [key, kind, entry.type, entry.id, position])
    }
    this.#countWords(`${names.join(' ')} ${body} ${extra}`)
  }

  #countWords(text: string): void {
    for (const word of new Set(text.toLowerCase().match(/\p{L}[\p{L}\p{N}]{2,39}/gu) ?? [])) {
      const number = this.#words.add(word)
      this.#wordCounts[number] = (this.#wordCounts[number] ?? 0) + 1
    }
  }

  async finish(): Promise<void> {
    for (const [number, count] of this.#wordCounts.entries())
      await this.#writer.add('search_vocabulary', [this.#words.at(number), count])
    this.#words = new PackedNames()
    this.#wordCounts = []
  }
}

/** How much is known of a gene: what people look for comes first among equals. */
export const geneRelevance = (gene: GeneModel, termCount: number): number => {
  let relevance = 0
  if (gene.symbol !== null && gene.symbol !== gene.id) relevance += 3
  if (gene.description !== null && !uninformative.test(gene.description)) relevance += 3
  if (gene.transcripts.some((transcript) => transcript.cds.length > 0)) relevance += 1
  if (termCount > 0) relevance += 1
  if (termCount > 10) relevance += 1
  return relevance
}

/** What the search finds a gene by, names of its terms among it. */
export const geneSearchEntry = (gene: GeneModel, terms: { count: number; names: string[] }): BakedSearchEntry => ({
  type: 'gene',
  id: gene.id,
  label: gene.symbol ?? gene.id,
  description: gene.description,
  sequence: gene.sequenceName,
  start1: gene.start1,
  end1: gene.end1,
  strand: gene.strand,
  names: namesOfGene(gene).map((entry) => entry.name),
  extra: [gene.name === gene.description ? '' : (gene.name ?? ''), ...terms.names].join(' ').slice(0, 4000),
  relevance: geneRelevance(gene, terms.count),
})

/** Transcripts as the genes table keeps them; `proteinLengthOf` tells the length of the protein of each by its place, 0 of none. */
export const storedTranscripts = (
  gene: GeneModel,
  proteinLengthOf: (transcript: number) => number,
): StoredTranscript[] =>
  gene.transcripts.map((transcript, number) => ({
    id: transcript.id,
    biotype: transcript.biotype,
    start: transcript.start1,
    end: transcript.end1,
    exons: transcript.exons.map((exon): [number, number] => [exon.start1, exon.end1]),
    cds: transcript.cds.map((part): [number, number, number] => [part.start1, part.end1, part.phase]),
    proteinId: transcript.proteinId,
    proteinLength: proteinLengthOf(number) || null,
    ...(transcript.readingOrder === undefined
      ? {}
      : {
          readingOrder: transcript.readingOrder.map((piece): [number, number, '+' | '-'] => [
            piece.start1,
            piece.end1,
            piece.strand,
          ]),
        }),
  }))

export const addGeneRow = async (
  writer: BakedWriter,
  gene: GeneModel,
  position: number,
  transcripts: StoredTranscript[],
): Promise<void> => {
  const proteinLength = Math.max(0, ...transcripts.map((transcript) => transcript.proteinLength ?? 0))
  await writer.add('genes', [
    gene.id,
    gene.symbol,
    gene.name,
    gene.description,
    gene.biotype,
    gene.sequenceName,
    gene.start1,
    gene.end1,
    gene.strand,
    position,
    gene.aliases,
    { json: gene.attributes },
    { json: transcripts },
    transcripts.length,
    Math.max(0, ...transcripts.map((transcript) => transcript.exons.length)),
    proteinLength === 0 ? null : proteinLength,
  ])
}
