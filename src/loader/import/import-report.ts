import type { DefectLanguage } from '../../bio/text/defects.ts'
import type { AddedEntry, AddReport } from './add-to-species.ts'
import type { Account, Question } from './compose.ts'
import type { ImportReport, ImportStep } from './import-species.ts'

const words = {
  en: {
    recognised: 'Recognised',
    files: (count: number) => `${count} file${count === 1 ? '' : 's'}`,
    sequences: (count: number, size: string) => `${count} sequence${count === 1 ? '' : 's'}, ${size}`,
    none: 'Known, not loaded',
    read: 'Read',
    notPlaced: 'Of no assembly here',
    unknown: 'Not recognised',
    more: (count: number) => `… and ${count} more`,
    because: (what: string, why: string) => `${what}; ${why}`,
    note: (text: string) => ` (${text})`,
    colon: ': ',
    comma: ', ',
    written: 'Written',
    kept: 'There already, and loaded as it stands (--rewrite writes it anew)',
    wouldBe: 'Would be written',
    open: 'To be checked in species.yaml, at the lines marked CHECK',
    openNext:
      'Nothing was loaded. Check the marked lines, take the marks away, and run the command again; with --yes the lines are taken as they are.',
    nothing: 'none',
    adds: (species: string) => `Added to ${species}`,
    wouldAdd: (species: string) => `Would be added to ${species}`,
    removes: (species: string) => `Taken out of ${species}`,
    wouldRemove: (species: string) => `Would be taken out of ${species}`,
    replaces: 'in place of the one before',
    manifest: (file: string, kept: string) => `Written: ${file} (before: ${kept})`,
    openAdded: 'These questions have to be answered, in a terminal or by --yes; nothing was written',
    steps: {
      unpack: 'unpacking',
      look: 'looking at the files',
      recognise: 'recognising',
      wait: 'waiting for another addition to end',
    },
  },
  zh: {
    recognised: '已识别',
    files: (count: number) => `${count} 个文件`,
    sequences: (count: number, size: string) => `${count} 条序列，${size}`,
    none: '已识别，不加载',
    read: '已读取',
    notPlaced: '不属于此处任何组装版本',
    unknown: '未识别',
    more: (count: number) => `……另有 ${count} 个`,
    because: (what: string, why: string) => `${what}；${why}`,
    note: (text: string) => `（${text}）`,
    colon: '：',
    comma: '、',
    written: '已写入',
    kept: '已存在，按现有内容加载（加 --rewrite 可重新生成）',
    wouldBe: '将写入',
    open: '请核对 species.yaml 中标有“请核对”的各行',
    openNext: '尚未加载。请核对所标各行，删去标记后再次运行该命令；加 --yes 则直接采用这些值。',
    nothing: '无',
    adds: (species: string) => `已添加到 ${species}`,
    wouldAdd: (species: string) => `将添加到 ${species}`,
    removes: (species: string) => `已从 ${species} 移除`,
    wouldRemove: (species: string) => `将从 ${species} 移除`,
    replaces: '替换原有条目',
    manifest: (file: string, kept: string) => `已写入：${file}（原清单：${kept}）`,
    openAdded: '以下问题需在终端中回答，或加 --yes；尚未写入',
    steps: { unpack: '解压', look: '查看文件', recognise: '识别', wait: '等待另一次添加完成' },
  },
} as const

/** Files of a kind that are told one by one. */
const toldFiles = 40

const sizeOf = (bp: number): string =>
  bp >= 1e9 ? `${(bp / 1e9).toFixed(2)} Gb` : bp >= 1e6 ? `${(bp / 1e6).toFixed(2)} Mb` : `${(bp / 1e3).toFixed(1)} kb`

export const importStepText = (step: ImportStep, language: DefectLanguage): string => words[language].steps[step]

/** What was given, file by file, and what becomes of it, as a person reads it in a terminal. */
export const renderImport = (report: ImportReport, language: DefectLanguage): string => {
  const text = words[language]
  const lines: string[] = []
  if (report.sources.length > 0) {
    const sources = report.sources.map(({ title, files }) => title[language] + text.note(text.files(files)))
    lines.push(text.recognised + text.colon + sources.join(text.comma))
  }
  const taken = (accounts: readonly Account[]): string[] => {
    const width = Math.max(...accounts.map(({ entry }) => (entry ?? '').length))
    return accounts.map(
      ({ entry, file, what }) => `    ${(entry ?? '').padEnd(width)}  ${file.path}${text.note(what[language])}`,
    )
  }
  const of = (state: Account['state']): Account[] => report.accounts.filter((account) => account.state === state)
  for (const species of report.species) {
    lines.push('', `${species.name} [${species.id}]`)
    for (const assembly of species.assemblies) {
      const size =
        assembly.counts === null
          ? ''
          : `  ${text.sequences(assembly.counts.sequences, sizeOf(assembly.counts.totalBp))}`
      lines.push(`  ${assembly.id}${size}`)
      const own = of('taken').filter((account) => account.assembly === assembly.id)
      if (own.length > 0) lines.push(...taken(own))
    }
    const shared = of('taken').filter((account) => account.assembly === undefined)
    if (shared.length > 0) lines.push(...taken(shared))
  }
  lines.push(...renderRest(report.accounts, language))
  for (const { file, state } of report.manifests) {
    const title = { written: text.written, kept: text.kept, 'would-be': text.wouldBe }[state]
    lines.push('', title + text.colon + file)
  }
  return lines.join('\n').trimStart()
}

