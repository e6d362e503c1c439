import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { answerJson, answerText, askRoute, makeEngineContext, runEngine, withPrograms } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { helixCif, helixPdb } from '../../testing/made-structures.ts'
import { makeProtein, mutate, writeSpecies } from '../../testing/protein-genomes.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import type { GeneProteins } from './endpoints.ts'
import engine from './engine.ts'

let portal: EmptyPortal
let data: OpenPortalData
let root: string

const kinase = makeProtein(1, 180)
/** The same with 20 residues less in the middle, and some others. */
const shorter = mutate(`${kinase.slice(0, 80)}${kinase.slice(100)}`, 0.05, 3)
const other = makeProtein(2, 120)

const md5 = '14086411a2cdf1c4cba63020e1622579'
const row = (
  protein: string,
  analysis: string,
  accession: string,
  name: string,
  start: number,
  end: number,
  more = '',
) => `${protein}\t${md5}\t180\t${analysis}\t${accession}\t${name}\t${start}\t${end}\t1.5E-30\tT\t01-01-2024${more}`
const interPro = '\tIPR000719\tProtein kinase domain'

const load = async (): Promise<string[]> => {
  const folder = join(root, 'kin')
  mkdirSync(join(folder, 'structures'), { recursive: true })
  writeSpecies(
    folder,
    'kin',
    [
      {
        assembly: 'K1',
        genes: [
          { id: 'kinA', protein: kinase, symbol: 'KIN1' },
          { id: 'othA', protein: other },
        ],
      },
      {
        assembly: 'K2',
        genes: [
          { id: 'kinB', protein: shorter, symbol: 'KIN1' },
          { id: 'othB', protein: mutate(other, 0.05, 9) },
        ],
      },
    ],
    {
      'k1.ipr.tsv': `${[
        row('kinA.1', 'Pfam', 'PF00069', 'Protein kinase domain', 30, 150, interPro),
        row('kinA.1', 'SMART', 'SM00220', 'Serine/Threonine protein kinases', 28, 152, interPro),
        row('kinA.1', 'Phobius', 'SIGNAL_PEPTIDE', 'Signal peptide region', 1, 20),
        // Of a longer protein than is loaded.
        row('kinA.1', 'Pfam', 'PF99999', 'Beyond', 170, 260),
        // By the gene's own id.
        row('othA', 'TMHMM', 'TMhelix', 'Region of a membrane-bound protein', 40, 60),
      ].join('\n')}\n`,
      'k2.ipr.tsv': `${row('kinB.1', 'Pfam', 'PF00069', 'Protein kinase domain', 30, 130, interPro)}\n`,
    },
  )
  const genes = readFileSync(join(folder, 'K1.gff3'), 'utf8')
  writeFileSync(
    join(folder, 'K1.gff3'),
    genes.replace('ID=othA;', 'ID=othA;').replace(/ID=othA(?=\n)/, 'ID=othA;Dbxref=UniProtKB/TrEMBL:Q8TEST'),
  )
  writeFileSync(join(folder, 'structures', 'kinA.1.pdb.gz'), gzipSync(helixPdb(kinase.slice(40, 90), { first: 141 })))
  writeFileSync(
    join(folder, 'structures', 'AF-Q8TEST-F1-model_v4.cif'),
    helixCif(other, { bFactor: (at) => (at < 60 ? 95 : 45) }),
  )
  writeFileSync(join(folder, 'structures', 'nobody.pdb'), helixPdb(other))
  writeFileSync(join(folder, 'structures', 'notes.txt'), 'not a structure')
  // A structure of another protein under the name of this gene.
  writeFileSync(join(folder, 'wrong.pdb'), helixPdb('W'.repeat(60)))
  const manifest = readFileSync(join(folder, 'species.yaml'), 'utf8')
  writeFileSync(
    join(folder, 'species.yaml'),
    manifest
      .replace(
        'genes: K1.gff3 }',
        'genes: K1.gff3, annotation: [{ file: k1.ipr.tsv }], structures: [{ folder: structures, source: Our lab, licence: CC0-1.0 }, { file: wrong.pdb, gene: kinA }] }',
      )
      .replace('genes: K2.gff3 }', 'genes: K2.gff3, annotation: [{ file: k2.ipr.tsv }] }'),
  )
  const report = await loadTestSpecies(portal.database, portal.dataDir, folder, { engines: ['homologs'] })
  expect(report.defects.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(report.failure ?? null).toBeNull()
  return report.defects.filter(({ code }) => code.startsWith('structure')).map(({ code, file }) => `${code} ${file}`)
}

let defects: string[]
beforeAll(async () => {
  portal = await openEmptyPortal('proteinviewer')
  root = portal.root
  defects = await load()
  data = await portal.openData()
}, 120_000)
afterAll(() => portal.close())

const geneOf = async (gene: string, assembly = 'K1'): Promise<GeneProteins> =>
  answerJson<GeneProteins>(await askRoute(engine, 'gene/', { assembly, gene }, { data }))

let runs = 0
const run = async (input: object) => {
  runs += 1
  const programs = await withPrograms(engine, join(root, `run${runs}`))
  return runEngine(engine, input, makeEngineContext({ data, ...programs }))
}

describe('proteins of a gene', () => {
  test('features of its protein by database, with InterPro entry and E-value; what ends beyond it is left out and counted', async () => {
    const { proteins, beyond, loaded } = await geneOf('kinA')
    expect(loaded).toEqual({ features: true, structures: true })
    expect(beyond).toBe(1)
    expect(proteins).toHaveLength(1)
    const [{ transcript, length, features }] = proteins as [GeneProteins['proteins'][number]]
    expect([transcript, length]).toEqual(['kinA.1', 180])
    expect(
      features.map(({ kind, accession, start, end, entry, evalue }) => [kind, accession, start, end, entry, evalue]),
    ).toEqual([
      ['signal', 'SIGNAL_PEPTIDE', 1, 20, null, null],
      ['domain', 'SM00220', 28, 152, 'IPR000719', 1.5e-30],
      ['domain', 'PF00069', 30, 150, 'IPR000719', 1.5e-30],
    ])
  })
  test('a file that names the gene speaks of its longest protein', async () => {
    const { proteins } = await geneOf('othA')
    expect(proteins[0]!.features).toMatchObject([{ kind: 'transmembrane', start: 40, end: 60 }])
  })
  test('an unknown gene is not found', async () => {
    await expect(geneOf('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('structures', () => {
  test('files are matched by transcript and by accession of UniProt; the others are told', () => {
    expect(defects).toEqual(['structure-no-gene structures/nobody.pdb', 'structure-other-protein wrong.pdb'])
  })
  test('its chain stands where its residues are in the protein, by the numbers of the file', async () => {
    const { structures } = await geneOf('kinA')
    expect(structures).toMatchObject([
      {
        name: 'kinA.1.pdb',
        format: 'pdb',
        confidence: null,
        licence: 'CC0-1.0',
        chains: [{ id: 'A', transcript: 'kinA.1', identity: 1, runs: [{ number: 141, residue: 41, length: 50 }] }],
      },
    ])
  })
  test('a prediction has its mean confidence', async () => {
    const { structures } = await geneOf('othA')
    expect(structures[0]).toMatchObject({ name: 'AF-Q8TEST-F1-model_v4.cif', confidence: 70, residues: 120 })
  })
  test('the file comes as it was loaded, and no other', async () => {
    const answer = await askRoute(engine, 'structure', { assembly: 'K1', gene: 'kinA', name: 'kinA.1.pdb' }, { data })
    expect(await answerText(answer)).toBe(helixPdb(kinase.slice(40, 90), { first: 141 }))
    await expect(
      askRoute(engine, 'structure', { assembly: 'K1', gene: 'kinA', name: '../../../etc/passwd' }, { data }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a family', () => {
  test('its members are aligned, and domains keep their residues', async () => {
    const result = await run({ assembly: 'K1', genes: ['KIN1'], family: true })
    expect(result.proteins.map(({ gene, assembly }) => `${gene} ${assembly}`)).toEqual(['kinA K1', 'kinB K2'])
    expect(result.columns).toBe(180)
    expect(result.proteins[0]!.row).toBe(kinase)
    expect(result.proteins[1]!.row!.replaceAll('-', '')).toBe(shorter)
    expect(result.proteins[1]!.features).toMatchObject([{ accession: 'PF00069', start: 30, end: 130 }])
  }, 60_000)
  test('without the family nothing is aligned; unknown names are told', async () => {
    const result = await run({ assembly: 'K1', genes: 'kinA nobody' })
    expect(result).toMatchObject({ columns: null, unknown: ['nobody'], proteins: [{ gene: 'kinA', row: null }] })
    await expect(run({ assembly: 'K1', genes: 'nobody' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })
})
