// How well estimates, variance components and tests of phenotypes agree with R, and how long they take.
//   node dist/node/bench/phenotype.js
// Needs Rscript (package r-base-core). Figures are printed, nothing is judged.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SeededRandom } from '../demo/seeded-random.ts'
import { rankSumTest, welchTest } from '../src/bio/expression/cell-statistics.ts'
import { describeGroup } from '../src/bio/expression/expression-statistics.ts'
import { analyseTrial } from '../src/bio/phenotype/field-trial.ts'
import { correlateRows, prepareQuery, rankRow } from '../src/bio/statistics/correlation.ts'
import { analyseVariance, kruskalWallis, shapiroWilk, testTable } from '../src/bio/statistics/group-tests.ts'

interface Plot {
  accession: number
  environment: number
  replicate: string
  value: number
}

/** A trial of which 15 of 100 plots are lost. */
const makeTrial = (accessions: number, environments: number, replicates: number, seed: number): Plot[] => {
  const random = new SeededRandom(seed)
  const environmentEffects = Array.from({ length: environments }, () => 3 * random.normal())
  return Array.from({ length: accessions }, (_, accession) => {
    const own = 20 + 2 * random.normal()
    return environmentEffects.flatMap((effect, environment) => {
      const joint = random.normal()
      return Array.from({ length: replicates }, (__, replicate) => ({
        accession,
        environment,
        replicate: String(replicate + 1),
        value: Number((own + effect + joint + 0.4 * replicate + random.normal()).toFixed(3)),
      })).filter(() => !random.chance(0.15))
    })
  }).flat()
}

const script = `
options(digits = 17)
large <- read.table("large.tsv", header = TRUE); small <- read.table("small.tsv", header = TRUE)
out <- function(name, values) cat(name, format(values, digits = 17, trim = TRUE), "\\n", file = "r.txt", append = TRUE)
large$a <- factor(large$accession); large$b <- factor(paste(large$environment, large$replicate))
m <- lm(value ~ a + b, large); k <- coef(m)
effects <- c(0, k[grep("^a", names(k))]); blocks <- c(0, k[grep("^b", names(k))])
names(effects) <- levels(large$a)
out("blue", (k[1] + effects + mean(blocks))[order(as.integer(levels(large$a)))])
P <- function(X) { q <- qr(X); Q <- qr.Q(q)[, seq_len(q$rank), drop = FALSE]; list(P = Q %*% t(Q), r = q$rank) }
b <- model.matrix(~ 0 + factor(paste(small$environment, small$replicate))); a <- model.matrix(~ 0 + factor(small$accession))
g <- model.matrix(~ 0 + factor(paste(small$accession, small$environment)))
p0 <- P(b); p1 <- P(cbind(b, a)); p2 <- P(cbind(b, a, g)); y <- small$value
s <- sapply(list(p0, p1, p2), function(p) sum(y * (y - p$P %*% y))); tr <- function(m) sum(diag(m))
e <- s[3] / (length(y) - p2$r); ge <- (s[2] - s[3] - (p2$r - p1$r) * e) / tr(t(g) %*% (p2$P - p1$P) %*% g)
ga <- (s[1] - s[2] - tr(t(g) %*% (p1$P - p0$P) %*% g) * ge - (p1$r - p0$r) * e) / tr(t(a) %*% (p1$P - p0$P) %*% a)
out("components", c(ga, ge, e))
v <- read.table("groups.tsv", header = TRUE); f <- factor(v$group)
out("anova", anova(lm(v$x ~ f))$"Pr(>F)"[1]); out("kruskal", kruskal.test(v$x, f)$p.value)
out("welch", t.test(v$x[v$group == 0], v$x[v$group == 1])$p.value)
out("wilcoxon", wilcox.test(v$x[v$group == 0], v$x[v$group == 1], exact = FALSE)$p.value)
sw <- shapiro.test(v$x); out("shapiroW", sw$statistic); out("shapiroP", sw$p.value)
out("chisq", chisq.test(table(v$group, v$level), correct = FALSE)$p.value)
out("pearson", cor(v$x, v$z)); out("spearman", cor(v$x, v$z, method = "spearman"))
`

