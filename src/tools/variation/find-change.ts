import {
  type BasesChange,
  type CountedTranscript,
  isProteinChange,
  locatePlace,
  type ProteinChange,
  placeChange,
  readNamedChange,
} from '../../bio/variation/gene-change.ts'
import { parseVcfRecord, type VcfRecord } from '../../bio/variation/vcf.ts'
import type { CatalogueGene, PortalData } from '../../kit/data/portal-data.ts'
import type { OpenSet } from '../../kit/data/variants/open-set.ts'
import { createEffectTeller } from '../../kit/data/variants/told-effects.ts'

/** Bases on either side within which the same change of a repeat may be written at another place. */
const repeatBp = 60
/** Records near a change that are looked at. */
const maxNear = 5000

/** A record that a name of a variant means. */
export interface NamedRow {
  row: number
  /** Its alleles that are meant, numbered as in GT; null for every one but REF. */
  alleles: number[] | null
}

/** One more allele of a record is meant; null means all. */
const addAllele = (named: Map<number, number[] | null>, row: number, allele: number | null): void => {
  const before = named.get(row)
  if (allele === null || before === null) named.set(row, null)
  else if (before === undefined) named.set(row, [allele])
  else if (!before.includes(allele)) before.push(allele)
}

const listNamed = (named: ReadonlyMap<number, number[] | null>): NamedRow[] =>
  [...named].map(([row, alleles]) => ({ row, alleles }))

/** Bases `start1` to `end1` of a window are replaced; none where `end1` is before `start1`. */
interface Replaced {
  start1: number
  end1: number
  bases: string
}

const replace = (window: string, first1: number, { start1, end1, bases }: Replaced): string =>
  window.slice(0, start1 - first1) + bases + window.slice(end1 - first1 + 1)

const recordsIn = async (
  open: OpenSet,
  place: { sequence: string; start1: number; end1: number },
  signal: AbortSignal,
): Promise<{ row: number; record: VcfRecord }[]> => {
  const { from, to } = await open.findRange(place)
  const found: { row: number; record: VcfRecord }[] = []
  const rows = Array.from({ length: Math.min(maxNear, to - from) }, (_, at) => from + at)
  for await (const { row, line } of open.readRows(rows, signal)) {
    const record = parseVcfRecord(line)
    if (record !== null) found.push({ row, record })
  }
  return found
}

const transcriptsOf = ({ strand, transcripts }: CatalogueGene): CountedTranscript[] =>
  transcripts.map(({ exons, cds }) => ({
    strand: strand === '-' ? '-' : '+',
    exons: exons.map(([start, end]) => ({ start, end })),
    cds: cds.map(([start, end]) => ({ start, end })),
  }))

/** Those whose effect on the gene is the change of its protein. */
const findProteinChange = async (
  open: OpenSet,
  gene: CatalogueGene,
  asked: ProteinChange,
  data: PortalData,
  signal: AbortSignal,
): Promise<NamedRow[]> => {
  const tellEffects = createEffectTeller(data, open.set.assembly)
  const named = new Map<number, number[] | null>()
  for (const transcript of transcriptsOf(gene)) {
    const codon = [3 * asked.residue - 2, 3 * asked.residue].map((number) =>
      locatePlace(transcript, 'c', { number, offset: 0, behindStop: false }),
    )
    if (codon[0] === null || codon[1] === null) continue
    // What is inserted or deleted in a repeat may be written in the codons beside.
    const [start1, end1] = [Math.min(codon[0]!, codon[1]!) - repeatBp, Math.max(codon[0]!, codon[1]!) + repeatBp]
    for (const { row, record } of await recordsIn(
      open,
      { sequence: gene.sequence, start1: Math.max(1, start1), end1 },
      signal,
    ))
      for (const effect of await tellEffects(record))
        if (effect.gene === gene.id && effect.proteinChange !== null && isProteinChange(effect.proteinChange, asked))
          addAllele(named, row, effect.allele)
  }
  return listNamed(named)
}

/** Those with an allele that makes the same sequence as the change of bases, wherever in a repeat either is written. */
const findBasesChange = async (
  open: OpenSet,
  gene: CatalogueGene,
  asked: BasesChange,
  data: PortalData,
  signal: AbortSignal,
): Promise<NamedRow[]> => {
  const named = new Map<number, number[] | null>()
  const { assembly } = open.set
  const { lengthBp } = await data.getSequence(assembly, gene.sequence)
  for (const transcript of transcriptsOf(gene)) {
    const placed = placeChange(transcript, asked)
    if (placed === null || placed.start1 < 1 || placed.end1 > lengthBp) continue
    const first1 = Math.max(1, placed.start1 - repeatBp)
    const last1 = Math.min(lengthBp, placed.end1 + repeatBp)
    const window = (await data.fetchSequence(assembly, gene.sequence, first1, last1)).toUpperCase()
    const there = window.slice(placed.start1 - first1, placed.end1 - first1 + 1)
    if (placed.reference !== null && placed.reference !== there) continue
    const bases = placed.made === 'duplicated' ? there + there : placed.made.bases
    const wanted = replace(window, first1, { ...placed, bases })
    const near = { sequence: gene.sequence, start1: first1, end1: last1 }
    for (const { row, record } of await recordsIn(open, near, signal)) {
      const end1 = record.position1 + record.reference.length - 1
      if (record.position1 < first1 || end1 > last1) continue
      for (const [at, alternate] of record.alternates.entries())
        if (replace(window, first1, { start1: record.position1, end1, bases: alternate.toUpperCase() }) === wanted)
          addAllele(named, row, at + 1)
    }
  }
  return listNamed(named)
}

/** The records and their alleles that are the change of a gene which the text names (`katG S315T`, `Rv1908c:c.944G>C`); null where it names none. */
export const findChange = async (
  text: string,
  open: OpenSet,
  data: PortalData,
  signal: AbortSignal,
): Promise<NamedRow[] | null> => {
  const named = readNamedChange(text)
  if (named === null) return null
  const resolved = await data.resolveGenes([named.gene], open.set.assembly)
  const [gene] = await data.getGenes(open.set.assembly, resolved.found.map((one) => one.gene.id).slice(0, 1))
  if (gene === undefined) return null
  const isCoding = gene.transcripts.some(({ cds }) => cds.length > 0)
  const { change } = named
  if (change.kind === 'bases') return findBasesChange(open, gene, change, data, signal)
  if (isCoding) return findProteinChange(open, gene, change, data, signal)
  return change.ofRna === null ? [] : findBasesChange(open, gene, change.ofRna, data, signal)
}
