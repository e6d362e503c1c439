import { z } from 'zod'
import {
  classifyPresence,
  type PresenceEvidence,
  type PresenceState,
  presenceStates,
  type ReadingFrame,
  unknownReasons,
} from '../../bio/comparative/gene-presence.ts'
import type { GenePresence, Place } from './genes/gene-dna.ts'
import { type createMemberWriter, openMembers } from './member-file.ts'

/** Files of what is computed of the genes of each assembly in each other of its species: the members, and where each stands. */
export const presenceFile = 'presence.gz'
export const presenceIndexFile = 'presence.json'

/** Genes of an assembly in genome order; arrays of one length. Places from 1, both included. */
export interface PresenceGenes {
  sequences: string[]
  id: string[]
  symbol: (string | null)[]
  description: (string | null)[]
  biotype: string[]
  /** Number of the sequence. */
  sequence: number[]
  start: number[]
  end: number[]
  strand: ('+' | '-' | '.')[]
}

/** Genes beside each other that an assembly lacks, and the bases that it lacks there, as far as alignments tell. */
export interface StoredRun {
  first: number
  last: number
  start: number
  end: number
  /**
   * How many bases fewer it has there, less than from the start to the end where others stand in their stead; null where no alignment
   * tells, and absent of what an older version computed.
   */
  lostBp?: number | null
}

const changes = ['frameshift', 'stop', 'start'] as const
const found = ['alignment', 'dna', 'protein'] as const

type StoredPlace = [sequence: string, start: number, end: number, strand: 0 | 1]
type StoredFrame = [codons: number, kept: number, change: number, codon1: number | null, hgvs: string | null]
/** As stored: a list takes a fraction of the room of an object with names. */
export type StoredPresence = [
  lengthBp: number,
  alignedBp: number,
  goneBp: number,
  replacedBp: number,
  reason: number,
  /** Moved, annotated, searched by DNA, by protein, closed: a bit each. */
  flags: number,
  parts: number,
  insertedBp: number,
  copies: number,
  paralogs: number,
  frame: StoredFrame | 0,
  by: number,
  identity: number | null,
  places: StoredPlace[],
  copyPlaces: StoredPlace[],
  paralogPlaces: StoredPlace[],
  genes: string[],
]

export interface StoredPair {
  rows: StoredPresence[]
  runs: StoredRun[]
  through: string | null
}

/** What is read of a whole pair: the file has this by itself, and the rows of so many genes together. */
interface StoredOverview {
  /** Of each gene a letter: its state, and whether genes are annotated at its place. */
  states: string
  runs: StoredRun[]
  through: string | null
}
const rowsTogether = 256
const overviewKey = (of: number, into: number): string => `${of}-${into}`
const rowsKey = (of: number, into: number, gene: number): string => `${of}-${into}/${Math.floor(gene / rowsTogether)}`

const letterOf = (state: PresenceState, isAnnotated: boolean): string =>
  (2 * presenceStates.indexOf(state) + (isAnnotated ? 1 : 0)).toString(36)

/** Writes what is known of the genes of one assembly in another, to be read gene by gene and as a whole. */
export const addPresencePair = async (
  { add }: Pick<ReturnType<typeof createMemberWriter>, 'add'>,
  of: number,
  into: number,
  { rows, runs, through }: StoredPair,
): Promise<void> => {
  const states = rows.map((row) => {
    const { state, evidence } = readPresence(row, through)
    return letterOf(state, evidence.annotated)
  })
  await add(overviewKey(of, into), { states: states.join(''), runs, through } satisfies StoredOverview)
  for (let gene = 0; gene < rows.length; gene += rowsTogether)
    await add(rowsKey(of, into, gene), rows.slice(gene, gene + rowsTogether))
}

const keptPlaces = 6
const storePlaces = (places: readonly Place[]): StoredPlace[] =>
  places.slice(0, keptPlaces).map(({ sequence, start, end, strand }) => [sequence, start, end, strand === '-' ? 1 : 0])
const readPlaces = (places: readonly StoredPlace[]): Place[] =>
  places.map(([sequence, start, end, strand]) => ({ sequence, start, end, strand: strand === 1 ? '-' : '+' }))