const directory = mkdtempSync(join(tmpdir(), 'novodb-bench-phenotype-'))
try {
  const large = makeTrial(800, 4, 2, 1)
  const small = makeTrial(40, 3, 2, 2)
  const random = new SeededRandom(3)
  const measured = Array.from({ length: 1000 }, (_, at) => {
    const group = at % 5
    const x = random.normal() + 0.12 * group
    return { group, x, z: 0.5 * x + random.normal(), level: random.between(0, 2 + (group === 4 ? 1 : 0)) }
  })
  const write = (name: string, rows: object[]): void =>
    writeFileSync(
      join(directory, name),
      `${[Object.keys(rows[0]!).join('\t'), ...rows.map((row) => Object.values(row).join('\t'))].join('\n')}\n`,
    )
  write('large.tsv', large)
  write('small.tsv', small)
  write('groups.tsv', measured)
  writeFileSync(join(directory, 'compare.R'), script)
  try {
    execFileSync('Rscript', ['compare.R'], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    console.log('Rscript did not run: install r-base-core to compare with R')
    process.exit(0)
  }
  const r = new Map(
    readFileSync(join(directory, 'r.txt'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .map(([name, ...values]) => [name!, values.map(Number)] as const),
  )
  const started = performance.now()
  const trial = analyseTrial(large, 800)
  const elapsed = performance.now() - started
  const { accession, interaction, residual } = analyseTrial(small, 40).components!
  const groups = Array.from({ length: 5 }, (_, group) =>
    measured.filter((one) => one.group === group).map(({ x }) => x),
  )
  const moments = groups.map((values) => {
    const { mean, deviation } = describeGroup(values)!
    return { mean, variance: deviation! ** 2, fraction: 1 }
  })
  const normality = shapiroWilk(measured.map(({ x }) => x))!
  const xs = Float64Array.from(measured, ({ x }) => x)
  const zs = Float64Array.from(measured, ({ z }) => z)
  const columns = Uint32Array.from(xs.keys())
  const coefficient = (method: 'pearson' | 'spearman'): number => {
    const [out, pairs] = [new Float64Array(1), new Uint32Array(1)]
    const query = prepareQuery(method === 'pearson' ? xs : rankRow(xs), columns, method)
    correlateRows(query, method === 'pearson' ? zs : rankRow(zs), 1, zs.length, out, pairs)
    return out[0]!
  }
  const sparse = (values: number[]) => ({ values, cells: values.length })
  const levels = groups.map((_, group) =>
    [0, 1, 2, 3].map((level) => measured.filter((one) => one.group === group && one.level === level).length),
  )
  const ours: Record<string, number[]> = {
    blue: [...trial.estimates],
    components: [accession, interaction!, residual],
    anova: [analyseVariance(groups)!.pValue],
    kruskal: [kruskalWallis(groups)!.pValue],
    welch: [welchTest(moments[0]!, 200, moments[1]!, 200)!.pValue],
    wilcoxon: [rankSumTest(sparse(groups[0]!), sparse(groups[1]!))!.pValue],
    shapiroW: [normality.w],
    shapiroP: [normality.pValue],
    chisq: [testTable(levels)!.pValue],
    pearson: [coefficient('pearson')],
    spearman: [coefficient('spearman')],
  }
  console.log('greatest relative difference from R')
  for (const [name, values] of Object.entries(ours)) {
    const theirs = r.get(name)!
    const worst = Math.max(...values.map((value, at) => Math.abs(value / theirs[at]! - 1)))
    console.log(`  ${name.padEnd(12)} ${String(values.length).padStart(4)} ${worst.toExponential(1)}`)
  }
  console.log(`estimates and components of ${large.length} plots of 800 accessions: ${elapsed.toFixed(0)} ms`)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
