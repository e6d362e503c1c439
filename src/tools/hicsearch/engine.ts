import type { z } from 'zod'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { findContacts } from './find-contacts.ts'
import { findDomains, minStrength } from './find-domains.ts'
import { drawWindow } from './map/draw-window.ts'
import { withMap } from './map/open-map.ts'
import { routes } from './routes.ts'
import type { HicResult } from './tool.ts'
import tool from './tool.ts'

type Input = z.output<(typeof tool)['input']>

const formulaOf = (result: HicResult): string => {
  const { normalization, expectedFrom } = result
  const balanced =
    normalization === 'none'
      ? 'contacts as counted'
      : `balanced contacts by "${normalization}": count times the weights of both bins (divided by juicer's vectors)`
  const expected =
    expectedFrom === null
      ? []
      : expectedFrom === 'chromosome'
        ? ['expected: mean over all pairs of usable bins of the chromosome at that distance']
        : ['expected: by distance, as the .hic file tells']
  if (result.task === 'search')
    return [balanced, 'of a place of several bins: counts summed, balanced contacts averaged', ...expected].join('; ')
  if (result.task === 'map')
    return [balanced, ...(result.values === 'ratio' ? ['observed / expected', ...expected] : [])].join('; ')
  return [
    balanced,
    `insulation: log2 of the mean contact in a square of ${result.window} bins over the median of the chromosome, pairs closer than 2 bins left out`,
    `borders: dips of prominence >= ${minStrength}; domains between neighbouring borders`,
    ...(result.compartments === null
      ? []
      : [
          `compartments: first eigenvector of the correlation of observed / expected at ${result.compartments.resolution} bp${result.compartments.oriented ? ', positive where genes are dense' : ''}`,
          ...expected,
        ]),
  ].join('; ')
}

const run = async (input: Input, context: EngineContext): Promise<HicResult> => {
  const { receipt } = context
  const result = await withMap(context.data, input.assembly, input.map, async (open): Promise<HicResult> => {
    if (input.task === 'map') return drawWindow(input, open, context)
    if (input.task === 'domains') return findDomains(input, open, context)
    return findContacts(input, open, context)
  })
  receipt.addData(input.assembly)
  receipt.addDataSet(result.map)
  receipt.addStep({ program: 'NovoDB Hi-C', version: String(tool.version), formula: formulaOf(result) })
  receipt.cite({
    text: 'Lieberman-Aiden E et al. (2009) Comprehensive mapping of long-range interactions reveals folding principles of the human genome. Science 326:289-293',
    doi: '10.1126/science.1181369',
  })
  if (result.map.format === 'hic')
    receipt.cite({
      text: 'Durand NC et al. (2016) Juicer provides a one-click system for analyzing loop-resolution Hi-C experiments. Cell Syst 3:95-98',
      doi: '10.1016/j.cels.2016.07.002',
    })
  else
    receipt.cite({
      text: 'Abdennur N, Mirny LA (2020) Cooler: scalable storage for Hi-C data and other genomically labeled arrays. Bioinformatics 36:311-316',
      doi: '10.1093/bioinformatics/btz540',
    })
  if (result.task === 'domains')
    receipt.cite({
      text: 'Crane E et al. (2015) Condensin-driven remodelling of X chromosome topology during dosage compensation. Nature 523:240-244',
      doi: '10.1038/nature14450',
    })
  return result
}

export default defineEngine({
  tool,
  programs: [],
  run,
  routes,
})
