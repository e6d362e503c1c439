import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseDomainTable, resolveOverlaps } from '../profiles/domain-hits.ts'
import { parseHmmProfiles } from '../profiles/hmm-profiles.ts'
import type { Domain } from '../tool.ts'
import { assignFamily, inspectRule } from './assign-family.ts'
import { buildVocabulary } from './domain-vocabulary.ts'
import { giveAnnotationVerdict, openRules, stateRules } from './give-verdict.ts'
import { domainsOf, parseExpression, parseRuleFile, renderExpression } from './rule-file.ts'

const shipped = readFileSync(join(import.meta.dirname, '../default-rules.txt'), 'utf8')

const block = (fields: Record<string, string>): string =>
  `${Object.entries(fields)
    .map(([key, value]) => `${key}:${value}\n`)
    .join('')}//\n`
const rule = (name: string, required: string, more: Record<string, string> = {}): string =>
  block({ ID: `R-${name}`, Name: name, Required: required, ...more })
const familyOf = (text: string, domains: string): string | null => {
  const { file, defects } = parseRuleFile(text)
  expect(defects).toEqual([])
  const counted = domains.split(' ').map((one) => {
    const [domain, score] = one.split('=')
    return { domain: domain!, score: Number(score ?? 10) }
  })
  return assignFamily(counted, file.rules).rule?.name ?? null
}

describe('a rule file', () => {
  test('reads copies, alternatives and what must stand together', () => {
    expect(parseExpression('PF00847#2')).toEqual([[[{ domain: 'PF00847', copies: 2 }]]])
    expect(parseExpression('NA')).toEqual([])
    expect(renderExpression(parseExpression('PF00046#1--PF02183#1:PF01852#1;HB#3')!)).toBe(
      'PF00046--PF02183:PF01852; HB#3',
    )
    for (const wrong of ['PF00847#0', 'PF00847#', '--PF00847', 'PF00847;;PF02362', 'A B', '(A,B)'])
      expect(parseExpression(wrong), wrong).toBeNull()
  })

  test('takes a block as iTAK writes it, misspelt key and all', () => {
    const text =
      '# comment\nID:T0005\nName:B3\nFamily:B3_superfamily->B3\nRequired:PF02362#1 \nAuxiiary:NA\nForbidden:PF00847#1:PF06507#1\nType:TF\nDesc:NA\n//\n'
    const { file, defects } = parseRuleFile(text.replaceAll('\n', '\r\n'))
    expect(defects).toEqual([])
    expect(file.rules).toMatchObject([
      { id: 'T0005', name: 'B3', within: ['B3_superfamily'], type: 'TF', description: null, auxiliary: [] },
    ])
    expect(domainsOf(file.rules[0]!.forbidden)).toEqual(['PF00847', 'PF06507'])
  })

  test('tells every kind of mistake with its line and keeps the blocks around it', () => {
    const text = [
      rule('good', 'A'),
      block({ Name: 'nameless', Required: 'A' }),
      block({ ID: '3', Required: 'A' }),
      rule('bad', 'A#x'),
      block({ ID: '5', Name: 'empty', Required: 'NA' }),
      rule('good', 'B'),
      'Colour:red\n',
      rule('last', 'B'),
      'ID:9\nName:cut\n',
    ].join('')
    const { file, defects } = parseRuleFile(text)
    expect(file.rules.map(({ name }) => name)).toEqual(['good', 'last'])
    expect(defects.map(({ reason }) => reason)).toEqual([
      ...['no-id', 'no-name', 'expression', 'no-required', 'twice', 'key', 'unfinished'],
    ])
    expect(defects[2]).toMatchObject({ line: 11, text: 'A#x' })
  })

  test('that is shipped has no mistake, a source for every rule, a name for every domain', () => {
    const { file, defects } = parseRuleFile(shipped)
    expect(defects).toEqual([])
    expect(file.rules.length).toBeGreaterThan(75)
    expect(file.rules.filter(({ citation, group, description }) => !citation || !group || !description)).toEqual([])
    const named = new Set(file.domains.map(({ domain }) => domain))
    const used = file.rules.flatMap((one) => domainsOf([...one.required, ...one.forbidden, ...one.auxiliary]))
    expect(used.filter((domain) => !named.has(domain))).toEqual([])
    expect(new Set(file.domains.flatMap(({ others }) => others)).size).toBe(
      file.domains.flatMap(({ others }) => others).length,
    )
  })
})

