import { annotationTable, describeRunFile, findRuns, recogniseRuns, says } from '../annotator.ts'
import { defineRecogniser } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

/** Results of funannotate predict, update or annotate. */
export default defineRecogniser({
  id: 'funannotate',
  title: { en: 'funannotate annotation', zh: 'funannotate 注释' },
  order: 70,
  recognise: (files) => {
    const runs = findRuns(files, (file) => file.format === 'gff3' && says(file, /\tfunannotate\t/))
    return recogniseRuns(
      runs,
      ({ prefix }) => {
        // Its files are named by the species and the strain that it was told.
        const organism = /^[A-Z][a-z]+_[a-z]+(_.+)?$/.test(prefix) ? prefix.replaceAll('_', ' ') : undefined
        return organism === undefined ? {} : { organism }
      },
      (file, { group, prefix }) => {
        const { name } = file
        if (name === `${prefix}.scaffolds.fa`) return { file, what: texts.genome, take: 'genome', group }
        if (/\.contigs\.fsa$/.test(name)) return { file, what: texts.genome, take: 'none', why: texts.sameGenome }
        if (/\.(cds-transcripts|mrna-transcripts|transcripts)\.fa$/.test(name))
          return { file, what: texts.rna, take: 'none', why: texts.derived }
        if (/\.annotations\.txt$/.test(name))
          return annotationTable(file, group) ?? { file, what: texts.annotation, take: 'none', why: texts.notYet }
        return describeRunFile(file, group)
      },
    )
  },
})
