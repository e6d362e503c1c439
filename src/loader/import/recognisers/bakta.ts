import { annotationTable, describeRunFile, findRuns, readLine, recogniseRuns, says } from '../annotator.ts'
import { defineRecogniser } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

/** A run of Bakta: its GFF3 before its GenBank, and the genome as it named the sequences. */
export default defineRecogniser({
  id: 'bakta',
  title: { en: 'Bakta annotation', zh: 'Bakta 注释' },
  order: 50,
  recognise: (files) => {
    const runs = findRuns(files, (file) => file.format === 'gff3' && says(file, /^# Annotated with Bakta/i))
    return recogniseRuns(
      runs,
      ({ genes }) => {
        const organism = readLine(genes, /^# organism (.+)$/i)
        return {
          ...(organism === undefined ? {} : { organism }),
          // Its GFF3 does not say the code; where its GenBank lies beside it, that does.
          geneticCode: 11,
        }
      },
      (file, { group, prefix }) => {
        const table =
          file.name === `${prefix}.tsv` && says(file, /^#Sequence Id\t/) ? annotationTable(file, group) : null
        if (table !== null) return table
        if (/\.hypotheticals\.|\.inference\./.test(file.name))
          return { file, what: texts.table, take: 'none', why: texts.nothing }
        return describeRunFile(file, group)
      },
    )
  },
})
