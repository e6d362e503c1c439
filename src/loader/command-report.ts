import {
  type Defect,
  type DefectCatalogue,
  type DefectLanguage,
  type DefectTotal,
  defectText,
} from '../bio/text/defects.ts'
import { loadStepText, portalStageFraction, stemOfStep } from '../contracts/load-steps.ts'
import type { RunningLoad } from '../database/catalogue.ts'
import type { LoadSpace } from './load-space.ts'
import type { LoadReport } from './load-species.ts'
import type { LoadStopped } from './load-turn.ts'

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

const words = {
  en: {
    error: 'error',
    repair: 'repaired',
    warning: 'warning',
    more: (count: number, hint: string) => `… and ${count} more of this kind${hint}`,
    hint: ' (--all lists them)',
    summary: (errors: number, repairs: number, warnings: number) =>
      [counted(errors, 'error'), counted(repairs, 'repair'), counted(warnings, 'warning')].join(', '),
  },
  zh: {
    error: '错误',
    repair: '已修复',
    warning: '警告',
    more: (count: number, hint: string) => `……另有 ${count} 处同类问题${hint}`,
    hint: '（加 --all 全部列出）',
    summary: (errors: number, repairs: number, warnings: number) =>
      `${errors} 个错误，${repairs} 处修复，${warnings} 个警告`,
  },
} as const

/** Of each kind so many are told with their places: a file with one habit has it thousands of times. Of errors more, since each is mended. */
const shownOfKind = { error: 20, repair: 3, warning: 3 } as const

/**
 * Defects as a person reads them in a terminal: `file:line: severity: text`, those of a kind together, totals at the end. Of each kind the
 * first, or with `all` every one that was kept; `hint` says that there is such a choice.
 */
export const renderDefects = (
  defects: readonly Defect[],
  totals: readonly DefectTotal[],
  catalogue: DefectCatalogue,
  language: DefectLanguage,
  { all = false, hint = false }: { all?: boolean; hint?: boolean } = {},
): string => {
  const lines: string[] = []
  const text = words[language]
  for (const total of totals) {
    const kept = defects.filter((defect) => defect.code === total.code)
    const shown = all ? kept : kept.slice(0, shownOfKind[total.severity])
    for (const defect of shown) {
      const place = defect.line === null ? defect.file : `${defect.file}:${defect.line}`
      lines.push(`${place}: ${text[defect.severity]}: ${defectText(defect, catalogue, language)}`)
    }
    if (total.count > shown.length)
      lines.push(`    ${text.more(total.count - shown.length, hint && !all ? text.hint : '')}`)
  }
  const count = (severity: Defect['severity']): number =>
    totals.filter((total) => total.severity === severity).reduce((sum, total) => sum + total.count, 0)
  if (totals.length > 0) lines.push(text.summary(count('error'), count('repair'), count('warning')))
  return lines.join('\n')
}

type TitleOf = (tool: string) => string | null

/**
 * What a load waits for, in one line: which load, of which species, in which stage, since when. `key` changes when there is something new
 * to
 * tell but for the share that is done.
 */
export const renderWaiting = (
  running: RunningLoad | null,
  language: DefectLanguage,
  titleOf: TitleOf,
): { text: string; key: string } => {
  if (running === null)
    return { key: '', text: language === 'zh' ? '等待另一项加载结束' : 'waiting for another load to end' }
  const { id, species, step, fraction } = running
  const clock = (at: Date): string => at.toTimeString().slice(0, 8)
  const stage = loadStepText(step, language, titleOf)
  const [started, since] = [clock(running.startedAt), clock(running.stepSince)]
  const serves = fraction >= portalStageFraction
  return {
    key: `${id} ${stemOfStep(step)}`,
    text:
      language === 'zh'
        ? `等待 ${species} 的加载（第 ${id} 号，${started} 开始${serves ? '，已投入使用' : ''}）；当前阶段：${stage}（${since} 起）`
        : `waiting for load ${id} of ${species}, begun at ${started}${serves ? ' and in service' : ''}; it is at: ${stage} (since ${since})`,
  }
}

