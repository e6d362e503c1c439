import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { DefectLanguage } from '../../bio/text/defects.ts'
import { makeTar, makeZip, writeFolder } from '../../testing/archives.ts'
import { fasta, gff3, gtf, ncbiDatasets, type SourceFiles } from '../../testing/import-sources.ts'
import { checkSpecies } from '../check-species.ts'
import type { Question } from './compose.ts'
import { readAnswer, renderImport, renderOpen, renderQuestion } from './import-report.ts'
import { type ImportOptions, importSpecies } from './import-species.ts'
import type { ServedSpecies } from './served-species.ts'

let root: string
let places = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'novodb-importing-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = (): string => {
  places += 1
  const folder = join(root, `place-${places}`)
  mkdirSync(folder)
  return folder
}
const takeDefaults = async ({ fallback }: Question): Promise<string | null> => fallback
const run = (paths: string[], options: Partial<ImportOptions> = {}) =>
  importSpecies({
    paths,
    dryRun: false,
    rewrite: false,
    language: 'en' as DefectLanguage,
    ask: takeDefaults,
    signal: AbortSignal.timeout(180_000),
    onProgress: () => undefined,
    ...options,
  })
const states = (report: Awaited<ReturnType<typeof importSpecies>>): Record<string, string> =>
  Object.fromEntries(report.accounts.map(({ file, state, entry }) => [file.path, entry ?? state]))
const errorsOf = async (folder: string) =>
  (await checkSpecies(folder, AbortSignal.timeout(180_000))).log.defects.filter(({ severity }) => severity === 'error')
const zipOf = (files: SourceFiles): Buffer =>
  makeZip(Object.entries(files).map(([name, content]) => ({ name, content })))

