import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { type FollowedGene, followGenes, frameOf } from './gene-succession.ts'

const yeast = join(realData, 'yeast')
const lines = (file: string): string[] =>
  gunzipSync(readFileSync(join(yeast, file)))
    .toString()
    .split('\n')

/** Genes with their names by SGD, the truth: the product is of the record that the name of the file leads to. */
const readGenes = (gff: string, fasta: string, keyOf: (header: string) => string) => {
  const products = new Map<string, string>()
  let key = ''
  for (const line of lines(fasta)) {
    if (line.startsWith('>')) key = keyOf(line.slice(1))
    else products.set(key, (products.get(key) ?? '') + line.trim().replace(/\*$/, ''))
  }
  const genes = new Map<string, FollowedGene & { parts: { start1: number; end1: number; frame: number }[] }>()
  const names = new Map<string, string>()
  for (const line of lines(gff)) {
    const [sequence, , type, start, end, , strand, , attributes = ''] = line.split('\t')
    const value = (name: string): string | undefined => new RegExp(`(?:^|;)${name}=([^;]*)`).exec(attributes)?.[1]
    if (type === 'gene') names.set(value('ID')!, value('Name')!)
    if (type !== 'CDS') continue
    const id =
      value('Parent')
        ?.replace('T', 'G')
        .replace(/\.\d+$/, '') ?? value('ID')!
    const start1 = Number(start)
    const end1 = Number(end)
    const gene = genes.get(id) ?? {
      id,
      sequence: sequence!,
      start1,
      end1,
      strand: strand!,
      parts: [],
      coding: true,
      product: products.get(id) ?? null,
    }
    gene.parts.push({ start1, end1, frame: frameOf({ start1, end1, phase: 0 }, strand!) })
    gene.start1 = Math.min(gene.start1, start1)
    gene.end1 = Math.max(gene.end1, end1)
    genes.set(id, gene)
  }
  const all = [...genes.values()].sort((a, b) =>
    a.sequence === b.sequence ? a.start1 - b.start1 : a.sequence < b.sequence ? -1 : 1,
  )
  return { genes: all, nameOf: (id: string) => (names.get(id) ?? id).split('/') }
}

const strain = (name: string) =>
  readGenes(`strains/${name}.all_feature.gff.gz`, `strains/${name}.pep.fa.gz`, (header) => header.split('|')[0]!)

/** How many genes of one annotation that the other has by name, once in each, were led to it. */
const measure = (before: ReturnType<typeof readGenes>, after: ReturnType<typeof readGenes>) => {
  const namesIn = ({ genes, nameOf }: ReturnType<typeof readGenes>) => {
    const counts = new Map<string, number>()
    for (const { id } of genes) for (const name of nameOf(id)) counts.set(name, (counts.get(name) ?? 0) + 1)
    return counts
  }
  const [old, fresh] = [namesIn(before), namesIn(after)]
  const start = performance.now()
  const followed = followGenes(before.genes, after.genes, () => null)
  const result = { genes: followed.length, told: 0, right: 0, gone: 0, wrong: 0, unnamed: 0, seconds: 0 }
  result.seconds = Math.round((performance.now() - start) / 100) / 10
  for (const { old: id, genes, relation } of followed) {
    const names = before.nameOf(id)
    if (names.length > 1 || !names.every((name) => old.get(name) === 1 && fresh.get(name) === 1)) {
      result.unnamed += 1
      continue
    }
    result.told += 1
    if (genes.some((gene) => after.nameOf(gene).includes(names[0]!))) result.right += 1
    else if (relation === 'gone') result.gone += 1
    else result.wrong += 1
  }
  return result
}

test.skipIf(!hasRealData)(
  'genes of R64 are followed to the assembly of the same strain by long reads, and those of strains',
  () => {
    const r64 = readGenes('genome/SGDref.PoFF.gff.gz', 'genome/SGDref.PoFF.faa.gz', (header) => header.split(/\s/)[0]!)
    const s288c = strain('S288C')
    const [same, other, far] = [measure(r64, s288c), measure(s288c, strain('SK1')), measure(s288c, strain('CBS432'))]
    console.info(JSON.stringify({ same, other, far }))
    expect(same.right / same.told).toBeGreaterThan(0.99)
    expect(other.right / other.told).toBeGreaterThan(0.97)
  },
)