/** Files that no entry names, and why. */
const renderRest = (all: readonly Account[], language: DefectLanguage): string[] => {
  const text = words[language]
  const lines: string[] = []
  const of = (state: Account['state']): Account[] => all.filter((account) => account.state === state)
  const list = (title: string, accounts: readonly Account[]): void => {
    if (accounts.length === 0) return
    lines.push('', (title + text.colon).trimEnd())
    for (const { file, what, why, state } of accounts.slice(0, toldFiles)) {
      const note =
        state === 'unknown'
          ? ''
          : `${text.note(why === undefined ? what[language] : text.because(what[language], why[language]))}`
      lines.push(`    ${file.path}${note}`)
    }
    if (accounts.length > toldFiles) lines.push(`    ${text.more(accounts.length - toldFiles)}`)
  }
  list(text.read, of('read'))
  list(text.none, of('none'))
  list(text.notPlaced, of('not-placed'))
  list(text.unknown, of('unknown'))
  return lines
}

/** An entry as it is named to take it out again. */
export const nameEntry = ({ assembly, entry, id }: Omit<AddedEntry, 'replaces'>): string =>
  [assembly, entry, id].filter((part) => part !== null).join('/')

/** What is added to a species that is loaded, or taken out of it. */
export const renderAddition = (
  { home, added, manifest, open, accounts }: Pick<AddReport, 'home' | 'added' | 'manifest' | 'open' | 'accounts'>,
  removed: boolean,
  language: DefectLanguage,
): string => {
  const text = words[language]
  const lines: string[] = []
  if (home !== null && added.length > 0) {
    const isWritten = manifest?.kept != null
    const title = removed ? (isWritten ? text.removes : text.wouldRemove) : isWritten ? text.adds : text.wouldAdd
    lines.push((title(home) + text.colon).trimEnd())
    for (const entry of added) lines.push(`    ${nameEntry(entry)}${entry.replaces ? text.note(text.replaces) : ''}`)
  }
  lines.push(...renderRest(accounts, language))
  if (open.length > 0) {
    lines.push('', (text.openAdded + text.colon).trimEnd())
    for (const { text: question, fallback } of open)
      lines.push(`    ${question[language]}${text.colon}${fallback ?? text.nothing}`)
  }
  if (manifest !== null && manifest.kept !== null) lines.push('', text.manifest(manifest.file, manifest.kept))
  return lines.join('\n').trimStart()
}

/** What nobody answered, and what to do about it; nothing is listed of a manifest that was there before. */
export const renderOpen = (open: readonly Question[], language: DefectLanguage): string => {
  const text = words[language]
  const questions = open.map(
    ({ text: question, fallback }) => `    ${question[language]}${text.colon}${fallback ?? text.nothing}`,
  )
  return [(text.open + text.colon).trimEnd(), ...questions, text.openNext].join('\n')
}

/** A question with its choices, as it is asked in a terminal. */
export const renderQuestion = ({ text, choices, fallback }: Question, language: DefectLanguage): string => {
  const lines = (choices ?? []).map((choice, at) => `  ${at + 1}. ${choice.text[language]}`)
  const at = choices?.findIndex(({ value }) => value === fallback) ?? -1
  const shown = fallback === null ? '' : ` [${at < 0 ? fallback : at + 1}]`
  return [text[language], ...lines, `>${shown} `].join('\n')
}

/** What an answer of a person means: the number of a choice, the choice itself, or nothing for the fallback; null where it means none. */
export const readAnswer = (answer: string, question: Question): string | null => {
  const { choices, fallback, isValid } = question
  const given = answer.trim()
  if (given === '') return fallback
  if (choices === null) return isValid === undefined || isValid(given) ? given : null
  return choices.find(({ value }) => value === given)?.value ?? choices[Number(given) - 1]?.value ?? null
}

/** As programs read it: every file, what becomes of it, and the manifests. */
export const importJson = (report: ImportReport) => ({
  files: filesJson(report.accounts),
  manifests: report.manifests,
  questions: report.open.map(({ id, text, fallback }) => ({ id, text, fallback })),
  defects: report.log.defects,
  totals: report.log.totals(),
  ok: !report.log.hasErrors,
})

/** The same of an addition. */
export const additionJson = ({ accounts, home, added, manifest, open, log }: AddReport) => ({
  files: filesJson(accounts),
  species: home,
  added,
  manifest,
  questions: open.map(({ id, text, fallback }) => ({ id, text, fallback })),
  defects: log.defects,
  totals: log.totals(),
  ok: !log.hasErrors,
})

const filesJson = (accounts: readonly Account[]) =>
  accounts.map(({ file, what, state, entry, assembly, why }) => ({
    path: file.path,
    format: file.format,
    what,
    state,
    ...(entry === undefined ? {} : { entry }),
    ...(assembly === undefined ? {} : { assembly }),
    ...(why === undefined ? {} : { why }),
  }))
