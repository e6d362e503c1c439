import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DefectCatalogue } from '../bio/text/defects.ts'
import { readDefectCatalogue } from './defect-catalogue.ts'

const tools = join(import.meta.dirname, '../tools')
const catalogue = await readDefectCatalogue()

describe('the catalogue of all defects', () => {
  it('has those of formats, of the manifest and of every tool that brings files', async () => {
    for (const code of ['fasta-no-header', 'manifest-unreadable', 'te-outside', 'gwas-no-p'])
      expect(catalogue, code).toHaveProperty(code)
    const folders = readdirSync(tools).filter((id) => existsSync(join(tools, id, 'defects.ts')))
    expect(folders.length).toBeGreaterThan(10)
    for (const id of folders) {
      const own = ((await import(join(tools, id, 'defects.ts'))) as { default: DefectCatalogue }).default
      expect(catalogue, id).toMatchObject(own)
    }
  })

  it('names the same parameters in English and in Chinese, so that neither reader misses a fact', () => {
    // `{reasonZh}` is the Chinese of `{reason}`.
    const parameters = (text: string) =>
      [...new Set(text.match(/\{\w+\}/g) ?? [])].map((name) => name.replace('Zh}', '}')).sort()
    for (const [code, kind] of Object.entries(catalogue)) {
      expect(parameters(kind.zh), code).toEqual(parameters(kind.en))
    }
  })

  it('writes Chinese with Chinese characters and says in every repair what was done', () => {
    for (const [code, kind] of Object.entries(catalogue)) {
      expect(kind.zh, code).toMatch(/\p{Script=Han}/u)
      expect(kind.en, code).not.toMatch(/\p{Script=Han}/u)
      if (kind.severity === 'repair') {
        expect(kind.en, code).toMatch(/\b(was|were) \w+|is sorted/)
        expect(kind.zh, code).toMatch(/已|改名|只使用|将对/)
      }
    }
  })
})
