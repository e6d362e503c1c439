import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { DefectLog, defectText } from '../bio/text/defects.ts'
import { findLoaders, manifestJsonSchema, manifestSchema, readManifest } from './manifest.ts'
import { manifestDefects } from './manifest-defects.ts'
import { describeManifestIssues } from './manifest-issues.ts'

const loaders = await findLoaders()
const schema = manifestSchema(loaders)
const jsonSchema = manifestJsonSchema(loaders)

const tell = (assembly: string[], language: 'en' | 'zh' = 'en'): string[] => {
  const head = ['novodb: 1', 'species: s-c', 'name: S. c.', 'assemblies:', '  - id: R64']
  const manifest: unknown = parse([...head, ...assembly.map((line) => `    ${line}`)].join('\n'))
  const parsed = schema.safeParse(manifest)
  return describeManifestIssues(parsed.error?.issues ?? [], manifest, jsonSchema).map(({ code, params }) =>
    defectText({ code, severity: 'error', file: 'species.yaml', line: null, params }, manifestDefects, language),
  )
}

test('what is missing, misspelt or unknown in a manifest is said, entries of tools included', () => {
  expect(tell([])).toEqual(['Entry assemblies.0.genome is missing.'])
  expect(tell(['genome: g.fa', 'varients: []'])).toEqual([
    'There is no entry assemblies.0.varients; did you mean variants?',
  ])
  expect(tell(['genome: g.fa', 'colour: red'])).toEqual(['There is no entry assemblies.0.colour.'])
  expect(tell(['genome: g.fa', 'gwas: [{ id: a, file: a.tsv, phenotipes: field }]'])).toEqual([
    'Entry assemblies.0.gwas.0.name is missing.',
    'There is no entry assemblies.0.gwas.0.phenotipes; did you mean phenotypes?',
  ])
})

test('a text for readers is one string or both languages; a comma within it wants quotation marks', () => {
  const gwas = (name: string): string[] => ['genome: g.fa', `gwas: [{ id: a, name: ${name}, file: a.tsv }]`]
  expect(tell(gwas('Height'))).toEqual([])
  expect(tell(gwas('{ en: Height, zh: 株高 }'))).toEqual([])
  expect(tell(gwas('{ en: 1,011 genomes, zh: 千株 }'))).toEqual([
    'Entry assemblies.0.gwas.0.name.en should be text but is a number.',
  ])
  expect(tell(gwas('{ en: Height }'))).toEqual(['Entry assemblies.0.gwas.0.name.zh is missing.'])
  expect(tell(gwas('2024'))).toEqual([
    'Entry assemblies.0.gwas.0.name should be text, or { en: …, zh: … } but is a number.',
  ])
  expect(tell(['genome: 12'])).toEqual(['Entry assemblies.0.genome should be text but is a number.'])
})

test('choices are listed, and rules are told in both languages', () => {
  expect(tell(['genome: g.fa', 'tracks: [{ id: a, name: A, file: a.bw, type: gvf }]'])).toEqual([
    'Entry assemblies.0.tracks.0.type should be one of these: bigwig, bedgraph, wig, bigbed, bam, cram, sam, vcf, bed, gff3.',
  ])
  const ids = ['genome: g.fa', 'gwas: [{ id: my scan, name: A, file: a.tsv, threshold: 7 }]']
  expect(tell(ids)[0]).toBe('Entry assemblies.0.gwas.0.id: letters, digits, dot, dash and underscore')
  expect(tell(ids, 'zh')[0]).toBe('条目 assemblies.0.gwas.0.id：只能用字母、数字、点、连字符与下划线')
  expect(tell(ids, 'zh')[1]).toMatch(/^条目 assemblies\.0\.gwas\.0\.threshold：.*\p{Script=Han}/u)
})

test('a scan made of variants or phenotypes that the manifest does not list is refused at its line, in both languages', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'novodb-manifest-'))
  const read = async (variants: string, phenotypes: string) => {
    const text = [
      ...['novodb: 1', 'species: s-c', 'name: S. c.', 'phenotypes: [{ id: field, name: Field, file: f.tsv }]'],
      ...['assemblies:', '  - id: R64', '    genome: g.fa', '    variants: [{ id: panel, name: Panel, file: p.vcf }]'],
      ...['    gwas:', '      - id: hits', '        name: Hits', '        file: h.tsv'],
      ...[`        variants: ${variants}`, `        phenotypes: ${phenotypes}`],
      ...['    sweeps: [{ id: fst, name: Fst, file: w.tsv, variants: panle }]', ''],
    ]
    await writeFile(join(folder, 'species.yaml'), text.join('\n'))
    const log = new DefectLog()
    expect(await readManifest(folder, loaders, log)).toBeNull()
    return log.defects
  }
  const found = await read('pannel', 'field')
  expect(found.map(({ code, line }) => [code, line])).toEqual([
    ['manifest-id-unknown', 13],
    ['manifest-id-unknown', 15],
  ])
  expect(['en', 'zh'].map((language) => defectText(found[0]!, manifestDefects, language as 'en' | 'zh'))).toEqual([
    'Entry assemblies.0.gwas.0.variants: nothing under variants has the id pannel. Available: panel',
    '条目 assemblies.0.gwas.0.variants：variants 中没有 id 为 pannel 的数据。现有：panel',
  ])
  expect((await read('panel', 'field-2')).map(({ line }) => line)).toEqual([14, 15])
  await rm(folder, { recursive: true })
})