describe('an NCBI Datasets package', () => {
  const expected = {
    novodb: 1,
    species: 'testus-minimus',
    name: 'Testus minimus',
    commonName: 'test microbe',
    taxonId: 9000001,
    geneticCode: 11,
    assemblies: [
      {
        id: 'TMv2',
        strain: 'T7',
        accession: 'GCF_900000001.2',
        reference: true,
        source: 'NCBI GCF_900000001.2',
        genome: 'ncbi_dataset/data/GCF_900000001.2/GCF_900000001.2_TMv2_genomic.fna',
        genes: 'ncbi_dataset/data/GCF_900000001.2/genomic.gff',
        proteins: 'ncbi_dataset/data/GCF_900000001.2/protein.faa',
        sequences: [
          { name: 'NC_900001.1', aliases: ['1', 'chr1', 'CM900001.1'] },
          { name: 'NC_900002.1', aliases: ['pT', 'CM900002.1'], role: 'plasmid', circular: true },
        ],
      },
    ],
  }

  test.each(['zip', 'tar.gz', 'folder'])('is recognised as %s, and its manifest passes the check', async (kind) => {
    const here = place()
    const given = join(here, kind === 'folder' ? 'download' : `download.${kind}`)
    if (kind === 'folder') writeFolder(given, ncbiDatasets())
    else if (kind === 'zip') writeFileSync(given, zipOf(ncbiDatasets()))
    else
      writeFileSync(
        given,
        gzipSync(makeTar(Object.entries(ncbiDatasets()).map(([name, content]) => ({ name, content })))),
      )
    const report = await run([given])
    expect(report.log.defects).toEqual([])
    expect(report.open).toEqual([])
    expect(report.manifests.map(({ file, state }) => [file, state])).toEqual([
      [join(here, 'download', 'species.yaml'), 'written'],
    ])
    expect(parse(readFileSync(join(here, 'download', 'species.yaml'), 'utf8'))).toEqual(expected)
    expect(states(report)).toMatchObject({
      'README.md': 'none',
      'md5sum.txt': 'read',
      'ncbi_dataset/data/assembly_data_report.jsonl': 'read',
      'ncbi_dataset/data/dataset_catalog.json': 'none',
      'ncbi_dataset/data/GCF_900000001.2/genomic.gtf': 'none',
      'ncbi_dataset/data/GCF_900000001.2/cds_from_genomic.fna': 'none',
      'ncbi_dataset/data/GCF_900000001.2/sequence_report.jsonl': 'read',
    })
    // Every file is told of.
    expect(report.accounts).toHaveLength(Object.keys(ncbiDatasets()).length)
    expect(await errorsOf(join(here, 'download'))).toEqual([])
  })

  test('leaves nothing behind where it only tells', async () => {
    const here = place()
    writeFileSync(join(here, 'download.zip'), zipOf(ncbiDatasets()))
    const report = await run([join(here, 'download.zip')], { dryRun: true })
    expect(readdirSync(here)).toEqual(['download.zip'])
    expect(report.manifests.map(({ file, state }) => [file, state])).toEqual([
      [join(here, 'download', 'species.yaml'), 'would-be'],
    ])
    expect(parse(report.manifests[0]!.text)).toEqual(expected)
    const text = renderImport(report, 'en')
    expect(text).toContain('Recognised: NCBI Datasets genome package (10 files)')
    expect(text).toContain('TMv2  2 sequences, 3.6 kb')
    expect(renderImport(report, 'zh')).toContain('已识别：NCBI Datasets 基因组数据包（10 个文件）')
  })

  test('keeps a manifest that a person has edited, and puts it aside only when told to', async () => {
    const here = place()
    const folder = writeFolder(join(here, 'download'), { ...ncbiDatasets(), 'species.yaml': 'novodb: 1 # mine\n' })
    const kept = await run([folder])
    expect(kept.manifests[0]!.state).toBe('kept')
    expect(readFileSync(join(folder, 'species.yaml'), 'utf8')).toContain('# mine')
    const anew = await run([folder], { rewrite: true })
    expect(anew.manifests[0]!.state).toBe('written')
    const aside = readdirSync(folder).find((name) => name.startsWith('species.yaml.'))!
    expect(readFileSync(join(folder, aside), 'utf8')).toContain('# mine')
  })

  test('is compared with its checksums, and with its list of files', async () => {
    const here = place()
    const files = ncbiDatasets()
    delete files['ncbi_dataset/data/GCF_900000001.2/genomic.gtf']
    const folder = writeFolder(join(here, 'download'), files)
    const protein = 'ncbi_dataset/data/GCF_900000001.2/protein.faa'
    writeFileSync(join(folder, protein), '>TMP_1.1\nMSKL\n')
    const report = await run([folder])
    expect(report.log.defects.map(({ code, file }) => [code, file]).sort()).toEqual([
      ['import-checksum', protein],
      ['import-file-listed-missing', 'ncbi_dataset/data/GCF_900000001.2/genomic.gtf'],
    ])
    expect(report.manifests).toEqual([])
  })

  test('tells the line of a report that cannot be read', async () => {
    const here = place()
    const files = ncbiDatasets()
    delete files['md5sum.txt']
    files['ncbi_dataset/data/assembly_data_report.jsonl'] = '{"accession":"GCF_900000001.2"}\n{"acc\n'
    const folder = writeFolder(join(here, 'download'), files)
    const report = await run([folder])
    expect(report.log.defects.map(({ code, file, line }) => [code, file, line])).toEqual([
      ['import-report-unreadable', 'ncbi_dataset/data/assembly_data_report.jsonl', 2],
    ])
    expect(existsSync(join(folder, 'species.yaml'))).toBe(false)
  })

  test('does not take gene models of another genome, though they lie beside this one', async () => {
    const files = Object.fromEntries(
      Object.entries(ncbiDatasets())
        .filter(([name]) => name !== 'md5sum.txt')
        .map(([name, content]) => [name, name.endsWith('genomic.gff') ? gff3('scaffold_17', 'scaffold_18') : content]),
    )
    const folder = writeFolder(join(place(), 'mixed'), files)
    const report = await run([folder], { dryRun: true })
    expect(report.log.defects.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'import-names-differ', params: { found: 'scaffold_17, scaffold_18' } },
    ])
  })

  test('takes one of the two copies of an assembly that both archives have', async () => {
    const here = place()
    const files = ncbiDatasets()
    const copy = Object.fromEntries(
      Object.entries(files)
        .filter(([name]) => name.includes('/GCF_') && /genomic\.fna$/.test(name))
        .map(([name, content]) => [name.replaceAll('GCF_', 'GCA_'), content]),
    )
    const line = files['ncbi_dataset/data/assembly_data_report.jsonl'] as string
    const folder = writeFolder(join(here, 'download'), {
      ...files,
      ...copy,
      'ncbi_dataset/data/assembly_data_report.jsonl':
        line + line.replaceAll('GCF_', 'GCX_').replaceAll('GCA_', 'GCF_').replaceAll('GCX_', 'GCA_'),
    })
    const report = await run([folder])
    expect(report.species[0]!.assemblies.map(({ id }) => id)).toEqual(['TMv2'])
  })
})

const prefixed = (folder: string, files: SourceFiles): SourceFiles =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [folder + name, content]))

