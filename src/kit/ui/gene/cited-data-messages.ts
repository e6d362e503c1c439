import { defineMessages } from '../../../contracts/text.ts'

/** Texts of publications and the data that rest on them. */
export const messages = defineMessages({
  en: {
    'cited.data': 'Data',
    'cited.publication': 'Publication',
    'cited.by.entry': 'stated in the reference file',
    'cited.by.keyword': 'a keyword of the publication',
    'cited.by.source': 'cited as the source of these data',
    'cited.kind.track': 'track',
    'cited.kind.expression': 'expression data set',
  },
  zh: {
    'cited.data': '数据',
    'cited.publication': '文献',
    'cited.by.entry': '由文献文件指明',
    'cited.by.keyword': '文献的关键词',
    'cited.by.source': '数据来源引用了该文献',
    'cited.kind.track': '轨道',
    'cited.kind.expression': '表达数据集',
  },
})
