import { expect, test } from 'vitest'
import { accessionColumn, aspectName, biotypeName } from './biology-names.ts'

test('kinds of genes and aspects of GO have their Chinese names; other words stand as the file has them', () => {
  expect(biotypeName('protein_coding', 'zh')).toBe('蛋白质编码')
  expect(biotypeName('ncRNA', 'zh')).toBe('非编码 RNA')
  expect(biotypeName('snoRNA', 'zh')).toBe('snoRNA')
  expect(biotypeName('protein_coding', 'en')).toBe('protein coding')
  expect(
    ['biological_process', 'molecular_function', 'cellular_component'].map((one) => aspectName(one, 'zh')),
  ).toEqual(['生物学过程', '分子功能', '细胞组分'])
  expect(aspectName('plant_anatomy', 'zh')).toBe('plant anatomy')
})

test('the own columns of accessions have names in both languages; a lab’s columns stand as it wrote them', () => {
  expect(accessionColumn('population', 'zh')).toBe('群体')
  expect(accessionColumn('country', 'en')).toBe('Country')
  expect(accessionColumn('constructor', 'zh')).toBe('constructor')
  expect(accessionColumn('source', 'zh')).toBe('source')
})
