import { OtherRulesList } from '../../kit/data/genes/promoter-rules.ts'
import { defineEngine } from '../../kit/engine.ts'
import { locateAll, methodOf, openExtraction, readAll, refuseUnknown } from './open-extraction.ts'
import { readRecord, recordHeader, recordStrand } from './read-records.ts'
import { routes } from './routes.ts'
import tool, { type ExtractedRecord, limits } from './tool.ts'

export default defineEngine({
  tool,
  programs: [],
  run: async (input, { data, signal, progress, receipt }) => {
    const extraction = await openExtraction(input, data)
    const { assembly, sequences } = extraction
    refuseUnknown(extraction, true)
    const problems = [...extraction.problems]
    const records: ExtractedRecord[] = []
    let recordCount = 0
    let totalBp = 0
    let notedCount = 0
    let shownBp = 0
    const otherRules = new OtherRulesList()
    for await (const located of locateAll(extraction, input, data, signal, (problem) => problems.push(problem))) {
      recordCount += located.records.length
      for (const { record } of located.records) {
        totalBp += record.lengthBp
        if (record.notes.length > 0) notedCount++
        otherRules.add(record)
      }
      const shown = located.records.slice(0, Math.max(0, limits.shownRecords - records.length))
      // What does not fit is listed without its residues; the FASTA route reads it.
      let plannedBp = shownBp
      const planned = shown.map((item) => {
        const reads = plannedBp + item.record.lengthBp <= limits.shownBp
        if (reads) plannedBp += item.record.lengthBp
        return { ...item, reads }
      })
      const read = readAll(planned, async ({ name, record, reads }): Promise<ExtractedRecord> => {
        const sequence = sequences.get(record.gene.sequence)!
        const { residues, notes } = reads
          ? await readRecord(data, assembly, sequence, record, input)
          : { residues: null, notes: record.notes }
        const length =
          residues?.length ?? (input.part === 'protein' ? Math.floor(record.lengthBp / 3) : record.lengthBp)
        return {
          name,
          gene: record.gene.id,
          symbol: record.gene.symbol,
          transcript: record.transcript?.id ?? null,
          sequence: record.gene.sequence,
          strand: recordStrand(record) ?? record.gene.strand,
          intervals: record.pieces.map(({ start1, end1, strand }) => ({
            start: start1,
            end: end1,
            ...(recordStrand(record) === null ? { strand } : {}),
          })),
          length,
          header: recordHeader(name, assembly, record, input, { length, notes }),
          residues,
          notes,
        }
      })
      for await (const record of read) records.push(record)
      shownBp = plannedBp
      progress(located.done / Math.max(1, extraction.genes.length))
    }
    receipt.addData(assembly)
    receipt.addStep(methodOf(input))
    return {
      assembly,
      geneCount: new Set(extraction.genes.map((gene) => gene.id)).size,
      recordCount,
      totalBp,
      notedCount,
      otherRules: otherRules.get(),
      records,
      problems,
    }
  },
  routes,
})
