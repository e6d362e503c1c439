import type { DefectCatalogue } from '../bio/text/defects.ts'

/** Of what the manifest names, whoever reads it: its files, and the programs that work on them. */
export const inputDefects = {
  'file-missing': {
    severity: 'error',
    en: 'The file does not exist.',
    zh: '找不到该文件。',
  },
  'file-outside-folder': {
    severity: 'error',
    en: 'The entry {entry} points to a file outside the species folder, which cannot be read in a load from the page: move the file into the folder, or load the folder with the command novodb load.',
    zh: '条目 {entry} 指向物种文件夹以外的文件，从页面加载时不予读取：请把该文件放入文件夹内，或改用命令 novodb load 加载。',
  },
  'file-not-a-file': {
    severity: 'error',
    en: 'This is not a file.',
    zh: '这不是一个文件。',
  },
  'file-no-folder': {
    severity: 'error',
    en: 'This is not a folder.',
    zh: '这不是一个文件夹。',
  },
  'file-empty': {
    severity: 'error',
    en: 'The file is empty.',
    zh: '文件为空。',
  },
  'file-too-large': {
    severity: 'error',
    en: 'The file exceeds {limit} MB, the maximum for a file of this kind.',
    zh: '文件大于此类文件可读取的上限（{limit} MB）。',
  },
  'file-damaged': {
    severity: 'error',
    en: 'The file is damaged: {reason}',
    zh: '文件已损坏：{reason}',
  },
  'program-missing': {
    severity: 'warning',
    en: '{program} is not installed, so {purpose} was left out; install the package {package} and load again.',
    zh: '未安装 {program}，故略去 {purpose}；请安装软件包 {package} 后重新加载。',
  },
} as const satisfies DefectCatalogue