const rounded = (value: number): number => Number(value.toFixed(4))

const storeFrame = (frame: ReadingFrame | null): StoredFrame | 0 =>
  frame === null
    ? 0
    : [
        frame.codons,
        rounded(frame.keptShare),
        frame.change === null ? -1 : changes.indexOf(frame.change),
        frame.codon1,
        frame.hgvs,
      ]

export const storePresence = ({
  evidence: of,
  by,
  identity,
  places,
  copies,
  paralogs,
  genes,
}: GenePresence): StoredPresence => [
  of.lengthBp,
  of.alignedBp,
  of.goneBp,
  of.replacedBp,
  of.reason === null ? -1 : unknownReasons.indexOf(of.reason),
  (of.moved ? 1 : 0) |
    (of.annotated ? 2 : 0) |
    (of.searched.dna ? 4 : 0) |
    (of.searched.protein ? 8 : 0) |
    (of.closed ? 16 : 0),
  of.parts,
  of.insertedBp,
  of.copies,
  of.paralogs,
  storeFrame(of.frame),
  by === null ? -1 : found.indexOf(by),
  identity === null ? null : rounded(identity),
  storePlaces(places),
  storePlaces(copies),
  storePlaces(paralogs),
  genes,
]

/** The state is told anew from the evidence: its rules are the code's. */
export const readPresence = (stored: StoredPresence, through: string | null): GenePresence => {
  const [lengthBp, alignedBp, goneBp, replacedBp, reason, flags, parts, insertedBp, copies, paralogs, frame] = stored
  const [by, identity, places, copyPlaces, paralogPlaces, genes] = stored.slice(11) as [
    number,
    number | null,
    StoredPlace[],
    StoredPlace[],
    StoredPlace[],
    string[],
  ]
  const evidence: PresenceEvidence = {
    lengthBp,
    alignedBp,
    goneBp,
    replacedBp,
    reason: unknownReasons[reason] ?? null,
    moved: (flags & 1) !== 0,
    annotated: (flags & 2) !== 0,
    searched: { dna: (flags & 4) !== 0, protein: (flags & 8) !== 0 },
    closed: (flags & 16) !== 0,
    parts,
    insertedBp,
    copies,
    paralogs,
    frame:
      frame === 0
        ? null
        : {
            codons: frame[0],
            keptShare: frame[1],
            change: changes[frame[2]] ?? null,
            codon1: frame[3],
            hgvs: frame[4],
          },
  }
  return {
    state: classifyPresence(evidence),
    evidence,
    by: found[by] ?? null,
    identity,
    places: readPlaces(places),
    copies: readPlaces(copyPlaces),
    paralogs: readPlaces(paralogPlaces),
    genes,
    through,
  }
}

/** Raised when what is written is read in another way, or the rules tell other states of the same evidence. */
export const presenceFormat = 3

/** What the computation says of itself: of each species the assemblies, which were computed each against each. */
export const presenceAboutSchema = z.object({
  format: z.literal(presenceFormat),
  programs: z.array(z.string()),
  elapsedMs: z.number(),
  species: z.array(
    z.object({
      species: z.string(),
      reference: z.string(),
      assemblies: z.array(z.object({ id: z.string(), bundle: z.number(), genes: z.number() })),
    }),
  ),
})
export type PresenceAbout = z.infer<typeof presenceAboutSchema>

export interface PresenceCoverage {
  species: string
  reference: string
  /** Assemblies that are loaded as they were then, in their order. */
  assemblies: string[]
  /** Assemblies of the species that it does not know. */
  missing: string[]
  programs: string[]
  computedAt: string
}

/** What each gene of an assembly is in another, by its DNA. */
export interface PresenceData {
  /** Of the species that the assembly belongs to; null where nothing was computed. */
  getState(assembly: string): Promise<PresenceCoverage | null>
  /** Null when the assembly is not among what was computed. */
  genes(assembly: string): Promise<PresenceGenes | null>
  /** What every gene of an assembly is in another; null where that was not computed. */
  states(assembly: string, other: string): Promise<PairStates | null>
  /** Genes of an assembly in another, by their numbers in genome order; of what was not computed there is none. */
  genesIn(assembly: string, other: string, numbers: Iterable<number>): Promise<Map<number, GenePresence>>
  /** A gene in every other assembly that it was computed for. */
  ofGene(assembly: string, gene: string): Promise<Map<string, GenePresence>>
}

