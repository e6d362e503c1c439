// Names of samples in the paths of files, as programs write them into headings and as pipelines name what they write.

/** What programs put behind a sample's name. */
const ends: readonly RegExp[] = [
  /\.gz$/i,
  /\.(bam|cram|sam)$/i,
  /\.(txt|tsv|tab|csv|out|sf|counts?|results)$/i,
  /[._-]?ReadsPerGene$/,
  /[._-]?Aligned(\.out)?(\.(sortedByCoord|toTranscriptome))?$/,
  /[._](sorted|sort|markdup|markdups|dedup|rmdup|umi_dedup|primary|uniq|unique)$/i,
  /[._-](genes|isoforms|quant|quantification|abundance|htseq([._-]?counts?)?|featureCounts?|counts?|gene_abundances?|gene_abund|fpkm_tracking)$/i,
]

/** `leaf_1Aligned.sortedByCoord.out.bam` to `leaf_1`; a name of which nothing would be left stays. */
const withoutEnds = (name: string): string => {
  let left = name
  for (let before = ''; before !== left; ) {
    before = left
    for (const end of ends) {
      const cut = left.replace(end, '')
      if (cut !== '') left = cut
    }
  }
  return left
}

/** Names of files that are the same for every sample: the folder names it. */
const sameForAll =
  /^(quant(\.genes)?\.sf|abundance\.tsv|gene_abund\.tab|ReadsPerGene\.out\.tab|Aligned(\.\w+)*\.(bam|cram)|accepted_hits\.bam|genes\.fpkm_tracking)(\.gz)?$/i

/**
 * Names of samples by the paths of their files, shortened to what differs between them; the paths where nothing else tells them apart.
 *
 * Example: of `/map/leaf_1Aligned.sortedByCoord.out.bam` and `/map/root_1Aligned.sortedByCoord.out.bam` they are `leaf_1` and `root_1`, of
 * `salmon/leaf_1/quant.sf` and `salmon/root_1/quant.sf` the same.
 */
export const nameSamples = (paths: readonly string[]): string[] => {
  const parts = paths.map((path) => path.split(/[/\\]+/).filter((part) => part !== '' && part !== '.'))
  const last = parts.map((own) => own.at(-1) ?? '')
  const isUnique = (names: readonly string[]): boolean =>
    names.every((name) => name !== '') && new Set(names).size === names.length
  const byFile = last.map(withoutEnds)
  if (!last.some((name) => sameForAll.test(name)) && isUnique(byFile)) return byFile
  const byFolder = parts.map((own) => withoutEnds(own.at(-2) ?? ''))
  if (isUnique(byFolder)) return byFolder
  // What all have is told of none.
  const common = new Set(parts[0]?.filter((part) => paths.length > 1 && parts.every((own) => own.includes(part))))
  const whole = parts.map((own) =>
    own
      .filter((part) => !common.has(part))
      .map((part, at, all) => (at === all.length - 1 ? withoutEnds(part) : part))
      .join('_'),
  )
  return isUnique(whole) ? whole : [...paths]
}

/** Whether a heading names files: programs that count reads of BAM files head their columns so. */
export const looksLikePath = (name: string): boolean => /[/\\]|\.(bam|cram|sam)$/i.test(name)

/** As R makes names of columns: `2h-rep1` to `X2h.rep1`. */
const asInR = (name: string): string => name.replace(/[^A-Za-z0-9.]/g, '.').replace(/^X(?=\d)/, '')

const isWordly = (letter: string | undefined): boolean => letter !== undefined && /[A-Za-z0-9]/.test(letter)

/**
 * Which of some names stand in a text as words of their own: rep1 is not within rep10, and leaf_1 ends before Aligned. `lengths` are
 * those of the names: a table of a hundred thousand rows is looked for in a path as fast as a sheet of ten.
 */
const namesWithin = (
  text: string,
  names: ReadonlyMap<string, number>,
  lengths: readonly number[],
): ReadonlySet<number> => {
  const found = new Set<number>()
  for (let at = 0; at < text.length; at++) {
    if (isWordly(text[at - 1])) continue
    for (const length of lengths) {
      if (at + length > text.length) break
      const [end, after] = [text[at + length - 1]!, text[at + length]]
      if (/\d/.test(end) ? after !== undefined && /\d/.test(after) : isWordly(after)) continue
      const number = names.get(text.slice(at, at + length))
      if (number !== undefined) found.add(number)
    }
  }
  return found
}

