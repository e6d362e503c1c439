/** From this fraction on a load's species is in service, and what is computed over all assemblies is under way. */
export const portalStageFraction = 0.99

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
    indexes: 'indexes',
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
    indexes: '索引',
    'in service': '已投入使用',
    'search tables': '合并搜索表',
  },
} as const

/** A step without the share done of it: steps of one stage have one stem. */
export const stemOfStep = (step: string): string => step.replace(/ \d+ %$/, '')

/**
 * A load's step in words. `titleOf` says how a tool is called, or null for what is no tool.
 *
 * Example: `SK1: genes` in Chinese is `SK1：基因模型`; `homologs 37 %` is the title of that tool and `37 %`.
 */
export const loadStepText = (
  step: string,
  language: 'en' | 'zh',
  titleOf: (tool: string) => string | null = () => null,
): string => {
  const [, owner, stem, share] = /^(?:(.*): )?(.*?)( \d+ %)?$/.exec(step)!
  const own = words[language] as Record<string, string>
  const title = own[stem!] ?? titleOf(stem!) ?? stem!
  return `${owner === undefined ? '' : `${owner}${language === 'zh' ? '：' : ': '}`}${title}${share ?? ''}`
}
