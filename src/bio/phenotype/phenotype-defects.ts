import type { DefectCatalogue } from '../text/defects.ts'

/** Of accessions and phenotypes. */
export const phenotypeDefects = {
  'accession-none': {
    severity: 'error',
    en: 'The table names no accession: it needs a header, then one row per accession.',
    zh: '表中没有材料：首行应为表头，其后每份材料一行。',
  },
  'accession-columns': {
    severity: 'error',
    en: 'The row has {found} cells, but the header has {expected}.',
    zh: '该行有 {found} 个单元格，而表头有 {expected} 个。',
  },
  'accession-no-name': {
    severity: 'error',
    en: 'The row names no accession.',
    zh: '该行没有材料名称。',
  },
  'accession-repeated': {
    severity: 'error',
    en: 'The accession {accession} already occurs on line {line}; each can have only one row.',
    zh: '材料 {accession} 已在第 {line} 行出现；每份材料只能有一行。',
  },
  'accession-degrees': {
    severity: 'error',
    en: '"{value}" in {column} is not a number of degrees; use decimal degrees, negative for south and west: -33.9.',
    zh: '{column} 列中的“{value}”不是度数；请写十进制度数，南纬与西经为负，如 -33.9。',
  },
  'accession-place': {
    severity: 'warning',
    en: '{value} in {column} is out of range (at most {max} degrees in either direction): the accession is not on the map. Are latitude and longitude swapped?',
    zh: '{column} 列中的 {value} 超出范围（绝对值不得大于 {max} 度），该材料不显示在地图上。经度与纬度是否颠倒？',
  },
  'phenotype-other-table': {
    severity: 'error',
    en: 'This is a table of genes ({program}), not of phenotypes: its rows are not accessions, and its columns not traits.',
    zh: '这是基因表（{program}），不是表型表：其各行并非材料，各列并非性状。',
  },
  'phenotype-column-repeated': {
    severity: 'error',
    en: 'Two columns are called {column}.',
    zh: '有两列同名：{column}。',
  },
  'phenotype-columns-left': {
    severity: 'warning',
    en: '{count} columns are not traits and were left out ({names}).',
    zh: '有 {count} 列不是性状，已略去（{names}）。',
  },
  'phenotype-columns': {
    severity: 'error',
    en: 'The row has {found} cells, but the header has {expected}.',
    zh: '该行有 {found} 个单元格，而表头有 {expected} 个。',
  },
  'phenotype-no-accession': {
    severity: 'error',
    en: 'The row names no accession.',
    zh: '该行没有材料名称。',
  },
  'phenotype-value': {
    severity: 'error',
    en: '"{value}" of the trait {trait} is not a number. Leave the cell empty or write NA for missing values, list other codes under missing, or specify the type of the trait.',
    zh: '性状 {trait} 的值“{value}”不是数字。未测得的值请留空或写 NA，其他缺失代码写入 missing，或注明该性状的类型。',
  },
  'phenotype-binary': {
    severity: 'error',
    en: 'The trait {trait} is specified as binary but has {count} values ({names}).',
    zh: '性状 {trait} 注明为二元性状，却有 {count} 个取值（{names}）。',
  },
  'phenotype-level': {
    severity: 'error',
    en: '"{value}" is not a level of the trait {trait} ({levels}).',
    zh: '性状 {trait} 的值“{value}”不属于其等级（{levels}）。',
  },
  'phenotype-too-large': {
    severity: 'error',
    en: 'The table has more than {max} trait values.',
    zh: '性状表的单元格超过 {max} 个。',
  },
  'phenotype-too-many-traits': {
    severity: 'error',
    en: 'The table has {found} trait columns; the maximum is {max}. Are they genotypes? List the traits to be read in a table of traits.',
    zh: '表中有 {found} 列性状，最多可读 {max} 列。是否为基因型？可用性状说明表指定要读取的列。',
  },
  'phenotype-traits-absent': {
    severity: 'warning',
    en: '{count} traits of the table of traits are not in the file ({names}).',
    zh: '性状说明表中有 {count} 个性状不在文件中（{names}）。',
  },
  'phenotype-traits-blank': {
    severity: 'warning',
    en: '{count} traits have no values and were left out ({names}).',
    zh: '有 {count} 个性状没有任何值，已略去（{names}）。',
  },
  'phenotype-traits-empty': {
    severity: 'error',
    en: 'The table of traits lists none: it needs a header (trait, name, unit, description, type), then one row per trait.',
    zh: '性状说明表为空：首行应为表头（trait、name、unit、description、type），其后每个性状一行。',
  },
  'phenotype-trait-repeated': {
    severity: 'warning',
    en: 'The trait {trait} is described twice; the first description was kept.',
    zh: '性状 {trait} 有两行说明，保留第一行。',
  },
  'phenotype-trait-type': {
    severity: 'error',
    en: '"{type}" of the trait {trait} is not a valid type; choose one of {types}.',
    zh: '性状 {trait} 的类型“{type}”无效，应为 {types} 之一。',
  },
  'phenotype-no-heading': {
    severity: 'error',
    en: 'The first line contains numbers ({line}): a header is needed, accession and then one name per trait.',
    zh: '首行含有数字（{line}）：应为表头，即 accession 与各性状的名称。',
  },
  'phenotype-empty': {
    severity: 'error',
    en: 'The table has no trait with values: it needs a header, then one row per accession and one column per trait, or the columns accession, trait and value.',
    zh: '表中没有任何性状值：首行应为表头，其后每份材料一行、每个性状一列，或为 accession、trait、value 三列。',
  },
} as const satisfies DefectCatalogue
