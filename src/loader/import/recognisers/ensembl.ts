import { readLine, says } from '../annotator.ts'
import { type AssemblyFacts, defineRecogniser, type Finding, type InputFile } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

/** Species and assembly at the head of every name: `Arabidopsis_thaliana.TAIR10.59.gff3.gz`. */
const named = /^([A-Z][a-z]+_[a-z0-9_]+?)\.(.+?)\.(?=dna|dna_sm|dna_rm|cdna|cds|pep|ncrna|\d+\.|chr\.|abinitio)/

const dna = /\.(dna|dna_sm|dna_rm)\.(toplevel|primary_assembly|chromosome|nonchromosomal|group|scaffold)\b/

/** Of the forms of one genome the better first: soft-masked before plain, the primary assembly before one with haplotypes. */
const rankOf = (name: string): number =>
  (name.includes('.dna_sm.') ? 0 : name.includes('.dna_rm.') ? 20 : 1) +
  (name.includes('.primary_assembly') ? 0 : name.includes('.toplevel') ? 2 : 4)

/** Headers say the kind and the place of each record: `>1 dna:chromosome chromosome:TAIR10:1:1:30427671:1 REF`. */
const isEnsemblFasta = (file: InputFile): boolean =>
  says(file, /^>\S+ (dna|dna_sm|dna_rm|cdna|cds|pep|ncrna)(:\S+)? \S+:[^:\s]+:[^:\s]+:\d+:\d+/)

const isEnsemblGenes = (file: InputFile): boolean =>
  (file.format === 'gff3' || file.format === 'gtf') &&
  says(file, /^#!genebuild-last-updated|^#!genome-build-accession\s+(NCBI:|EnsemblGenomes:)?GC[AF]_/) &&
  !says(file, /^#!processor NCBI/)

/** Genomes, genes and proteins of Ensembl and Ensembl Genomes (Plants, Fungi, Metazoa, Protists, Bacteria). */
export default defineRecogniser({
  id: 'ensembl',
  title: { en: 'Ensembl files', zh: 'Ensembl 文件' },
  order: 30,
  recognise: (files) => {
    const findings: Finding[] = []
    const facts = new Map<string, AssemblyFacts>()
    const genomes = new Map<string, InputFile[]>()
    for (const file of files) {
      const match = named.exec(file.name)
      const fasta = file.format === 'fasta-dna' || file.format === 'fasta-protein'
      if (match === null || !((fasta && isEnsemblFasta(file)) || isEnsemblGenes(file))) continue
      const [, species, assembly] = match as unknown as [string, string, string]
      // Files of one assembly lie in folders by their kind (fasta/, gff3/).
      const group = `ensembl ${species}.${assembly}`
      const accession = readLine(file, /^#!genome-build-accession\s+(?:\w+:)?(GC[AF]_\d+\.\d+)/)
      facts.set(group, {
        organism: species.replaceAll('_', ' '),
        id: assembly,
        source: { en: 'Ensembl', zh: 'Ensembl' },
        ...facts.get(group),
        ...(accession === undefined ? {} : { accession }),
      })
      if (file.format === 'fasta-protein')
        findings.push({ file, what: texts.proteins, take: 'none', why: texts.derived })
      else if (/\.(cds)\./.test(file.name)) findings.push({ file, what: texts.cds, take: 'none', why: texts.derived })
      else if (/\.(cdna|ncrna)\./.test(file.name))
        findings.push({ file, what: texts.rna, take: 'none', why: texts.derived })
      else if (dna.test(file.name)) genomes.set(group, [...(genomes.get(group) ?? []), file])
      else if (/\.(abinitio|chromosome\.[^.]+|chr|nonchromosomal|primary_assembly\.[^.]+)\.(gff3|gtf)/.test(file.name))
        findings.push({ file, what: texts[file.format as 'gff3' | 'gtf'], take: 'genes', group, rank: 5 })
      else if (file.format === 'gff3') findings.push({ file, what: texts.gff3, take: 'genes', group, rank: 1 })
      else findings.push({ file, what: texts.gtf, take: 'genes', group, rank: 2 })
    }
    for (const [group, forms] of genomes) {
      const best = Math.min(...forms.map(({ name }) => rankOf(name)))
      for (const file of forms)
        findings.push(
          rankOf(file.name) === best
            ? { file, what: texts.genome, take: 'genome', group }
            : {
                file,
                what: texts.genome,
                take: 'none',
                why: { en: 'another form of the genome that is taken', zh: '已选用基因组的另一种形式' },
              },
        )
    }
    const folders = new Set(findings.map(({ file }) => file.folder))
    for (const file of files)
      if (folders.has(file.folder) && /^(CHECKSUMS|README)/.test(file.name))
        findings.push({ file, what: texts.checksums, take: 'none', why: texts.nothing })
    return { findings, facts }
  },
})
