import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseHmmProfiles } from '../src/tools/transcriptionfactors/profiles/hmm-profiles.ts'
import { alignFingers, fingerPatterns, makeFactorProfiles } from './factor-profiles.ts'

const cluster = fingerPatterns.find(({ name }) => name === 'Zn2Cys6_cluster')!

// Residues 9 to 40 of yeast Gal4: CDICRLKKLKCSKEKPKCAKCLKNNWECRYSP.
const gal4 = 'MKLLSSIEQACDICRLKKLKCSKEKPKCAKCLKNNWECRYSPKTKRSPLTRAHLTEVESRLERLEQLFLLIFPRED'

test('the cluster of Gal4 is a row with its six cysteines in their columns, gaps within the loops', () => {
  const rows = alignFingers([['GAL4', gal4]], cluster)
  expect([...rows]).toEqual([['GAL4/9-38', 'QACDICRLKKLKCSKEKPK------CAKCLKNNWE--C']])
  expect(alignFingers([['x', gal4.replaceAll('C', 'S')]], cluster).size).toBe(0)
  // Equal rows are one seed.
  const twice = alignFingers(
    [
      ['a', gal4],
      ['b', gal4],
    ],
    cluster,
  )
  expect(twice.size).toBe(1)
})

test('rows of one pattern have one length; the profile that hmmbuild makes of them names itself and has no thresholds', async () => {
  const proteins = new Map(
    ['KEKPK', 'DGKRP', 'SREQP', 'NNRRP'].map((loop, at) => [`p${at}`, gal4.replace('KEKPK', loop)]),
  )
  const lengths = [...alignFingers(proteins, cluster).values()].map((row) => row.length)
  expect(new Set(lengths)).toEqual(new Set([38]))
  const directory = await mkdtemp(join(tmpdir(), 'profiles-'))
  try {
    const file = join(directory, 'out.hmm')
    expect(await makeFactorProfiles(proteins, file)).toEqual([{ name: 'Zn2Cys6_cluster', domain: 'PF00172', seeds: 4 }])
    const text = await readFile(file, 'utf8')
    expect(parseHmmProfiles(text)).toMatchObject({
      profiles: [{ name: 'Zn2Cys6_cluster', alphabet: 'amino', gathering: null }],
      defects: [],
    })
    await makeFactorProfiles(proteins, join(directory, 'again.hmm'))
    expect(await readFile(join(directory, 'again.hmm'), 'utf8')).toBe(text)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