/** For what space a load waits, in one line; `key` changes when there is something new to tell but for what is free. */
export const renderSpace = (
  { folder, neededBytes, freeBytes }: LoadSpace,
  language: DefectLanguage,
): { text: string; key: string } => {
  const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`
  const key = `space ${folder} ${neededBytes}`
  if (folder === null || neededBytes === null || freeBytes === null)
    return {
      key,
      text:
        language === 'zh'
          ? '数据库服务器的磁盘已满；腾出空间后将自动继续加载'
          : 'the disk of the database server is full; the load goes on by itself once there is space',
    }
  return {
    key,
    text:
      language === 'zh'
        ? `${folder} 所在磁盘已满：至少需要 ${gigabytes(neededBytes)} 可用空间，目前为 ${gigabytes(freeBytes)}；腾出空间后将自动继续加载`
        : `the disk that holds ${folder} is full: at least ${gigabytes(neededBytes)} must be free, ${gigabytes(freeBytes)} are; the load goes on by itself once there is space`,
  }
}

/** One sentence about a load that was told to stop. */
export const renderStopped = ({ species, release }: LoadStopped, language: DefectLanguage): string => {
  if (release === null)
    return language === 'zh'
      ? '已停止：未作任何更改，原数据版本继续使用。'
      : 'Stopped: nothing was changed; the release before stays in service.'
  return language === 'zh'
    ? `已停止：${species} 的数据版本 ${release} 已投入使用；跨基因组的计算将在下次加载时进行。`
    : `Stopped: release ${release} of ${species} is in service; what is computed over all assemblies is done by the next load.`
}

/** That what is computed over all assemblies was left to a load that comes after this one. */
export const portalLeftText: Record<DefectLanguage, string> = {
  en: 'What is computed over all assemblies is done once, after the last of the loads that wait.',
  zh: '跨基因组的计算将在最后一项等待中的加载完成后统一进行一次。',
}

type Followed = NonNullable<LoadReport['assemblies'][number]['followed']>

/** What has become of the genes before, in one line. */
export const followedText = (counts: Followed, language: DefectLanguage): string => {
  const words: Record<keyof Followed, string> =
    language === 'zh'
      ? {
          same: '不变',
          renamed: '改名',
          split: '拆分',
          merged: '合并',
          gone: '消失',
          elsewhere: '编号改指其他基因',
          new: '新增',
        }
      : {
          same: 'the same',
          renamed: 'renamed',
          split: 'split',
          merged: 'merged',
          gone: 'gone',
          elsewhere: 'ids that mean another gene now',
          new: 'new',
        }
  const parts = (Object.keys(words) as (keyof Followed)[])
    .filter((key) => counts[key] > 0)
    .map((key) => `${counts[key]} ${words[key]}`)
  return language === 'zh'
    ? `与原注释相比的基因：${parts.join('、')}`
    : `genes compared with before: ${parts.join(', ')}`
}

export const exportTexts = {
  en: { step: 'writing files', stopped: 'Stopped: the same command goes on from there.' },
  zh: { step: '写出文件', stopped: '导出已停止；再次运行同一命令即可继续。' },
} as const satisfies Record<DefectLanguage, { step: string; stopped: string }>

/** What an export has written, and how it is loaded elsewhere. */
export const renderExported = (
  { species, folder, files, bytes }: { species: string; folder: string; files: number; bytes: number },
  language: DefectLanguage,
): string => {
  const size = bytes < 1e8 ? `${(bytes / 1e6).toFixed(2)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
  return language === 'zh'
    ? `${species}：${files} 个文件（${size}）和 species.yaml 已写入 ${folder}。`
    : `${species}: ${counted(files, 'file')} (${size}) and species.yaml are in ${folder}.`
}