describe('a family', () => {
  const plants = (domains: string): string | null => familyOf(shipped, domains)

  test('is told by copies: two AP2 domains are AP2, one is ERF, one beside B3 is RAV', () => {
    expect(plants('PF00847 PF00847')).toBe('AP2')
    expect(plants('PF00847')).toBe('ERF')
    expect(plants('PF00847 PF02362')).toBe('RAV')
    expect(plants('PF02362 PF06507')).toBe('ARF')
    expect(plants('PF02362')).toBe('B3')
  })

  test('MADS box with K box is MIKC, without it M-type; a MYB with one repeat is MYB-related', () => {
    expect(plants('PF00319 PF01486')).toBe('MADS MIKC')
    expect(plants('PF00319')).toBe('MADS M-type')
    expect(plants('PF00249 PF00249 PF00249')).toBe('MYB')
    expect(plants('PF00249')).toBe('MYB-related')
    expect(plants('PF00249 PF00072')).toBe('ARR-B')
    expect(plants('PF00249 PF00176')).toBeNull()
  })

  test('Gal4 with cluster and middle region is Zn2Cys6, the middle region alone is its own family', () => {
    expect(plants('PF00172 PF04082')).toBe('Zn2Cys6')
    expect(plants('PF04082')).toBe('Fungal-specific domain')
    expect(plants('PF00170')).toBe('bZIP')
    expect(plants('PF00170 PF00010')).toBe('bHLH')
  })

  test('a forbidden domain excludes, and says so; one of two required says what lacks', () => {
    const { file } = parseRuleFile(rule('C2H2', 'A', { Forbidden: 'X;Y--Z' }) + rule('pair', 'B--C#2'))
    const verdict = (names: string) =>
      assignFamily(
        names.split(' ').map((domain) => ({ domain, score: 1 })),
        file.rules,
      )
    expect(verdict('A X')).toMatchObject({ rule: null, refusals: [{ family: 'C2H2', forbidden: ['X'] }] })
    expect(verdict('A Y').rule?.name).toBe('C2H2')
    expect(verdict('A Y Z').refusals[0]!.forbidden).toEqual(['Y', 'Z'])
    expect(verdict('B C').incomplete).toEqual([{ rule: 'R-pair', family: 'pair', lacks: ['C#2'] }])
    expect(verdict('A B').incomplete).toEqual([])
  })

  test('of equals the one with more auxiliary domains wins, then more bits, then the first of the file', () => {
    const two = rule('first', 'A') + rule('second', 'B', { Auxiliary: 'Q' })
    expect(familyOf(two, 'A B')).toBe('first')
    expect(familyOf(two, 'A=5 B=50')).toBe('second')
    expect(familyOf(two, 'A=50 B=5 Q=1')).toBe('second')
    const { file } = parseRuleFile(two)
    expect(
      assignFamily(
        [...'AB'].map((domain) => ({ domain, score: 1 })),
        file.rules,
      ).alsoFits,
    ).toEqual(['second'])
  })

  test('says which domains no profile can find', () => {
    const { rules } = parseRuleFile(rule('x', 'A--B:C;D', { Forbidden: 'E' })).file
    const state = (known: string) => inspectRule(rules[0]!, (domain) => known.includes(domain))
    expect(state('AB')).toEqual({ missing: [], missingAlternatives: ['C', 'D'], missingForbidden: ['E'] })
    expect(state('AE')).toEqual({ missing: ['B', 'C', 'D'], missingAlternatives: [], missingForbidden: [] })
  })
})

test('a profile, an accession of any release, an InterPro entry and a lab’s own name are one domain', () => {
  const { file } = parseRuleFile(shipped)
  const { find, label } = buildVocabulary(file, { my_gal4: 'Zn_clus' }, [{ name: 'my_gal4', accession: null }])
  for (const name of ['PF00172', 'pf00172.24', 'Zn_clus', 'IPR001138', 'my_gal4']) expect(find(name)).toBe('PF00172')
  expect(label('PF00172')).toBe('Zn_clus')
  expect(find('PF99999.3')).toBe('PF99999')
})

