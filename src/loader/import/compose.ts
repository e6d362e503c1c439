import { setImmediate } from 'node:timers/promises'
import { indexSequenceNames, type SequenceNames } from '../../bio/sequence/chromosome-order.ts'
import type { DefectLog } from '../../bio/text/defects.ts'
import type { GeneNames } from '../../kit/data/genes/gene-names.ts'
import { listBamSequences, listBigWigSequences, listSamSequences } from '../../store/track-sequences.ts'
import { importDefects } from './import-defects.ts'
import { isArchiveName, OwnNames, splitOrganism, stemOf, tellingName, toId, toSpeciesId } from './names.ts'
import {
  type AssemblyFacts,
  type EntryFinding,
  type Finding,
  filesOf,
  type InputFile,
  type Recognition,
  type SequenceFacts,
  type Text,
} from './recogniser.ts'
import { sampleLines } from './sample-lines.ts'
import { type GeneSurvey, mostFrequentCode, type SequenceSurvey, surveyFasta, surveyGenes } from './survey.ts'

/** What only a person can say; `fallback` is taken by `--yes`, and null where there is nothing to take. */
export interface Question {
  id: string
  text: Text
  choices: { value: string; text: Text }[] | null
  fallback: string | null
  isValid?(answer: string): boolean
}

/** Null leaves the answer open: the fallback stands in the manifest, marked as to be checked. */
export type Ask = (question: Question) => Promise<string | null>

/** What became of a file. */
export interface Account {
  file: InputFile
  what: Text
  /** `taken`: an entry names it; `read`: what it says has been taken over; `none`: known, not needed or not to be loaded yet. */
  state: 'taken' | 'read' | 'none' | 'not-placed' | 'unknown'
  /** Entry of species.yaml, and the assembly it stands under. */
  entry?: string
  assembly?: string
  why?: Text
}

/** A FASTA file that is to be written of the sequences within a gene file. */
export interface DerivedGenome {
  from: InputFile
  fileName: string
}

export interface AssemblyPlan {
  id: string
  facts: AssemblyFacts
  genome: InputFile[] | DerivedGenome
  genes: InputFile[]
  proteins: InputFile | null
  geneticCode: number | null
  sequences: SequenceFacts[]
  /** Values of entries by their key, in the order in which they were found. */
  entries: Map<string, unknown>
  /** What the report tells of the genome; null where it was not read. */
  counts: { sequences: number; totalBp: number; first: SequenceSurvey['first'] } | null
}

export interface SpeciesPlan {
  id: string
  name: string
  taxonId: number | null
  commonName: string | null
  geneticCode: number | null
  assemblies: AssemblyPlan[]
  entries: Map<string, unknown>
  /** Remarks for whoever reads the manifest, by the path of the entry. */
  remarks: Map<string, Text>
}

export interface Composition {
  species: SpeciesPlan[]
  accounts: Account[]
  /** Questions that nobody answered. */
  open: Question[]
}

/** An assembly that is loaded: what is given is added to it. */
export interface LoadedAssembly {
  id: string
  species: string
  names: SequenceNames
  /** Names of its genes, their transcripts and proteins. */
  genes: Pick<GeneNames, 'match'>
  /** Its item in the manifest. */
  readEntry(): Promise<Record<string, unknown>>
}

/** An entry with the assembly found; `doubt` says what a person should look at. */
interface PlacedEntry {
  finding: EntryFinding
  doubt: Text | null
}

interface Draft {
  group: string
  folder: string
  facts: AssemblyFacts
  genome: InputFile[]
  derived: InputFile | null
  survey: SequenceSurvey | null
  names: SequenceNames | null
  genes: { finding: Finding & { take: 'genes' }; survey: GeneSurvey }[]
  proteins: (Finding & { take: 'proteins' })[]
  entries: PlacedEntry[]
  /** Null of one that is imported. */
  loaded: LoadedAssembly | null
}

/** Of the genes that a file names, more than this share must be the assembly's; so many times as many as of any other tell it. */
const minKnownGenes = 0.5
const minLead = 2

/** Names of a file that are looked up in a genome: enough to tell one of another assembly. */
const probedNames = 200
/** Unplaced sequences that are listed one by one; a person would not list more. */
const listedScaffolds = 60
const listedSequences = 400

const sameAnnotation: Text = {
  en: 'the same genes in another format',
  zh: '同一套基因的另一种格式',
}

/** Names of sequences that a file of positions has in its first lines or its header; null where they cannot be told. */
const namesIn = async (file: InputFile): Promise<string[] | null> => {
  try {
    if (file.format === 'bam') return (await listBamSequences(file.absolute)).map(({ name }) => name)
    if (file.format === 'bigwig' || file.format === 'bigbed')
      return (await listBigWigSequences(file.absolute)).map(({ name }) => name)
    if (file.format === 'sam') return (await listSamSequences(file.absolute)).map(({ name }) => name)
  } catch {
    return null
  }
  if (file.format === 'vcf') {
    const contigs = file.lines.flatMap((line) => /^##contig=<.*?ID=([^,>]+)/.exec(line)?.[1] ?? [])
    const columns = file.lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('\t')[0]!)
    return columns.length > 0 ? [...new Set(columns)] : contigs
  }
  if (file.format === 'wig') {
    const declared = file.lines.flatMap((line) => /^(?:fixed|variable)Step\b.*\bchrom=(\S+)/.exec(line)?.[1] ?? [])
    return declared.length === 0 ? null : [...new Set(declared)]
  }
  if (['bed', 'bedgraph', 'gff3', 'gtf'].includes(file.format)) {
    const names = file.lines
      .filter((line) => line !== '' && !/^(#|track|browser)/.test(line))
      .map((line) => line.split(file.format === 'bedgraph' ? /\s/ : '\t')[0]!)
    return [...new Set(names)]
  }
  return null
}

const parents = (folder: string): string[] => {
  const parts = folder === '' ? [] : folder.split('/')
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join('/')), '']
}

