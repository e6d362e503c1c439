import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPresent } from '../bio/comparative/gene-presence.ts'
import { reverseComplement } from '../bio/sequence/sequence.ts'
import type { AssemblyGeneState } from '../contracts/gene-states.ts'
import type { OpenPortalData } from '../kit/data/create-portal-data.ts'
import { findGeneStates } from '../kit/data/genes/gene-states.ts'
import { countPresence } from '../kit/data/genes/presence-frequencies.ts'
import { type EmptyPortal, openEmptyPortal } from '../testing/empty-portal.ts'
import { makeProtein, mutate } from '../testing/protein-genomes.ts'
import { makeRandom } from '../testing/random.ts'
import { loadTestSpecies } from '../testing/species.ts'

// Two genomes made from one list of segments, so that what became of each gene is known: kept, not annotated, deleted with and
// without a paralog that is left, replaced, and at the end of a contig.

const codons: Record<string, string> = Object.fromEntries(
  'A GCT C TGC D GAC E GAA F TTC G GGT H CAC I ATC K AAA L CTG M ATG N AAC P CCG Q CAG R CGT S TCC T ACC V GTT W TGG Y TAC'
    .split(' ')
    .flatMap((word, at, all) => (at % 2 === 0 ? [[word, all[at + 1]!]] : [])),
)

const randomBases = (lengthBp: number, seed: number): string => {
  const next = makeRandom(seed)
  return Array.from({ length: lengthBp }, () => 'ACGT'[Math.floor(next() * 4)]!).join('')
}

interface MadeGene {
  bases: string
  strand: '+' | '-'
  type: 'mRNA' | 'tRNA'
}
const coding = (protein: string, strand: '+' | '-' = '+'): MadeGene => {
  const bases = `${[...protein].map((residue) => codons[residue]!).join('')}TAA`
  return { bases: strand === '+' ? bases : reverseComplement(bases), strand, type: 'mRNA' }
}
const familyA = makeProtein(301, 260)
const familyC = makeProtein(303, 260)
const familyD = makeProtein(304, 220)
const genes: Record<string, MadeGene> = {
  kept: coding(makeProtein(300, 250)),
  turned: coding(makeProtein(310, 250), '-'),
  a1: coding(familyA),
  a2: coding(mutate(familyA, 0.3, 5)),
  silent: coding(makeProtein(302, 240), '-'),
  c1: coding(familyC),
  c2: coding(mutate(familyC, 0.25, 6), '-'),
  lonely: coding(makeProtein(305, 230)),
  replaced: coding(makeProtein(306, 230)),
  shrunk: coding(makeProtein(307, 230)),
  d1: coding(familyD),
  d2: coding(mutate(familyD, 0.2, 7)),
  beyond: coding(makeProtein(308, 230)),
  cut: coding(makeProtein(309, 300)),
  remnant: coding(makeProtein(311, 300)),
  inverted: coding(makeProtein(312, 300)),
  trnaKept: { bases: randomBases(74, 71), strand: '-', type: 'tRNA' },
  trnaGone: { bases: randomBases(75, 72), strand: '+', type: 'tRNA' },
}

/** A gene by name, with `?` behind it without annotation; `~5` is spacer 5; bases as they are. */
type Part = string
const spacers = Array.from({ length: 40 }, (_, number) => randomBases(2500, 500 + number))

