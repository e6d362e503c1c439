import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { errorMessages } from '../contracts/error-messages.ts'
import { type AssemblySummary, assemblySummarySchema } from '../contracts/species.ts'
import { languages, type Messages } from '../contracts/text.ts'
import { type OpenTarget, type OpenValues, openTargets } from '../contracts/tools/tool.ts'
import { setToolLimits } from '../contracts/tools/tool-limits.ts'
import { nameInput } from '../jobs/input-name.ts'
import { findTools } from '../kit/find-tools.ts'
import { viewPrefix } from '../kit/ui/address-values.ts'
import { readQuery, schemaFields } from '../kit/ui/controls/schema-fields.ts'
import { openingAddress } from '../kit/ui/tool/tool-openings.ts'

/** A bacterium with one gene on each strand: what an example may count on. */
const assembly: AssemblySummary = assemblySummarySchema.parse({
  id: 'Made-up.1',
  species: 'made-up',
  speciesName: 'Conformans exempli',
  name: 'Made-up 1',
  strain: null,
  accession: null,
  description: null,
  reference: true,
  partial: null,
  outgroup: false,
  simulated: true,
  source: null,
  licence: null,
  bundle: 'made-up-1',
  checksum: '0'.repeat(64),
  loadedAt: '2026-01-01T00:00:00.000Z',
  lengthBp: 2_000_000,
  gcFraction: 0.5,
  n50Bp: 2_000_000,
  gapBp: 0,
  sequenceCount: 1,
  geneCount: 2,
  codingGeneCount: 2,
  transcriptCount: 2,
  dataTypes: {
    genome: 1,
    genes: 2,
    variants: 1,
    proteins: 2,
    annotation: 2,
    tracks: 1,
    'blast-genome': 1,
    'blast-transcript': 2,
    'blast-cds': 2,
    'blast-protein': 2,
  },
  simulatedTypes: [],
  sequences: [{ name: 'chr1', lengthBp: 2_000_000, role: 'chromosome', circular: true, geneCount: 2, aliases: ['1'] }],
  sequenceRoles: {},
  exampleGenes: [
    { id: 'g1', symbol: 'abcA', description: 'helicase', sequence: 'chr1', start: 1001, end: 2200, strand: '+' },
    { id: 'g2', symbol: null, description: 'transporter', sequence: 'chr1', start: 3001, end: 3900, strand: '-' },
  ],
})

