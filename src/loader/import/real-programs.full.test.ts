import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { makeBases, makeRandomBelow } from '../../testing/random.ts'
import { checkSpecies } from '../check-species.ts'
import { importSpecies } from './import-species.ts'

// Outputs of the programs themselves, made here where they are installed, and imported as they are.

const has = (...programs: string[]): boolean => {
  try {
    for (const program of programs) execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const geneBp = 900
const genes = Array.from({ length: 24 }, (_, at) => ({ id: `RP_${at + 1}`, start1: 1001 + at * 1500 }))
const chr1 = makeBases(40_000, 7)
const basesOf = (start1: number): string => chr1.slice(start1 - 1, start1 - 1 + geneBp)
const samples = ['leaf_1', 'leaf_2', 'root_1', 'root_2']

const geneLines = (line: (id: string, type: string, at: string, own: string) => string): string =>
  genes
    .flatMap(({ id, start1 }) => {
      const at = `${start1}\t${start1 + geneBp - 1}\t.\t+\t.`
      return [line(id, 'gene', at, ''), line(id, 'mRNA', at, '.1'), line(id, 'exon', at, '.1.e')]
    })
    .join('')
const gff3 = `##gff-version 3\n${geneLines((id, type, at, own) => {
  const parent = { gene: '', mRNA: `;Parent=${id}`, exon: `;Parent=${id}.1` }[type]
  return `chr1\tx\t${type}\t${at}\tID=${id}${own}${parent}\n`
})}`
const gtf = geneLines((id, type, at) =>
  type === 'exon' ? `chr1\tx\texon\t${at}\tgene_id "${id}"; transcript_id "${id}.1";\n` : '',
)

/** Pairs of reads of 75 bases from the genes, those of higher number the more often. */
const reads = (seed: number): [string, string] => {
  const below = makeRandomBelow(seed)
  const other: Record<string, string> = { A: 'T', C: 'G', G: 'C', T: 'A' }
  const reverse = (text: string): string =>
    [...text]
      .reverse()
      .map((base) => other[base])
      .join('')
  const mates: [string[], string[]] = [[], []]
  for (let read = 0; read < 3000; read += 1) {
    const gene = genes[Math.max(below(genes.length), below(genes.length))]!
    const bases = basesOf(gene.start1)
    const at = below(geneBp - 220)
    const ends = [bases.slice(at, at + 75), reverse(bases.slice(at + 145, at + 220))]
    if (below(2) === 1) ends.reverse()
    for (const mate of [0, 1] as const) mates[mate].push(`@r${read}/${mate + 1}\n${ends[mate]}\n+\n${'I'.repeat(75)}\n`)
  }
  return [mates[0].join(''), mates[1].join('')]
}

/** Forty samples of which the third variant makes the trait. */
const population = (): { vcf: string; trait: string } => {
  const below = makeRandomBelow(3)
  const names = Array.from({ length: 40 }, (_, at) => `S${at}`)
  const rows = Array.from({ length: 30 }, (_, at) => {
    const position1 = 1001 + at * 1200
    const reference = chr1[position1 - 1]!
    return { position1, reference, other: reference === 'A' ? 'C' : 'A', doses: names.map(() => below(3)) }
  })
  const lines = rows.map(
    ({ position1, reference, other, doses }, at) =>
      `chr1\t${position1}\tv${at}\t${reference}\t${other}\t.\tPASS\t.\tGT\t${doses.map((dose) => ['0/0', '0/1', '1/1'][dose]).join('\t')}\n`,
  )
  const head = `##fileformat=VCFv4.2\n##contig=<ID=chr1,length=${chr1.length}>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n`
  return {
    vcf: `${head}#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${names.join('\t')}\n${lines.join('')}`,
    trait: `#IID\theight\n${names.map((name, at) => `${name}\t${2 * rows[2]!.doses[at]! + below(100) / 100}\n`).join('')}`,
  }
}

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'novodb-programs-'))
  writeFileSync(join(root, 'genome.fa'), `>chr1\n${chr1.replace(/(.{70})/g, '$1\n')}\n`)
  writeFileSync(join(root, 'genes.gff3'), gff3)
  writeFileSync(join(root, 'genes.gtf'), gtf)
  writeFileSync(join(root, 'transcripts.fa'), genes.map(({ id, start1 }) => `>${id}.1\n${basesOf(start1)}\n`).join(''))
  for (const [at, sample] of samples.entries())
    for (const [mate, text] of reads(at + 11).entries()) writeFileSync(join(root, `${sample}_${mate + 1}.fq`), text)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Runs lines of a shell in the folder of the inputs; `$OUT` is where results go, beside the genome and its genes. */
const run = (name: string, lines: string): string => {
  const out = join(root, name)
  mkdirSync(out)
  for (const file of ['genome.fa', 'genes.gff3']) cpSync(join(root, file), join(out, file))
  execFileSync('sh', ['-ec', lines], { cwd: root, stdio: 'ignore', env: { ...process.env, OUT: out } })
  return out
}
const eachSample = (line: string): string => samples.map((sample) => line.replaceAll('SAMPLE', sample)).join('\n')

