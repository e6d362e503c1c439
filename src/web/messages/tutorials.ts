import { defineMessages } from '../../contracts/text.ts'

/** What the tutorials ask, by themselves: Home names them without the other texts of the Usage. */
export const messages = defineMessages({
  en: {
    'about.tutorial-rd1':
      'Search, homologs, synteny, pan-genome and primers: from an antigen to a PCR that distinguishes pathogen and vaccine.',
    'about.tutorial-resistance': 'From a trait of the accessions to the gene, the variant and a marker for it.',
    'about.tutorial-cholesterol':
      'From Tn-seq counts to differential genes, what they have in common, and their neighbours.',
    'chapter.tutorial-rd1': 'Which genes did the BCG vaccine lose?',
    'chapter.tutorial-resistance': 'From a trait to a marker: isoniazid resistance',
    'chapter.tutorial-cholesterol': 'Which genes does the bacterium need to live on cholesterol?',
  },
  zh: {
    'about.tutorial-rd1': '搜索、同源基因、共线性、泛基因组与引物：从一个抗原出发，设计区分病原菌与疫苗株的 PCR。',
    'about.tutorial-resistance': '从材料的性状到基因、变异及其分子标记。',
    'about.tutorial-cholesterol': '从 Tn-seq 计数到差异基因、它们的共同点与邻近基因。',
    'chapter.tutorial-rd1': '卡介苗丢失了哪些基因？',
    'chapter.tutorial-resistance': '从性状到分子标记：异烟肼耐药性',
    'chapter.tutorial-cholesterol': '细菌以胆固醇为碳源生长需要哪些基因？',
  },
})