const writeAssembly = (folder: string, id: string, contigs: Record<string, Part[]>): void => {
  const lines = ['##gff-version 3']
  const fasta: string[] = []
  for (const [contig, parts] of Object.entries(contigs)) {
    let bases = ''
    for (const part of parts) {
      if (part.startsWith('~')) bases += spacers[Number(part.slice(1))]!
      else if (/^[ACGT]{20,}$/.test(part)) bases += part
      else {
        const [name, from, to] = part.replace('?', '').split(':')
        const gene = genes[name!]!
        const own = gene.bases.slice(Number(from ?? 0), to === undefined ? undefined : Number(to))
        if (!part.includes('?')) {
          const place = (type: string, phase: string, attributes: string): string =>
            [
              contig,
              'made',
              type,
              bases.length + 1,
              bases.length + own.length,
              '.',
              gene.strand,
              phase,
              attributes,
            ].join('\t')
          const geneId = `${id}_${name}`
          if (gene.type === 'mRNA')
            lines.push(
              place('gene', '.', `ID=${geneId}`),
              place('mRNA', '.', `ID=${geneId}.1;Parent=${geneId}`),
              place('CDS', '0', `ID=${geneId}.c;Parent=${geneId}.1`),
            )
          else
            lines.push(
              place('ncRNA_gene', '.', `ID=${geneId};biotype=tRNA`),
              place('tRNA', '.', `ID=${geneId}.1;Parent=${geneId}`),
              place('exon', '.', `Parent=${geneId}.1`),
            )
        }
        bases += own
      }
    }
    fasta.push(`>${contig}\n${bases}\n`)
  }
  writeFileSync(join(folder, `${id}.fa`), fasta.join(''))
  writeFileSync(join(folder, `${id}.gff3`), `${lines.join('\n')}\n`)
}

let portal: EmptyPortal
let data: OpenPortalData

beforeAll(async () => {
  portal = await openEmptyPortal('gene-states')
  const folder = join(portal.root, 'made')
  mkdirSync(folder, { recursive: true })
  writeAssembly(folder, 'REF', {
    chr1: [
      ...['~0', 'kept', '~1', 'a1', '~2', 'a2', '~3', 'silent', '~4', 'trnaKept', '~5', 'turned', '~6', 'c1', '~7'],
      ...['c2?', '~8', 'lonely', '~9', 'trnaGone', '~10', 'replaced', '~11', 'shrunk', '~12', 'd1', '~13', 'd2'],
      ...['~19', 'remnant', '~14', 'cut', '~15', 'beyond', '~16', '~17', '~18'],
      ...['~20', '~21', 'inverted', '~22', '~23', '~24'],
    ],
  })
  writeAssembly(folder, 'ALT', {
    // The deletions take some of the spacers with them.
    one: [
      ...['~0', 'kept', '~1', 'a1', '~2', '~3', 'silent?', '~4', 'trnaKept', '~5', 'turned', '~6', '~7'],
      ...[
        'c2',
        '~8',
        '~9',
        '~10',
        randomBases(693, 900),
        '~11',
        randomBases(200, 901),
        '~13',
        'd2',
        '~19',
        'remnant:0:330?',
        '~14',
        'cut:0:300?',
      ],
    ],
    two: ['~17', '~18', '~20', reverseComplement(`${spacers[21]}${genes.inverted!.bases}${spacers[22]}`), '~23', '~24'],
  })
  writeFileSync(
    join(folder, 'species.yaml'),
    [
      'novodb: 1',
      'species: made',
      'name: Made up',
      'assemblies:',
      '  - { id: REF, genome: REF.fa, genes: REF.gff3, reference: true }',
      '  - { id: ALT, genome: ALT.fa, genes: ALT.gff3 }',
      '',
    ].join('\n'),
  )
  const report = await loadTestSpecies(portal.database, portal.dataDir, folder, { engines: true })
  expect(report).toMatchObject({ ok: true, failure: null })
  data = await portal.openData()
  await portal.hearChanges()
})
afterAll(() => portal?.close())

const stateOf = async (name: string, from = 'REF', to = 'ALT'): Promise<AssemblyGeneState> => {
  const [gene] = await data.getGenes(from, [`${from}_${name}`])
  const { states } = await findGeneStates(data, gene!, to)
  expect(states.map(({ assembly }) => assembly)).toEqual([to])
  return states[0]!
}
const named = ({ genes: own }: Pick<AssemblyGeneState, 'genes'>): string[] => own.map(({ gene }) => gene)

