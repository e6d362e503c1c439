import { useCallback } from 'react'
import type { Language } from '../../../contracts/text.ts'
import { useLanguage } from '../language.tsx'

/** Names of Gene Ontology's three aspects as Chinese textbooks have them (docs/glossary.md). */
const aspectsZh: Record<string, string> = {
  biological_process: '生物学过程',
  molecular_function: '分子功能',
  cellular_component: '细胞组分',
}

/** Kinds of genes and transcripts, by the words of Ensembl, NCBI and the Sequence Ontology in lower case. */
const biotypesZh: Record<string, string> = {
  protein_coding: '蛋白质编码',
  mrna: 'mRNA',
  transcript: '转录本',
  pseudogene: '假基因',
  transposable_element: '转座元件',
  transposable_element_gene: '转座元件基因',
  ncrna: '非编码 RNA',
  ncrna_gene: '非编码 RNA',
  lncrna: '长链非编码 RNA',
  antisense_rna: '反义 RNA',
  trna_pseudogene: 'tRNA 假基因',
  unknown: '未知',
  other: '其他',
}

/** The portal's own columns of accessions, and those that most tables have; a lab names the others. */
const accessionColumns: Record<Language, ReadonlyMap<string, string>> = {
  en: new Map([
    ['population', 'Population'],
    ['country', 'Country'],
    ['place', 'Place'],
    ['year', 'Year'],
    ['host', 'Host'],
    ['lineage', 'Lineage'],
  ]),
  zh: new Map([
    ['population', '群体'],
    ['country', '国家'],
    ['place', '地点'],
    ['year', '年份'],
    ['host', '宿主'],
    ['lineage', '谱系'],
  ]),
}

const spaced = (word: string): string => word.replaceAll('_', ' ')

/**
 * The name shown for a word of an annotation file. What has no name in the language is shown as the file has it, underscores as spaces.
 *
 * Example: `biotypeName('protein_coding', 'zh')` is "蛋白质编码", `biotypeName('snoRNA', 'zh')` is "snoRNA".
 */
export const biotypeName = (biotype: string, language: Language): string =>
  (language === 'zh' ? biotypesZh[biotype.toLowerCase()] : undefined) ?? spaced(biotype)

/** As `biotypeName`, for the namespace of a term. Example: `aspectName('cellular_component', 'zh')` is "细胞组分". */
export const aspectName = (namespace: string, language: Language): string =>
  (language === 'zh' ? aspectsZh[namespace] : undefined) ?? spaced(namespace)

/** What a column of the accessions is called. Example: `accessionColumn('population', 'zh')` is "群体", of a lab's own `source` "source". */
export const accessionColumn = (column: string, language: Language): string =>
  accessionColumns[language].get(column) ?? column

/** These in the reader's language; tables give these to be read, and keep the file's own words for sorting and export. */
export const useBiotypeName = (): ((biotype: string) => string) => {
  const language = useLanguage()
  return useCallback((biotype) => biotypeName(biotype, language), [language])
}
export const useAspectName = (): ((namespace: string) => string) => {
  const language = useLanguage()
  return useCallback((namespace) => aspectName(namespace, language), [language])
}
export const useAccessionColumn = (): ((column: string) => string) => {
  const language = useLanguage()
  return useCallback((column) => accessionColumn(column, language), [language])
}