const bring = async (folder: string) => {
  const report = await importSpecies({
    paths: [folder],
    dryRun: false,
    rewrite: false,
    language: 'en',
    ask: async ({ id, fallback }) => (id === 'species' ? 'Testus minimus' : fallback),
    signal: AbortSignal.timeout(180_000),
    onProgress: () => undefined,
  })
  const { log } = await checkSpecies(folder, AbortSignal.timeout(180_000))
  return {
    assembly: (parse(readFileSync(join(folder, 'species.yaml'), 'utf8')) as { assemblies: Record<string, unknown>[] })
      .assemblies[0]!,
    left: report.accounts
      .filter(({ state }) => state === 'unknown' || state === 'not-placed')
      .map(({ file }) => file.path),
    wrong: [...report.log.defects, ...log.defects]
      .filter(({ severity }) => severity !== 'repair')
      .map(({ code }) => code),
  }
}
const nothing = { left: [], wrong: [] }

describe('what programs write is imported as it is', { timeout: 300_000 }, () => {
  test.skipIf(!has('salmon'))('by Salmon', async () => {
    const folder = run(
      'salmon',
      `salmon index -t transcripts.fa -i salmon-index\n${eachSample('salmon quant -i salmon-index -l A -1 SAMPLE_1.fq -2 SAMPLE_2.fq -p 1 -o "$OUT"/SAMPLE')}`,
    )
    expect(await bring(folder)).toMatchObject({
      ...nothing,
      assembly: { expression: [{ file: samples.map((sample) => `${sample}/quant.sf`), unit: 'TPM' }] },
    })
  })

  test.skipIf(!has('kallisto'))('by kallisto', async () => {
    const folder = run(
      'kallisto',
      `kallisto index -i kallisto-index transcripts.fa\n${eachSample('kallisto quant -i kallisto-index -o "$OUT"/SAMPLE SAMPLE_1.fq SAMPLE_2.fq')}`,
    )
    expect(await bring(folder)).toMatchObject({
      ...nothing,
      assembly: { expression: [{ file: samples.map((sample) => `${sample}/abundance.tsv`), unit: 'TPM' }] },
    })
  })

  test.skipIf(!has('STAR', 'featureCounts'))('by STAR and featureCounts', async () => {
    const folder = run(
      'star',
      `STAR --runMode genomeGenerate --genomeDir star-index --genomeFastaFiles genome.fa --sjdbGTFfile genes.gtf --genomeSAindexNbases 6 --outTmpDir star-tmp
${eachSample('mkdir "$OUT"/SAMPLE; STAR --genomeDir star-index --readFilesIn SAMPLE_1.fq SAMPLE_2.fq --quantMode GeneCounts --outSAMtype BAM SortedByCoordinate --outFileNamePrefix "$OUT"/SAMPLE/')}
mkdir "$OUT"/counts; featureCounts -p -a genes.gtf -o "$OUT"/counts/genes.txt "$OUT"/*/*.bam`,
    )
    expect(await bring(folder)).toMatchObject({
      ...nothing,
      assembly: {
        expression: [
          { file: samples.map((sample) => `${sample}/ReadsPerGene.out.tab`), unit: 'counts' },
          { file: 'counts/genes.txt', unit: 'counts' },
        ],
        tracks: samples.map((sample) => ({ id: sample, name: sample })),
      },
    })
  })

  test.skipIf(!has('hisat2', 'samtools', 'stringtie'))('by HISAT2 and StringTie, as nf-core runs them', async () => {
    const folder = run(
      'stringtie',
      `hisat2-build -q genome.fa hisat2-index
mkdir -p "$OUT"/star_salmon/stringtie
${eachSample(`hisat2 -x hisat2-index -1 SAMPLE_1.fq -2 SAMPLE_2.fq | samtools sort -o "$OUT"/star_salmon/SAMPLE.markdup.sorted.bam -
cd "$OUT"/star_salmon/stringtie; stringtie ../SAMPLE.markdup.sorted.bam -G ${'$'}OLDPWD/genes.gtf -e -o SAMPLE.transcripts.gtf -A SAMPLE.gene.abundance.txt -C SAMPLE.coverage.gtf -b SAMPLE.ballgown; cd "$OLDPWD"`)}
samtools faidx "$OUT"/genome.fa`,
    )
    expect(await bring(folder)).toMatchObject({
      ...nothing,
      assembly: {
        genome: 'genome.fa',
        genes: 'genes.gff3',
        expression: [{ folder: 'star_salmon/stringtie', unit: 'TPM' }],
        tracks: samples.map((sample) => ({ id: sample, name: sample })),
      },
    })
  })

  test.skipIf(!has('plink1.9', 'plink2', 'gemma'))('by PLINK and GEMMA', async () => {
    const { vcf, trait } = population()
    writeFileSync(join(root, 'panel.vcf'), vcf)
    writeFileSync(join(root, 'trait.txt'), trait)
    const folder = run(
      'association',
      `plink2 --vcf panel.vcf --allow-extra-chr --pheno trait.txt --make-bed --out "$OUT"/panel
plink2 --vcf panel.vcf --allow-extra-chr --pheno trait.txt --glm allow-no-covars --out "$OUT"/plink2
plink1.9 --bfile "$OUT"/panel --allow-extra-chr --allow-no-sex --linear --out "$OUT"/linear
cd "$OUT"; gemma -bfile panel -gk 1 -o kinship; gemma -bfile panel -k output/kinship.cXX.txt -lmm 4 -o mixed`,
    )
    const { assembly, left, wrong } = await bring(folder)
    expect({ left, wrong }).toEqual(nothing)
    expect(assembly.variants).toEqual([{ id: 'panel', name: 'panel', file: 'panel.bed' }])
    expect((assembly.gwas as { file: string }[]).map(({ file }) => file).sort()).toEqual([
      'linear.assoc.linear',
      'output/mixed.assoc.txt',
      'plink2.height.glm.linear',
    ])
  })
})
