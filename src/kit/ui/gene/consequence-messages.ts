import { defineMessages } from '../../../contracts/text.ts'

/** Names of consequences, by the terms of the Sequence Ontology that bcftools csq writes; `impact` is Ensembl's. */
const names = {
  en: {
    splice_acceptor: 'splice acceptor',
    splice_donor: 'splice donor',
    stop_gained: 'stop gained',
    frameshift: 'frameshift',
    stop_lost: 'stop lost',
    start_lost: 'start lost',
    inframe_insertion: 'in-frame insertion',
    inframe_deletion: 'in-frame deletion',
    inframe_altering: 'in-frame alteration',
    missense: 'missense',
    splice_region: 'splice region',
    start_retained: 'start retained',
    stop_retained: 'stop retained',
    synonymous: 'synonymous',
    coding_sequence: 'coding sequence',
    '5_prime_utr': '5′ UTR',
    '3_prime_utr': '3′ UTR',
    non_coding: 'non-coding transcript',
    intron: 'intron',
    intergenic: 'intergenic',
  },
  zh: {
    splice_acceptor: '剪接受体变异',
    splice_donor: '剪接供体变异',
    stop_gained: '获得终止密码子',
    frameshift: '移码',
    stop_lost: '丢失终止密码子',
    start_lost: '丢失起始密码子',
    inframe_insertion: '框内插入',
    inframe_deletion: '框内缺失',
    inframe_altering: '框内改变',
    missense: '错义',
    splice_region: '剪接区域',
    start_retained: '保留起始密码子',
    stop_retained: '保留终止密码子',
    synonymous: '同义',
    coding_sequence: '编码序列',
    '5_prime_utr': '5′ UTR',
    '3_prime_utr': '3′ UTR',
    non_coding: '非编码转录本',
    intron: '内含子',
    intergenic: '基因间区',
  },
} as const
/** Grades of impact, as messages of a tool that speaks of them. */
export const impactNames = {
  en: {
    'impact.high': 'high',
    'impact.moderate': 'moderate',
    'impact.low': 'low',
    'impact.modifier': 'modifier',
  },
  zh: {
    'impact.high': '高影响',
    'impact.moderate': '中等影响',
    'impact.low': '低影响',
    'impact.modifier': '修饰',
  },
} as const
type ConsequenceKey = keyof (typeof names)['en']

const prefixed = <Prefix extends string>(
  prefix: Prefix,
  of: Readonly<Record<ConsequenceKey, string>>,
): Record<`${Prefix}${ConsequenceKey}`, string> =>
  Object.fromEntries(Object.entries(of).map(([name, text]) => [`${prefix}${name}`, text])) as Record<
    `${Prefix}${ConsequenceKey}`,
    string
  >

/** The same names as options of a form's field `consequences`. */
export const consequenceOptions = (language: 'en' | 'zh'): Record<`option.consequences.${ConsequenceKey}`, string> =>
  prefixed('option.consequences.', names[language])

/** What a variant does to a gene, in the words of every page that tells it. */
export const messages = defineMessages({
  en: {
    ...prefixed('consequence.', names.en),
    ...impactNames.en,
  },
  zh: {
    ...prefixed('consequence.', names.zh),
    ...impactNames.zh,
  },
})
