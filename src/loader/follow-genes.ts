import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GeneModel } from '../bio/annotation/gene-models.ts'
import {
  type FollowedGene,
  followGenes,
  frameOf,
  type Succession,
  type SuccessionRelation,
} from '../bio/annotation/gene-succession.ts'
import type { ActiveBundle } from '../database/catalogue.ts'
import type { Sql } from '../database/connect.ts'
import { type FormerGeneRow, listFormerGenes } from '../database/former-genes.ts'
import { type GeneRow, streamGeneRows } from '../database/genes.ts'
import { listSequenceRows } from '../database/sequences.ts'
import { readFastaRecords } from '../kit/data/genes/gene-sequences.ts'
import { tableHead, tsvLine } from '../kit/write-table.ts'
import { getFileChecksum } from '../store/checksum.ts'
import type { PortalFiles } from '../store/portal-files.ts'
import { productFiles } from './derive-products.ts'

/** The bundle of an assembly that is in service while the next is baked. */
export interface Predecessor {
  sql: Sql
  files: PortalFiles
  bundle: ActiveBundle
}

export interface FollowedGenes {
  /** What is kept: of every gene before whose id and place are not the same, also from annotations before that. */
  rows: FormerGeneRow[]
  /** How many of the genes before have become what, and how many are new; null where the genes are those of before. */
  counts: Record<SuccessionRelation | 'new', number> | null
}

export const formerGenesFile = 'former-genes.tsv'
export const formerGenesKind = 'former-genes'
const genesFile = 'genes.gff3.gz'

/** The transcript by which a gene is followed. */
const chosen = <T extends { cds: readonly unknown[]; exons: readonly unknown[] }>(
  transcripts: readonly T[],
  lengthOf: (parts: T['cds'] | T['exons']) => number,
): T | null => {
  const ranked = [...transcripts].sort(
    (a, b) => lengthOf(b.cds) - lengthOf(a.cds) || lengthOf(b.exons) - lengthOf(a.exons),
  )
  return ranked[0] ?? null
}

const lengthOf = (parts: readonly unknown[]): number =>
  (parts as { start1: number; end1: number }[]).reduce((sum, { start1, end1 }) => sum + end1 - start1 + 1, 0)

type Shaped = Pick<GeneModel, 'id' | 'start1' | 'end1' | 'strand'> & {
  sequence: string
  transcripts: Pick<GeneModel['transcripts'][number], 'id' | 'exons' | 'cds'>[]
}

const shapeOfRow = ({ id, sequence, start1, end1, strand, transcripts }: GeneRow): Shaped => ({
  id,
  sequence,
  start1,
  end1,
  strand: strand as GeneModel['strand'],
  transcripts: transcripts.map((transcript) => ({
    id: transcript.id,
    exons: transcript.exons.map(([start1, end1]) => ({ start1, end1 })),
    cds: transcript.cds.map(([start1, end1, phase]) => ({ start1, end1, phase: phase as 0 })),
  })),
})

/** A gene without its product, and the transcript that has it. */
const follow = (gene: Shaped): { gene: FollowedGene; transcript: string | null } => {
  const { id, sequence, start1, end1, strand } = gene
  const transcript = chosen(gene.transcripts, lengthOf)
  const coding = transcript !== null && transcript.cds.length > 0
  const parts =
    transcript === null
      ? [{ start1, end1, frame: 0 }]
      : coding
        ? transcript.cds.map((part) => ({ start1: part.start1, end1: part.end1, frame: frameOf(part, strand) }))
        : transcript.exons.map((exon) => ({ start1: exon.start1, end1: exon.end1, frame: 0 }))
  parts.sort((a, b) => a.start1 - b.start1)
  return {
    gene: { id, sequence, start1, end1, strand, parts, coding, product: null },
    transcript: transcript?.id ?? null,
  }
}

const addProducts = async (
  all: readonly { gene: FollowedGene; transcript: string | null }[],
  folder: string,
  signal: AbortSignal,
): Promise<FollowedGene[]> => {
  for (const [file, coding] of [
    [productFiles.proteins, true],
    [productFiles.transcripts, false],
  ] as const) {
    const wanted = all.filter(({ gene, transcript }) => gene.coding === coding && transcript !== null)
    const names = new Set(wanted.map(({ transcript }) => transcript!))
    if (names.size === 0) continue
    const records = await readFastaRecords(join(folder, file), names, coding ? 'protein' : 'nucleotide', signal)
    for (const one of wanted) one.gene.product = records.get(one.transcript!)?.toUpperCase() ?? null
  }
  return all.map(({ gene }) => gene)
}