/** Makes the species that a person would have written of what was recognised. */
export const composeSpecies = async (
  files: readonly InputFile[],
  recognitions: readonly Recognition[],
  options: {
    ask: Ask
    log: DefectLog
    signal: AbortSignal
    /** By the bytes of genomes and gene models that were read. */
    onProgress(fraction: number): void
    fallbackName: string
    /** What is given is added to these, and is no species of its own. */
    loaded?: readonly LoadedAssembly[]
  },
): Promise<Composition> => {
  const { log, signal } = options
  const accounts = new Map<InputFile, Account>()
  const open: Question[] = []
  const remarks = new Map<string, Map<string, Text>>()
  const remark = (species: string, path: string, text: Text): void => {
    const own = remarks.get(species) ?? new Map<string, Text>()
    const before = own.get(path)
    own.set(path, before === undefined ? text : { en: `${before.en}; ${text.en}`, zh: `${before.zh}；${text.zh}` })
    remarks.set(species, own)
  }
  /** The answer, and whether it is one: what nobody answered is taken as the fallback has it, and marked. */
  const ask = async (question: Question): Promise<{ value: string; answered: boolean }> => {
    const answer = await options.ask(question)
    if (answer !== null) return { value: answer, answered: true }
    open.push(question)
    return { value: question.fallback ?? '', answered: false }
  }
  const account = (finding: Told, rest: Omit<Account, 'file' | 'what'>): void => {
    for (const { file, what } of [finding, ...(finding.also ?? [])]) accounts.set(file, { file, what, ...rest })
  }

  // What belongs together ------------------------------------------------------------------------------------------------
  const findings = recognitions.flatMap((recognition) => recognition.findings)
  const facts = new Map<string, AssemblyFacts>()
  for (const recognition of recognitions)
    for (const [group, own] of recognition.facts ?? []) facts.set(group, { ...facts.get(group), ...own })
  const homes = new Map(recognitions.flatMap((recognition) => [...(recognition.homes ?? [])]))
  const drafts = new Map<string, Draft>()
  const draftOf = (group: string, folder: string): Draft => {
    let draft = drafts.get(group)
    if (draft === undefined) {
      draft = {
        group,
        folder,
        facts: facts.get(group) ?? {},
        genome: [],
        derived: null,
        survey: null,
        names: null,
        genes: [],
        proteins: [],
        entries: [],
        loaded: null,
      }
      drafts.set(group, draft)
    }
    return draft
  }
  const loose: EntryFinding[] = []
  const aliasTables: (Finding & { take: 'aliases' })[] = []
  const whole = findings.filter(({ take }) => take === 'genes' || (take === 'genome' && options.loaded === undefined))
  const wholeBytes = whole.reduce((sum, { file }) => sum + file.bytes, 0)
  let readBytes = 0
  const onRead = ({ bytes }: InputFile): void => {
    readBytes += bytes
    options.onProgress(readBytes / Math.max(1, wholeBytes))
  }
  for (const finding of findings) {
    const { file } = finding
    if (finding.take === 'none') account(finding, { state: 'none', why: finding.why })
    else if (finding.take === 'read') account(finding, { state: 'read' })
    else if (finding.take === 'aliases') aliasTables.push(finding)
    else if (finding.take === 'entry' && finding.group === null) loose.push(finding)
    else {
      const draft = draftOf(finding.group!, file.folder)
      if (finding.take === 'genome') draft.genome.push(file)
      else if (finding.take === 'genes') {
        draft.genes.push({ finding, survey: await surveyGenes(file, signal) })
        onRead(file)
      } else if (finding.take === 'proteins') draft.proteins.push(finding)
      else draft.entries.push({ finding, doubt: null })
    }
  }
  const notRecognised = (file: InputFile): void => {
    accounts.set(file, { file, what: { en: file.format, zh: file.format }, state: 'unknown' })
  }
  const claimed = new Set(findings.flatMap(filesOf))
  for (const file of files) {
    if (!claimed.has(file)) notRecognised(file)
  }

  // Genomes, and what has none of its own ------------------------------------------------------------------------------
  const nameGenome = async (draft: Draft): Promise<void> => {
    const surveys: SequenceSurvey[] = []
    for (const file of draft.genome) {
      surveys.push(await surveyFasta(file, signal))
      onRead(file)
    }
    draft.survey = {
      names: surveys.flatMap(({ names }) => names),
      count: surveys.reduce((sum, { count }) => sum + count, 0),
      totalBp: surveys.reduce((sum, { totalBp }) => sum + totalBp, 0),
      first: surveys.flatMap(({ first }) => first),
      special: new Map(surveys.flatMap(({ special }) => [...special])),
      organism: surveys.find(({ organism }) => organism !== null)?.organism ?? null,
    }
    setNames(draft, draft.survey.names)
  }
  const setNames = (draft: Draft, names: readonly string[]): void => {
    const aliases = new Map((draft.facts.sequences ?? []).map((sequence) => [sequence.name, sequence.aliases]))
    draft.names = indexSequenceNames(
      names.map((name) => {
        const own = aliases.get(name)
        return own === undefined ? { name } : { name, aliases: own }
      }),
    )
  }
  const assemblies = [...drafts.values()].filter(({ genome }) => genome.length > 0)
  if (options.loaded !== undefined) {
    for (const { genome } of assemblies.splice(0))
      for (const file of genome) {
        account({ file, what: genomeText }, { state: 'none', why: genomeAsOwn })
        log.report(importDefects, 'import-add-genome', file.path, null)
      }
    for (const loaded of options.loaded)
      assemblies.push({
        group: loaded.id,
        folder: '',
        facts: { id: loaded.id },
        genome: [],
        derived: null,
        survey: null,
        names: loaded.names,
        genes: [],
        proteins: [],
        entries: [],
        loaded,
      })
  }
  for (const draft of assemblies) if (draft.loaded === null) await nameGenome(draft)
  for (const finding of aliasTables) {
    const own = assemblies.filter(({ group, survey }) => survey !== null && (finding.group ?? group) === group)
    const taken = own.filter((draft) => addAliases(draft, finding.rows, finding.group === null ? 0.5 : 0))
    for (const draft of taken) setNames(draft, draft.survey!.names)
    // A configuration says more than names.
    if (taken.length > 0 || !accounts.has(finding.file))
      account(finding, taken.length > 0 ? { state: 'read' } : { state: 'not-placed' })
  }

  const fits = (draft: Draft, names: Iterable<string>): boolean => {
    const probed: string[] = []
    for (const name of names) {
      if (probed.length === probedNames) break
      probed.push(name)
    }
    // Among a thousand genomes most are others, which shows before all names were looked up.
    let missing = 0
    for (const name of probed) {
      if (draft.names!.resolve(name).name === null) missing += 1
      if (missing >= probed.length / 2) return false
    }
    return true
  }
  /** The assembly that files of a folder with these names of sequences belong to. */
  const place = (folder: string, stem: string, names: readonly string[] | null): Draft | null => {
    const fitting = names === null ? assemblies : assemblies.filter((draft) => fits(draft, names))
    return nearest(folder, stem, fitting)
  }
  /** Of several assemblies the one that the name of a file or its folder tells. */
  const nearest = (folder: string, stem: string, fitting: readonly Draft[]): Draft | null => {
    if (fitting.length <= 1) return fitting[0] ?? null
    const near = (test: (draft: Draft) => boolean): Draft | null => {
      const found = fitting.filter(test)
      return found.length === 1 ? found[0]! : null
    }
    const genomeStem = (draft: Draft): string => (draft.loaded?.id ?? stemOf(draft.genome[0]?.name ?? '')).toLowerCase()
    const own = stem.toLowerCase()
    const byName =
      near((draft) => genomeStem(draft) === own) ??
      // Folders may each have a copy of a genome.
      near((draft) => genomeStem(draft) === own && draft.folder === folder) ??
      near((draft) => own.split(/[._-]/)[0] === genomeStem(draft).split(/[._-]/)[0]) ??
      near((draft) => draft.facts.accession !== undefined && own.includes(draft.facts.accession.toLowerCase()))
    if (byName !== null) return byName
    for (const parent of parents(folder)) {
      const found = near((draft) => draft.folder === parent)
      if (found !== null) return found
    }
    return near((draft) => draft.folder.startsWith(`${folder}/`) && folder !== '')
  }

  const labelOf = (draft: Draft): string => draft.facts.id ?? draft.genome[0]?.path ?? draft.group
  const notPlaced = (finding: Finding): void => {
    account(finding, { state: 'not-placed' })
    if (assemblies.length > 0)
      log.report(importDefects, 'import-not-placed', finding.file.path, null, {
        assemblies: assemblies.map(labelOf).join(', '),
      })
  }
  const namesDiffer = (finding: Finding, survey: GeneSurvey, draft: Draft): void =>
    log.report(importDefects, 'import-names-differ', finding.file.path, null, {
      found: [...survey.names].slice(0, 3).join(', '),
      genome: draft.genome[0]?.path ?? draft.group,
      expected: draft.survey?.names.slice(0, 3).join(', ') ?? '',
    })
  // Gene models that a package has beside its genome may have been put there from elsewhere.
  for (const draft of assemblies) {
    if (draft.loaded !== null || draft.names === null) continue
    const isOther = ({ survey: { names } }: Draft['genes'][number]): boolean =>
      names.size > 0 && [...names].every((name) => draft.names!.resolve(name).name === null)
    for (const { finding, survey } of draft.genes.filter(isOther)) {
      account(finding, { state: 'not-placed' })
      namesDiffer(finding, survey, draft)
    }
    draft.genes = draft.genes.filter((one) => !isOther(one))
  }
  /** Puts an entry under the assembly whose genes the file names; where those of several fit, a person says which. */
  const placeByGenes = async (finding: EntryFinding, first: readonly (readonly string[])[]): Promise<void> => {
    const knows = (draft: Draft, name: string): boolean =>
      (draft.loaded !== null && draft.loaded.genes.match(name) !== null) ||
      draft.genes.some(({ survey }) => survey.genes.match(name) !== null)
    const findFitting = (named: readonly (readonly string[])[]) => {
      const counts = assemblies.map((draft) => ({
        draft,
        known: named.filter((names) => names.some((name) => knows(draft, name))).length,
      }))
      const most = Math.max(...counts.map(({ known }) => known))
      const fitting =
        most > named.length * minKnownGenes
          ? counts.filter(({ known }) => known * minLead > most).map(({ draft }) => draft)
          : []
      return { most, fitting }
    }
    let genes = first
    let { most, fitting } = findFitting(genes)
    if (fitting.length !== 1 && finding.readGenes !== undefined) {
      // The first lines may be of genes that no gene models have, as those of RNA, or that all strains have.
      const sampled = finding.readGenes(await sampleLines(finding.file, signal))
      if (sampled.length > 0) {
        genes = sampled
        ;({ most, fitting } = findFitting(genes))
      }
    }
    if (fitting.length === 0) {
      if (finding.onlyByGenes === true) {
        for (const file of filesOf(finding)) notRecognised(file)
        return
      }
      account(finding, { state: 'not-placed' })
      log.report(importDefects, 'import-genes-unknown', finding.file.path, null, {
        known: most,
        total: genes.length,
        names: genes
          .slice(0, 3)
          .map(([name]) => name)
          .join(', '),
      })
      return
    }
    const told = nearest(finding.file.folder, stemOf(finding.file.name), fitting)
    if (told !== null) {
      told.entries.push({ finding, doubt: null })
      return
    }
    const { path } = finding.file
    const { value, answered } = await ask({
      id: `assembly ${path}`,
      text: { en: `The assembly of ${path}`, zh: `${path} 所属的组装版本` },
      choices: fitting.map((draft) => ({ value: labelOf(draft), text: { en: labelOf(draft), zh: labelOf(draft) } })),
      fallback: labelOf(fitting[0]!),
    })
    const home = fitting.find((draft) => labelOf(draft) === value)!
    const others = fitting.filter((draft) => draft !== home).map(labelOf)
    const doubt = {
      en: `the genes of ${path} are those of ${others.join(', ')} as well`,
      zh: `${path} 中的基因也见于 ${others.join('、')}`,
    }
    home.entries.push({ finding, doubt: answered ? null : doubt })
  }
  for (const draft of drafts.values()) {
    if (draft.genome.length > 0) continue
    await setImmediate()
    signal.throwIfAborted()
    const files = [
      ...draft.genes.map(({ finding }) => finding),
      ...draft.proteins,
      ...draft.entries.map(({ finding }) => finding),
    ]
    const names = draft.genes.length > 0 ? [...draft.genes[0]!.survey.names] : null
    const told = homes.get(files[0]!.file)
    const home =
      assemblies.find(({ group }) => group === told) ?? place(draft.folder, stemOf(files[0]!.file.name), names)
    if (home !== null) {
      home.facts = { ...draft.facts, ...home.facts }
      home.genes.push(...draft.genes)
      home.proteins.push(...draft.proteins)
      home.entries.push(...draft.entries)
      continue
    }
    const source = draft.genes.find(({ survey }) => survey.hasSequences)
    if (source !== undefined && options.loaded === undefined) {
      draft.derived = source.finding.file
      setNames(draft, [...source.survey.names])
      assemblies.push(draft)
      continue
    }
    for (const { finding, survey } of draft.genes) {
      account(finding, { state: 'not-placed' })
      const candidate = assemblies.length === 1 ? assemblies[0]! : null
      if (candidate === null) notPlaced(finding)
      else namesDiffer(finding, survey, candidate)
    }
    for (const finding of [...draft.proteins, ...draft.entries.map(({ finding }) => finding)]) notPlaced(finding)
  }
  if (assemblies.length === 0) {
    log.report(importDefects, 'import-no-genome', options.fallbackName, null)
    for (const finding of findings) if (!accounts.has(finding.file)) account(finding, { state: 'not-placed' })
    return { species: [], accounts: inOrder(files, accounts), open }
  }
  const speciesEntries: EntryFinding[] = []
  /** Of what compares two assemblies which these are. */
  const compared = new Map<EntryFinding, Draft[]>()
  for (const finding of loose) {
    await setImmediate()
    signal.throwIfAborted()
    if (finding.sides !== undefined) {
      const sides = finding.sides.map(({ group, sequences }) => {
        const fitting = assemblies.filter((draft) => fits(draft, sequences))
        return fitting.find((draft) => draft.group === group) ?? (fitting.length === 1 ? fitting[0]! : null)
      })
      const [first, second] = sides
      if (first == null || second == null || first === second) account(finding, { state: 'none', why: sidesUnknown })
      else {
        compared.set(finding, [first, second])
        speciesEntries.push(finding)
      }
      continue
    }
    if (finding.scope === 'species') {
      speciesEntries.push(finding)
      continue
    }
    if (finding.genes !== undefined && finding.genes.length > 0) {
      await placeByGenes(finding, finding.genes)
      continue
    }
    const names = finding.sequences ?? (await namesIn(finding.file))
    const home = place(finding.file.folder, stemOf(finding.file.name), names)
    if (home === null) notPlaced(finding)
    else home.entries.push({ finding, doubt: null })
  }

  if (options.loaded !== undefined) {
    const plan = await planAdditions(assemblies, speciesEntries, compared, { ask, account, remark, notPlaced, log })
    for (const [path, text] of remarks.get(plan?.id ?? '') ?? []) plan!.remarks.set(path, text)
    return { species: plan === null ? [] : [plan], accounts: inOrder(files, accounts), open }
  }

  // Species --------------------------------------------------------------------------------------------------------------
  for (const draft of assemblies) {
    const [told] = draft.genes.map(({ survey }) => survey).filter(({ organism }) => organism !== null)
    const taxon = draft.genes.map(({ survey }) => survey.taxonId).find((id) => id !== null)
    const strain = draft.genes.map(({ survey }) => survey.strain).find((one) => one !== null)
    draft.facts = {
      ...(told === undefined ? {} : { organism: told.organism! }),
      ...(taxon == null ? {} : { taxonId: taxon }),
      ...(strain == null ? {} : { strain }),
      ...draft.facts,
    }
  }
  const bySpecies = new Map<string, Draft[]>()
  const nameless: Draft[] = []
  for (const draft of assemblies) {
    if (draft.facts.organism === undefined) nameless.push(draft)
    else {
      const { species, strain } = splitOrganism(draft.facts.organism, draft.facts.strain)
      if (strain !== null) draft.facts.strain = strain
      bySpecies.set(species, [...(bySpecies.get(species) ?? []), draft])
    }
  }
  // Headers as archives write them tell genomes of several species apart; of one alone they are the default of the question.
  const headed = new Set(nameless.flatMap(({ survey }) => survey?.organism?.species ?? []))
  for (const draft of headed.size > 1 ? nameless.splice(0) : []) {
    const organism = draft.survey?.organism
    if (organism == null) {
      nameless.push(draft)
      continue
    }
    if (organism.strain !== null) draft.facts.strain ??= organism.strain
    bySpecies.set(organism.species, [...(bySpecies.get(organism.species) ?? []), draft])
  }
  let unsaid: string | null = null
  if (nameless.length > 0) {
    if (bySpecies.size === 1)
      bySpecies
        .values()
        .next()
        .value!.push(...nameless)
    else {
      const { value, answered } = await ask({
        id: 'species',
        text: {
          en: 'Scientific name of the species',
          zh: '物种的学名',
        },
        choices: null,
        // Archives write the organism into the headers of sequences, whoever sent the file on.
        fallback: nameless.find((draft) => draft.survey?.organism)?.survey?.organism?.species ?? options.fallbackName,
        isValid: (answer) => answer.trim().length > 0 && answer.length <= 120,
      })
      if (!answered) unsaid = value
      bySpecies.set(value, [...(bySpecies.get(value) ?? []), ...nameless])
    }
  }

  const ids = new OwnNames()
  const speciesIds = new OwnNames()
  const plans: SpeciesPlan[] = []
  const planned = new Map<Draft, { plan: SpeciesPlan; assembly: AssemblyPlan }>()
  for (const [name, own] of bySpecies) {
    const id = speciesIds.take(toSpeciesId(name))
    if (name === unsaid)
      remark(id, 'name', {
        en: 'the scientific name: nothing among the files says it',
        zh: '学名：所有文件中均未说明',
      })
    const taxa = new Set(own.map((draft) => draft.facts.taxonId))
    const plan: SpeciesPlan = {
      id,
      name,
      taxonId: taxa.size === 1 ? ([...taxa][0] ?? null) : null,
      commonName: own.find((draft) => draft.facts.commonName !== undefined)?.facts.commonName ?? null,
      geneticCode: null,
      assemblies: [],
      entries: new Map(),
      remarks: remarks.get(id) ?? new Map(),
    }
    remarks.set(id, plan.remarks)
    for (const [number, draft] of own.entries()) {
      const planning = { ask, account, remark, ids, fallbackName: options.fallbackName }
      const assembly = await planAssembly(draft, plan, number, planning)
      plan.assemblies.push(assembly)
      planned.set(draft, { plan, assembly })
    }
    const codes = new Set(plan.assemblies.map(({ geneticCode }) => geneticCode))
    if (codes.size === 1 && !codes.has(null)) {
      plan.geneticCode = [...codes][0]!
      for (const assembly of plan.assemblies) assembly.geneticCode = null
    }
    if (plan.assemblies.length > 1) {
      const told = plan.assemblies.filter(({ facts }) => facts.reference === true)
      for (const assembly of plan.assemblies) delete assembly.facts.reference
      const withGenes = plan.assemblies.find(({ genes }) => genes.length > 0) ?? plan.assemblies[0]!
      if (told.length === 1) told[0]!.facts.reference = true
      else {
        const { value, answered } = await ask({
          id: `reference ${id}`,
          text: { en: `The reference assembly of ${name}`, zh: `${name} 的参考基因组` },
          choices: plan.assemblies.map((assembly) => ({
            value: assembly.id,
            text: { en: assembly.id, zh: assembly.id },
          })),
          fallback: withGenes.id,
        })
        const at = plan.assemblies.findIndex((assembly) => assembly.id === value)
        plan.assemblies[at]!.facts.reference = true
        if (!answered)
          remark(id, `assemblies.${at}.reference`, {
            en: 'the assembly that screens open first',
            zh: '各页面默认打开的组装版本',
          })
      }
    }
    plans.push(plan)
  }
  for (const finding of speciesEntries) {
    const sides = compared.get(finding)?.map((draft) => planned.get(draft)!)
    if (sides !== undefined && new Set(sides.map(({ plan }) => plan)).size > 1) {
      account(finding, { state: 'none', why: sidesUnknown })
      continue
    }
    const home = sides !== undefined ? sides[0]!.plan : plans.length === 1 ? plans[0]! : null
    if (home === null) notPlaced(finding)
    else {
      addEntry(
        home.entries,
        withSides(
          finding,
          sides?.map(({ assembly }) => assembly.id),
        ),
      )
      account(finding, { state: 'taken', entry: finding.entry })
    }
  }
  return { species: plans, accounts: inOrder(files, accounts), open }
}

