import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { FastaReader } from '../../bio/sequence/fasta.ts'
import { cleanProtein } from '../../bio/sequence/sequence.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { LineReader } from '../../bio/text/text-lines.ts'
import { filePathSchema } from '../../contracts/manifest.ts'
import { usableCores } from '../../jobs/usable-cores.ts'
import { inputDefects } from '../../kit/input-defects.ts'
import { type BakeContext, type CheckContext, defineLoader } from '../../kit/loader.ts'
import { readInputText } from '../../kit/read-input.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import toolDefects from './defects.ts'
import { type DomainHit, parseDomainTable } from './profiles/domain-hits.ts'
import { createHmmReader, type HmmProfile } from './profiles/hmm-profiles.ts'
import { defaultEvalue, longestProtein, profilesOf, searchArguments } from './profiles/search-profiles.ts'
import {
  giveAnnotationVerdict,
  giveVerdict,
  hitsAsDomains,
  openRules,
  type RuleBook,
  stateRules,
} from './rules/give-verdict.ts'
import { domainsOf, parseRuleFile, type RuleFile } from './rules/rule-file.ts'
import {
  aboutId,
  aboutKind,
  bakedFolder,
  familySource,
  geneKind,
  type ProfileSet,
  profileSets,
  profilesPath,
  rulesPath,
  type StoredAbout,
  type StoredGene,
  type StoredProfile,
} from './stored.ts'
import { type Domain, factorData, profileData, type StatedRule } from './tool.ts'

const entrySchema = z
  .object({
    profiles: z
      .array(filePathSchema)
      .min(1)
      .optional()
      .describe('HMMER3 profiles as text, such as a part of Pfam; without them domains are taken from the annotation.'),
    rules: filePathSchema.optional().describe('Rule file; the one that is shipped, of plants and fungi, when absent.'),
    domains: z
      .record(z.string().min(1).max(200), z.string().min(1).max(200))
      .optional()
      .describe('What rules call the domain of a profile of your own: { my_profile: PF00172 }.'),
    evalue: z
      .number()
      .positive()
      .max(10)
      .optional()
      .describe('Bound for profiles without gathering thresholds; 1e-5 when absent.'),
  })
  .strict()
type Entry = z.output<typeof entrySchema>

const shippedRules = join(dirname(fileURLToPath(import.meta.url)), 'default-rules.txt')
const shippedName = 'default-rules.txt'

const readRules = async (
  entry: Entry | null,
  context: CheckContext,
): Promise<{ file: RuleFile; text: string } | null> => {
  const text =
    entry?.rules === undefined ? await readFile(shippedRules, 'utf8') : await readInputText(entry.rules, context)
  if (text === null) return null
  const { file, defects } = parseRuleFile(text)
  const name = entry?.rules ?? shippedName
  const report = (line: number | null, reason: string, text: string): void =>
    context.report(toolDefects, { code: 'tf-rule', file: name, line, params: { reason, text } })
  for (const { line, reason, text } of defects) report(line, reason, text)
  if (defects.length === 0 && file.rules.length === 0) report(null, 'no rule', name)
  return defects.length > 0 || file.rules.length === 0 ? null : { file, text }
}

/** Domains that rules name. */
const namedDomains = ({ rules }: RuleBook): Set<string> =>
  new Set(rules.flatMap((rule) => domainsOf([...rule.required, ...rule.forbidden, ...rule.auxiliary])))

const labelsOf = (book: RuleBook): Record<string, string> =>
  Object.fromEntries([...namedDomains(book)].map((domain) => [domain, book.vocabulary.label(domain)]))

/** Profiles of all files; what is no profile of proteins is reported. */
const readProfiles = async (files: string[], context: CheckContext): Promise<HmmProfile[] | null> => {
  const profiles = new Map<string, HmmProfile>()
  let failed = false
  for (const name of files) {
    const path = await context.resolveFile(name)
    const log = new DefectLog()
    const warn = (code: 'hmm-alphabet' | 'hmm-twice', params: Record<string, string>): void =>
      context.report(toolDefects, { code, file: name, line: null, params })
    const reader = createHmmReader({
      onProfile: (profile) => {
        if (profile.alphabet !== 'amino')
          warn('hmm-alphabet', { name: profile.name, alphabet: profile.alphabet || '?' })
        else if (profiles.has(profile.name)) warn('hmm-twice', { name: profile.name })
        else profiles.set(profile.name, profile)
      },
      onDefect: ({ line, reason }) => {
        failed = true
        context.report(toolDefects, { code: 'hmm-file', file: name, line, params: { reason } })
      },
    })
    const lines = new LineReader({ file: name, log, onLine: (line, number) => reader.addLine(line, number) })
    for await (const bytes of readDecompressed(path)) {
      context.signal.throwIfAborted()
      lines.push(bytes)
      if (failed) break
    }
    if (!failed) {
      lines.end()
      reader.end()
    }
    for (const defect of log.defects) context.forward(defect)
    failed ||= log.hasErrors
  }
  return failed ? null : [...profiles.values()]
}

