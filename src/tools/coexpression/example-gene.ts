import { type OpenExpression, openExpression } from '../../kit/data/expression-data.ts'
import { nameGenes } from '../../kit/data/expression-genes.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { RecentAnswers } from '../../kit/recent-answers.ts'
import { minSamples } from './tool.ts'

/** Genes looked at, taken evenly along the matrix: enough to meet the large modules, few enough to compare each with all. */
const looked = 1200
/** A gene is judged by the mean correlation of so many, its nearest. */
const nearest = 10
/** Genes with more gaps than this share of the samples are left out; other gaps count as the gene's mean, which makes nothing alike. */
const maxGaps = 0.2
/** The first that has a symbol among so many is chosen: readers know genes by their symbols. */
const candidates = 25

/** Genes of a data set whose nearest genes are most like them, best first; those with many gaps or the same everywhere are left out. */
const rankGenes = async ({ dataset, genes, openStandard }: OpenExpression): Promise<string[]> => {
  const width = dataset.samples.length
  const step = Math.max(1, Math.floor(genes.length / looked))
  const indexes = Array.from({ length: Math.min(looked, genes.length) }, (_, at) => at * step)
  const matrix = await openStandard()
  let rows: { gene: string; values: ArrayLike<number> }[]
  try {
    rows = (await matrix.readRows(indexes)).map((values, at) => ({ gene: genes[indexes[at]!]!, values }))
  } finally {
    await matrix.close()
  }
  const whole = rows.flatMap(({ gene, values: given }) => {
    const values = Float32Array.from(given, (value) => (Number.isNaN(value) ? 0 : value))
    let squares = 0
    let gaps = 0
    for (let at = 0; at < width; at += 1) {
      squares += values[at]! ** 2
      if (Number.isNaN(given[at]!)) gaps += 1
    }
    return squares > 0 && gaps <= maxGaps * width ? [{ gene, values, norm: Math.sqrt(squares) }] : []
  })
  const judged: { gene: string; score: number }[] = []
  for (const [number, one] of whole.entries()) {
    if (number % 50 === 0) await new Promise((resume) => setImmediate(resume))
    const best = new Float64Array(nearest).fill(-1)
    for (const other of whole) {
      if (other === one) continue
      let product = 0
      for (let at = 0; at < width; at += 1) product += one.values[at]! * other.values[at]!
      const r = product / (one.norm * other.norm)
      if (r <= best[0]!) continue
      best[0] = r
      best.sort()
    }
    judged.push({ gene: one.gene, score: best.reduce((sum, r) => sum + r, 0) })
  }
  return judged
    .sort((a, b) => b.score - a.score)
    .slice(0, candidates)
    .map(({ gene }) => gene)
}

/** Data in service never change: what was found of them is kept, that of the data sets asked for last. */
const ranked = new RecentAnswers<string[]>(20)

/** A gene of the assembly's first data set with samples enough, whose neighbours are worth a look; null where there is none. */
export const findExampleGene = async (data: PortalData, assembly: string): Promise<string | null> => {
  const { bundle } = await data.getAssembly(assembly)
  const open = await openExpression(data, assembly, undefined, minSamples)
  const genes = await ranked.get(`${bundle} ${open.dataset.id}`, () => rankGenes(open))
  const names = await nameGenes(data, assembly, genes)
  return genes.find((gene) => names.get(gene)?.symbol != null) ?? genes[0] ?? null
}
