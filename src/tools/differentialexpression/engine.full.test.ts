import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readContrast } from '../../kit/data/expression-data.ts'
import type { EarlierRun, EngineContext } from '../../kit/engine.ts'
import { emptyReceipt, makeEngineContext, runEngine, withPrograms } from '../../testing/contexts.ts'
import { failure } from '../../testing/failure.ts'
import { type GenesPortal, openGenesPortal } from '../../testing/genes-portal.ts'
import { makeRandom } from '../../testing/random.ts'
import engine from './engine.ts'
import { type ComparisonResult, type Method, mostMapGenes } from './tool.ts'

// Counts of 600 genes in two treatments and three donors: the first 60 are raised fourfold, the next 60 lowered; donors differ by themselves.
const random = makeRandom(20_261_128)
const normal = (): number => {
  const [u, v] = [Math.max(random(), 1e-12), random()]
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v)
}
const samples = ['drug', 'none'].flatMap((treatment) =>
  [1, 2, 3, 4].map((donor) => ({ id: `${treatment} ${donor}`, treatment, donor: `D${donor}` })),
)
const geneIds = Array.from({ length: 600 }, (_, at) => `G${String(at + 1).padStart(3, '0')}`)
const counts = geneIds.map((_, gene) => {
  const mean = 2 ** (4 + 6 * random())
  const donors = [0, 1, 2, 3].map(() => 2 ** (0.8 * normal()))
  return samples.map(({ treatment }, at) => {
    const change = treatment === 'drug' ? (gene < 60 ? 4 : gene < 120 ? 0.25 : 1) : 1
    return Math.round(mean * change * donors[at % 4]! * 2 ** (0.35 * normal()) * (at === 2 ? 2 : 1))
  })
})
const table = (rows: (string | number)[][]): string => rows.map((row) => `${row.join('\t')}\n`).join('')
const countsText = table([['gene', ...samples.map(({ id }) => id)], ...geneIds.map((id, at) => [id, ...counts[at]!])])

// Libraries of insertions at every third base of the first sixty genes, which lie 30 bases apart; the fourth is needed in medium m.
const libraries = ['m_1', 'm_2', 'm_3', 'n_1', 'n_2'].map((id, at) => {
  const medium = id[0]!
  const sites = Array.from({ length: 600 }, (_, site) => {
    const position1 = 1000 + 3 * site
    const isNeeded = medium === 'm' && position1 >= 1090 && position1 <= 1110
    return `${position1} ${isNeeded || random() < 0.3 ? 0 : Math.round(100 * random() * (at + 1))}`
  })
  return { id, medium, wig: `variableStep chrom=chr1\n${sites.join('\n')}\n` }
})

let portal: GenesPortal
let runs = 0
beforeAll(async () => {
  portal = await openGenesPortal({
    species: 'testus-duplex',
    geneIds,
    manifest: `    expression:
      - { id: series, name: Series, file: counts.tsv, unit: counts, samples: sheet.tsv }
      - { id: logs, name: Logs, file: logs.tsv, unit: log2, samples: sheet.tsv }
      - { id: insertions, name: Insertions, file: [m_1.wig, m_2.wig, m_3.wig, n_1.wig, n_2.wig], unit: counts, samples: libraries.tsv, differential: [{ id: m-n, name: m against n, test: m, reference: n }] }
    pathways:
      - { file: sets.gmt, source: Made }
`,
    files: {
      'counts.tsv': countsText,
      'logs.tsv': table([
        ['gene', ...samples.map(({ id }) => id)],
        ...geneIds.map((id, at) => [id, ...counts[at]!.map((count) => Math.log2(count + 1).toFixed(4))]),
      ]),
      'sheet.tsv': table([
        ['sample', 'treatment', 'donor'],
        ...samples.map(({ id, treatment, donor }) => [id, treatment, donor]),
      ]),
      ...Object.fromEntries(libraries.map(({ id, wig }) => [`${id}.wig`, wig])),
      'libraries.tsv': table([['sample', 'medium'], ...libraries.map(({ id, medium }) => [id, medium])]),
      'sets.gmt': table([
        ['P1', 'Raised', ...geneIds.slice(0, 40)],
        ['P2', 'Lowered', ...geneIds.slice(60, 90)],
        ['P3', 'Neither', ...geneIds.slice(300, 340)],
      ]),
    },
  })
})
afterAll(() => portal?.close())