describe('FASTA with gene models of any source', () => {
  test('asks for what nothing says, marks what nobody answered, and takes what is told', async () => {
    const here = place()
    const files = { 'genome.fa': fasta('chr1', 'pTM circular=true'), 'genes.gff3.gz': gzipSync(gff3('chr1', 'pTM')) }
    const folder = writeFolder(join(here, 'T7'), files)
    const asked: Question[] = []
    const report = await run([folder], {
      ask: async (question) => {
        asked.push(question)
        return null
      },
    })
    expect(asked.map(({ id }) => id)).toEqual(['species'])
    expect(report.open.map(({ id }) => id)).toEqual(['species'])
    const text = readFileSync(join(folder, 'species.yaml'), 'utf8')
    expect(text).toContain('# CHECK: the scientific name: nothing among the files says it\nname: T7')
    // What is marked waits for a person also when the command is run again.
    expect((await run([folder])).manifests).toMatchObject([{ state: 'kept', marked: true }])
    expect(renderOpen(report.open, 'zh')).toContain('物种的学名：T7')
    const again = await run([folder], { rewrite: true, ask: async () => 'Testus minimus' })
    expect(again.open).toEqual([])
    expect(again.manifests).toMatchObject([{ state: 'written', marked: false }])
    expect(parse(readFileSync(join(folder, 'species.yaml'), 'utf8'))).toEqual({
      novodb: 1,
      species: 'testus-minimus',
      name: 'Testus minimus',
      assemblies: [
        { id: 'T7', genome: 'genome.fa', genes: 'genes.gff3.gz', sequences: [{ name: 'pTM', circular: true }] },
      ],
    })
    expect(await errorsOf(folder)).toEqual([])
  })

  test('suggests names that a person would have chosen, and asks for one where no name says anything', async () => {
    const here = place()
    const header = 'NC_000001.1 Testus minimus T7 chromosome 1, complete sequence'
    const ncbi = { 'genome.fa': fasta(header, 'NC_000002.1'), 'genes.gff3': gff3('NC_000001.1', 'NC_000002.1') }
    const questions: Question[] = []
    const ask = async (question: Question): Promise<string | null> => {
      questions.push(question)
      return question.fallback
    }
    const told = await run([writeFolder(join(here, 'data'), ncbi)], { ask })
    expect(told.species).toMatchObject([{ name: 'Testus minimus', assemblies: [{ id: 'T7' }] }])
    expect(questions.map(({ id }) => id)).toEqual(['species'])
    const files = { 'genome.fa': fasta('chr1', 'pT'), 'genes.gff3': gff3('chr1', 'pT') }
    const inner = await run([writeFolder(join(here, 'results'), { ...prefixed('fungi/T9/', files) })], { ask })
    expect(inner.species).toMatchObject([{ name: 'T9', assemblies: [{ id: 'T9' }] }])
    questions.length = 0
    await run([writeFolder(join(here, 'output'), files)], { ask })
    expect(questions.map(({ id }) => id)).toEqual(['species', 'name genome.fa'])
  })

  test('pairs the files of several strains, and asks which is the reference', async () => {
    const here = place()
    const folder = writeFolder(join(here, 'strains'), {
      'A1.genome.fa': fasta('A1_1', 'A1_p'),
      'A1.all_feature.gff': gff3('A1_1', 'A1_p'),
      'B2.genome.fa': fasta('B2_1', 'B2_p'),
      'B2.gtf': gtf('B2_1', 'B2_p'),
    })
    const report = await run([folder], { ask: async ({ id }) => (id === 'species' ? 'Testus minimus' : 'B2') })
    const manifest = parse(readFileSync(join(folder, 'species.yaml'), 'utf8')) as { assemblies: unknown[] }
    expect(report.log.defects).toEqual([])
    expect(manifest.assemblies).toEqual([
      { id: 'A1', genome: 'A1.genome.fa', genes: 'A1.all_feature.gff' },
      { id: 'B2', reference: true, genome: 'B2.genome.fa', genes: 'B2.gtf' },
    ])
    expect(await errorsOf(folder)).toEqual([])
  })

  test('takes no other strain out of service unless a person says so', async () => {
    const here = place()
    const folder = writeFolder(join(here, 'strain'), {
      'B2.genome.fa': fasta('B2_1', 'B2_p'),
      'B2.gff3': gff3('B2_1', 'B2_p'),
    })
    const served = new Map<string, ServedSpecies>([
      ['testus-minimus', { folder: join(here, 'earlier'), assemblies: ['A1'] }],
    ])
    const asked: string[] = []
    const idOf = async (answer: string | null, all = served) => {
      const report = await run([folder], {
        rewrite: true,
        listServed: async () => all,
        ask: async ({ id, fallback }) => {
          asked.push(id)
          return id === 'species' ? 'Testus minimus' : id.startsWith('served.') ? answer : fallback
        },
      })
      const { text } = report.manifests[0]!
      return [(parse(text) as { species: string }).species, report.open.map(({ id }) => id), text.includes('# CHECK')]
    }
    expect(await idOf('own')).toEqual(['testus-minimus-b2', [], false])
    expect(await idOf('replace')).toEqual(['testus-minimus', [], false])
    // What nobody answered takes nothing away, and is marked.
    expect(await idOf(null)).toEqual(['testus-minimus-b2', ['served.testus-minimus'], true])
    expect(asked.filter((id) => id === 'served.testus-minimus')).toHaveLength(3)
    // The same again, the same folder, and its own id taken by another.
    const count = asked.length
    expect(await idOf('own', new Map([['testus-minimus', { folder: null, assemblies: ['B2'] }]]))).toEqual([
      'testus-minimus',
      [],
      false,
    ])
    expect(await idOf('own', new Map([['testus-minimus', { folder, assemblies: ['A1'] }]]))).toEqual([
      'testus-minimus',
      [],
      false,
    ])
    expect(asked.slice(count).filter((id) => id.startsWith('served.'))).toEqual([])
    const taken = new Map([...served, ['testus-minimus-b2', { folder: null, assemblies: ['C3'] }]])
    expect(await idOf('own', taken)).toEqual(['testus-minimus-b2-2', [], false])
  })

  test('does not give a genome the genes of another', async () => {
    const here = place()
    const folder = writeFolder(join(here, 'mixed'), {
      'genome.fa': fasta('chr1', 'pTM'),
      'other.gff3': gff3('scaffold_17', 'scaffold_18'),
    })
    const report = await run([folder])
    expect(report.log.defects).toMatchObject([
      {
        code: 'import-names-differ',
        file: 'other.gff3',
        params: { found: 'scaffold_17, scaffold_18', expected: 'chr1, pTM' },
      },
    ])
    expect(existsSync(join(folder, 'species.yaml'))).toBe(false)
  })

  test('takes single files, and wants to know where the manifest goes where they lie apart', async () => {
    const here = place()
    writeFolder(here, { 'a/genome.fa': fasta('chr1', 'pTM'), 'b/genes.gff3': gff3('chr1', 'pTM') })
    const given = [join(here, 'a/genome.fa'), join(here, 'b/genes.gff3')]
    expect((await run(given)).log.defects).toMatchObject([{ code: 'import-folder-needed' }])
    const into = join(here, 'portal')
    const report = await run(given, { into })
    expect(report.log.defects).toEqual([])
    expect(parse(readFileSync(join(into, 'species.yaml'), 'utf8'))).toMatchObject({
      assemblies: [{ genome: '../a/genome.fa', genes: '../b/genes.gff3' }],
    })
    expect(await errorsOf(into)).toEqual([])
  })

  test('reads chromosomes in files of their own as one genome', async () => {
    const here = place()
    const [one, two] = fasta('chr1', 'chr2').split(/(?=>chr2)/) as [string, string]
    const folder = writeFolder(join(here, 'apart'), {
      'chr1.fa': one,
      'chr2.fa': two,
      'genes.gff3': gff3('chr1', 'chr2'),
    })
    await run([folder])
    expect(parse(readFileSync(join(folder, 'species.yaml'), 'utf8'))).toMatchObject({
      assemblies: [{ id: 'apart', genome: ['chr1.fa', 'chr2.fa'], genes: 'genes.gff3' }],
    })
  })
})