export interface PairStates {
  states: PresenceState[]
  /** 1 where genes are annotated at the gene's place. */
  annotated: Uint8Array
  runs: StoredRun[]
}

interface OpenPresence {
  about: PresenceAbout
  computedAt: string
  findFile(path: string): Promise<string>
  /** Names of loaded assemblies by the numbers of their bundles. */
  assemblies: ReadonlyMap<number, string>
}

export const createPresenceData = (sources: {
  open(): Promise<OpenPresence | null>
  listSiblings(assembly: string): Promise<string[]>
}): PresenceData => {
  const openSpecies = async (assembly: string) => {
    const opened = await sources.open()
    if (opened === null) return null
    const siblings = await sources.listSiblings(assembly)
    for (const entry of opened.about.species) {
      const bundles = new Map(
        entry.assemblies.flatMap(({ bundle }) => {
          const id = opened.assemblies.get(bundle)
          return id === undefined ? [] : [[id, bundle] as const]
        }),
      )
      if (!siblings.some((id) => bundles.has(id))) continue
      const state: PresenceCoverage = {
        species: entry.species,
        reference: entry.reference,
        assemblies: [...bundles.keys()],
        missing: siblings.filter((id) => !bundles.has(id)),
        programs: opened.about.programs,
        computedAt: opened.computedAt,
      }
      return { state, bundles, opened }
    }
    return null
  }
  const read = async <T>({ opened }: { opened: OpenPresence }, key: string): Promise<T | null> =>
    (await openMembers(await opened.findFile(presenceFile), await opened.findFile(presenceIndexFile))).read<T>(key)
  const openPair = async (assembly: string, other: string) => {
    const species = await openSpecies(assembly)
    const [of, into] = [species?.bundles.get(assembly), species?.bundles.get(other)]
    if (species === null || of === undefined || into === undefined) return null
    const overview = await read<StoredOverview>(species, overviewKey(of, into))
    return overview === null ? null : { species, of, into, overview }
  }
  const genesIn: PresenceData['genesIn'] = async (assembly, other, numbers) => {
    const told = new Map<number, GenePresence>()
    const pair = await openPair(assembly, other)
    if (pair === null) return told
    for (const number of numbers) {
      const rows = await read<StoredPresence[]>(pair.species, rowsKey(pair.of, pair.into, number))
      const row = rows?.[number % rowsTogether]
      if (row !== undefined) told.set(number, readPresence(row, pair.overview.through))
    }
    return told
  }
  return {
    getState: async (assembly) => (await openSpecies(assembly))?.state ?? null,
    genes: async (assembly) => {
      const species = await openSpecies(assembly)
      const bundle = species?.bundles.get(assembly)
      return species === null || bundle === undefined ? null : read<PresenceGenes>(species, String(bundle))
    },
    states: async (assembly, other) => {
      const pair = await openPair(assembly, other)
      if (pair === null) return null
      const { states, runs } = pair.overview
      const codes = Array.from(states, (letter) => Number.parseInt(letter, 36))
      return {
        states: codes.map((code) => presenceStates[code >> 1] ?? 'unknown'),
        annotated: Uint8Array.from(codes, (code) => code & 1),
        runs,
      }
    },
    genesIn,
    ofGene: async (assembly, gene) => {
      const species = await openSpecies(assembly)
      const told = new Map<string, GenePresence>()
      const bundle = species?.bundles.get(assembly)
      if (species === null || bundle === undefined) return told
      const genes = await read<PresenceGenes>(species, String(bundle))
      const number = genes?.id.indexOf(gene) ?? -1
      if (number < 0) return told
      for (const id of species.bundles.keys()) {
        if (id === assembly) continue
        const presence = (await genesIn(assembly, id, [number])).get(number)
        if (presence !== undefined) told.set(id, presence)
      }
      return told
    },
  }
}