describe('what another assembly has of a gene', () => {
  test('its ortholog at its own place, on both strands', async () => {
    for (const name of ['kept', 'turned', 'a1', 'd2']) {
      const found = await stateOf(name)
      expect(found, name).toMatchObject({ state: 'ortholog', dna: { state: 'present', alignedShare: 1, identity: 1 } })
      expect(found.genes).toEqual([expect.objectContaining({ gene: `ALT_${name}`, sameLocus: true })])
    }
  })

  test('a gene whose paralog is left is not there: only its family is', async () => {
    const found = await stateOf('a2')
    expect(found).toMatchObject({ state: 'paralogs', genes: [], dna: { state: 'gone', locus: { sequence: 'one' } } })
    expect(found.paralogs).toEqual([expect.objectContaining({ gene: 'ALT_a1', sameLocus: false })])
  })

  test('the nearest protein is no ortholog where its own place is that of another stretch of the reference', async () => {
    // c2 is annotated in the other assembly alone, so that its protein and that of the deleted c1 are each other's best.
    const [gene] = await data.getGenes('REF', ['REF_c1'])
    const [row] = await data.listHomologs('REF', [gene!.id])
    expect(row!.homologs.filter(({ relation }) => relation === 'ortholog').map((one) => one.gene)).toEqual(['ALT_c2'])
    const found = await stateOf('c1')
    expect(found).toMatchObject({ state: 'paralogs', dna: { state: 'gone' } })
    expect(found.paralogs.map((one) => one.gene)).toEqual(['ALT_c2'])
    // Asked from the other side its DNA is there, and nobody annotated it.
    expect(await stateOf('c2', 'ALT', 'REF')).toMatchObject({ state: 'unannotated', dna: { state: 'present' } })
  })

  test('DNA that nobody annotated is there', async () => {
    expect(await stateOf('silent')).toMatchObject({
      state: 'unannotated',
      genes: [],
      dna: { state: 'present', alignedShare: 1, locus: { sequence: 'one', strand: '-' } },
    })
  })

  test('a gene of a stretch that is turned round is at its place, though its neighbours’ alignment passes over it', async () => {
    expect(await stateOf('inverted')).toMatchObject({
      state: 'unannotated',
      paralogs: [],
      dna: { state: 'present', alignedShare: 1, locus: { sequence: 'two', strand: '-' } },
    })
  })

  test('a gene without a protein is followed by its place', async () => {
    const kept = await stateOf('trnaKept')
    // Its strand is the gene's own there, not the alignment's.
    expect(kept).toMatchObject({ state: 'same-locus', dna: { state: 'present', locus: { strand: '-' } } })
    expect(named(kept)).toEqual(['ALT_trnaKept'])
    expect(await stateOf('trnaGone')).toMatchObject({ state: 'gone', paralogs: [], dna: { state: 'gone' } })
  })

  test('a deletion without anything of the family is a loss', async () => {
    expect(await stateOf('lonely')).toMatchObject({ state: 'gone', genes: [], paralogs: [], dna: { state: 'gone' } })
  })

  test('other bases of its length may be it, too different to align; too few for it are a loss', async () => {
    expect(await stateOf('replaced')).toMatchObject({ state: 'unknown', dna: { state: 'replaced' } })
    expect(await stateOf('shrunk')).toMatchObject({ state: 'gone', dna: { state: 'gone' } })
  })

  test('one of two copies that lie beside each other is lost: the other is not taken for it', async () => {
    const found = await stateOf('d1')
    expect(found.state).toBe('paralogs')
    expect(found.paralogs.map((one) => one.gene)).toEqual(['ALT_d2'])
  })

  test('of a gene that is cut down to a third the rest is told', async () => {
    const found = await stateOf('remnant')
    expect(found).toMatchObject({ state: 'gone', genes: [], dna: { state: 'gone', locus: { sequence: 'one' } } })
    expect(found.dna.alignedShare).toBeCloseTo(330 / 903, 1)
  })

  test('beyond the end of a contig nothing is known', async () => {
    expect(await stateOf('beyond')).toMatchObject({ state: 'unknown', dna: { state: 'unknown', reason: 'contig-end' } })
    const cut = await stateOf('cut')
    expect(cut).toMatchObject({ state: 'unknown', dna: { state: 'unknown' } })
    expect(cut.dna.alignedShare).toBeCloseTo(300 / 903, 1)
  })

  test('without an alignment proteins alone speak, and nothing is called gone', async () => {
    const alone = {
      ...data,
      alignments: { ...data.alignments, getState: async () => null },
      presence: { ...data.presence, ofGene: async () => new Map() },
    }
    for (const name of ['lonely', 'a2', 'trnaGone', 'silent']) {
      const [gene] = await data.getGenes('REF', [`REF_${name}`])
      const { states } = await findGeneStates(alone, gene!)
      expect(states[0], name).toMatchObject({ state: 'unknown', dna: { state: 'unknown', reason: 'assembly' } })
    }
    const [kept] = await data.getGenes('REF', ['REF_kept'])
    expect((await findGeneStates(alone, kept!)).states[0]).toMatchObject({ state: 'ortholog' })
  })
})

