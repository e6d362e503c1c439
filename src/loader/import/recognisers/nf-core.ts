import { says } from '../annotator.ts'
import { defineRecogniser, type Finding, type InputFile, type Text } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

const kinds = {
  run: { en: 'report of a run of nf-core', zh: 'nf-core 流程的运行报告' },
  quality: { en: 'quality control of a run of nf-core', zh: 'nf-core 流程的质量控制结果' },
  reads: { en: 'aligned reads', zh: '比对的 reads' },
  calls: { en: 'variants', zh: '变异' },
  intermediate: { en: 'intermediate file of a run of nf-core', zh: 'nf-core 流程的中间文件' },
} satisfies Record<string, Text>

const why = {
  recalibrated: { en: 'the recalibrated reads of the sample are taken', zh: '使用该样本经校正的 reads' },
  filtered: { en: 'the filtered variants of the sample are taken', zh: '使用该样本过滤后的变异' },
  blocks: {
    en: 'it also lists what is as in the reference; the variants without these are taken',
    zh: '其中包含与参考相同的区段；使用不含这些区段的变异文件',
  },
  annotated: {
    en: 'the variants themselves are taken; their effects are predicted at the load',
    zh: '使用变异文件本身，其效应在加载时预测',
  },
} satisfies Record<string, Text>

/** Folders of what a run says of itself, and of its data: below the run's own folder, or that of an aligner. */
const reports = /^(pipeline_info|csv)\//
const quality =
  /^([^/]+\/)?(multiqc|fastqc|fastp|trimgalore|fq_lint|umitools|sortmerna|bbsplit|preseq|qualimap|rseqc|dupradar|picard_metrics|samtools_stats|deseq2_qc|featurecounts|kraken_reports|bracken|unaligned|contaminants|reports|multiqc_report_data)\//

/** gVCF and its like: GATK, DeepVariant, Strelka. */
const isBlocks = (path: string): boolean => /\.(g|genome)\.vcf\.gz$/.test(path)

/**
 * What lies in the folder of results of nf-core/rnaseq and nf-core/sarek beside what is taken (merged tables, aligned reads, signals,
 * variants), known by the folder in which the pipeline tells of the run. Layout: nf-co.re/rnaseq and nf-co.re/sarek, "Output".
 */
export default defineRecogniser({
  id: 'nf-core',
  title: { en: 'nf-core', zh: 'nf-core' },
  order: 290,
  recognise: (files, { all }) => {
    const isOfRun = (file: InputFile): boolean =>
      /(^|\/)pipeline_info$/.test(file.folder) &&
      (/^(execution_(report|timeline|trace)|pipeline_dag|params|manifest)|software.*versions\.ya?ml$/.test(file.name) ||
        says(file, /^Workflow:$|nf-core/))
    const roots = new Set(all.filter(isOfRun).map(({ folder }) => folder.replace(/\/?pipeline_info$/, '')))
    const pathInRun = ({ path }: InputFile): string | null => {
      for (const root of roots)
        if (root === '' || path.startsWith(`${root}/`)) return path.slice(root === '' ? 0 : root.length + 1)
      return null
    }
    const paths = new Set(all.map(({ path }) => path))
    const hasCalls = all.some(({ path, format }) => format === 'vcf' && /(^|\/)variant_calling\//.test(path))
    const isReads = ({ format }: InputFile): boolean => format === 'bam' || format === 'cram'
    const readFolders = new Set(all.filter(isReads).map(({ folder }) => folder))
    const describe = (file: InputFile): Finding | null => {
      const path = pathInRun(file)
      if (path === null) return null
      // The sheet of samples that the pipeline has checked is a sheet, wherever it lies.
      if (/samplesheet.*\.csv$/.test(file.name)) return null
      const left = (what: Text, reason: Text = texts.nothing): Finding => ({ file, what, take: 'none', why: reason })
      if (reports.test(path)) return left(kinds.run)
      if (quality.test(path)) return left(kinds.quality)
      if (/\.(rds|RData|recal\.table|loom)$/i.test(path) || /\.(cnr|cnn|cns|bintest)$/.test(path))
        return left(kinds.intermediate)
      if (isReads(file) && /^preprocessing\/(markduplicates|mapped)\//.test(path)) {
        const recalibrated = file.folder.replace(
          /preprocessing\/(markduplicates|mapped)\//,
          'preprocessing/recalibrated/',
        )
        if (readFolders.has(recalibrated)) return left(kinds.reads, why.recalibrated)
      }
      if (file.format !== 'vcf') return null
      if (isBlocks(path)) return left(kinds.calls, why.blocks)
      if (hasCalls && /^annotation\//.test(path)) return left(kinds.calls, why.annotated)
      const filtered = file.path.replace(/\.vcf\.gz$/, '.filtered.vcf.gz')
      return filtered !== file.path && paths.has(filtered) ? left(kinds.calls, why.filtered) : null
    }
    return { findings: files.flatMap((file) => describe(file) ?? []) }
  },
})
