import { defineMessages } from '../../../contracts/text.ts'

/** What is said of comparisons that are out of date, by themselves: Home does not wait for them. */
export const messages = defineMessages({
  en: {
    'staleHomology.title': 'Homology results are out of date',
    'staleHomology.uncompared': 'The proteins of {assemblies} have not been compared yet',
    'staleHomology.missing':
      'The homologs of the other assemblies were computed on {date}. The proteins of all assemblies are compared when the administrator next loads data.',
    'staleHomology.running':
      'Homologs are being recomputed. Until this ends, those of the other assemblies are from {date}. The home page shows the progress.',
    'staleHomology.removed': 'An assembly was removed since {date}; the orthogroups still count its genes as evidence.',
  },
  zh: {
    'staleHomology.title': '同源关系已过时：计算之后数据有变动',
    'staleHomology.uncompared': '{assemblies} 的蛋白质尚未参与比较',
    'staleHomology.missing':
      '其余基因组的同源关系为 {date} 的计算结果；管理员下次加载数据时，将一并比较所有基因组的蛋白质。',
    'staleHomology.running':
      '正在重新计算同源关系。计算完成之前，其余基因组的同源关系仍为 {date} 的计算结果。进度见首页。',
    'staleHomology.removed': '{date} 之后移除了基因组，但直系同源组的划分仍包含其基因。',
  },
})
