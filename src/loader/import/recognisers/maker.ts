import { findRuns, recogniseRuns, says } from '../annotator.ts'
import { defineRecogniser } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

/** A merged run of MAKER: `P.all.gff`, with its evidence and, unless told otherwise, the genome behind `##FASTA`. */
export default defineRecogniser({
  id: 'maker',
  title: { en: 'MAKER annotation', zh: 'MAKER 注释' },
  order: 90,
  recognise: (files) => {
    const runs = findRuns(
      files,
      (file) =>
        file.format === 'gff3' &&
        says(file, /\tmaker\t(gene|mRNA|exon|CDS)\t|^\S+\t\.\tcontig\t/) &&
        says(file, /\tmaker\t|\.maker\./),
    )
    return recogniseRuns(
      runs,
      () => ({}),
      (file, { group }) => {
        if (file.format === 'gff3') return { file, what: texts.gff3, take: 'genes', group, rank: 1 }
        if (file.format === 'fasta-protein') return { file, what: texts.proteins, take: 'none', why: texts.derived }
        if (file.format === 'fasta-dna' && /transcripts/.test(file.name))
          return { file, what: texts.rna, take: 'none', why: texts.derived }
        return null
      },
    )
  },
})