/** The species that the files are of, with what they add to each of its assemblies; null where they are of none, or of several. */
const planAdditions = async (
  assemblies: readonly Draft[],
  speciesEntries: readonly EntryFinding[],
  compared: ReadonlyMap<EntryFinding, readonly Draft[]>,
  planning: Omit<Planning, 'ids' | 'fallbackName'> & { notPlaced(finding: Finding): void; log: DefectLog },
): Promise<SpeciesPlan | null> => {
  const touched = assemblies.filter(
    ({ entries, genes, proteins }) => entries.length + genes.length + proteins.length > 0,
  )
  const pairs = speciesEntries.flatMap((finding) => compared.get(finding) ?? [])
  const told = touched.length > 0 ? touched : pairs.length > 0 ? pairs : assemblies
  const home = new Set(told.map(({ loaded }) => loaded!.species))
  const [id] = home
  if (touched.length + speciesEntries.length === 0 || id === undefined) return null
  if (home.size > 1) {
    planning.log.report(importDefects, 'import-add-several', [...home].join(', '), null)
    return null
  }
  const plan: SpeciesPlan = {
    id,
    name: id,
    taxonId: null,
    commonName: null,
    geneticCode: null,
    assemblies: [],
    entries: new Map(),
    remarks: new Map(),
  }
  for (const draft of touched) {
    const own = { ...planning, ids: new OwnNames(), fallbackName: '' }
    const present = await draft.loaded!.readEntry()
    const at = `assemblies.${draft.loaded!.id}`
    const { genes, proteins } = await planGenes(draft, draft.loaded!.id, at, plan, own)
    plan.assemblies.push({
      id: draft.loaded!.id,
      facts: {},
      genome: [],
      genes,
      proteins,
      geneticCode: null,
      sequences: [],
      entries: await planEntries(draft, draft.loaded!.id, at, plan, own, present),
      counts: null,
    })
  }
  for (const finding of speciesEntries) {
    const sides = compared.get(finding)?.map(({ loaded }) => loaded!)
    if (sides?.some(({ species }) => species !== id)) {
      planning.account(finding, { state: 'none', why: sidesUnknown })
      continue
    }
    addEntry(
      plan.entries,
      withSides(
        finding,
        sides?.map((loaded) => loaded.id),
      ),
    )
    planning.account(finding, { state: 'taken', entry: finding.entry })
  }
  return plan
}

