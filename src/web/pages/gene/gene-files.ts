import { geneGff3Lines } from '../../../bio/annotation/gene-gff3.ts'
import type { Gene } from '../../../contracts/genes.ts'
import { type Receipt, receiptLines } from '../../../contracts/tools/receipt.ts'
import type { MenuItem } from '../../../kit/ui/controls/menu.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { useAssemblies } from '../../../kit/ui/portal-data.ts'
import { downloadJson, downloadText, fileName } from '../../../kit/ui/table/export.ts'
import { useCatalogueReceipt } from '../../../kit/ui/tool/catalogue-receipt.ts'
import { commentLines, formatLine } from '../../../kit/write-table.ts'
import { messages } from '../../messages/pages.ts'

/** Length of the gene's sequence when that is circular: the end of a gene across the origin lies beyond it. */
export const useCircularLength = (gene: Gene): number | null => {
  const assembly = useAssemblies().find((one) => one.id === gene.assembly)
  const sequence = assembly?.sequences.find((one) => one.name === gene.sequence)
  return sequence?.circular ? sequence.lengthBp : null
}

/** Which data the record of a gene is of, and how its numbers are to be read. */
export const useGeneReceipt = (gene: Gene): Receipt | undefined =>
  useCatalogueReceipt(
    'gene',
    'record of the gene as loaded; coordinates 1-based, inclusive',
    { id: gene.id, assembly: gene.assembly },
    [gene.assembly],
  )

/** The record as files: gene model, location, and all of it. None until the receipt is known, which every file carries. */
export const useGeneFiles = (gene: Gene): MenuItem[] => {
  const t = useText(messages)
  const receipt = useGeneReceipt(gene)
  const circularBp = useCircularLength(gene)
  if (receipt === undefined) return []
  const head = commentLines(receiptLines(receipt))
  const saveGff3 = (): void => {
    const written = {
      ...gene,
      sequenceName: gene.sequence,
      start1: gene.start,
      end1: gene.end,
      transcripts: gene.transcripts.map((one) => ({
        ...one,
        start1: one.start,
        end1: one.end,
        exons: one.exons.map(({ start, end }) => ({ start1: start, end1: end })),
        cds: one.cds.map(({ start, end, phase }) => ({ start1: start, end1: end, phase })),
        readingOrder: one.readingOrder?.map(({ start, end, strand }) => ({ start1: start, end1: end, strand })),
      })),
    }
    const lines = geneGff3Lines(written, circularBp ?? undefined)
    downloadText(`##gff-version 3\n${head}${lines.join('\n')}\n`, `${fileName(gene.id)}.gff3`, 'text/x-gff3')
  }
  const saveBed = (): void =>
    downloadText(
      `${head}${formatLine([gene.sequence, gene.start - 1, gene.end, gene.id, 0, gene.strand])}`,
      `${fileName(gene.id)}.bed`,
      'text/x-bed',
    )
  return [
    { key: 'gff3', label: t('gene.downloadGff3'), run: saveGff3 },
    { key: 'bed', label: t('gene.downloadBed'), run: saveBed },
    {
      key: 'json',
      label: t('gene.downloadJson'),
      run: () => downloadJson({ gene, receipt }, `${fileName(gene.id)}.json`),
    },
  ]
}
