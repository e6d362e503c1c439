import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PortalError } from '../../contracts/errors.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal.ts'
import { isSameView, readAddress, readLocus, readVisible, writeAddress } from './address.ts'
import { type BrowserConfig, completeAddresses, renderBrowserConfig } from './browser-config.ts'
import { findLocus } from './find-locus.ts'
import { listSequenceAliases } from './sequence-aliases.ts'
import type { BakedTrack, ContactMapRecord } from './stored.ts'

const bases = (length: number): string => 'ACGTTGCAAC'.repeat(Math.ceil(length / 10)).slice(0, length)

const gff3 = `##gff-version 3
chrI\tt\tgene\t5001\t8000\t.\t-\t.\tID=Y1;Name=ABC1
chrI\tt\tmRNA\t5001\t8000\t.\t-\t.\tID=Y1.t;Parent=Y1
chrI\tt\tCDS\t5001\t8000\t.\t-\t0\tID=Y1.c;Parent=Y1.t
`

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal([
    { id: 'R64', fasta: `>chrI\n${bases(9000)}\n>chrII\n${bases(4000)}\n>chrmt\n${bases(900)}\n`, gff3 },
    { id: 'other', fasta: `>scaffold_1\n${bases(500)}\n` },
    {
      id: 'ring',
      fasta: `>p1\n${bases(9000)}\n`,
      gff3: `##gff-version 3\np1\tt\tgene\t8001\t9500\t.\t+\t.\tID=R1\n`,
      circular: ['p1'],
    },
  ])
})
afterAll(() => portal.close())

const refusal = (asked: Parameters<typeof findLocus>[0]): Promise<PortalError> =>
  findLocus(asked, portal.data).then(
    () => {
      throw new Error('found')
    },
    (error: unknown) => error as PortalError,
  )

describe('places of the genome browser', () => {
  it('shows a gene with as much again at each side, within its chromosome', async () => {
    const found = await findLocus({ gene: 'abc1' }, portal.data)
    expect(found.assembly).toBe('R64')
    expect(found.gene?.id).toBe('Y1')
    expect(found.loci).toEqual([{ sequence: 'chrI', start: 2001, end: 9000 }])
    expect(found.address).toBe('/jbrowse/?assembly=R64&loc=chrI:2001..9000')
  })
  it('reads regions under other names of a chromosome, clips them, and takes a bare name as the whole', async () => {
    const places = async (loc: string) => (await findLocus({ assembly: 'R64', loc }, portal.data)).loci
    expect(await places('1:1,001..2,000')).toEqual([{ sequence: 'chrI', start: 1001, end: 2000 }])
    expect(await places('chrII:3500-99999')).toEqual([{ sequence: 'chrII', start: 3500, end: 4000 }])
    expect(await places('MT')).toEqual([{ sequence: 'chrmt', start: 1, end: 900 }])
    expect(await places('chrI:5..9 chrII:7..8')).toEqual([
      { sequence: 'chrI', start: 5, end: 9 },
      { sequence: 'chrII', start: 7, end: 8 },
    ])
  })
  it('shows both parts of a gene, or of a region, that crosses the origin of a circular sequence', async () => {
    const found = await findLocus({ gene: 'R1' }, portal.data)
    expect(found.loci).toEqual([
      { sequence: 'p1', start: 6501, end: 9000 },
      { sequence: 'p1', start: 1, end: 2000 },
    ])
    expect(found.address).toBe('/jbrowse/?assembly=ring&loc=p1:6501..9000+p1:1..2000')
    const asked = await findLocus({ assembly: 'ring', loc: 'p1:8001..9500', highlight: 'p1:8001..9500' }, portal.data)
    expect(asked.loci).toEqual([
      { sequence: 'p1', start: 8001, end: 9000 },
      { sequence: 'p1', start: 1, end: 500 },
    ])
    expect(asked.highlights).toEqual(asked.loci)
  })
  it('takes what is no region for a gene', async () => {
    expect((await findLocus({ assembly: 'R64', loc: 'Y1' }, portal.data)).gene?.symbol).toBe('ABC1')
  })
  it('says of what kind a wrong place is', async () => {
    expect(await refusal({ assembly: 'R64', loc: 'nonsense' })).toMatchObject({
      code: 'UNKNOWN_GENE',
      messageId: 'locus.unknown',
      problems: [{ path: ['loc'] }],
    })
    expect(await refusal({ gene: 'nonsense' })).toMatchObject({ code: 'UNKNOWN_GENE', problems: [{ path: ['gene'] }] })
    expect(await refusal({ assembly: 'R64', loc: 'chrI:9500..9600' })).toMatchObject({
      code: 'INVALID_INPUT',
      messageId: 'locus.beyond-end',
      params: { length: 9000 },
    })
    expect(await refusal({ assembly: 'none', loc: 'chrI' })).toMatchObject({ code: 'UNKNOWN_ASSEMBLY' })
  })
  it('keeps marks that fit and drops those that do not', async () => {
    const found = await findLocus({ assembly: 'R64', loc: 'chrI', highlight: 'chrI:10..20 chrX:1..2' }, portal.data)
    expect(found.highlights).toEqual([{ sequence: 'chrI', start: 10, end: 20 }])
  })
  it('starts at the beginning of an assembly without examples', async () => {
    expect((await findLocus({ assembly: 'other' }, portal.data)).loci).toEqual([
      { sequence: 'scaffold_1', start: 1, end: 500 },
    ])
  })
})

