import type { DefectCatalogue } from '../bio/text/defects.ts'

/** Of what `novodb export` is asked for. */
export const exportDefects = {
  'export-species-unknown': {
    severity: 'error',
    en: 'No species {species} is in service; there are: {known}.',
    zh: '没有已投入使用的物种 {species}；现有：{known}。',
  },
  'export-inputs-not-kept': {
    severity: 'error',
    en: '{part} was loaded by a version that did not keep the input files. Load its folder again, then export.',
    zh: '{part} 由未保存输入文件的版本加载。请重新加载其文件夹后再导出。',
  },
  'export-folder-taken': {
    severity: 'error',
    en: 'The folder is not empty; nothing was written. Give a new or an empty one.',
    zh: '文件夹不为空，未写入任何文件。请指定新文件夹或空文件夹。',
  },
  'export-folder-unwritable': {
    severity: 'error',
    en: 'The folder cannot be written to ({reason}).',
    zh: '无法写入文件夹（{reason}）。',
  },
  'export-no-space': {
    severity: 'error',
    en: 'The files need {needed} GB, and {free} GB are free at {folder}.',
    zh: '这些文件需要 {needed} GB，而 {folder} 的可用空间为 {free} GB。',
  },
  'export-file-damaged': {
    severity: 'error',
    en: 'What the portal kept of the file is damaged. Load the original folder again.',
    zh: '门户中保存的该文件已损坏。请重新加载原文件夹。',
  },
} as const satisfies DefectCatalogue