/** Files of the entry, read and set against each other. Null after an error. */
const readEntry = async (entry: Entry | null, context: CheckContext) => {
  const rules = await readRules(entry, context)
  const all = entry?.profiles === undefined ? [] : await readProfiles(entry.profiles, context)
  if (rules === null || all === null) return null
  const domains = entry?.domains ?? {}
  const book = openRules(rules.file, domains, all)
  const named = namedDomains(book)
  const profiles = all.filter(({ name }) => named.has(book.vocabulary.find(name)))
  const file = entry?.profiles?.join(', ') ?? ''
  if (all.length > 0 && profiles.length === 0) {
    context.report(toolDefects, { code: 'hmm-none', file, line: null, params: {} })
    return null
  }
  if (profiles.length < all.length) {
    const example = all.find((one) => !profiles.includes(one))!.name
    const params = { count: all.length - profiles.length, all: all.length, example }
    context.report(toolDefects, { code: 'hmm-unused', file, line: null, params })
  }
  const found = new Set(profiles.map(({ name }) => book.vocabulary.find(name)))
  const lacking = stateRules(book, (domain) => found.has(domain)).filter(({ missing }) => missing.length > 0)
  // Of the shipped rules most labs load a part; of their own rules they want to know.
  if (profiles.length > 0 && entry?.rules !== undefined && lacking.length > 0) {
    const families = lacking.map(({ family, missing }) => `${family} (${missing.join(', ')})`).join('; ')
    const params = { count: lacking.length, families }
    context.report(toolDefects, { code: 'tf-rule-missing', file: entry.rules, line: null, params })
  }
  return { rules, book, profiles, domains }
}

/** The longest protein of each coding gene, in the order of the genes; the first of equals. */
const readProteome = async (context: BakeContext) => {
  const file = context.bakedFile('proteins')
  if (file === null) return []
  const geneOf = new Map<string, string>()
  const order: string[] = []
  for await (const gene of context.genes()) {
    order.push(gene.id)
    for (const { id } of gene.transcripts) geneOf.set(id, gene.id)
  }
  const longest = new Map<string, { transcript: string; protein: string }>()
  const decoder = new TextDecoder('latin1')
  let pieces: string[] = []
  const reader = new FastaReader({
    file,
    log: new DefectLog(),
    alphabet: 'protein',
    onResidues: (bytes) => pieces.push(decoder.decode(bytes)),
    onRecordEnd: ({ name }) => {
      const gene = geneOf.get(name)
      const protein = cleanProtein(pieces.join(''))
      pieces = []
      if (gene === undefined || protein === '' || (longest.get(gene)?.protein.length ?? 0) >= protein.length) return
      longest.set(gene, { transcript: name, protein })
    },
  })
  for await (const bytes of readDecompressed(file)) {
    context.signal.throwIfAborted()
    reader.push(bytes)
  }
  reader.end()
  return order.flatMap((gene) => {
    const own = longest.get(gene)
    return own === undefined ? [] : [{ gene, ...own }]
  })
}