const inOrder = (files: readonly InputFile[], accounts: ReadonlyMap<InputFile, Account>): Account[] =>
  files.flatMap((file) => accounts.get(file) ?? [])

/** The value as it stands in the manifest; null where there is one already and no list. */
const addEntry = (entries: Map<string, unknown>, { entry, list, value }: EntryFinding): unknown => {
  if (!list) {
    if (entries.has(entry)) return null
    entries.set(entry, value)
    return value
  }
  const present = (entries.get(entry) as unknown[] | undefined) ?? []
  if (!takenNames.has(present)) {
    // A list of the manifest in service is not ours to add to.
    const own = [...present]
    takenNames.set(own, idsIn(own))
    entries.set(entry, own)
  }
  const items = entries.get(entry) as unknown[]
  const own = withNameOf(value, takenNames.get(items)!)
  items.push(own)
  return own
}

const sidesUnknown: Text = {
  en: 'its sequences are not those of two assemblies of one species here',
  zh: '其中的序列不属于同一物种的两个基因组',
}

const withSides = (finding: EntryFinding, ids: readonly string[] | undefined): EntryFinding =>
  ids === undefined ? finding : { ...finding, value: { ...(finding.value as object), assemblies: ids } }

/** Gives the sequences of an assembly the other names in their rows; false where fewer than `share` of its sequences are there, or none. */
const addAliases = (draft: Draft, rows: readonly (readonly string[])[], share: number): boolean => {
  const { names, count } = draft.survey!
  const own = new Set(names)
  const found = rows.flatMap((row) => {
    const name = row.find((cell) => own.has(cell))
    return name === undefined ? [] : [{ name, aliases: row.filter((cell) => cell !== '' && cell !== name) }]
  })
  const known = new Set(found.map(({ name }) => name)).size
  if (known === 0 || known < Math.min(count, names.length) * share) return false
  // What stands beside several sequences names none of them: the archive it is from.
  const holders = new Map<string, Set<string>>()
  for (const { name, aliases } of found)
    for (const alias of aliases) holders.set(alias, (holders.get(alias) ?? new Set()).add(name))
  const sequences = new Map((draft.facts.sequences ?? []).map((facts) => [facts.name, facts]))
  for (const { name, aliases } of found) {
    const facts = sequences.get(name) ?? { name }
    const more = aliases.filter((alias) => holders.get(alias)!.size === 1 && !own.has(alias))
    const all = [...new Set([...(facts.aliases ?? []), ...more])]
    sequences.set(name, { ...facts, ...(all.length > 0 ? { aliases: all } : {}) })
  }
  draft.facts.sequences = [...sequences.values()]
  return true
}

