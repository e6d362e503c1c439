import { annotationTable, describeRunFile, findRuns, readLine, recogniseRuns, says } from '../annotator.ts'
import { defineRecogniser } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

/** A run of Prokka: GFF3 with the sequences behind it, told by the programs of its second column. */
export default defineRecogniser({
  id: 'prokka',
  title: { en: 'Prokka annotation', zh: 'Prokka 注释' },
  order: 60,
  recognise: (files) => {
    const runs = findRuns(
      files,
      (file) =>
        file.format === 'gff3' &&
        says(file, /\t(prokka|Prodigal:\d+|Aragorn:\d+|Infernal:\d+|barrnap:[\d.]+)\t/) &&
        says(file, /\tID=\w+;.*(locus_tag|inference)=/),
    )
    return recogniseRuns(
      runs,
      ({ files: own, prefix }) => {
        const summary = own.find(({ name }) => name === `${prefix}.txt`)
        const organism = summary === undefined ? undefined : readLine(summary, /^organism:\s*(.+)$/)
        return {
          // What nobody said is "Genus species strain" there.
          ...(organism === undefined || /^Genus species/.test(organism) ? {} : { organism }),
          geneticCode: 11,
        }
      },
      (file, { group, prefix }) => {
        if (file.name.endsWith('.fsa')) return { file, what: texts.genome, take: 'none', why: texts.sameGenome }
        const table = file.name === `${prefix}.tsv` ? annotationTable(file, group) : null
        return table ?? describeRunFile(file, group)
      },
    )
  },
})