/** Names that are the same in both languages: programs, formats, molecules, options, ids and symbols. */
const isName = (word: string): boolean =>
  /[A-Z].*[A-Z]|[A-Z]$|\d|[_.:=/*]/.test(word) ||
  /^(Holm|t?blast[npx]|megablast|dc|dust|seg|bp|kb|Mb|aa|nt|vs|log(₁₀)?|e|Bonferroni|Benjamini|Hochberg|Fisher|Newick|Tajima|s|dxy|Gene|Ontology|JBrowse|Excel)$/.test(
    word,
  )

/** The words of a message without its arguments. */
const words = (text: string): string[] =>
  text
    .replace(/\{[^{}]*\}/g, ' ')
    .split(/[^\p{L}\p{N}_.:=/*]+/u)
    .filter((word) => /[a-z]/i.test(word))

/** Names of the arguments of a message, plural and select branches included. Throws where the message cannot be read. */
const argumentsOf = (text: string, language: string): string[] => {
  const names = new Set<string>()
  const walk = (elements: ReturnType<IntlMessageFormat['getAst']>): void => {
    for (const element of elements) {
      // 0 is literal text, 7 the # of a plural; all others name their argument (ICU MessageFormat syntax tree).
      if (element.type !== 0 && element.type !== 7) names.add(element.value)
      if ('options' in element) for (const option of Object.values(element.options)) walk(option.value)
      if ('children' in element) walk(element.children)
    }
  }
  walk(new IntlMessageFormat(text, language).getAst())
  return [...names].sort()
}

const everyTool = await findTools()
const tools = everyTool.flatMap((found) => (found.tool === null ? [] : [{ ...found, tool: found.tool }]))

test('there are tools, each with a route of its own', () => {
  expect(tools.length).toBeGreaterThan(0)
  const routes = tools.map(({ tool }) => tool.route.toLowerCase())
  expect(routes).toEqual([...new Set(routes)])
})

test('no two tools of a category stand at the same place in it', () => {
  const places = tools.map(({ tool }) => `${tool.category} ${tool.order}`)
  expect(places).toEqual([...new Set(places)])
})

/** Parts of a tool by what declares them, each with the one word that names its file in every tool. */
const fileOfPart: [declares: RegExp, file: RegExp][] = [
  [/\bdefineTool\(/, /^tool\.ts$/],
  [/\bdefineEngine\(/, /^engine\.ts$/],
  [/\b(defineRoute|answerEndpoint)\(/, /^routes\.ts$/],
  [/\bdefineEndpoint\(/, /^endpoints\.ts$/],
  [/\bdefineLoader\(/, /^load\.ts$/],
  [/\bdefinePortalLoader\(/, /^load-portal\.ts$/],
  [/\bdefineScreen\(/, /^screen\.tsx$/],
  [/\bdefinePage\(/, /^(screen|([a-z]+-)+page)\.tsx$/],
  [/\bdefineGenePanel\(/, /^gene-panel\.tsx$/],
  [/\bdefineGeneColumns\(/, /^gene-columns\.ts$/],
  [/\bdefineRecords\(/, /^records\.tsx$/],
  [/\bdefineMessages\(/, /^messages\.ts$/],
]
/** The module that a name of a source comes from, if it is imported. */
const importedFrom = (source: string, name: string): string | undefined =>
  [...source.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm)].find(([, names]) =>
    names!.split(',').some((one) => one.trim() === name),
  )?.[2]

describe.each(everyTool)('the folder $id', ({ directory }) => {
  const sources = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|-testbed\.ts$/.test(file))
    .map((file) => ({ file, source: readFileSync(join(directory, file), 'utf8') }))

  test('names its files as every tool does', () => {
    for (const { file, source } of sources)
      for (const [declares, named] of fileOfPart) if (declares.test(source)) expect(file).toMatch(named)
  })

  test('is tested in its own folder', () => {
    const tests = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.test\.ts$/.test(file),
    )
    expect(tests).not.toEqual([])
  })

  test('describes what its loader writes in stored.ts or in the kit: nobody imports the loader', () => {
    const importing = sources.filter(({ source }) => /from '(\.\/|(\.\.\/)+)load(-portal)?\.ts'/.test(source))
    expect(importing.map(({ file }) => file)).toEqual([])
  })

  test('has a form and a view of the result that are too long for the screen in form.tsx and result-view.tsx', () => {
    const screen = sources.find(({ file }) => file === 'screen.tsx')?.source ?? ''
    for (const [part, file] of [
      ['Form', './form.tsx'],
      ['Result', './result-view.tsx'],
    ] as const) {
      const component = new RegExp(`^ {2}${part}(?:: (\\w+))?,$`, 'm').exec(screen)
      if (component !== null) expect(importedFrom(screen, component[1] ?? part) ?? file).toBe(file)
    }
  })
})

describe.each(tools)('the tool $id', ({ id, directory, tool, messages, importEngine }) => {
  const table = messages as Messages<string>
  const fields = Object.keys(
    (z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' }) as { properties?: object }).properties ?? {},
  )

  test('has the id of its folder, which is also its route below /tools in lower case, without slashes', () => {
    expect(tool.id).toBe(id)
    expect(
      tool.route
        .replace(/^\/tools\//, '')
        .replaceAll('/', '')
        .toLowerCase(),
    ).toBe(id)
  })

  test('has an engine of the same tool that declares the programs the tool needs', async () => {
    const engine = await importEngine()
    expect(engine?.tool).toBe(tool)
    const declared = engine?.programs.map(({ program }) => program)
    for (const need of tool.needs) if (need.kind === 'program') expect(declared).toContain(need.program)
  })

  test('the pages of its search entries are addresses under a route of the portal, filled from the entry', () => {
    for (const address of Object.values(tool.records ?? {}))
      expect(address).toMatch(/^(\/[a-z]+)+\/?\?((\w+=\{(id|id\.0|id\.1|assembly)\}|run=1|type=[a-z]+)&?)+$/)
  })

  test('opens what it says it opens: its own fields, filled with values that there are, and a label in both languages', async () => {
    const of: Record<OpenTarget, Record<string, string | number>> = {
      gene: { gene: 'g1', assembly: assembly.id, sequence: 'chr1', start: 1001, end: 2200, from: 1, to: 4200 },
      geneSequences: { gene: 'g1', assembly: assembly.id },
      geneFamily: { gene: 'g1', assembly: assembly.id },
      geneFamilies: { genes: 'g1,g2', assembly: assembly.id },
      geneChange: { gene: 'g1', assembly: assembly.id, change: 'p.Ser315Thr' },
      changedGene: { gene: 'g1', assembly: assembly.id, otherAssembly: 'Made-up.1' },
      absentGenes: { assembly: 'Made-up.1', reference: assembly.id, assemblies: `${assembly.id},Made-up.1` },
      distinctRegion: {
        assembly: assembly.id,
        sequence: 'chr1',
        start: 1001,
        end: 2200,
        genomes: assembly.id,
        otherGenomes: 'Made-up.1,Made-up.2',
      },
      amplifiedRegion: { assembly: assembly.id, sequence: 'chr1', start: 1001, end: 2200, place: '600..601' },
      comparedAssembly: { assembly: 'Made-up.1', reference: assembly.id },
      comparedSpecies: { assembly: assembly.id },
      region: { assembly: assembly.id, sequence: 'chr1', start: 1001, end: 2200 },
      regionPair: { assembly: 'Made-up.1', loc: 'chr1:1..9', otherAssembly: 'Made-up.1', otherLoc: 'chr1:11..19' },
      genesInRegion: { assembly: assembly.id, sequence: 'chr1', start: 1001, end: 2200 },
      genesOfTerm: { term: 'GO:0006012', assemblies: assembly.id },
      genesOfAssemblies: { assemblies: `${assembly.id},Made-up.1` },
      trait: {
        species: 'made-up',
        assembly: assembly.id,
        dataset: 'field',
        trait: 'Height (cm)',
        phenotype: 'field|Height (cm)',
      },
      expressionData: { assembly: assembly.id, dataset: 'atlas' },
      publication: { id: 'smith2020', species: 'made-up', title: 'On “made-up” genes & more' },
    }
    for (const opening of tool.opens ?? []) {
      expect(Object.keys(of[opening.target])).toEqual([...openTargets[opening.target]])
      // What the address says of the view of a result is no field.
      const asked = Object.keys(opening.query).filter((name) => !name.startsWith(viewPrefix))
      expect(fields).toEqual(expect.arrayContaining(asked))
      const used = [...JSON.stringify(opening.query).matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      // The region in one text, of targets that are one.
      const given: string[] = [...openTargets[opening.target]]
      if (['sequence', 'start', 'end'].every((name) => given.includes(name))) given.push('region')
      expect(given).toEqual(expect.arrayContaining(used))
      for (const language of languages) expect(table[language][`open.${opening.target}`]?.trim()).toBeTruthy()
      const address = openingAddress(tool.route, opening, of[opening.target] as OpenValues<typeof opening.target>)
      const { pathname, searchParams } = new URL(address, 'https://portal.example')
      expect(pathname).toBe(tool.route)
      const read = readQuery(schemaFields(tool.input), searchParams)
      expect(tool.input.safeParse(read).error).toBeUndefined()
      expect(Object.keys(read).sort()).toEqual(asked.sort())
    }
    // What the page of a term asks for beside the address.
    if ((tool.opens ?? []).some(({ target }) => target === 'genesOfTerm'))
      expect((await importEngine())?.routes?.map(({ method, path }) => `${method} ${path}`)).toContain('POST ids/')
    expect((tool.opens ?? []).map((one) => one.target)).toEqual([
      ...new Set((tool.opens ?? []).map((one) => one.target)),
    ])
  })

  test('has a picture of its section in both languages or in none, of a size that a page can carry', () => {
    const pictures = languages.map((language) => join(directory, `figure.${language}.webp`))
    expect(new Set(pictures.map((file) => existsSync(file))).size).toBe(1)
    for (const file of pictures.filter((one) => existsSync(one))) {
      const bytes = readFileSync(file)
      // RIFF container of WebP (RFC 9649, section 2.4).
      expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WEBP'])
      expect(bytes.length).toBeLessThanOrEqual(150_000)
    }
  })

  const screen = existsSync(join(directory, 'screen.tsx')) ? readFileSync(join(directory, 'screen.tsx'), 'utf8') : ''
  const hasForm = /\bdefineScreen\(/.test(screen)

  test('says before a run what it answers: two or three questions, which are questions in both languages', () => {
    if (!hasForm) return
    for (const [language, mark] of [
      ['en', '?'],
      ['zh', '？'],
    ] as const) {
      const questions = (table[language].answers ?? '').split('\n')
      expect(questions.length, language).toBeGreaterThanOrEqual(2)
      expect(questions.length, language).toBeLessThanOrEqual(3)
      for (const question of questions) expect(question.endsWith(mark), question).toBe(true)
    }
  })

  test('shows before a run what the result of its example looks like, in both languages and themes or in none', () => {
    const pictures = languages.flatMap((language) =>
      ['light', 'dark'].map((theme) => join(directory, `preview.${language}.${theme}.webp`)),
    )
    expect(new Set(pictures.map((file) => existsSync(file))).size).toBe(1)
    for (const file of pictures.filter((one) => existsSync(one)))
      expect(readFileSync(file).length).toBeLessThanOrEqual(60_000)
    if (hasForm) expect(screen).toContain("import.meta.glob<string>('./preview.*.webp'")
  })

  test('says title, summary, every limit and every field', () => {
    const needed = [
      'title',
      'summary',
      ...Object.keys(tool.limits).map((name) => `limit.${name}`),
      ...fields.map((name) => `field.${name}`),
    ]
    expect(needed.filter((key) => !table.en[key]?.trim())).toEqual([])
  })

  test('names its section of the gene page, and says how to load what that needs', () => {
    const file = join(directory, 'gene-panel.tsx')
    if (!existsSync(file) || !/\bsection: /.test(readFileSync(file, 'utf8'))) return
    expect(Object.keys(table.en)).toContain('panel.title')
    if (/\bneeds: /.test(readFileSync(file, 'utf8'))) expect(Object.keys(table.en)).toContain('panel.add')
  })

  test('states its limits: there are some, each a positive number that its message shows', () => {
    expect(Object.keys(tool.limits)).not.toEqual([])
    for (const [name, value] of Object.entries(tool.limits)) {
      expect(value, name).toBeGreaterThan(0)
      for (const language of languages)
        expect(argumentsOf(table[language][`limit.${name}`] ?? '', language)).toEqual(['value'])
    }
  })

  test('makes its limits where a deployment can set them', () => {
    // Those that a deployment may set refuse to be set once they are in use.
    try {
      for (const [name, value] of Object.entries(tool.limits))
        expect(() => setToolLimits({ [id]: { [name]: value + 1 } })).toThrow(name)
    } finally {
      setToolLimits({})
    }
  })

  test('has every message in both languages, with the same arguments', () => {
    expect(Object.keys(table.zh).sort()).toEqual(Object.keys(table.en).sort())
    for (const [key, text] of Object.entries(table.en)) {
      const english = argumentsOf(text, 'en')
      // A Chinese sentence needs no plural and may leave an argument out; one that English lacks is a slip.
      for (const name of argumentsOf(table.zh[key]!, 'zh')) expect(english, key).toContain(name)
      expect(table.zh[key]!.trim() === '', key).toBe(text.trim() === '')
    }
  })

  test('repeats no English message as Chinese, save names', () => {
    const repeated = Object.entries(table.en).filter(
      ([key, text]) => text === table.zh[key] && !words(text).every(isName),
    )
    expect(Object.fromEntries(repeated)).toEqual({})
  })

  test('does not say again what the shared errors say', () => {
    expect(Object.keys(table.en).filter((key) => key in errorMessages.en)).toEqual([])
  })

  test.each(languages)('has a document of its own, language %s', (language) => {
    const path = join(directory, `document.${language}.md`)
    expect(existsSync(path)).toBe(true)
    const text = readFileSync(path, 'utf8')
    expect(text.length).toBeGreaterThan(language === 'en' ? 400 : 200)
    // Written in its language: a copy of the English would have hardly any Chinese character.
    expect((text.match(/\p{Script=Han}/gu) ?? []).length > 100).toBe(language === 'zh')
  })

  test('gives an example that its own schema accepts, and none where nothing is loaded', () => {
    const example = tool.example({ assemblies: [assembly, { ...assembly, id: `${assembly.id}-2`, reference: false }] })
    expect(example).not.toBeNull()
    expect(tool.input.safeParse(example).error?.issues ?? []).toEqual([])
    expect(tool.example({ assemblies: [] })).toBeNull()
  })

  test.runIf(tool.mode === 'job')(
    'has its job named by more than the assembly, where its example asks about more',
    () => {
      const example = { ...(tool.example({ assemblies: [assembly] }) as object) } as Record<string, unknown>
      const about = Object.keys(example).filter((key) =>
        ['genes', 'region', 'regions', 'query', 'sequence', 'phenotype'].includes(key),
      )
      const names = nameInput(example)
        .split(' · ')
        .filter((name) => name !== '' && name !== example.assembly && name !== example.species)
      expect(names.length > 0).toBe(about.length > 0)
    },
  )

  test('gives an acceptable example or none for one genome, and for a bare one without genes', () => {
    for (const one of [assembly, { ...assembly, geneCount: 0, dataTypes: { genome: 1 }, exampleGenes: [] }]) {
      const example = tool.example({ assemblies: [one] })
      if (example !== null) expect(tool.input.safeParse(example).error?.issues ?? []).toEqual([])
    }
  })
})