/** Searches the proteome with every profile. Null when HMMER is not installed. */
const searchProteome = async (
  proteins: { gene: string; protein: string }[],
  profiles: HmmProfile[],
  evalue: number,
  context: BakeContext,
): Promise<{ hits: Map<string, DomainHit[]>; commands: string[][] } | null> => {
  const fasta = proteins.flatMap(({ gene, protein }, number) => {
    if (protein.length <= longestProtein) return [`>${number}\n${protein}\n`]
    const params = { gene, length: protein.length, limit: longestProtein }
    context.report(toolDefects, { code: 'protein-too-long', file: 'species.yaml', line: null, params })
    return []
  })
  await writeFile(join(context.scratch, 'tf-proteins.fa'), fasta.join(''))
  const hits = new Map<string, DomainHit[]>()
  const commands: string[][] = []
  const made: ProfileSet[] = []
  for (const set of profileSets) {
    const own = profilesOf(profiles, set)
    if (own.length === 0) continue
    const name = `${set}.hmm`
    await writeFile(join(context.scratch, name), own.map(({ text }) => text).join(''))
    if ((await context.runProgram({ program: 'hmmpress', arguments: ['-f', name] })) === null) return null
    made.push(set)
    if (fasta.length === 0) continue
    const table = `tf-${set}.tbl`
    const args = searchArguments({
      set,
      profileCount: profiles.length,
      evalue,
      threads: usableCores(),
      table,
      profiles: name,
      proteins: 'tf-proteins.fa',
    })
    if ((await context.runProgram({ program: 'hmmsearch', arguments: args })) === null) return null
    commands.push(['hmmsearch', ...args])
    for (const [protein, found] of parseDomainTable(
      await readFile(join(context.scratch, table), 'latin1'),
      'hmmsearch',
    ))
      hits.set(protein, [...(hits.get(protein) ?? []), ...found])
  }
  // Only when every program has run: what is written into a bundle stays in it.
  await mkdir(join(context.directory, bakedFolder), { recursive: true })
  for (const set of made)
    for (const ending of ['', '.h3f', '.h3i', '.h3m', '.h3p']) {
      const path = `${profilesPath(set)}${ending}`
      await copyFile(join(context.scratch, `${set}.hmm${ending}`), join(context.directory, path))
      context.addFile(path, { kind: ending === '' ? `tf-profiles-${set}` : 'tf-profiles-index' })
    }
  return { hits, commands }
}

/** Rules as the engine reads them: UTF-8, whatever the lab's file is. */
const bakeRules = async (text: string, context: BakeContext): Promise<void> => {
  await writeFile(join(context.directory, rulesPath), text)
  context.addFile(rulesPath, { kind: 'tf-rules' })
}

const bakeFromProfiles = async (
  { rules, book, profiles, domains }: NonNullable<Awaited<ReturnType<typeof readEntry>>>,
  evalue: number,
  context: BakeContext,
): Promise<Record<string, number> | null> => {
  const proteins = await readProteome(context)
  const searched = await searchProteome(proteins, profiles, evalue, context)
  if (searched === null) return null
  const stored = profiles.map(
    ({ text: _, alphabet: __, ...profile }): StoredProfile => ({
      ...profile,
      domain: book.vocabulary.find(profile.name),
    }),
  )
  const byName = new Map(stored.map((profile) => [profile.name, profile]))
  const found = new Set(stored.map(({ domain }) => domain))
  const genes = proteins.flatMap(({ gene, transcript, protein }, number): [string, StoredGene][] => {
    const hits = searched.hits.get(String(number))
    if (hits === undefined) return []
    const verdict = giveVerdict(hitsAsDomains(hits, book, byName), book)
    return [[gene, { ...verdict, transcript, length: protein.length }]]
  })
  await bakeRules(rules.text, context)
  const counts = await addFamilies(genes, context, {
    source: 'profiles',
    commands: searched.commands,
    evalue,
    profiles: stored,
    rules: stateRules(book, (domain) => found.has(domain)),
    labels: labelsOf(book),
    domains,
    searched: proteins.length,
  })
  return { [profileData]: profiles.length, ...counts }
}

/** Vocabularies of annotation that tell of domains. */
const domainSources = new Set(['pfam', 'interpro'])

