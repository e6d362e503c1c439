import { isPresent } from '../../bio/comparative/gene-presence.ts'
import { reverseComplement, wrapFasta } from '../../bio/sequence/sequence.ts'
import { receiptNote } from '../../contracts/tools/receipt.ts'
import type { GenePresence } from '../../kit/data/genes/gene-dna.ts'
import type { PresenceGenes } from '../../kit/data/presence-data.ts'
import { defineRoute, type RouteReceipt, type ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { tableHead, tsvLine } from '../../kit/write-table.ts'
import { type Evidence, fileInput, getGenePresence } from './endpoints.ts'
import { chooseGenes, type Question, readCompared } from './read-presence.ts'
import tool from './tool.ts'

/** Genes that a table reads at once, of every genome. */
const genesTogether = 256

const describe = (
  assembly: string,
  presences: ReadonlyMap<number, GenePresence>,
  gene: number,
  genes: Pick<PresenceGenes, 'id' | 'symbol' | 'sequence'>,
): Evidence => {
  const { state, evidence, by, identity, places, copies, paralogs, genes: own, through } = presences.get(gene)!
  const neighbour = (number: number): Evidence['before'] => {
    const there = presences.get(number)
    if (there === undefined || genes.sequence[number] !== genes.sequence[gene]) return null
    return {
      gene: genes.id[number]!,
      symbol: genes.symbol[number]!,
      state: there.state,
      place: there.places[0] ?? null,
    }
  }
  const isOneWith = (number: number): boolean =>
    genes.sequence[number] === genes.sequence[gene] &&
    (presences.get(number)?.genes.some((id) => own.includes(id)) ?? false)
  return {
    assembly,
    state,
    reason: evidence.reason,
    by: evidence.alignedBp > 0 || isPresent(state) || state === 'gone' ? by : null,
    coverage: evidence.alignedBp / evidence.lengthBp,
    identity,
    missingBp: evidence.goneBp,
    insertedBp: evidence.insertedBp,
    parts: evidence.parts,
    copies: evidence.copies,
    paralogs: evidence.paralogs,
    moved: evidence.moved,
    searched: evidence.searched,
    frame: evidence.frame,
    places,
    otherPlaces: [...copies, ...paralogs],
    genes: own,
    oneGeneWith: [gene - 1, gene + 1]
      .filter(isOneWith)
      .map((number) => ({ gene: genes.id[number]!, symbol: genes.symbol[number]! })),
    before: neighbour(gene - 1),
    after: neighbour(gene + 1),
    through,
  }
}

const receiptOf = (input: Question, ids: string[]): RouteReceipt => ({
  parameters: { ...input },
  assemblies: ids,
  steps: [
    {
      program: 'NovoDB gene presence',
      version: String(tool.version),
      formula: 'genes followed by their DNA through whole-genome alignments, blastn and tblastn',
    },
  ],
})

const regionOf = (places: Evidence['places']): string =>
  places.map(({ sequence, start, end, strand }) => `${sequence}:${start}..${end}(${strand})`).join(' ')

export const routes: ToolRoute[] = [
  answerEndpoint(getGenePresence, async ({ assembly, gene }, { data }) => {
    const state = await data.presence.getState(assembly)
    const genes = await data.presence.genes(assembly)
    const number = genes?.id.indexOf(gene) ?? -1
    if (state === null || genes === null || number < 0) return { known: false, evidence: [] }
    const evidence: Evidence[] = []
    for (const other of state.assemblies) {
      if (other === assembly) continue
      const found = await data.presence.genesIn(assembly, other, [number - 1, number, number + 1])
      if (found.has(number)) evidence.push(describe(other, found, number, genes))
    }
    return { known: true, evidence }
  }),
  defineRoute({
    path: 'table',
    summary: 'Evidence of every gene that meets the question, in each genome',
    method: 'POST',
    input: fileInput,
    handle: async (input, { data, describeReceipt, signal }) => {
      const compared = await readCompared(data, input)
      const { assembly, genes, genomes, outgroups } = compared
      const { chosen } = await chooseGenes(data, compared, input)
      const head = await describeReceipt(receiptOf(input, [assembly, ...genomes.map(({ id }) => id)]))
      const body = async function* (): AsyncGenerator<string> {
        yield tableHead(
          head,
          [
            ...['gene', 'symbol', 'description', 'sequence', 'start', 'end', 'strand', 'genome', 'state', 'reason'],
            ...['found_by', 'coverage', 'identity', 'missing_bp', 'inserted_bp', 'copies', 'paralogs', 'moved'],
            ...['frame_change', 'frame_hgvs', 'frame_kept', 'places', 'annotated_genes', 'other_places'],
            // The same on each row of a gene.
            ...outgroups.map(({ id }) => `${id}_genes_by_family_not_by_dna`),
          ],
          'tsv',
        )
        for (let first = 0; first < chosen.length; first += genesTogether) {
          const together = chosen.slice(first, first + genesTogether)
          const columns: ReadonlyMap<number, GenePresence>[] = []
          for (const { id } of genomes) {
            signal.throwIfAborted()
            columns.push(await data.presence.genesIn(assembly, id, together))
          }
          yield together
            .flatMap((gene) =>
              genomes.map(({ id }, at) => {
                const one = describe(id, columns[at]!, gene, genes)
                return tsvLine([
                  ...[genes.id[gene]!, genes.symbol[gene] ?? '', genes.description[gene] ?? ''],
                  ...[genes.sequences[genes.sequence[gene]!]!, genes.start[gene]!, genes.end[gene]!],
                  ...[genes.strand[gene]!, id, one.state, one.reason ?? '', one.by ?? ''],
                  ...[Number(one.coverage.toFixed(4)), one.identity],
                  ...[one.missingBp, one.insertedBp, one.copies, one.paralogs, one.moved ? 'yes' : 'no'],
                  ...[one.frame?.change ?? '', one.frame?.hgvs ?? '', one.frame?.keptShare ?? ''],
                  ...[regionOf(one.places), one.genes.join(','), regionOf(one.otherPlaces)],
                  ...outgroups.map(({ counts }) => counts?.[gene] ?? ''),
                ])
              }),
            )
            .join('')
        }
      }
      return {
        body: body(),
        contentType: 'text/tab-separated-values; charset=utf-8',
        fileName: `gene-presence-${assembly}.tsv`,
      }
    },
  }),
  defineRoute({
    path: 'fasta',
    summary: 'Bases of the genes that meet the question, of their own assembly or of where they lie in another',
    method: 'POST',
    input: fileInput,
    handle: async (input, { data, signal, describeReceipt }) => {
      const compared = await readCompared(data, input)
      const { assembly, genes, genomes } = compared
      const note = receiptNote(await describeReceipt(receiptOf(input, [assembly, ...genomes.map(({ id }) => id)])))
      const { chosen } = await chooseGenes(data, compared, input)
      const genome = genomes.find(({ id }) => id === input.of)
      const body = async function* (): AsyncGenerator<string> {
        for (const gene of chosen) {
          signal.throwIfAborted()
          const strand = genes.strand[gene] === '-' ? ('-' as const) : ('+' as const)
          const own = {
            sequence: genes.sequences[genes.sequence[gene]!]!,
            start: genes.start[gene]!,
            end: genes.end[gene]!,
            strand,
          }
          const presence =
            genome === undefined ? undefined : (await data.presence.genesIn(assembly, genome.id, [gene])).get(gene)
          if (presence !== undefined && !isPresent(presence.state)) continue
          for (const place of presence === undefined ? [own] : presence.places) {
            const of = genome?.id ?? assembly
            const bases = await data.fetchSequence(of, place.sequence, place.start, place.end)
            yield wrapFasta(
              [genes.id[gene]!, genes.symbol[gene] ?? '', `${of}:${regionOf([place])}`, presence?.state ?? '', note]
                .filter((part) => part !== '')
                .join(' '),
              place.strand === '-' ? reverseComplement(bases) : bases,
            )
          }
        }
      }
      return {
        body: body(),
        contentType: 'text/x-fasta; charset=utf-8',
        fileName: `gene-presence-${input.of ?? assembly}.fa`,
      }
    },
  }),
]
