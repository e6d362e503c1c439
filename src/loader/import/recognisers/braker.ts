import { findRuns, recogniseRuns, says } from '../annotator.ts'
import { defineRecogniser, type InputFile } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

/** Genes of its programs, hints and logs, beside `braker.gtf` or in the folders of the programs; `braker.gtf` was chosen from them. */
const isStep = ({ folder, name }: InputFile, home: string): boolean =>
  (folder === home &&
    /^(augustus\.\S+\.(gtf|gff3?|aa|codingseq)|genemark\S*\.gtf|hintsfile\.gff|genome_header\.map|what-to-cite\.txt)$/.test(
      name,
    )) ||
  ((home === '' || folder.startsWith(`${home}/`)) &&
    /^(Augustus|GeneMark-\w+|GenomeThreader|errors|species|bam2wig|prothint|varus)(\/|$)/.test(
      home === '' ? folder : folder.slice(home.length + 1),
    ))

/**
 * A run of BRAKER: `braker.gtf` before `braker.gff3`, which before 3.0.4 lacks the genes of GeneMark. Its gene lines have bare
 * identifiers in the last column.
 */
export default defineRecogniser({
  id: 'braker',
  title: { en: 'BRAKER annotation', zh: 'BRAKER 注释' },
  order: 80,
  recognise: (files) => {
    const isRun = (file: (typeof files)[number]): boolean =>
      /^braker\d?\.gtf(\.gz)?$/.test(file.name) &&
      file.format === 'gtf' &&
      says(file, /\t(AUGUSTUS|GeneMark\S*|gmst)\t/)
    return recogniseRuns(
      findRuns(files, isRun).map((run) => ({
        ...run,
        files: [...run.files, ...files.filter((file) => isStep(file, run.genes.folder))],
      })),
      () => ({}),
      (file, { group }) => {
        if (!file.name.startsWith('braker')) return { file, what: texts.step, take: 'none', why: texts.inGenes }
        if (file.format === 'gtf') return { file, what: texts.gtf, take: 'genes', group, rank: 1 }
        if (file.format === 'gff3') return { file, what: texts.gff3, take: 'genes', group, rank: 2 }
        if (file.format === 'fasta-dna') return { file, what: texts.cds, take: 'none', why: texts.derived }
        if (file.format === 'fasta-protein') return { file, what: texts.proteins, take: 'none', why: texts.derived }
        return { file, what: texts.log, take: 'none', why: texts.nothing }
      },
    )
  },
})
