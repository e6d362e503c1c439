import { expect, test } from 'vitest'
import { readAbsence } from './absence-words.ts'

test.each([
  ['esxA deleted', 'deleted', 'esxA'],
  ['absent in BCG', 'absent', 'BCG'],
  ['genes missing from M. smegmatis', 'missing', 'M. smegmatis'],
  ['which genes does BCG lack?', 'lack', 'BCG'],
  ['Rv3875 not in BCG-Pasteur', 'not in', 'Rv3875 BCG-Pasteur'],
  ['结核 卡介苗 缺失', '缺失', '结核 卡介苗'],
  ['卡介苗中缺失的基因', '缺失', '卡介苗'],
  ['esxA 在卡介苗中是否缺失？', '缺失', 'esxA 卡介苗'],
])('%s asks by “%s” about %s', (question, typed, rest) => {
  expect(readAbsence(question)).toEqual({ typed, rest })
})

test.each(['katG', 'galactokinase', 'glossy', '转录因子', 'lacZ'])('%s asks no such thing', (question) => {
  expect(readAbsence(question)).toBeNull()
})
