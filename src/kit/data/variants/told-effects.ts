import type { TranscriptModel } from '../../../bio/annotation/gene-models.ts'
import { translate } from '../../../bio/sequence/genetic-codes.ts'
import { changeCoding, changeOf } from '../../../bio/variation/coding-consequences.ts'
import type { Effect } from '../../../bio/variation/consequences.ts'
import { needsProtein, proteinChange } from '../../../bio/variation/protein-change.ts'
import type { VcfRecord } from '../../../bio/variation/vcf.ts'
import type { CatalogueGene, PortalData } from '../portal-data.ts'
import { effectsOf } from '../variant-data.ts'

/** An effect with what it changes in the protein, as HGVS writes it; null where no protein changes. */
export interface ToldEffect extends Effect {
  proteinChange: string | null
}

/** Coding sequences that are kept: records come in the order of the genome. */
const keptTranscripts = 50

/** A transcript with the bases of its coding parts by the first base of each. */
interface ReadTranscript {
  strand: CatalogueGene['strand']
  table: number
  cds: TranscriptModel['cds']
  bases: ReadonlyMap<number, string>
}

const readTranscript = async (
  { gene: id, transcript: name }: Effect,
  assembly: string,
  data: PortalData,
): Promise<ReadTranscript | null> => {
  const [gene] = await data.getGenes(assembly, [id])
  const transcript = gene?.transcripts.find((one) => one.id === name)
  // What a trans-spliced one makes of a change is not told.
  if (gene === undefined || transcript === undefined || transcript.readingOrder !== undefined) return null
  const { geneticCode: table } = await data.getSequence(assembly, gene.sequence)
  const bases = new Map<number, string>()
  for (const [start1, end1] of transcript.cds)
    bases.set(start1, (await data.fetchSequence(assembly, gene.sequence, start1, end1)).toUpperCase())
  const cds = transcript.cds.map(([start1, end1, phase]) => ({ start1, end1, phase: phase as 0 | 1 | 2 }))
  return { strand: gene.strand, table, cds, bases }
}

/** The proteins without and with a change such as `1483C>CAAA`, stops included; null where the new one is not known. */
const changeProtein = (
  text: string,
  { strand, table, cds, bases }: ReadTranscript,
): { before: string; after: string } | null => {
  const [, position, reference, alternate] = /^(\d+)([ACGTN]+)>([ACGTN]+)$/.exec(text.toUpperCase()) ?? []
  if (position === undefined) return null
  const change = changeOf({ position1: Number(position), reference: reference!, alternate: alternate! })
  const changed = change && changeCoding({ cds }, strand, change, (start1) => bases.get(start1)!)
  if (changed === null) return null
  const read = (coding: string): string => translate(coding, { table, firstCodonIsStart: changed.phase === 0 })
  return { before: read(changed.old), after: read(changed.made) }
}

/** Tells the effects of records of an assembly. Which residues a change in frame adds or takes is read from the whole protein. */
export const createEffectTeller = (data: PortalData, assembly: string) => {
  const transcripts = new Map<string, ReadTranscript | null>()
  const transcriptOf = async (effect: Effect): Promise<ReadTranscript | null> => {
    const key = `${effect.gene}\t${effect.transcript}`
    const known = transcripts.get(key)
    if (known !== undefined) return known
    const read = await readTranscript(effect, assembly, data)
    if (transcripts.size >= keptTranscripts) transcripts.delete(transcripts.keys().next().value!)
    transcripts.set(key, read)
    return read
  }
  const changeIn = async (effect: Effect): Promise<string | null> => {
    const { aminoAcids, bases, consequences } = effect
    if (aminoAcids === null) return null
    const transcript = bases !== null && needsProtein(aminoAcids, consequences) ? await transcriptOf(effect) : null
    return proteinChange(aminoAcids, consequences, transcript && changeProtein(bases!, transcript))
  }
  return async (record: VcfRecord): Promise<ToldEffect[]> => {
    const told: ToldEffect[] = []
    for (const effect of effectsOf(record)) told.push({ ...effect, proteinChange: await changeIn(effect) })
    return told
  }
}

export type EffectTeller = ReturnType<typeof createEffectTeller>