/** What has become of the genes of an assembly in the bundle that takes the place of its one before. */
export const followFormerGenes = async (options: {
  predecessor: Predecessor
  genes: Iterable<GeneModel>
  sequences: readonly { name: string; md5: string }[]
  directory: string
  signal: AbortSignal
}): Promise<FollowedGenes> => {
  const { directory, signal } = options
  const { sql, files, bundle } = options.predecessor
  const earlier = await listFormerGenes(sql, bundle.bundle)
  const before = await listSequenceRows(sql, bundle.bundle)
  const names = new Map<string, string | null>()
  // Two sequences of the same bases are told by their names.
  for (const { name, md5 } of options.sequences) names.set(md5, names.has(md5) ? null : name)
  const own = new Map(options.sequences.map(({ name, md5 }) => [name, md5]))
  const same = new Map(before.map(({ name, md5 }) => [name, own.get(name) === md5 ? name : (names.get(md5) ?? null)]))

  const factsOf = (path: string) => bundle.summary.files.find((file) => file.path === path)
  const { sha256 } = await getFileChecksum(join(directory, genesFile))
  if (factsOf(genesFile)?.sha256 === sha256 && before.every(({ name }) => same.get(name) === name))
    return { rows: earlier, counts: null }

  const rows: GeneRow[] = []
  for await (const some of streamGeneRows(sql, bundle.bundle)) {
    signal.throwIfAborted()
    rows.push(...some)
  }
  const wanted = [productFiles.proteins, productFiles.transcripts].flatMap((path) => factsOf(path) ?? [])
  const folder = await files.fetch(bundle.uid, wanted)
  const olds = await addProducts(
    rows.map((row) => follow(shapeOfRow(row))),
    folder,
    signal,
  )
  const shaped = Array.from(options.genes, (gene) => follow({ ...gene, sequence: gene.sequenceName }))
  const news = await addProducts(shaped, directory, signal)
  const followed = followGenes(olds, news, (name) => same.get(name) ?? null)
  const reached = new Set(followed.flatMap(({ genes }) => genes))
  const counts = { same: 0, elsewhere: 0, renamed: 0, split: 0, merged: 0, gone: 0, new: 0 }
  for (const { relation } of followed) counts[relation] += 1
  counts.new = news.filter(({ id }) => !reached.has(id)).length

  const byOld = new Map(followed.map((one) => [one.old, one]))
  const kept = followed.flatMap((one, at) => (one.relation === 'same' ? [] : [formerRow(rows[at]!, one)]))
  const ids = new Set([...news.map(({ id }) => id), ...kept.map(({ id }) => id)])
  // What an annotation before that had leads on to where its successors are now; that an id meant another gene then stays true of it.
  const further = earlier.flatMap((row) => {
    if (row.relation === 'elsewhere') return byOld.get(row.id)?.relation === 'same' ? [row] : []
    return ids.has(row.id) ? [] : [leadOn(row, byOld)]
  })
  return { rows: [...kept, ...further], counts }
}

const formerRow = (
  { id, symbol, description, sequence, start1, end1, strand }: GeneRow,
  { relation, genes, by, share }: Succession,
): FormerGeneRow => ({ id, symbol, description, sequence, start1, end1, strand, relation, genes, evidence: by, share })

const leadOn = (row: FormerGeneRow, byOld: ReadonlyMap<string, Succession>): FormerGeneRow => {
  const genes = [
    ...new Set(
      row.genes.flatMap((gene) => {
        const next = byOld.get(gene)
        // The id of the successor is that of another gene now, which is no successor of it.
        return next === undefined || next.relation === 'elsewhere' ? [] : next.genes
      }),
    ),
  ]
  const relation =
    genes.length === 0 ? 'gone' : genes.length > 1 ? 'split' : row.relation === 'split' ? 'renamed' : row.relation
  return { ...row, genes, relation }
}

/** The table that whoever keeps lists of ids takes along. */
export const writeFormerGenes = async (rows: readonly FormerGeneRow[], directory: string): Promise<void> => {
  const headings = ['old_id', 'relation', 'new_ids', 'evidence', 'share', 'sequence', 'start', 'end', 'strand']
  const lines = rows.map(({ id, relation, genes, evidence, share, sequence, start1, end1, strand }) =>
    tsvLine([id, relation, genes.join(','), evidence, share?.toFixed(2), sequence, start1, end1, strand]),
  )
  await writeFile(join(directory, formerGenesFile), tableHead([], headings, 'tsv') + lines.join(''))
}
