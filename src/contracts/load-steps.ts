import { remainingMs } from './remaining-time.ts'

/** From this fraction on a load's species is in service, and what is computed over all assemblies is under way. */
export const portalStageFraction = 0.99

/** Whether what a load brings is in service: also while genomes are still compared. */
export const isServing = ({ state, fraction }: { state: string; fraction: number }): boolean =>
  state === 'done' || ((state === 'running' || state === 'waiting') && fraction >= portalStageFraction)

/**
 * In place of a tool's id, for parts of loads among jobs: what a load computes over all assemblies and any process can compute by itself,
 * such as the search of one proteome in another.
 */
export const loadPartTool = 'load'

/** Steps of a load that are the loader's own; a tool's step is its id. */
const words = {
  en: {
    waiting: 'waiting',
    'disk full': 'the disk is full',
    ontologies: 'ontologies',
    checksums: 'checksums',
    genome: 'genome',
    genes: 'gene models',
    products: 'transcripts and proteins',
    annotation: 'annotation',
    catalogue: 'genes into the database',
    download: 'files for download',
    indexes: 'indexes',
    inputs: 'keeping the input files',
    'in service': 'in service',
    'search tables': 'merging search tables',
  },
  zh: {
    waiting: '等待中',
    'disk full': '磁盘已满',
    ontologies: '本体',
    checksums: '校验值',
    genome: '基因组',
    genes: '基因模型',
    products: '转录本与蛋白质',
    annotation: '功能注释',
    catalogue: '基因写入数据库',
    download: '下载文件',
    indexes: '索引',
    inputs: '保存输入文件',
    'in service': '已投入使用',
    'search tables': '合并搜索表',
  },
} as const

/** Pairs of assemblies that are compared: how many of how many are done, and how many further processes work on them. */
interface PairsDone {
  done: number
  total: number
  workers: number
}

/**
 * The step of a load that computes over all assemblies for a tool, `fraction` of it done.
 *
 * Example: `portalStep('homologs', 0.371, { done: 12, total: 45, workers: 3 })` is `homologs 37 % 12/45+3`.
 */
export const portalStep = (tool: string, fraction: number, pairs?: PairsDone): string =>
  `${tool} ${Math.round(fraction * 100)} %${pairs === undefined ? '' : ` ${pairs.done}/${pairs.total}+${pairs.workers}`}`

const pairsText = ({ done, total, workers }: PairsDone, language: 'en' | 'zh'): string => {
  if (language === 'zh') return `已完成 ${done}/${total} 对${workers === 0 ? '' : `，另有 ${workers} 个工作进程参与`}`
  const helping = workers === 0 ? '' : `, ${workers} ${workers === 1 ? 'worker helps' : 'workers help'}`
  return `${done} of ${total} pairs${helping}`
}

/** A step as a load's log has it, which is written to when that changes: a thousand assemblies have half a million pairs. */
export const logStep = (step: string): string => step.replace(/ \d+\/\d+\+\d+$/, '')

/** A step without the share done of it: steps of one stage have one stem. */
export const stemOfStep = (step: string): string => logStep(step).replace(/ \d+ %$/, '')

/**
 * How far a load is: until its species is in service, and from then on in what it computes over all assemblies, whose step says it; null
 * where that one does not. With it, in milliseconds by the rate so far, what is left; null where that cannot be said.
 *
 * Example: a load that is in service and has computed `homologs 25 %` for a minute has 0.25 of it done and 180000 ms left.
 */
export const loadProgress = (
  load: { step: string; fraction: number; runningSince: string | null; stepSince: string | null },
  nowMs: number,
): { fraction: number | null; leftMs: number | null } => {
  const isInService = load.fraction >= portalStageFraction
  const share = / (\d+) %/.exec(load.step)?.[1]
  const fraction = !isInService ? load.fraction / portalStageFraction : share === undefined ? null : Number(share) / 100
  const since = isInService ? load.stepSince : load.runningSince
  return { fraction, leftMs: since === null ? null : remainingMs(nowMs - Date.parse(since), fraction) }
}

/**
 * A load's step in words. `titleOf` says how a tool is called, or null for what is no tool.
 *
 * Example: `SK1: genes` in Chinese is `SK1：基因模型`; `homologs 37 % 12/45+3` is the title of that tool and
 * `37 % (12 of 45 pairs, 3 workers help)`.
 */
export const loadStepText = (
  step: string,
  language: 'en' | 'zh',
  titleOf: (tool: string) => string | null = () => null,
): string => {
  const [, owner, stem, share, done, total, workers] = /^(?:(.*): )?(.*?)( \d+ %)?(?: (\d+)\/(\d+)\+(\d+))?$/.exec(
    step,
  )!
  const own = words[language] as Record<string, string>
  const title = own[stem!] ?? titleOf(stem!) ?? stem!
  const counts = pairsText({ done: Number(done), total: Number(total), workers: Number(workers) }, language)
  const pairs = total === undefined ? '' : language === 'zh' ? `（${counts}）` : ` (${counts})`
  return `${owner === undefined ? '' : `${owner}${language === 'zh' ? '：' : ': '}`}${title}${share ?? ''}${pairs}`
}
