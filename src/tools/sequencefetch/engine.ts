import { defineEngine } from '../../kit/engine.ts'
import { addComposition, type Composition, fastaHeader, fetchRegion } from './fetch-region.ts'
import { findRegions } from './find-regions.ts'
import { routes } from './routes.ts'
import tool, { type FetchedRecord, limits } from './tool.ts'

/** Composition is counted up to this many bases together; beyond it the answer would no longer come at once. */
const countedBp = 20_000_000

export default defineEngine({
  tool,
  programs: [],
  run: async (input, { data, signal, progress, receipt }) => {
    const { id } = await data.getAssembly(input.assembly)
    const { regions, bad } = await findRegions({ ...input, assembly: id }, data)
    const totalBp = regions.reduce((sum, region) => sum + region.end1 - region.start1 + 1, 0)
    const counting = totalBp <= countedBp
    let shownBp = 0
    const records: FetchedRecord[] = []
    for (const [number, region] of regions.entries()) {
      signal.throwIfAborted()
      const counts: Composition = { strongBp: 0, weakBp: 0, unknownBp: 0, maskedBp: 0 }
      const pieces: string[] = []
      const budgetBp = limits.shownBp - shownBp
      let keptBp = 0
      if (counting || budgetBp > 0) {
        for await (const piece of fetchRegion(data, id, region)) {
          signal.throwIfAborted()
          if (counting) addComposition(counts, piece)
          if (keptBp < budgetBp) {
            const kept = piece.slice(0, budgetBp - keptBp)
            pieces.push(kept)
            keptBp += kept.length
          } else if (!counting) break
        }
      }
      shownBp += keptBp
      const annotated = input.annotate && number < limits.annotatedRegions
      const genes = annotated
        ? await data.listGenesInRegion(id, region.sequence, region.start1, region.end1, limits.genesARegion + 1)
        : null
      const known = counts.strongBp + counts.weakBp
      records.push({
        line: region.line,
        name: region.name,
        sequence: region.sequence,
        start: region.start1,
        end: region.end1,
        strand: region.strand,
        lengthBp: region.end1 - region.start1 + 1,
        gcFraction: counting && known > 0 ? counts.strongBp / known : null,
        unknownBp: counting ? counts.unknownBp : null,
        maskedBp: counting ? counts.maskedBp : null,
        header: fastaHeader(id, region),
        residues: keptBp > 0 ? pieces.join('') : null,
        notes: region.notes,
        genes: genes?.slice(0, limits.genesARegion) ?? null,
        genesTruncated: (genes?.length ?? 0) > limits.genesARegion,
      })
      if (number % 100 === 0) progress(number / regions.length)
    }
    receipt.addData(id)
    receipt.addStep({
      program: 'NovoDB sequence fetch',
      version: String(tool.version),
      formula:
        'bases start..end (1-based, inclusive) of the assembly, case kept; start > end: reverse complement by the IUPAC nucleotide code',
    })
    receipt.cite({
      text: 'Cornish-Bowden A. Nomenclature for incompletely specified bases in nucleic acid sequences. Nucleic Acids Res 13:3021-3030 (1985)',
      doi: '10.1093/nar/13.9.3021',
    })
    return {
      assembly: id,
      records,
      totalBp,
      shownBp,
      problems: bad,
      annotatedAll: !input.annotate || regions.length <= limits.annotatedRegions,
    }
  },
  routes,
})
