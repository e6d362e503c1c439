import { findRuns, recogniseRuns, says } from '../annotator.ts'
import { defineRecogniser } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

/** Genes that Liftoff carried over from another assembly. */
export default defineRecogniser({
  id: 'liftoff',
  title: { en: 'Liftoff annotation', zh: 'Liftoff 注释' },
  order: 100,
  recognise: (files) => {
    const runs = findRuns(
      files,
      (file) => file.format === 'gff3' && (says(file, /^# Liftoff v/) || says(file, /\tLiftoff\t/)),
    )
    return recogniseRuns(
      runs.map((run) => ({ ...run, files: [run.genes] })),
      () => ({}),
      (file, { group }) => ({ file, what: texts.gff3, take: 'genes', group, rank: 1 }),
    )
  },
})