const [drug, none] = ['drug', 'none'].map((treatment) =>
  samples.filter((one) => one.treatment === treatment).map(({ id }) => id),
) as [string[], string[]]

const compare = async (
  input: object,
  given: Partial<EngineContext> = {},
): Promise<{ result: ComparisonResult; directory: string }> => {
  runs += 1
  const directory = join(tmpdir(), `novodb-contrast-${process.pid}-${runs}`)
  mkdirSync(directory)
  const context = makeEngineContext({ data: portal.data, ...(await withPrograms(engine, directory)), ...given })
  const result = await runEngine(
    engine,
    { assembly: portal.assembly, dataset: 'series', test: drug, reference: none, ...input },
    context,
  )
  return { result, directory }
}

/** The same by hand, as the vignettes of the packages write it, on the counts as the lab has them. */
type Modelled = Exclude<Method, 'resampling'>
const scripts: Record<Modelled, string> = {
  deseq2: `suppressPackageStartupMessages(library(DESeq2))
    dds <- DESeqDataSetFromMatrix(x, s, ~ donor + treatment); dds <- dds[rowSums(counts(dds) >= 10) >= 4, ]
    dds <- DESeq(dds, quiet = TRUE); r <- results(dds, alpha = 0.05)
    out <- data.frame(rownames(r), r$log2FoldChange, r$pvalue, r$padj)`,
  edger: `suppressPackageStartupMessages(library(edgeR)); d <- model.matrix(~ donor + treatment, s)
    y <- DGEList(x, group = s$treatment); y <- y[filterByExpr(y, d), , keep.lib.sizes = FALSE]; y <- estimateDisp(calcNormFactors(y), d)
    r <- topTags(glmQLFTest(glmQLFit(y, d), coef = ncol(d)), n = Inf)$table; out <- data.frame(rownames(r), r$logFC, r$PValue, r$FDR)`,
  voom: `suppressPackageStartupMessages({library(edgeR); library(limma)}); d <- model.matrix(~ donor + treatment, s)
    y <- DGEList(x, group = s$treatment); y <- calcNormFactors(y[filterByExpr(y, d), , keep.lib.sizes = FALSE])
    r <- topTable(eBayes(lmFit(voom(y, d), d)), coef = ncol(d), number = Inf); out <- data.frame(rownames(r), r$logFC, r$P.Value, r$adj.P.Val)`,
  limma: `suppressPackageStartupMessages(library(limma)); d <- model.matrix(~ donor + treatment, s)
    r <- topTable(eBayes(lmFit(round(log2(x + 1), 4), d), trend = TRUE), coef = ncol(d), number = Inf)
    out <- data.frame(rownames(r), r$logFC, r$P.Value, r$adj.P.Val)`,
}

const byHand = (method: Modelled, directory: string): Map<string, (number | null)[]> => {
  writeFileSync(join(directory, 'hand.tsv'), countsText)
  writeFileSync(
    join(directory, 'hand.R'),
    `x <- as.matrix(read.delim("hand.tsv", row.names = 1, check.names = FALSE))
s <- data.frame(treatment = factor(rep(c("drug", "none"), each = 4), levels = c("none", "drug")), donor = factor(rep(1:4, 2)))
${scripts[method]}
write.table(out, "hand-out.tsv", sep = "\\t", quote = FALSE, row.names = FALSE, col.names = FALSE)
`,
  )
  execFileSync('Rscript', ['--vanilla', 'hand.R'], { cwd: directory, stdio: 'pipe' })
  return new Map(
    readFileSync(join(directory, 'hand-out.tsv'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const [gene, ...numbers] = line.split('\t')
        return [gene!, numbers.map((text) => (text === 'NA' ? null : Number(text)))]
      }),
  )
}