/** Of each name the only one of several that has it; null where more than one has. */
const indexOnce = (names: readonly string[]): Map<string, number | null> => {
  const places = new Map<string, number | null>()
  for (const [at, name] of names.entries()) places.set(name, places.has(name) ? null : at)
  return places
}

/** No path of a file is longer (PATH_MAX of Linux); a heading that is names no sample. */
const longestColumn = 4096

/**
 * Which of the columns or files each sample of a sheet is: of its own name, of the name that is left of its path, of that name as R writes
 * it, or the only one that holds its name and no other sample's. `null` where it is none, or cannot be told.
 *
 * Example: `placeSamples(['leaf'], ['/map/leafAligned.out.bam'])` is `[0]`.
 */
export const placeSamples = (samples: readonly string[], columns: readonly string[]): (number | null)[] =>
  samplePlacer(columns)(samples)

/** The same for several sheets of one table. Takes time by the sum of samples and columns, not by their product. */
export const samplePlacer = (columns: readonly string[]): ((samples: readonly string[]) => (number | null)[]) => {
  const shortened = nameSamples(columns)
  const exact = new Map<string, number>()
  for (const [at, column] of columns.entries()) if (!exact.has(column)) exact.set(column, at)
  const short = indexOnce(shortened)
  const inR = indexOnce(shortened.map(asInR))
  return (samples) => {
    const sure = samples.map((sample) => exact.get(sample) ?? short.get(sample) ?? inR.get(asInR(sample)) ?? null)
    const taken = new Set(sure)
    const open = new Map<string, number>()
    for (const [number, at] of sure.entries())
      if (at === null && samples[number] !== '' && !open.has(samples[number]!)) open.set(samples[number]!, number)
    const lengths = [...new Set([...open.keys()].map(({ length }) => length))].sort((a, b) => a - b)
    /** Of each sample that is still open the columns that hold its name, no more than two. */
    const holding = new Map<number, number[]>()
    for (const [at, column] of columns.entries()) {
      if (taken.has(at) || column.length > longestColumn) continue
      for (const number of namesWithin(column, open, lengths)) {
        const own = holding.get(number) ?? []
        if (own.length < 2) holding.set(number, [...own, at])
      }
    }
    const used = new Set<number>()
    return sure.map((known, number) => {
      const within = holding.get(number)
      const at = known ?? (within?.length === 1 ? within[0]! : null)
      if (at === null || used.has(at)) return null
      used.add(at)
      return at
    })
  }
}

/** Name of a sample without its replicate, where it says which one it is. R alone is no word of it in SRR1001, a run of an archive. */
const withoutReplicate = (id: string): { group: string; replicate: string } | null => {
  const match = /^(.+?)(?:[ ._-]*(?:biological|bio)?[ ._-]*(?:replicate|repl|rep)|[ ._-]+r)[ ._-]*0*(\d+)$/i.exec(id)
  return match === null ? null : { group: match[1]!, replicate: match[2]! }
}

/** A name that ends in a number, which is a replicate's only where all the names together look like it. */
const withoutNumber = (id: string): { group: string; replicate: string } | null => {
  const match = /^(.*[A-Za-z])[ ._-]0*(\d+)$/.exec(id)
  return match === null ? null : { group: match[1]!, replicate: match[2]! }
}

/** Whether each of several groups has replicates 1, 2 … without a gap: a time or a dose would be numbered otherwise. */
const areCounted = (parts: readonly { group: string; replicate: string }[]): boolean => {
  const groups = new Map<string, number[]>()
  for (const { group, replicate } of parts) groups.set(group, [...(groups.get(group) ?? []), Number(replicate)])
  return (
    groups.size > 1 &&
    [...groups.values()].every(
      (numbers) => numbers.length > 1 && numbers.sort((a, b) => a - b).every((number, at) => number === at + 1),
    )
  )
}

/**
 * Groups and replicates by the names of samples alone, where all names tell them: `WT_rep03` is replicate 3 of WT, and `WT_1` is one of WT
 * where every group counts its samples from 1. Null where they do not.
 */
export const guessReplicates = (ids: readonly string[]): { group: string; replicate: string }[] | null => {
  const named = ids.flatMap((id) => withoutReplicate(id) ?? [])
  if (named.length === ids.length && ids.length > 0) return named
  const counted = ids.flatMap((id) => withoutReplicate(id) ?? withoutNumber(id) ?? [])
  return counted.length === ids.length && areCounted(counted) ? counted : null
}