/** Of lists that are made here, what their items are called. */
const takenNames = new WeakMap<unknown[], OwnNames>()

const idsIn = (present: readonly unknown[]): OwnNames => {
  const names = new OwnNames()
  for (const one of present) names.take(String((one as { id: unknown }).id))
  return names
}

const withNameOf = (value: unknown, names: OwnNames): unknown =>
  value === null || typeof value !== 'object' || !('id' in value)
    ? value
    : { ...value, id: names.take(String(value.id)) }

/** Gives an item of a list an id that none before it has. */
export const withOwnId = (value: unknown, present: readonly unknown[]): unknown => withNameOf(value, idsIn(present))

/** A file with what it is, and those that go with it. */
type Told = Pick<EntryFinding, 'file' | 'what' | 'also'>

interface Planning {
  ask(question: Question): Promise<{ value: string; answered: boolean }>
  account(finding: Told, rest: Omit<Account, 'file' | 'what'>): void
  remark(species: string, path: string, text: Text): void
  ids: OwnNames
  fallbackName: string
}

/** The name that what the files say gives an assembly, else one that is asked for. */
const nameAssembly = async (
  { facts, genome, derived, survey }: Draft,
  { ask, ids, fallbackName }: Planning,
): Promise<{ id: string; answered: boolean }> => {
  // The half of an accession is the name of no assembly.
  const named = facts.id !== undefined && /^GC[AF]$/i.test(facts.id) ? undefined : (facts.id ?? facts.name)
  // Names that an archive made up say less than the strain that they are of.
  const telling = named !== undefined && !isArchiveName(named) ? named : undefined
  const stem = genome.length > 1 ? null : tellingName([genome[0]?.name ?? derived?.name ?? ''])
  const wanted =
    telling ??
    facts.strain ??
    named ??
    facts.accession ??
    stem ??
    survey?.organism?.strain ??
    tellingName([fallbackName])
  if (wanted !== null) return { id: ids.take(toId(wanted) || 'assembly'), answered: true }
  const file = genome[0]?.path ?? derived?.path ?? ''
  const { value, answered } = await ask({
    id: `name ${file}`,
    text: {
      en: `A short name for the assembly of ${file}, as in addresses`,
      zh: `${file} 所含组装版本的短名称，用于网址`,
    },
    choices: null,
    fallback: toId(fallbackName) || 'assembly',
    isValid: (answer) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,61}$/.test(answer.trim()),
  })
  return { id: ids.take(toId(value) || 'assembly'), answered }
}

