import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { readRoman } from '../src/bio/sequence/chromosome-order.ts'
import { writeLines } from './species-folder.ts'

/** Chromosomes of R64 are named by Roman numbers, the markers of the isolates by Arabic ones: c15p33671. */
const romanOf = new Map(
  'I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI'.split(' ').map((name) => [readRoman(name)!, `chr${name}`]),
)

/**
 * Writes the genotypes of 641 isolates at 193 SNPs (test data of GenPhen: 0, 1 and 2 copies of the other allele) as a VCF on R64. The
 * other alleles are not told, so they are symbolic.
 */
export const writeIsolates = async (table: string, genome: string, vcf: string): Promise<void> => {
  const [heading = '', ...rows] = gunzipSync(await readFile(table))
    .toString('utf8')
    .trimEnd()
    .split(/\r?\n/)
  const heads = heading.split(',')
  const cells = rows.map((row) => row.split(','))
  const bases = new Map(
    gunzipSync(await readFile(genome))
      .toString('utf8')
      .split(/^>/m)
      .slice(1)
      .map((record): [string, string] => {
        const end = record.indexOf('\n')
        return [record.slice(0, end).split(/\s/)[0]!, record.slice(end + 1).replace(/\s+/g, '')]
      }),
  )
  const sites = heads.flatMap((name, column) => {
    const match = /^c(\d+)p(\d+)$/.exec(name)
    const sequence = match === null ? undefined : romanOf.get(Number(match[1]))
    return match === null || sequence === undefined
      ? []
      : [{ name, column, sequence, order: Number(match[1]), position1: Number(match[2]) }]
  })
  sites.sort((a, b) => a.order - b.order || a.position1 - b.position1)
  const genotype: Record<string, string> = { '0': '0/0', '1': '0/1', '2': '1/1' }
  await writeLines(vcf, [
    '##fileformat=VCFv4.3',
    ...[...romanOf.values()].map((name) => `##contig=<ID=${name},length=${bases.get(name)!.length}>`),
    '##ALT=<ID=ALT,Description="The other allele, which the source does not tell">',
    '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
    ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...cells.map((row) => row[0]!)].join(
      '\t',
    ),
    ...sites.map(({ name, column, sequence, position1 }) =>
      [
        ...[
          sequence,
          position1,
          name,
          bases.get(sequence)![position1 - 1]!.toUpperCase(),
          '<ALT>',
          '.',
          '.',
          '.',
          'GT',
        ],
        ...cells.map((row) => genotype[row[column]!] ?? './.'),
      ].join('\t'),
    ),
  ])
}