describe('what is no genome', () => {
  test('is told file by file, and nothing is written', async () => {
    const here = place()
    const folder = writeFolder(join(here, 'junk'), {
      'notes.txt': 'Bought milk.\n',
      'photo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]),
      'page.fa': '<!DOCTYPE html><html><body>Not found</body></html>\n',
      'data.xlsx': makeZip([{ name: '[Content_Types].xml', content: '<Types/>' }]),
      'empty.gff3': '',
      'program.gff': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0]),
    })
    const report = await run([folder])
    expect(report.log.defects).toMatchObject([{ code: 'import-no-genome' }])
    expect(report.accounts.map(({ file, state }) => [file.path, state === 'taken' || state === 'read'])).toEqual(
      readdirSync(folder)
        .sort()
        .map((name) => [name, false]),
    )
    expect(existsSync(join(folder, 'species.yaml'))).toBe(false)
  })

  test('may not be there, or be packed in a way that is not unpacked', async () => {
    const here = place()
    writeFileSync(join(here, 'a.7z'), Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]))
    expect((await run([join(here, 'nowhere')])).log.defects).toMatchObject([{ code: 'import-missing' }])
    expect((await run([join(here, 'a.7z')])).log.defects).toMatchObject([{ code: 'import-archive-kind' }])
  })
})