test('the better of two domains that share more than half of the shorter one counts', () => {
  const at = (start: number, end: number, evalue: number, score = 10) => ({ start, end, evalue, score })
  const kept = (...domains: ReturnType<typeof at>[]) => resolveOverlaps(domains).kept.map(({ start }) => start)
  expect(kept(at(15, 50, 1e-8), at(10, 60, 1e-20))).toEqual([10])
  expect(kept(at(10, 60, 1e-20), at(50, 120, 1e-3))).toEqual([10, 50])
  // 30 of 60 residues are shared: exactly half is not more than half.
  expect(kept(at(1, 60, 1e-9), at(31, 90, 1e-3))).toEqual([1, 31])
  expect(kept(at(1, 60, 1e-9), at(30, 89, 1e-3))).toEqual([1])
  // What a covered domain covered counts again.
  expect(kept(at(1, 50, 1e-9), at(20, 70, 1e-5), at(45, 90, 1e-3))).toEqual([1, 45])
  expect(kept(at(1, 50, 0, 90), at(2, 51, 0, 200))).toEqual([2])
})

test('annotation of several member databases over one domain is one copy; places apart are two', () => {
  const book = openRules(parseRuleFile(shipped).file, {}, [])
  const domain = (start: number | null, end: number | null, profile: string): Domain => ({
    domain: book.vocabulary.find(profile),
    label: 'AP2',
    profile,
    accession: null,
    start,
    end,
    alignmentStart: null,
    alignmentEnd: null,
    profileStart: null,
    profileEnd: null,
    profileLength: null,
    evalue: null,
    score: null,
    threshold: null,
  })
  const one = giveAnnotationVerdict([domain(20, 70, 'PF00847'), domain(18, 76, 'IPR001471')], book)
  expect(one).toMatchObject({ family: 'ERF', domains: [{ start: 18, end: 76 }] })
  const two = giveAnnotationVerdict([domain(20, 70, 'PF00847'), domain(100, 160, 'IPR001471')], book)
  expect(two.family).toBe('AP2')
  expect(giveAnnotationVerdict([domain(null, null, 'IPR001471')], book).family).toBe('ERF')
  expect(stateRules(book, () => false).every(({ missing }) => missing.length > 0)).toBe(true)
})

test('a profile file is read with thresholds; HMMER2 and cut-off files are refused with their line', () => {
  const profile =
    'HMMER3/f [3.3.2 | Nov 2020]\nNAME  Zn_clus\nACC   PF00172.24\nDESC  Fungal Zn(2)-Cys(6)\nLENG  40\nALPH  amino\nGA    19.40 18.10;\nHMM          A\nNAME  no\n//\n'
  expect(parseHmmProfiles(profile)).toMatchObject({
    profiles: [{ name: 'Zn_clus', accession: 'PF00172.24', length: 40, gathering: [19.4, 18.1], text: profile }],
    defects: [],
  })
  expect(parseHmmProfiles(`HMMER2.0\nNAME x\n//\n${profile}`)).toMatchObject({
    profiles: [{ name: 'Zn_clus' }],
    defects: [{ line: 1, reason: 'not-hmmer3' }],
  })
  expect(parseHmmProfiles(profile.slice(0, -3)).defects).toEqual([{ line: 1, reason: 'cut-off' }])
  expect(parseHmmProfiles('a text\n').defects).toEqual([{ line: 1, reason: 'not-hmmer3' }])
})

test('the table of hmmscan and that of hmmsearch are told apart', () => {
  const line =
    'Zn_clus PF00172.24 40 YPL248C - 881 2.3e-12 45.4 11.5 1 1 4.0e-12 4.0e-12 44.6 11.5 2 36 11 44 10 48 0.90 x y'
  const expected = {
    profile: 'Zn_clus',
    profileLength: 40,
    evalue: 4e-12,
    score: 44.6,
    start: 10,
    end: 48,
    alignmentStart: 11,
  }
  expect(parseDomainTable(`# c\n${line}\n`, 'hmmscan').get('YPL248C')).toMatchObject([expected])
  const turned = line.replace('Zn_clus PF00172.24 40 YPL248C - 881', 'YPL248C - 881 Zn_clus PF00172.24 40')
  expect(parseDomainTable(turned, 'hmmsearch').get('YPL248C')).toMatchObject([expected])
})
