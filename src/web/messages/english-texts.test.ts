import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const source = join(import.meta.dirname, '../..')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    /(^|\/)(messages|[\w-]+-messages)\.ts$|^web\/messages\/\w+\.ts$/.test(file.replaceAll('\\', '/')) &&
    !file.endsWith('.test.ts'),
)

/** The English texts of a module of messages, whatever it calls them. */
const englishOf = async (file: string): Promise<[string, string][]> => {
  const module = (await import(join(source, file))) as Record<string, unknown>
  return Object.values(module).flatMap((table) =>
    typeof table === 'object' && table !== null && 'en' in table && 'zh' in table
      ? Object.entries(table.en as Record<string, string>)
      : [],
  )
}

/** What is counted on this portal, and can be one. Lengths of molecules and of texts are never. */
const things =
  'accessions|alignments|alleles|assemblies|bins|blocks|cells|coefficients|copies|databases|families|genes|genomes|groups|haplotypes|hits|homologs|interactions|leaves|loci|markers|motifs|names|pairs|populations|predictors|primers|promoters|proteins|queries|records|regions|samples|sequences|sets|sites|terms|tests|traits|transcripts|trees|variants|windows'
const counted = new RegExp(
  `(?<!\\bof )(?<!\\bof the )(?<!\\bfirst )\\{(\\w+), number\\} (?:(?!(?:in|with|of) )[a-z-]+ ){0,2}?(${things})\\b`,
  'g',
)

/** More than one by what is said: of a limit that is exceeded, of a list that is cut, of a name with several meanings. */
const isSeveral = (key: string, text: string): boolean =>
  /^limit\./.test(key) ||
  /\{(limit|maximum|most|max), number\}|\bat most\b|\bmaximum\b|\bmore than \{/i.test(text) ||
  several.has(key)

/** Of a list longer than what is shown, a name that means several, all of a genome; or the noun belongs to several numbers. */
const several = new Set([
  'assembly.needed',
  'elements.cut',
  'figure.correlation',
  'haplotypes.cut',
  'head.compare',
  'head.several',
  'lambda.patterns',
  'note.cut',
  'note.cutEdges',
  'note.more',
  'note.moreGenes',
  'note.severalTrees',
  'note.splitCut',
  'note.taken',
  'problem.ambiguous-gene',
  'reading.ambiguous-name',
  'reason.ambiguous',
  'result.whyLead',
  'result.whyPairs',
  'sets.none.and',
  'summary.all',
  'unknown.several',
])

/** Counts of what can be one that have no singular. `{count, number} sites of this type` reads “1 sites”. */
const findUnsingular = (texts: [string, string][]): string[] =>
  texts.flatMap(([key, text]) =>
    isSeveral(key, text) ? [] : [...text.matchAll(counted)].map(([words]) => `${key}: ${words}`),
  )

describe('an English text', () => {
  it('refuses a count without a singular, but not of what is a part or beyond a limit', () => {
    expect(
      findUnsingular([
        ['note.sites', '{count, number} sites of this type'],
        ['note.shared', '{count, plural, one {# site} other {# sites}} of {all, number} sites'],
        ['limit.sites', 'At most {value, number} sites.'],
        ['note.tooMany', 'There are {count, number} sites; the maximum is {limit, number}.'],
      ]),
    ).toEqual(['note.sites: {count, number} sites'])
  })

  /** -our and -ize, as Oxford writes; what a person or a database has named keeps its letters. */
  const findSpelling = (texts: [string, string][]): string[] =>
    texts.flatMap(([key, text]) =>
      [
        ...text.matchAll(
          /\b(?:\w*(?:neighbor(?![ -]joining)|behavior|favor|color)\w*|(?:recogni|normali|optimi|randomi|maximi|minimi|hybridi|summari|standardi|locali|visuali)s(?:e|ed|es|ing|ation)\b)/gi,
        ),
      ].map(([word]) => `${key}: ${word}`),
    )

  it('refuses two spellings of one word', () => {
    expect(
      findSpelling([
        ['a', 'No neighboring genes, normalised colors'],
        ['b', 'Neighbor joining of neighbouring genes, normalized colours'],
      ]),
    ).toEqual(['a: neighboring', 'a: normalised', 'a: colors'])
  })

  it.each(files)('%s: is spelt as the others are', async (file) => {
    expect(findSpelling(await englishOf(file))).toEqual([])
  })

  it.each(files)('%s: what can be one has a singular', async (file) => {
    expect(findUnsingular(await englishOf(file))).toEqual([])
  })
})