const track = (type: BakedTrack['type'], about: Partial<BakedTrack> = {}): BakedTrack => ({
  id: type,
  name: { en: `the ${type}`, zh: `${type} 轨道` },
  description: null,
  category: null,
  type,
  file: `tracks/a b.${type}`,
  index:
    type === 'bigwig' || type === 'bigbed'
      ? null
      : `tracks/${type}.${type === 'bam' ? 'bai' : type === 'cram' ? 'crai' : 'csi'}`,
  simulated: false,
  ...about,
})

const contactMap = (format: ContactMapRecord['format']): ContactMapRecord => ({
  id: `g1-${format}`,
  name: { en: 'Hi-C of G1', zh: 'G1 期 Hi-C' },
  description: null,
  format,
  file: `contacts/g1.${format}`,
  simulated: false,
})

const configured = async (language: 'en' | 'zh', about: Partial<BakedTrack> = {}): Promise<BrowserConfig> => {
  const summary = await portal.data.getAssembly('R64')
  const other = await portal.data.getAssembly('other')
  const tracks = (['bigwig', 'bam', 'cram', 'vcf', 'bed', 'gff3', 'bigbed'] as const).map((type) => track(type))
  tracks[0] = track('bigwig', about)
  return renderBrowserConfig(
    'R64',
    [
      { summary, genesFile: 'genes.gff3.gz', tracks, contacts: [contactMap('hic'), contactMap('mcool')] },
      { summary: other, genesFile: null, tracks: [], contacts: [] },
    ],
    language,
  )
}

describe('configuration of JBrowse', () => {
  it('has an adapter for every kind of track, each with its index', async () => {
    const { jbrowse } = await configured('en')
    const adapters = jbrowse.tracks.map((one) => (one.adapter as { type: string }).type)
    expect(adapters).toEqual([
      'Gff3TabixAdapter',
      'GCContentAdapter',
      'BigWigAdapter',
      'BamAdapter',
      'CramAdapter',
      'VcfTabixAdapter',
      'BedTabixAdapter',
      'Gff3TabixAdapter',
      'BigBedAdapter',
      'HicAdapter',
    ])
    const bundle = (await portal.data.getAssembly('R64')).bundle
    expect(jbrowse.tracks[3]).toMatchObject({
      trackId: 'R64:bam',
      adapter: {
        bamLocation: { uri: `/data/${bundle}/tracks/a%20b.bam` },
        index: { location: { uri: `/data/${bundle}/tracks/bam.bai` }, indexType: 'BAI' },
      },
    })
    expect(new Set(jbrowse.tracks.map((one) => one.trackId)).size).toBe(jbrowse.tracks.length)
  })
  it('draws a contact map of a .hic file, which does not open by itself, and names those of formats that JBrowse does not read', async () => {
    const { jbrowse, tracks, undrawnMaps } = await configured('zh')
    const bundle = (await portal.data.getAssembly('R64')).bundle
    expect(jbrowse.tracks.filter((one) => one.type === 'HicTrack')).toMatchObject([
      { trackId: 'R64:contacts-g1-hic', adapter: { hicLocation: { uri: `/data/${bundle}/contacts/g1.hic` } } },
    ])
    expect(tracks.find(({ id }) => id === 'contacts-g1-hic')).toMatchObject({
      id: 'contacts-g1-hic',
      name: 'G1 期 Hi-C',
      category: '互作矩阵',
    })
    expect(undrawnMaps).toEqual([{ name: 'G1 期 Hi-C', format: '.mcool', file: `/data/${bundle}/contacts/g1.mcool` }])
  })
  it('offers every assembly, so that genomes can be compared', async () => {
    const { jbrowse } = await configured('en')
    expect(jbrowse.assemblies.map((one) => one.name)).toEqual(['R64', 'other'])
  })
  it('names tracks in the language of the reader and says what is simulated', async () => {
    const english = (await configured('en', { simulated: true })).jbrowse.tracks.map((one) => one.name)
    const chinese = (await configured('zh', { simulated: true })).jbrowse.tracks.map((one) => one.name)
    expect(english.slice(0, 2)).toEqual(['Genes', 'GC content'])
    expect(chinese.slice(0, 2)).toEqual(['基因', 'GC 含量'])
    expect(chinese).toContain('bigwig 轨道（模拟数据）')
    // After all that was measured.
    const own = (await configured('en', { simulated: true })).tracks
    expect(own.at(-1)).toMatchObject({ name: 'the bigwig', simulated: true })
    expect(own.filter(({ simulated }) => simulated)).toHaveLength(1)
    expect(english).toContain('the bigwig (simulated)')
  })
  it('does not say of a name that says so itself that it is simulated', async () => {
    const own = { en: 'Rifampicin, log2 MIC (simulated)', zh: '利福平 MIC，log2（模拟）' }
    const names = async (language: 'en' | 'zh') =>
      (await configured(language, { name: own, simulated: true })).jbrowse.tracks.map((one) => one.name)
    expect(await names('en')).toContain(own.en)
    expect(await names('zh')).toContain(own.zh)
  })
  it('opens the genes and the first track of each category', async () => {
    expect((await configured('en')).defaultTracks).toEqual(['genes', 'bigwig', 'bam', 'vcf'])
  })
  it('draws windows of a statistic as a signal, which does not open by itself', async () => {
    const windowed = await portal.data.getAssembly('R64')
    const own = { summary: windowed, genesFile: 'genes.gff3.gz', contacts: [] }
    const tracks = [{ ...track('bed'), scoreColumn: 'score' }]
    const { jbrowse, defaultTracks } = renderBrowserConfig(windowed.id, [{ ...own, tracks }], 'en')
    expect(jbrowse.tracks.at(-1)).toMatchObject({
      type: 'QuantitativeTrack',
      adapter: { type: 'BedTabixAdapter', scoreColumn: 'score' },
    })
    expect(defaultTracks).toEqual(['genes'])
  })
  it('completes addresses and nothing else', () => {
    expect(
      completeAddresses({ a: [{ uri: '/data/x' }], uri: 'https://e.org/y', name: '/data' }, 'https://p.org/n'),
    ).toEqual({
      a: [{ uri: 'https://p.org/n/data/x' }],
      uri: 'https://e.org/y',
      name: '/data',
    })
  })
})

