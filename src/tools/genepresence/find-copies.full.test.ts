import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import type { GenePresence } from '../../kit/data/genes/gene-dna.ts'
import { presencePrograms } from '../../kit/programs.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { makeRandom } from '../../testing/random.ts'
import { loadTestSpecies } from '../../testing/species.ts'

// A chromosome with a gene each kilobase, and a strain that has some of them once more.

const next = makeRandom(11)
const randomBases = (lengthBp: number): string =>
  Array.from({ length: lengthBp }, () => 'ACGT'[Math.floor(next() * 4)]!).join('')
const codons = ['GCT', 'GAC', 'GAA', 'TTC', 'GGT', 'CAC', 'ATC', 'AAA', 'CTG', 'AAC', 'CCG', 'CGT', 'TCC', 'ACC', 'GTT']
const geneBp = 900
const codingBases = (): string =>
  `ATG${Array.from({ length: geneBp / 3 - 2 }, () => codons[Math.floor(next() * codons.length)]!).join('')}TAA`
const otherBase: Record<string, string> = { A: 'G', G: 'A', C: 'T', T: 'C' }
/** Every so many bases another: at 7 what is left is 86 % alike. */
const diverged = (bases: string, every: number): string =>
  [...bases].map((base, at) => (at % every === 3 ? otherBase[base]! : base)).join('')

const starts0: number[] = []
const element = codingBases()
/** Two genes are copies of one insertion sequence. */
const elements = [30, 70]
const reference = (() => {
  let bases = ''
  for (let gene = 0; gene < 100; gene += 1) {
    bases += randomBases(400)
    starts0.push(bases.length)
    bases += elements.includes(gene) ? element : codingBases()
  }
  return bases + randomBases(400)
})()
const geneAt = (gene: number): string => reference.slice(starts0[gene]!, starts0[gene]! + geneBp)
const [tandem, dispersed, paralog] = [{ first: 20, last: 27 }, 50, 60]
/** From the middle of a gene, which the first copy has as a whole, to the middle of another. */
const doubled = reference.slice(starts0[tandem.first - 1]! + 450, starts0[tandem.last + 1]! + 450)
const strain = (() => {
  const cuts = [
    { at0: starts0[tandem.last + 1]! + 450, bases: doubled },
    {
      at0: starts0[80]! - 200,
      bases: reverseComplement(reference.slice(starts0[dispersed]! - 50, starts0[dispersed]! + geneBp + 50)),
    },
    { at0: starts0[85]! - 200, bases: diverged(geneAt(paralog), 7) },
    { at0: starts0[90]! - 200, bases: element },
  ]
  let [bases, from] = ['', 0]
  for (const cut of cuts) {
    bases += diverged(reference.slice(from, cut.at0), 997) + cut.bases
    from = cut.at0
  }
  return bases + reference.slice(from)
})()

const gff3 = `##gff-version 3\n${starts0
  .flatMap((start0, gene) => {
    const about = (type: string, phase: string, more: string) =>
      ['chr', 'made', type, start0 + 1, start0 + geneBp, '.', '+', phase, more].join('\t')
    return [
      about('gene', '.', `ID=g${gene}`),
      about('mRNA', '.', `ID=g${gene}.t;Parent=g${gene}`),
      about('CDS', '0', `ID=g${gene}.c;Parent=g${gene}.t`),
    ]
  })
  .join('\n')}\n`

let portal: EmptyPortal
let data: OpenPortalData
let presences: Map<number, GenePresence>
beforeAll(async () => {
  portal = await openEmptyPortal('genepresence')
  const folder = join(portal.root, 'made')
  mkdirSync(folder, { recursive: true })
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  write('REF.fa', `>chr\n${reference}\n`)
  write('REF.gff3', gff3)
  write('S1.fa', `>s1\n${strain}\n`)
  write(
    'species.yaml',
    'novodb: 1\nspecies: made\nname: Made up\nassemblies:\n  - { id: REF, genome: REF.fa, genes: REF.gff3, reference: true }\n  - { id: S1, genome: S1.fa }\n',
  )
  const report = await loadTestSpecies(portal.database, portal.dataDir, folder, { requirements: presencePrograms })
  expect(report).toMatchObject({ ok: true, failure: null })
  await portal.hearChanges()
  data = await portal.openData()
  const { id } = (await data.presence.genes('REF'))!
  const inOrder = await data.presence.genesIn('REF', 'S1', id.keys())
  presences = new Map(Array.from(inOrder, ([number, presence]) => [Number(id[number]!.slice(1)), presence]))
}, 570_000)
afterAll(() => portal?.close())

const basesAt = async ({ sequence, start, end }: GenePresence['places'][number]): Promise<string> =>
  data.fetchSequence('S1', sequence, start, end)

describe('genes that a strain has once more where alignments pass over an insertion', () => {
  test('all of a tandem duplication, those that it cuts at its ends not, and one dispersed to the other strand', () => {
    const several = [...presences].filter(([, { evidence }]) => evidence.copies > 0).map(([gene]) => gene)
    const inTandem = Array.from({ length: tandem.last - tandem.first + 1 }, (_, at) => tandem.first + at)
    expect(several.sort((a, b) => a - b)).toEqual([...inTandem, dispersed])
    expect(presences.get(tandem.first - 1)).toMatchObject({ evidence: { copies: 0, parts: 1 } })
    expect(presences.get(tandem.last + 1)).toMatchObject({ evidence: { copies: 0, parts: 1 } })
  })

  test('both places of each hold its bases', async () => {
    for (const gene of [tandem.first, tandem.last, dispersed]) {
      const { places, copies } = presences.get(gene)!
      expect([places.length, copies.length]).toEqual([1, 1])
      for (const place of [places[0]!, copies[0]!]) {
        const bases = await basesAt(place)
        const own = geneAt(gene)
        const other = [...(place.strand === '-' ? reverseComplement(bases) : bases)].filter(
          (base, at) => base !== own[at],
        )
        expect([bases.length, other.length <= 1]).toEqual([geneBp, true])
      }
      expect(copies[0]!.strand).toBe(gene === dispersed ? '-' : '+')
      expect(Math.abs(copies[0]!.start - places[0]!.start)).toBeGreaterThan(geneBp)
    }
  })

  test('no gene is split by the second copy, wherever an aligner puts it', () => {
    expect([...presences.values()].filter(({ state }) => state === 'split')).toEqual([])
  })

  test('a paralog that is 86 % alike is no copy, nor an insertion sequence that could be of two', () => {
    for (const gene of [paralog, ...elements]) expect(presences.get(gene)!.evidence.copies).toBe(0)
  })
})
