import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const source = join(import.meta.dirname, '..')

const sources = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/(\.test\.tsx?|testbed)/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => /^(tools|web|kit|server|loader)\//.test(relative(source, file)) && !/fixtures/.test(file))

/** The writer itself: headings once, lines that nothing breaks, cells that no spreadsheet computes. */
const writer = 'kit/write-table.ts'

/** Text parted by tabs that is no table for readers, and so is written as its format or its reader wants it. */
const others: Record<string, readonly string[]> = {
  'keys of a map': [
    'kit/data/variants/told-effects.ts',
    'loader/annotations.ts',
    'loader/import/recognisers/expression.ts',
    'tools/blast/hits/hit-sequences.ts',
    'tools/blast/routes.ts',
    'tools/genesearch/routes.ts',
    'tools/phenotype/group-tests.tsx',
    'tools/sequenceextraction/open-extraction.ts',
  ],
  'lines of BED, GFF3, PAF and VCF': [
    'kit/data/alignment-data.ts',
    'kit/data/alignment-files.ts',
    'tools/blast/hits/hit-features.ts',
    'tools/jbrowse/big-bed-lines.ts',
    'tools/jbrowse/gene-pairs.ts',
    'tools/motif/routes.ts',
    'tools/primerdesign/order-files.ts',
    'tools/transposableelements/find-elements.ts',
    'tools/transposableelements/gff3-lines.ts',
    'tools/variation/csq-genes.ts',
    'tools/variation/plink-genotypes.ts',
  ],
  'files of a bundle or of a job that the portal reads itself': [
    'tools/gwas/bake-associations.ts',
    'tools/gwas/stored.ts',
    'tools/hicsearch/load.ts',
    'tools/homologs/pair-file.ts',
    'tools/motif/site-file.ts',
    'tools/pangenomebrowser/bake-graph.ts',
    'tools/pangenomebrowser/load-portal.ts',
    'tools/selectivesweep/load.ts',
    'tools/selectivesweep/window-table.ts',
  ],
  'input of programs': [
    'tools/gwas/engine.ts',
    'tools/gwas/genotype-files.ts',
    'tools/homologs/load-portal.ts',
    'tools/ppi/cluster.ts',
  ],
  'output of programs in their own formats': ['tools/blast/hits/formats.ts'],
  'names that the genome browser reads': ['tools/jbrowse/routes.ts'],
}

/** Files whose text a pattern fits, beside the writer. */
const having = (pattern: RegExp): string[] =>
  sources
    .filter((file) => pattern.test(readFileSync(file, 'utf8')))
    .map((file) => relative(source, file))
    .filter((file) => file !== writer)
    .sort()

describe('tables that readers download', () => {
  it('are written by the one writer, save what is no table for readers', () => {
    expect(having(/join\('\\t'\)|\}\\t|\\t\$\{/)).toEqual(Object.values(others).flat().sort())
  })

  it.each([
    ['a head of comments', /map\(\(line\) => `# \$\{line/],
    ['quotes of CSV', /replaceAll\('"', '""'\)/],
  ])('have no %s written by hand', (_, pattern) => {
    expect(having(pattern)).toEqual([])
  })

  it('are made into workbooks in one place', () => {
    expect(having(/write-excel-file/)).toEqual(['kit/ui/table/export.ts'])
  })
})
