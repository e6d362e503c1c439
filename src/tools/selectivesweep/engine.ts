import { join } from 'node:path'
import { PortalError } from '../../contracts/errors.ts'
import { defineEngine } from '../../kit/engine.ts'
import { choosePopulations, chooseVariants } from './choose-populations.ts'
import { computeWindows } from './compute-windows.ts'
import { routes } from './routes.ts'
import { describeSeries } from './series.ts'
import tool, { type SweepResult } from './tool.ts'
import { windowFile, writeWindowFile } from './window-table.ts'

/** Unknown samples that are told; all are counted. */
const namedSamples = 50

/** Share of the progress that reading takes; the rest is writing. */
const readShare = 0.95

const citations = [
  {
    text: 'Weir BS, Cockerham CC (1984) Estimating F-statistics for the analysis of population structure. Evolution 38:1358-1370',
    doi: '10.1111/j.1558-5646.1984.tb05657.x',
  },
  {
    text: 'Bhatia G, Patterson N, Sankararaman S, Price AL (2013) Estimating and interpreting FST: the impact of rare variants. Genome Res 23:1514-1521',
    doi: '10.1101/gr.154831.113',
  },
  {
    text: 'Nei M, Li WH (1979) Mathematical model for studying genetic variation in terms of restriction endonucleases. PNAS 76:5269-5273',
    doi: '10.1073/pnas.76.10.5269',
  },
  {
    text: 'Tajima F (1989) Statistical method for testing the neutral mutation hypothesis by DNA polymorphism. Genetics 123:585-595',
    doi: '10.1093/genetics/123.3.585',
  },
]

export default defineEngine({
  tool,
  programs: [],
  run: async (input, context): Promise<SweepResult> => {
    const { data, signal, receipt } = context
    context.progress(0, 'step.reading')
    const assembly = await data.getAssembly(input.assembly)
    const set = await chooseVariants(data, assembly.id, input.variants)
    const chosen = await choosePopulations(input, set, assembly.species, data)
    receipt.addData(assembly.id)
    receipt.addDataSet(set)
    const file = await data.bundleFile(assembly.id, set.file)
    if (file === null) throw new PortalError('NOT_FOUND')
    const computed = await computeWindows(
      input,
      file,
      chosen,
      await data.listSequences(assembly.id),
      signal,
      (fraction) => context.progress(readShare * fraction, 'step.reading'),
    )
    context.progress(readShare, 'step.writing')
    await writeWindowFile(join(context.directory, windowFile), computed.table, signal)
    receipt.addStep({
      program: 'NovoDB population statistics',
      version: String(tool.version),
      formula: [
        `windows of ${input.windowBp} bp every ${input.stepBp} bp, each value a quotient of sums over its sites`,
        'Fst: Weir-Cockerham a / (a + b + c), by individuals where all calls have two copies, else by copies; Hudson: 1 - within / between (Bhatia et al. 2013)',
        `pi, dxy: differing pairs / pairs over ${input.length === 'window' ? 'every position, those without a record as called and equal (as vcftools)' : 'the records of the file (as pixy)'}`,
        'Tajima D: sum of pi - sum of 1 / a1(n) over sites of two alleles, n of each site; constants at the mean n',
        `sites: ${{ snps: 'SNPs of any number of alleles', biallelic: 'biallelic SNPs only', all: 'all' }[input.sites]}, at least ${input.minCalled} of a population called; minor allele frequency for Fst >= ${input.minorFrequency}; windows of ${input.minSites} and more variable sites`,
      ].join('; '),
    })
    for (const citation of citations) receipt.cite(citation)
    const others = chosen.numbers.filter((number) => number < 0).length
    return {
      assembly: assembly.id,
      variants: { id: set.id, name: set.name, simulated: set.simulated },
      populations: chosen.populations.map(({ name, samples }) => ({ name, samples: samples.length })),
      series: computed.about.map((about, at) => describeSeries({ ...about, label: null }, computed.table.values[at]!)),
      windowCount: computed.table.start1.length,
      overall: computed.overall,
      records: computed.records,
      unknownSamples: chosen.unknown.slice(0, namedSamples),
      unknownSampleCount: chosen.unknown.length,
      otherSamples: others,
    }
  },
  routes,
})
