import type { GeneModel } from '../bio/annotation/gene-models.ts'
import type { AssemblyOverview } from '../contracts/species.ts'
import type { Genome } from '../store/genome-fasta.ts'

/** Windows in all over the sequences drawn; enough for a ring on a wide screen. */
const windowCount = 900
const sequenceLimit = 60
/** Bases read of each window: composition of long windows is estimated from their first part. */
const sampleBp = 20_000

/**
 * Windows along the longest sequences: gene starts by strand, GC content, and GC skew (G − C)/(G + C). For windows longer than
 * 20 kb, GC and skew are of the first 20 kb.
 */
export const computeOverview = async (
  genome: Genome,
  sequences: { name: string; lengthBp: number; circular: boolean; role: string }[],
  genes: Iterable<GeneModel>,
): Promise<AssemblyOverview> => {
  const longest = new Set([...sequences].sort((a, b) => b.lengthBp - a.lengthBp).slice(0, sequenceLimit))
  const drawn = sequences.filter((sequence) => longest.has(sequence))
  const totalBp = drawn.reduce((sum, sequence) => sum + sequence.lengthBp, 0)
  const windowBp = Math.max(100, Math.ceil(totalBp / windowCount))
  const rows = new Map<string, AssemblyOverview['sequences'][number]>()
  for (const sequence of drawn) {
    const count = Math.ceil(sequence.lengthBp / windowBp)
    const gc: number[] = []
    const skew: number[] = []
    for (let window = 0; window < count; window += 1) {
      const start0 = window * windowBp
      const text = String(
        await genome.fetch(sequence.name, start0, Math.min(start0 + Math.min(windowBp, sampleBp), sequence.lengthBp)),
      )
      let g = 0
      let c = 0
      let known = 0
      for (let at = 0; at < text.length; at += 1) {
        const base = text.charCodeAt(at) & 0xdf
        if (base === 71) g += 1
        else if (base === 67) c += 1
        if (base === 71 || base === 67 || base === 65 || base === 84) known += 1
      }
      gc.push(known === 0 ? 0 : Math.round(((g + c) / known) * 1e4) / 1e4)
      skew.push(g + c === 0 ? 0 : Math.round(((g - c) / (g + c)) * 1e4) / 1e4)
    }
    rows.set(sequence.name, {
      name: sequence.name,
      lengthBp: sequence.lengthBp,
      circular: sequence.circular,
      role: sequence.role,
      forward: new Array<number>(count).fill(0),
      reverse: new Array<number>(count).fill(0),
      gc,
      skew,
    })
  }
  for (const gene of genes) {
    const row = rows.get(gene.sequenceName)
    if (row === undefined) continue
    const window = Math.min(row.gc.length - 1, Math.floor((gene.start1 - 1) / windowBp))
    const strand = gene.strand === '-' ? row.reverse : row.forward
    strand[window] = (strand[window] ?? 0) + 1
  }
  return { windowBp, sequences: [...rows.values()] }
}