test('a question is answered by number, by word, or by nothing', () => {
  const question: Question = {
    id: 'reference',
    text: { en: 'Which?', zh: '哪一个？' },
    choices: ['A', 'B'].map((value) => ({ value, text: { en: value, zh: value } })),
    fallback: 'B',
  }
  expect(renderQuestion(question, 'zh')).toBe('哪一个？\n  1. A\n  2. B\n> [2] ')
  expect(['', '1', 'A', '3', 'x'].map((answer) => readAnswer(answer, question))).toEqual(['B', 'A', 'A', null, null])
})

test.each(['', 'testus/'])('an archive with a manifest of its own is loaded as that says (%s)', async (inside) => {
  const here = place()
  const text = 'novodb: 1\nspecies: own-words\nname: Own words\n'
  const files = { [`${inside}species.yaml`]: text, [`${inside}genome.fa`]: fasta('x', 'y') }
  writeFileSync(join(here, 'given.zip'), zipOf(files))
  for (const dryRun of [true, false]) {
    const { manifests, log } = await run([join(here, 'given.zip')], { dryRun })
    expect(log.defects).toEqual([])
    expect(manifests).toEqual([
      expect.objectContaining({ folder: join(here, 'given', inside).replace(/\/$/, ''), text, state: 'kept' }),
    ])
    expect(existsSync(manifests[0]!.file)).toBe(!dryRun)
  }
})

test('the code of the mitochondria of baker’s yeast is suggested, and another to what nothing is known of', async () => {
  for (const [name, code] of [
    ['Saccharomyces cerevisiae', '3'],
    ['Testus minimus', '4'],
  ]) {
    const here = place()
    writeFolder(join(here, 'own'), { 'genome.fa': fasta('chr1', 'chrM'), 'genes.gff3': gff3('chr1', 'chrM') })
    const suggested: (string | null)[] = []
    await run([join(here, 'own')], {
      dryRun: true,
      ask: async ({ id, fallback }) => {
        if (id.startsWith('code ')) suggested.push(fallback)
        return id === 'species' ? name! : fallback
      },
    })
    expect([name, suggested]).toEqual([name, [code]])
  }
})

describe('recognising', () => {
  test('ends where thousands of tables might each be the sample sheet of another', async () => {
    const here = place()
    // As a JBrowse 2 installation has them: wide tables, and lists of names of sequences.
    const wide = `gene\t${Array.from({ length: 2000 }, (_, at) => `s${at}`).join('\t')}\n`
    const rows = Array.from({ length: 20 }, (_, at) => `g${at}\t${'1\t'.repeat(1999)}1\n`).join('')
    const names = Array.from({ length: 15_000 }, (_, at) => `scaffold_${at}\tchrUn_${at}\n`).join('')
    const files: Record<string, string> = { 'genome.fa': fasta('x', 'y') }
    for (let at = 0; at < 5; at++) {
      files[`counts-${at}.tsv`] = wide + rows
      files[`aliases-${at}.txt`] = `name\talias\n${names}`
    }
    writeFolder(join(here, 'many'), files)
    const begun = performance.now()
    await run([join(here, 'many')], { dryRun: true })
    // Rows times columns took more than ten minutes.
    expect(performance.now() - begun).toBeLessThan(60_000)
  }, 120_000)

  test('tells how far it is, and ends when it is stopped', async () => {
    const here = place()
    const table = `name\tvalue\ttext\n${'a\t1\tb c d\n'.repeat(300)}`
    writeFolder(join(here, 'many'), Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`t${at}.tsv`, table])))
    const controller = new AbortController()
    const told: number[] = []
    const stopped = run([join(here, 'many')], {
      dryRun: true,
      signal: controller.signal,
      onProgress: (step, fraction) => {
        if (step !== 'recognise') return
        told.push(fraction)
        // A signal comes between two files, and not by what tells of progress.
        if (told.length === 1) setTimeout(() => controller.abort(new Error('interrupted')), 300)
      },
    })
    await expect(stopped).rejects.toThrow('interrupted')
    expect(told.length).toBeGreaterThan(2)
    expect([...told].sort((a, b) => a - b)).toEqual(told)
    expect(told.at(-1)).toBeLessThan(1)
  }, 120_000)
})
