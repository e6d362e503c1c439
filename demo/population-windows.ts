import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { AlleleCounter } from '../src/bio/population/allele-counts.ts'
import { SequenceSums, type WindowPlan } from '../src/bio/population/population-windows.ts'
import { writeLines } from './species-folder.ts'

/** Populations of a VCF with their samples, and how its windows are cut. */
export interface PopulationWindows {
  vcfFile: string
  populations: { name: string; samples: readonly string[] }[]
  windowBp: number
  stepBp: number
  outFile: string
}

/**
 * Writes a table of windows of two populations: Fst, log2 of the ratio of pi, pi and Tajima's D. Lengths of sequences are those of the
 * VCF's
 * contig lines; sequences without records are left out.
 */
export async function writePopulationWindows(made: PopulationWindows): Promise<void> {
  const lengths = new Map<string, number>()
  const sums = new Map<string, SequenceSums>()
  let counter: AlleleCounter | null = null
  const [one, two] = made.populations
  const plan: WindowPlan = {
    windowBp: made.windowBp,
    stepBp: made.stepBp,
    populationCount: 2,
    pairs: [[0, 1]],
    sizes: [one!.samples.length, two!.samples.length],
    length: 'window',
    minCalled: 0.5,
    minMinorFrequency: 0,
    minSites: 5,
  }
  const open = (header: string): AlleleCounter => {
    for (const [, name, length] of header.matchAll(/^##contig=<ID=([^,>]+),length=(\d+)/gm))
      lengths.set(name!, Number(length))
    const columns = /^#CHROM.*$/m.exec(header)![0].split('\t').slice(9)
    return new AlleleCounter({
      populations: columns.map((sample) => made.populations.findIndex(({ samples }) => samples.includes(sample))),
      populationCount: 2,
      wants: ({ snp }) => snp,
      onSite: (site) => {
        let own = sums.get(site.sequence)
        if (own === undefined) {
          own = new SequenceSums(plan, lengths.get(site.sequence)!)
          sums.set(site.sequence, own)
        }
        own.add(site)
      },
    })
  }
  let header = ''
  for await (const piece of createReadStream(made.vcfFile).pipe(createGunzip()) as AsyncIterable<Buffer>) {
    if (counter !== null) {
      counter.push(piece)
      continue
    }
    header += piece.toString('latin1')
    const end = /^#CHROM.*\n/m.exec(header)
    if (end === null) continue
    counter = open(header)
    counter.push(Buffer.from(header, 'latin1'))
  }
  counter?.end()
  const digits = (value: number): string => (Number.isNaN(value) ? 'NA' : String(Number(value.toPrecision(6))))
  const names = made.populations.map(({ name }) => name)
  const lines = [
    [
      ...['chrom', 'start', 'end', 'n_sites', 'wc_fst', 'log2_pi_ratio'],
      ...names.map((name) => `pi_${name}`),
      ...names.map((name) => `tajima_d_${name}`),
    ].join('\t'),
  ]
  for (const [name, own] of sums) {
    const { windows } = own.finish()
    for (const [at, start] of windows.start1.entries())
      lines.push(
        [
          ...[name, start, windows.end1[at], windows.sites[at]],
          ...[windows.fst[0]!, windows.piRatio[0]!, ...windows.pi, ...windows.tajimaD].map((values) =>
            digits(values[at]!),
          ),
        ].join('\t'),
      )
  }
  await writeLines(made.outFile, lines)
}

/** Columns of such a table with the populations that they are of. */
export const populationColumns = (first: string, second: string): { column: string; populations: string[] }[] => [
  { column: 'wc_fst', populations: [first, second] },
  { column: 'log2_pi_ratio', populations: [first, second] },
  { column: `pi_${first}`, populations: [first] },
  { column: `pi_${second}`, populations: [second] },
  { column: `tajima_d_${first}`, populations: [first] },
  { column: `tajima_d_${second}`, populations: [second] },
]
