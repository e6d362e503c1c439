import { scanQuotes, splitListLine } from '../../bio/text/table-cells.ts'
import { fieldError } from '../../contracts/errors.ts'

export interface NamedPopulation {
  name: string
  samples: string[]
}

/** Names of one line that are told when a sample is in two populations. */
const longestName = 200

const unquote = (name: string): string => /^"(.*)"$/.exec(name)?.[1]?.replaceAll('""', '"') ?? name

/**
 * Populations as people write them: `population: sample sample …` a line, or a sample and its population, parted by a tab, a comma,
 * a semicolon or blanks. Lines that begin with # are passed over, as is a heading that says "sample" first. Throws what is wrong, by its line.
 */
export const parsePopulations = (text: string): NamedPopulation[] => {
  const populations = new Map<string, string[]>()
  const lineOf = new Map<string, number>()
  const add = (population: string, sample: string, line: number): void => {
    const before = lineOf.get(sample)
    if (before !== undefined) throw fieldError(['groups'], 'groups.twice', { sample, line, before })
    lineOf.set(sample, line)
    const samples = populations.get(population)
    if (samples === undefined) populations.set(population, [sample])
    else samples.push(sample)
  }
  for (const [at, raw] of text.split(/\r\n|[\r\n]/).entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    // A colon in a quoted cell ends no population's name.
    const quoted = [',', ';'].some((separator) => scanQuotes(line, separator) === 'closed')
    const named = quoted ? null : /^("(?:[^"]|"")*"\s*|[^:：\t]+)[:：](.*)$/.exec(line)
    if (named !== null) {
      const samples = named[2]!.split(/[\s,;，；]+/).filter((sample) => sample !== '')
      if (samples.length === 0) throw fieldError(['groups'], 'groups.empty', { line: at + 1 })
      for (const sample of samples) add(unquote(named[1]!.trim()).slice(0, longestName), sample, at + 1)
      continue
    }
    const cells = splitListLine(line, { blanks: true })
    if (cells.length !== 2 || cells[0] === '')
      throw fieldError(['groups'], 'groups.cells', { line: at + 1, found: cells.length })
    if (at === 0 && /^(sample|accession|iid|id|individual)$/i.test(cells[0]!)) continue
    add(cells[1]!.slice(0, longestName), cells[0]!, at + 1)
  }
  return [...populations].map(([name, samples]) => ({ name, samples }))
}