const organelleCodes: { value: string; text: Text }[] = [
  { value: '1', text: { en: '1, standard (land plants)', zh: '1，标准（陆生植物）' } },
  { value: '2', text: { en: '2, vertebrates', zh: '2，脊椎动物' } },
  { value: '3', text: { en: '3, yeasts', zh: '3，酵母' } },
  { value: '4', text: { en: '4, moulds, protozoa, cnidarians', zh: '4，霉菌、原生动物、腔肠动物' } },
  { value: '5', text: { en: '5, invertebrates', zh: '5，无脊椎动物' } },
]

/** Genera of budding yeasts whose mitochondria have code 3 (NCBI, The Genetic Codes). */
const yeastCode = /^(Saccharomyces|Kluyveromyces|Lachancea|Nakaseomyces|Candida glabrata)\b/

/** The gene models of an assembly that are taken, and the proteins that go with them. */
const planGenes = async (
  draft: Draft,
  id: string,
  at: string,
  species: SpeciesPlan,
  { ask, account, remark }: Planning,
): Promise<{ genes: InputFile[]; proteins: InputFile | null }> => {
  // Gene models: of one source in its best form, of several the one that is chosen.
  const sources = new Map<string, Draft['genes']>()
  for (const one of draft.genes) sources.set(one.finding.group, [...(sources.get(one.finding.group) ?? []), one])
  const best = [...sources.values()].map((forms) => {
    const rank = Math.min(...forms.map(({ finding }) => finding.rank))
    return { forms, taken: forms.filter(({ finding }) => finding.rank === rank) }
  })
  let chosen = best[0]
  if (best.length > 1) {
    const label = ({ taken }: (typeof best)[number]): string => taken[0]!.finding.file.path
    const { value, answered } = await ask({
      id: `genes ${id}`,
      text: { en: `The gene models of ${id}`, zh: `${id} 的基因模型` },
      choices: best.map((one) => ({ value: label(one), text: { en: label(one), zh: label(one) } })),
      fallback: label(best[0]!),
    })
    chosen = best.find((one) => label(one) === value)!
    if (!answered)
      remark(species.id, `${at}.genes`, {
        en: `there are others: ${best
          .filter((one) => one !== chosen)
          .map(label)
          .join(', ')}`,
        zh: `另有：${best
          .filter((one) => one !== chosen)
          .map(label)
          .join('、')}`,
      })
  }
  for (const { forms, taken } of best) {
    for (const form of forms) {
      const isTaken = chosen!.taken.includes(form)
      if (isTaken) account(form.finding, { state: 'taken', entry: 'genes', assembly: id })
      else
        account(form.finding, {
          state: 'none',
          why: taken.includes(form)
            ? {
                en: `other gene models were chosen: ${chosen!.taken[0]!.finding.file.path}`,
                zh: `已选用其他基因模型：${chosen!.taken[0]!.finding.file.path}`,
              }
            : sameAnnotation,
        })
    }
  }
  const genes = chosen?.taken ?? []
  const [proteins, ...moreProteins] = draft.proteins.filter(({ group }) =>
    genes.some(({ finding }) => finding.group === group),
  )
  for (const finding of draft.proteins) {
    if (finding === proteins) account(finding, { state: 'taken', entry: 'proteins', assembly: id })
    else if (moreProteins.includes(finding))
      account(finding, { state: 'none', why: { en: 'one file of proteins is taken', zh: '蛋白质序列只取一个文件' } })
    else
      account(finding, { state: 'none', why: { en: 'of gene models that are not taken', zh: '属于未选用的基因模型' } })
  }
  return { genes: genes.map(({ finding }) => finding.file), proteins: proteins?.file ?? null }
}