describe('a paired comparison in R', () => {
  test.each<[Modelled, string]>([
    ['deseq2', 'series'],
    ['edger', 'series'],
    ['voom', 'series'],
    ['limma', 'logs'],
  ])('by %s is what the same package gives by hand', async (method, dataset) => {
    const { result, directory } = await compare({ method, dataset, covariates: ['donor'] })
    const expected = byHand(method, directory)
    expect(result.genes.length).toBe(expected.size)
    for (const gene of result.genes) {
      const [change, p, adjusted] = expected.get(gene.id)!
      expect(gene.log2FoldChange).toBeCloseTo(change!, 6)
      for (const [own, other] of [
        [gene.pValue, p],
        [gene.adjustedPValue, adjusted],
      ])
        if (other === null) expect(own).toBeNull()
        else expect(Math.abs(Math.log(own! / other!))).toBeLessThan(1e-6)
    }
    const found = result.genes.filter(({ adjustedPValue }) => adjustedPValue !== null && adjustedPValue < 0.05)
    const planted = found.filter(({ id }) => Number(id.slice(1)) <= 120)
    expect(planted.length).toBeGreaterThan(100)
    expect(found.length - planted.length).toBeLessThan(15)
    const heatMap = result.heatMap!
    const surest = new Set(heatMap.genes.map(({ id }) => id))
    expect(surest.size).toBe(mostMapGenes)
    const [drawn, rest] = [true, false].map((is) => found.filter(({ id }) => surest.has(id) === is))
    const adjusted = (one: (typeof found)[number]): number => one.adjustedPValue!
    expect(Math.max(...drawn!.map(adjusted))).toBeLessThanOrEqual(Math.min(...rest!.map(adjusted)))
    for (const { id, values } of heatMap.genes) {
      const loaded = counts[geneIds.indexOf(id)]!
      expect(values).toEqual(
        dataset === 'logs' ? loaded.map((count) => Number(Math.log2(count + 1).toFixed(4))) : loaded,
      )
    }
    // The treatments are parted at the root of the samples' tree.
    expect(new Set(heatMap.sampleTree!.order.slice(0, 4).map((at) => at < 4)).size).toBe(1)
    expect(
      result.sets
        .slice(0, 2)
        .map(({ id, direction }) => `${id} ${direction}`)
        .sort(),
    ).toEqual(['P1 up', 'P2 down'])
    expect(result.sets[2]!.adjustedPValue).toBeGreaterThan(0.05)
  })

  test('of insertions by permutation at the sites finds the one gene that is needed, and takes no covariates', async () => {
    const input = { dataset: 'insertions', test: ['m_1', 'm_2', 'm_3'], reference: ['n_1', 'n_2'] }
    const { result } = await compare(input)
    expect(result.method).toBe('resampling')
    const [first, ...others] = [...result.genes].sort((a, b) => a.pValue! - b.pValue!)
    const hits = libraries.flatMap(({ wig }) =>
      wig
        .split('\n')
        .slice(1)
        .filter((line) => !line.endsWith(' 0')),
    )
    const own = hits
      .map((line) => Number(line.split(' ')[0]))
      .filter((position1) => position1 >= 1090 && position1 <= 1110)
    expect(first).toMatchObject({ id: 'G004', sites: 7, sitesHit: new Set(own).size })
    expect(first!.adjustedPValue).toBeLessThan(0.05)
    expect(first!.log2FoldChange).toBeLessThan(-4)
    // Others lie over it: genes beyond the sixtieth begin a base or more later.
    const apart = others.filter(({ id }) => Number(id.slice(1)) % 60 !== 4)
    expect(apart.every(({ adjustedPValue }) => adjustedPValue! > 0.05)).toBe(true)
    // Trimmed total reads bring the libraries to one depth.
    const depth = result.samples.map(({ total, factor }) => total * factor!)
    expect(Math.max(...depth) / Math.min(...depth)).toBeLessThan(1.4)
    expect((await compare(input)).result.genes).toEqual(result.genes)
    // What the load computed of the same groups is the same.
    const loaded = await readContrast(portal.data, portal.assembly, 'insertions', 'm-n')
    expect(loaded.genes).toEqual(result.genes.map(({ id }) => id))
    for (const [at, { log2FoldChange, pValue, adjustedPValue, mean }] of result.genes.entries())
      for (const [column, value] of [log2FoldChange, pValue, adjustedPValue, mean].entries())
        expect(loaded.rows[at]![column]!).toBeCloseTo(value!, 9)
    expect((await failure(compare({ ...input, method: 'resampling', covariates: ['medium'] }))).messageId).toMatch(
      /resamplingCovariates|confounded/,
    )
    expect((await failure(compare({ method: 'resampling' }))).messageId).toBe('problem.needsSites')
  })

  test('of genes of interest tells them as a set, as cameraPR gives it by hand', async () => {
    const genes = [...geneIds.slice(0, 12), ...geneIds.slice(200, 204), 'Nothing1']
    const { result, directory } = await compare({ method: 'limma', dataset: 'logs', genes })
    const { chosen } = result
    expect(chosen).toMatchObject({ genes: genes.slice(0, -1), unknown: ['Nothing1'], absent: [], ambiguous: [] })
    writeFileSync(
      join(directory, 'camera.R'),
      `suppressPackageStartupMessages(library(limma)); r <- read.delim("genes.tsv")
own <- c(${genes.map((id) => `"${id}"`).join(', ')})
o <- cameraPR(setNames(r$statistic, r$gene), list(own = which(r$gene %in% own)))
cat(o$NGenes, o$Direction, format(o$PValue, digits = 15))
`,
    )
    const [size, direction, p] = execFileSync('Rscript', ['--vanilla', 'camera.R'], {
      cwd: directory,
      encoding: 'utf8',
    })
      .trim()
      .split(' ')
    expect(chosen!.set).toMatchObject({ size: Number(size), direction: direction!.toLowerCase() })
    expect(Math.abs(Math.log(chosen!.set!.pValue / Number(p)))).toBeLessThan(1e-9)
    // What the annotation's sets are told is not changed by them.
    expect(result.sets).toEqual((await compare({ method: 'limma', dataset: 'logs' })).result.sets)
    // Other genes go on from what was computed: nothing runs, and all but them is the same.
    const others = geneIds.slice(60, 70)
    const repeated: EarlierRun[] = []
    const again = await compare(
      { method: 'limma', dataset: 'logs', genes: others },
      {
        runProgram: () => Promise.reject(new Error('computed anew')),
        findEarlier: async () => ({ directory, receipt: emptyReceipt }),
        receipt: {
          ...makeEngineContext({ data: portal.data }).receipt,
          repeatPrograms: (earlier) => repeated.push(earlier),
        },
      },
    )
    expect(repeated).toHaveLength(1)
    expect(again.result).toEqual((await compare({ method: 'limma', dataset: 'logs', genes: others })).result)
    expect({ ...again.result, chosen: null }).toEqual({ ...result, chosen: null })
    const few = (await compare({ method: 'limma', dataset: 'logs', genes: genes.slice(0, 4) })).result.chosen
    expect(few).toMatchObject({ genes: genes.slice(0, 4), set: null })
    const none = await failure(compare({ method: 'limma', dataset: 'logs', genes: ['Nothing1'] }))
    expect(none).toMatchObject({ code: 'UNKNOWN_GENE', messageId: 'problem.noGeneFound' })
  })

  test('is refused where too few genes are counted, and tells of a swapped sample', async () => {
    expect((await failure(compare({ minCount: 100_000 }))).messageId).toBe('problem.tooFewGenes')
    expect((await failure(compare({ method: 'limma' }))).messageId).toBe('problem.needsValues')
    expect((await failure(compare({ method: 'edger', dataset: 'logs' }))).messageId).toBe('problem.needsCounts')
    const { result } = await compare({ covariates: [] })
    expect(result.samples.map(({ at }) => at)).toEqual([4, 5, 6, 7, 0, 1, 2, 3])
    expect(result.samples.every(({ total, detected }) => total > 1000 && detected > 500)).toBe(true)
  })
})
