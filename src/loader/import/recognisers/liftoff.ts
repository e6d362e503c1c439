import { findRuns, recogniseRuns, says } from '../annotator.ts'
import { defineRecogniser, type InputFile, type Text } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

const unmapped: Text = { en: 'genes that were not carried over', zh: '未能迁移的基因' }

/** A name a line; the file is called as its user likes (`-u`). */
const isUnmapped = ({ name, lines }: InputFile): boolean =>
  /unmapped/i.test(name) && lines.every((line) => /^\S*$/.test(line))

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
      runs.map((run) => ({
        ...run,
        files: [run.genes, ...files.filter((file) => file.folder === run.genes.folder && isUnmapped(file))],
      })),
      () => ({}),
      (file, { group }) =>
        isUnmapped(file)
          ? { file, what: unmapped, take: 'none', why: texts.nothing }
          : { file, what: texts.gff3, take: 'genes', group, rank: 1 },
    )
  },
})