const planAssembly = async (
  draft: Draft,
  species: SpeciesPlan,
  number: number,
  planning: Planning,
): Promise<AssemblyPlan> => {
  const { ask, account, remark } = planning
  const { id, answered } = await nameAssembly(draft, planning)
  const at = `assemblies.${number}`
  if (!answered)
    remark(species.id, `${at}.id`, {
      en: 'a short name for the assembly, as in addresses: nothing among the files says it',
      zh: '组装版本的短名称，用于网址：所有文件中均未说明',
    })
  for (const file of draft.genome)
    account({ file, what: genomeText }, { state: 'taken', entry: 'genome', assembly: id })

  const { genes, proteins } = await planGenes(draft, id, at, species, planning)

  // Codes and roles of sequences.
  const all = draft.genes.map(({ survey }) => survey)
  const special = new Map<string, SequenceFacts>()
  const merge = (facts: SequenceFacts): void => {
    const name = draft.names?.resolve(facts.name).name ?? null
    if (name === null) return
    special.set(name, { ...special.get(name), ...facts, name })
  }
  for (const facts of draft.survey?.special.values() ?? []) merge(facts)
  for (const survey of all) for (const facts of survey.special.values()) merge(facts)
  for (const facts of draft.facts.sequences ?? []) merge(facts)
  const codes = new Map<string, Map<number, number>>()
  for (const survey of all)
    for (const [sequence, own] of survey.codes) {
      const name = draft.names?.resolve(sequence).name ?? null
      if (name === null) continue
      const sum = codes.get(name) ?? new Map<number, number>()
      for (const [code, count] of own) sum.set(code, (sum.get(code) ?? 0) + count)
      codes.set(name, sum)
    }
  const nuclear = new Map<number, number>()
  for (const [name, own] of codes)
    if (special.get(name)?.role !== 'organelle')
      for (const [code, count] of own) nuclear.set(code, (nuclear.get(code) ?? 0) + count)
  const main = mostFrequentCode(nuclear) ?? draft.facts.geneticCode ?? null
  for (const [name, own] of codes) {
    const code = mostFrequentCode(own)
    if (code !== null && code !== (main ?? 1)) special.set(name, { ...special.get(name), name, geneticCode: code })
  }
  const hasPlastid = [...special.values()].some(({ organelle }) => organelle === 'plastid')
  for (const [name, facts] of special) {
    if (facts.role !== 'organelle' || facts.geneticCode !== undefined || codes.has(name) || genes.length === 0) continue
    if (facts.organelle === 'plastid') {
      special.set(name, { ...facts, geneticCode: 11 })
      continue
    }
    // Land plants, told by their plastid, have the standard code; of the others nothing among the files tells.
    if (hasPlastid) continue
    const { value, answered } = await ask({
      id: `code ${id} ${name}`,
      text: {
        en: `The genetic code of ${name}, the mitochondrial genome of ${id}`,
        zh: `${id} 的线粒体基因组 ${name} 的遗传密码`,
      },
      choices: organelleCodes,
      fallback: yeastCode.test(species.name) ? '3' : '4',
    })
    special.set(name, { ...facts, geneticCode: Number(value) })
    if (!answered)
      remark(species.id, `${at}.sequences.${name}`, {
        en: 'the genetic code of the organelle: 1 land plants, 2 vertebrates, 3 yeasts, 4 moulds and protozoa, 5 invertebrates',
        zh: '细胞器的遗传密码：1 陆生植物，2 脊椎动物，3 酵母，4 霉菌与原生动物，5 无脊椎动物',
      })
  }

  const entries = await planEntries(draft, id, at, species, planning)
  return {
    id,
    facts: draft.facts,
    genome:
      draft.derived === null
        ? draft.genome
        : { from: draft.derived, fileName: `${stemOf(draft.derived.name)}.genome.fa` },
    genes,
    proteins,
    geneticCode: main === 1 ? null : main,
    sequences: worthListing(inGenomeOrder(special, draft.survey?.names ?? [])),
    entries,
    counts:
      draft.survey === null
        ? null
        : { sequences: draft.survey.count, totalBp: draft.survey.totalBp, first: draft.survey.first },
  }
}