describe('what was computed of all genes at the load', () => {
  const statesOf = async (from: string, to: string): Promise<Map<string, string>> => {
    const [genes, found] = await Promise.all([data.presence.genes(from), data.presence.states(from, to)])
    return new Map(genes!.id.map((id, at) => [id.slice(from.length + 1), found!.states[at]!]))
  }

  test('each gene by its DNA, with a search where nothing is aligned', async () => {
    const states = Object.fromEntries(await statesOf('REF', 'ALT'))
    expect(states).toMatchObject({
      kept: 'intact',
      turned: 'intact',
      a1: 'intact',
      a2: 'paralog',
      silent: 'unannotated',
      lonely: 'gone',
      trnaKept: 'intact',
      trnaGone: 'gone',
      d1: 'paralog',
      d2: 'intact',
      remnant: 'gone',
      shrunk: 'gone',
      inverted: 'unannotated',
      // Behind the end of a contig: searched for, and not said to be gone.
      beyond: 'unknown',
      cut: 'unknown',
    })
  })

  test('gene by gene it says what it says of all at once, annotated genes included', async () => {
    for (const [from, to] of [
      ['REF', 'ALT'],
      ['ALT', 'REF'],
    ] as const) {
      const genes = await data.presence.genes(from)
      const whole = await data.presence.states(from, to)
      const single = await data.presence.genesIn(from, to, genes!.id.keys())
      expect([...single.keys()]).toEqual([...genes!.id.keys()])
      expect([...single.values()].map(({ state }) => state)).toEqual(whole!.states)
      expect([...single.values()].map(({ evidence }) => (evidence.annotated ? 1 : 0))).toEqual([...whole!.annotated])
      expect((await data.presence.ofGene(from, genes!.id[1]!)).get(to)).toEqual(single.get(1))
    }
    expect(await data.presence.states('REF', 'REF')).toBeNull()
    expect((await data.presence.genesIn('REF', 'ALT', [-1, 100_000])).size).toBe(0)
  })

  test('a gene counts once in the pan-genome, whoever has it, by its DNA and by what is annotated', async () => {
    const ids = ['REF', 'ALT']
    const { dna, annotated } = await countPresence(data, ids, new AbortController().signal)
    let [alone, both, bothAnnotated] = [0, 0, 0]
    for (const [from, to] of [ids, ids.toReversed()] as [string, string][])
      for (const { state, evidence } of (
        await data.presence.genesIn(from, to, (await data.presence.genes(from))!.id.keys())
      ).values()) {
        if (!isPresent(state)) alone += 1
        else {
          both += 0.5
          if (evidence.annotated) bothAnnotated += 0.5
        }
      }
    expect(dna).toEqual([0, alone, both])
    expect(annotated[2]).toBe(bothAnnotated)
    expect(bothAnnotated).toBeLessThan(both)
  })

  test('from the other side', async () => {
    expect(Object.fromEntries(await statesOf('ALT', 'REF'))).toMatchObject({ kept: 'intact', c2: 'unannotated' })
  })

  test('a page of a gene tells the same as the whole', async () => {
    const states = await statesOf('REF', 'ALT')
    for (const name of ['kept', 'silent', 'lonely', 'a2'])
      expect((await stateOf(name)).presence.state, name).toBe(states.get(name))
  })
})