const bakeFromAnnotation = async (
  { rules, book }: { rules: { text: string }; book: RuleBook },
  context: BakeContext,
): Promise<Record<string, number>> => {
  const named = namedDomains(book)
  const sources = new Set<string>()
  const seen = new Set<string>()
  const genes: [string, StoredGene][] = []
  let searched = 0
  for await (const gene of context.genes()) {
    if (!gene.transcripts.some(({ cds }) => cds.length > 0)) continue
    searched += 1
    const domains: Domain[] = []
    for (const { source, term, name, start1, end1 } of context.termsOf(gene.id)) {
      if (!domainSources.has(source.toLowerCase())) continue
      sources.add(source)
      const word = [term, name ?? ''].map((one) => book.vocabulary.find(one)).find((one) => named.has(one))
      if (word === undefined) continue
      seen.add(word)
      domains.push({
        domain: word,
        label: book.vocabulary.label(word),
        profile: term,
        accession: null,
        start: start1,
        end: end1,
        alignmentStart: null,
        alignmentEnd: null,
        profileStart: null,
        profileEnd: null,
        profileLength: null,
        evalue: null,
        score: null,
        threshold: null,
      })
    }
    if (domains.length === 0) continue
    const verdict = giveAnnotationVerdict(domains, book)
    const length = Math.floor(
      Math.max(
        ...gene.transcripts.map(({ cds }) => cds.reduce((sum, { start1, end1 }) => sum + end1 - start1 + 1, 0)),
      ) / 3,
    )
    // Translations leave out the stop codon that gene models mostly include.
    genes.push([gene.id, { ...verdict, transcript: null, length: Math.max(1, length - 1) }])
  }
  if (genes.length === 0) return {}
  await mkdir(join(context.directory, bakedFolder), { recursive: true })
  await bakeRules(rules.text, context)
  // Pfam annotation can tell of every family of Pfam, seen here or not; of InterPro only what was seen is certain.
  const pfam = [...sources].some((source) => source.toLowerCase() === 'pfam')
  const canFind = (domain: string): boolean => seen.has(domain) || (pfam && /^PF\d{5}$/.test(domain))
  return addFamilies(genes, context, {
    source: 'annotation',
    commands: [],
    evalue: defaultEvalue,
    profiles: [],
    rules: stateRules(book, canFind),
    labels: labelsOf(book),
    domains: {},
    searched,
  })
}

/** Stores what was found of each gene, and gives genes their families as terms. */
const addFamilies = async (
  genes: [string, StoredGene][],
  context: BakeContext,
  about: Omit<StoredAbout, 'withDomains' | 'counts' | 'examples'>,
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  const examples = new Map<string, string>()
  const evidence = about.source === 'profiles' ? 'HMMER' : 'domain annotation'
  for (const [gene, stored] of genes) {
    await context.addRecord({ kind: geneKind, id: gene, data: stored })
    const { family } = stored
    if (family === null) continue
    counts[family] = (counts[family] ?? 0) + 1
    if (!examples.has(family)) examples.set(family, gene)
    await context.addGeneTerm({ gene, source: familySource, term: family, evidence })
  }
  for (const term of familyTerms(about.rules, counts)) await context.addTerm({ source: familySource, ...term })
  const stored: StoredAbout = { ...about, withDomains: genes.length, counts, examples: [...examples.values()] }
  await context.addRecord({ kind: aboutKind, id: aboutId, data: stored })
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { [factorData]: total, ...(total === 0 ? {} : { [`annotation:${familySource}`]: total }) }
}

/** Families that have genes, and those above them, as terms of a vocabulary. */
const familyTerms = (rules: StatedRule[], counts: Record<string, number>) => {
  const terms = new Map<
    string,
    { term: string; name: string; definition: string | null; parents: string[]; ancestors: string[] }
  >()
  for (const { family, within, description } of rules) {
    if (counts[family] === undefined) continue
    const path = [...within, family]
    for (const [depth, term] of path.entries()) {
      const above = path.slice(0, depth)
      if (terms.has(term)) continue
      const definition = term === family ? description : null
      terms.set(term, { term, name: term, definition, parents: above.slice(-1), ancestors: above })
    }
  }
  return terms.values()
}

/** Families of transcription factors of an assembly: domains by HMMER or from its annotation, families by the rules. */
export default defineLoader({
  entry: 'transcriptionFactors',
  scope: 'assembly',
  inherited: true,
  always: true,
  readsTerms: true,
  schema: entrySchema.describe('Profiles and rules by which families of transcription factors are told.'),
  version: 2,
  bake: async (entry, context): Promise<Record<string, number>> => {
    const read = await readEntry(entry, context)
    if (read === null) return {}
    if (read.profiles.length > 0) {
      const counts = await bakeFromProfiles(read, entry?.evalue ?? defaultEvalue, context)
      if (counts !== null) return counts
      const params = { program: 'hmmsearch', purpose: 'transcription factors', package: 'hmmer' }
      context.report(inputDefects, { code: 'program-missing', file: 'species.yaml', line: null, params })
    }
    return bakeFromAnnotation(read, context)
  },
})
