/** A map of contacts between segments of a genome (Hi-C), as far as its own file describes it. */
export interface ContactMap {
  format: 'cool' | 'mcool' | 'hic'
  /** Version that the file says it follows. */
  formatVersion: number
  /** What the maker called the genome; null when nothing is said. */
  genome: string | null
  /** In the file's order, without juicer's pseudo-chromosome "All". */
  chromosomes: { name: string; lengthBp: number }[]
  /** From the finest to the coarsest. */
  resolutions: ContactResolution[]
}

export interface ContactResolution {
  binBp: number
  /** Bins of the whole genome. */
  bins: number
  /** Pairs of bins with at least one contact; null where only the matrices themselves tell. */
  pixels: number | null
  /** True when balancing weights come with the map; null where only the end of the file tells. */
  balanced: boolean | null
}

const contactProblems = [
  'contacts-no-map',
  'contacts-version',
  'contacts-part-missing',
  'contacts-filter',
  'contacts-inconsistent',
  'contacts-cut-off',
] as const
export type ContactProblemCode = (typeof contactProblems)[number]

/** Why a file is no usable contact map: a kind of defect with its parameters. */
export class ContactMapError extends Error {
  readonly code: ContactProblemCode
  readonly params: Record<string, string | number>
  constructor(code: ContactProblemCode, params: Record<string, string | number>) {
    super(`${code} ${JSON.stringify(params)}`)
    this.code = code
    this.params = params
  }
}

export interface ChromosomeMatch {
  /** Name in the map. */
  name: string
  /** Name in the assembly; null when it has no such sequence. */
  sequence: string | null
  mapLengthBp: number
  sequenceLengthBp: number | null
}

/**
 * Which sequence of the assembly each chromosome of a map is, with both lengths. `findSequence` resolves names.
 *
 * Example: a map of chr1 (100 bp) and 2-micron over a genome of chrI (98 bp) gives
 * `[{name: 'chr1', sequence: 'chrI', mapLengthBp: 100, sequenceLengthBp: 98}, {name: '2-micron', sequence: null, …}]`.
 */
export const matchChromosomes = (
  map: ContactMap,
  sequences: readonly { name: string; lengthBp: number }[],
  findSequence: (name: string) => string | null,
): ChromosomeMatch[] => {
  const lengths = new Map(sequences.map((sequence) => [sequence.name, sequence.lengthBp]))
  return map.chromosomes.map(({ name, lengthBp }) => {
    const sequence = findSequence(name)
    return { name, sequence, mapLengthBp: lengthBp, sequenceLengthBp: lengths.get(sequence ?? '') ?? null }
  })
}
