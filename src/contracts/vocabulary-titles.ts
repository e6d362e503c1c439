import type { LocalizedText } from './text.ts'

/** What vocabularies of the field are called where the lab gives them no title; others are called by their source. */
export const vocabularyTitles: Readonly<Record<string, LocalizedText>> = {
  GO: { en: 'Gene Ontology', zh: '基因本体（GO）' },
  KEGG: { en: 'KEGG pathways', zh: 'KEGG 通路' },
  COG: { en: 'COG (Clusters of Orthologous Genes)', zh: 'COG 直系同源群' },
  EC: { en: 'Enzyme numbers (EC)', zh: '酶编号（EC）' },
  'TF family': { en: 'Transcription factor families', zh: '转录因子家族' },
}