interface Host {
  folder: string
  value: Record<string, unknown>
}

/** How many folders two paths have in common. */
const sharedFolders = (one: string, other: string): number => {
  const others = other.split('/')
  const differ = one.split('/').findIndex((part, at) => part !== others[at])
  return differ < 0 ? one.split('/').length : differ
}

/** Entries of an assembly by their key; what stands within another follows when all of these are there. */
const planEntries = async (
  draft: Draft,
  id: string,
  at: string,
  species: SpeciesPlan,
  { ask, account, remark }: Planning,
  present: Record<string, unknown> = {},
): Promise<Map<string, unknown>> => {
  const entries = new Map<string, unknown>(Object.entries(present))
  const hosts = new Map<string, Host[]>()
  for (const [entry, items] of entries)
    if (Array.isArray(items))
      hosts.set(
        entry,
        items.filter((value) => value !== null && typeof value === 'object').map((value) => ({ folder: '', value })),
      )
  const placeOf = (entry: string, value: unknown): string =>
    value !== null && typeof value === 'object' && 'id' in value ? `${at}.${entry}.${value.id}` : `${at}.${entry}`
  for (const { finding, doubt } of draft.entries) {
    const { entry, open } = finding
    if (finding.within !== undefined) continue
    const value = addEntry(entries, finding)
    if (value === null) {
      account(finding, { state: 'none', why: { en: 'there is one already', zh: '已有一个' } })
      continue
    }
    account(finding, { state: 'taken', entry, assembly: id })
    if (doubt !== null) remark(species.id, placeOf(entry, value), doubt)
    if (typeof value === 'object') {
      const own = value as Record<string, unknown>
      hosts.set(entry, [...(hosts.get(entry) ?? []), { folder: finding.file.folder, value: own }])
      if (open === undefined) continue
      const { value: answer, answered } = await ask({
        id: `${open.key} ${finding.file.path}`,
        text: open.text,
        choices: open.choices.map((choice) => ({ value: choice, text: { en: choice, zh: choice } })),
        fallback: open.fallback,
      })
      own[open.key] = answer
      if (!answered) remark(species.id, placeOf(entry, value), open.text)
    }
  }
  for (const { finding, doubt } of draft.entries) {
    const { entry, file, within } = finding
    if (within === undefined) continue
    const near = (host: Host): number => sharedFolders(host.folder, file.folder)
    const all = hosts.get(entry) ?? []
    const nearest = Math.max(...all.map(near))
    const fitting = all.filter((host) => near(host) === nearest)
    if (fitting.length === 0) {
      account(finding, { state: 'none', why: within.alone })
      continue
    }
    let host = fitting[0]!
    const nameOf = ({ value }: Host): string => String(value.id)
    if (fitting.length > 1) {
      const { value, answered } = await ask({
        id: `${within.list} ${file.path}`,
        text: { en: `The data set that ${file.path} is of`, zh: `${file.path} 所属的数据集` },
        choices: fitting.map((one) => ({ value: nameOf(one), text: { en: nameOf(one), zh: nameOf(one) } })),
        fallback: nameOf(host),
      })
      host = fitting.find((one) => nameOf(one) === value)!
      const others = fitting.filter((one) => one !== host).map(nameOf)
      if (!answered)
        remark(species.id, placeOf(entry, host.value), {
          en: `${file.path} may be of ${others.join(', ')} instead`,
          zh: `${file.path} 也可能属于 ${others.join('、')}`,
        })
    }
    const present = (host.value[within.list] as unknown[] | undefined) ?? []
    host.value[within.list] = [...present, withOwnId(finding.value, present)]
    account(finding, { state: 'taken', entry: `${entry}.${within.list}`, assembly: id })
    if (doubt !== null) remark(species.id, placeOf(entry, host.value), doubt)
  }
  return entries
}

const genomeAsOwn: Text = { en: 'a genome is no addition', zh: '基因组不能作为补充数据' }
const genomeText: Text = { en: 'genome sequence', zh: '基因组序列' }

const inGenomeOrder = (special: ReadonlyMap<string, SequenceFacts>, names: readonly string[]): SequenceFacts[] => {
  const known = names.flatMap((name) => special.get(name) ?? [])
  return [...new Set([...known, ...special.values()])]
}

/** Sequences of which a manifest says something; scaffolds only where they are few. */
const worthListing = (sequences: readonly SequenceFacts[]): SequenceFacts[] => {
  const told = sequences.filter(
    ({ aliases, circular, geneticCode, role }) =>
      (aliases?.length ?? 0) > 0 ||
      circular === true ||
      geneticCode !== undefined ||
      (role !== undefined && role !== 'chromosome' && role !== 'scaffold'),
  )
  const scaffolds = told.filter(({ role }) => role === 'scaffold')
  return (scaffolds.length > listedScaffolds ? told.filter(({ role }) => role !== 'scaffold') : told).slice(
    0,
    listedSequences,
  )
}