describe('addresses of views', () => {
  it('come back as they were written', () => {
    const query = writeAddress({
      assembly: 'H37Rv',
      loc: readVisible('NC_000962.2:4,350,266..4,359,719'),
      tracks: ['genes', 'not-in-bcg'],
      highlight: 'NC_000962.2:4352609..4352896',
      beside: { assembly: 'BCG', loci: [{ sequence: 'chr', start: 5, end: 9 }] },
    })
    expect(query).toBe(
      'assembly=H37Rv&loc=NC_000962.2:4350266..4359719&tracks=genes,not-in-bcg&highlight=NC_000962.2:4352609..4352896&beside=BCG&besideLoc=chr:5..9',
    )
    expect(readAddress(new URLSearchParams(query))).toEqual({
      assembly: 'H37Rv',
      loc: 'NC_000962.2:4350266..4359719',
      gene: null,
      tracks: ['genes', 'not-in-bcg'],
      highlight: 'NC_000962.2:4352609..4352896',
      hits: null,
      beside: 'BCG',
      besideLoc: 'chr:5..9',
    })
  })
  it('do not drift by the pixels of a screen', () => {
    const locus = { sequence: 'chrI', start: 1001, end: 2000 }
    expect(readLocus('chrI:1004..2003 chrII:1..9')).toEqual({ sequence: 'chrI', start: 1004, end: 2003 })
    expect(readLocus('chrI')).toBeNull()
    expect(isSameView('chrI:1004..2003', [locus])).toBe(true)
    expect(isSameView('chrI:1041..2040', [locus])).toBe(false)
    expect(isSameView('chrII:1001..2000', [locus])).toBe(false)
  })
  it('tell no tracks from none named', () => {
    expect(readAddress(new URLSearchParams('tracks=')).tracks).toEqual([])
    expect(readAddress(new URLSearchParams('')).tracks).toBeNull()
  })
  it('leave out a list of regions that no address holds', () => {
    expect(writeAddress({ assembly: 'draft', loc: 'scaffold_1:1..2 '.repeat(200) })).toBe('assembly=draft')
  })
})

describe('other names of sequences', () => {
  it('are the usual ones of yeast, each for one chromosome', async () => {
    const numerals = 'I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI mt'.split(' ')
    const names = numerals.map((numeral) => `chr${numeral}`).map((name) => ({ name, aliases: [] }))
    const found = new Map(listSequenceAliases(names).map((one) => [one.name, one.aliases]))
    expect(found.get('chrI')).toEqual(expect.arrayContaining(['I', '1', 'chr1']))
    expect(found.get('chrX')).toEqual(expect.arrayContaining(['X', '10', 'chr10']))
    expect(found.get('chrmt')).toEqual(expect.arrayContaining(['MT', 'chrM']))
    const all = [...found.values()].flat()
    expect(new Set(all).size).toBe(all.length)
  })
  it('never take the name of another sequence', () => {
    const names = ['1', 'chr1'].map((name) => ({ name, aliases: ['one'] }))
    expect(listSequenceAliases(names).flatMap((one) => one.aliases)).not.toContain('chr1')
  })
  it('put no "chr" before accessions', () => {
    const [only] = listSequenceAliases([{ name: 'NC_000962.2', aliases: ['H37Rv'] }])
    expect(only?.aliases).toEqual(['H37Rv', 'NC_000962'])
  })
})
