import type { CodingGene } from './coding-genes.ts'

type Part = { start1: number; end1: number }

const byStart = (a: Part, b: Part): number => a.start1 - b.start1

/**
 * Reads JGI's gene catalogue of *Zymoseptoria tritici* (GFF2: `name "…"; transcriptId N` or `proteinId N`). Genes are named
 * by their protein number in the form that the community uses, `Mycgr3G` and the number; JGI's model name is an alias.
 * Throws SyntaxError with the line number on a line that is none.
 */
export function parseJgiCatalogue(text: string): CodingGene[] {
  const models = new Map<string, { number: string; gene: CodingGene }>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (!line || line.startsWith('#')) continue
    const [sequence, , type, start, end, , strand, frame, attributes] = line.split('\t')
    const name = /name "([^"]+)"/.exec(attributes ?? '')?.[1]
    if (!sequence || !name || (strand !== '+' && strand !== '-'))
      throw new SyntaxError(`gene catalogue, line ${index + 1}: ${line}`)
    // Start and stop codons lie within the CDS here.
    if (type !== 'exon' && type !== 'CDS') continue
    const key = `${sequence} ${strand} ${name}`
    let model = models.get(key)
    if (!model) {
      const gene: CodingGene = {
        id: '',
        aliases: [name],
        description: null,
        sequence,
        strand,
        exons: [],
        cds: [],
        references: [],
      }
      model = { number: '', gene }
      models.set(key, model)
    }
    const part = { start1: Number(start), end1: Number(end) }
    if (type === 'exon') model.gene.exons.push(part)
    else model.gene.cds.push({ ...part, phase: Number(frame) as 0 | 1 | 2 })
    const number = /(?:transcriptId|proteinId) (\d+)/.exec(attributes!)?.[1]
    if (number) model.number = number
  }
  const genes: CodingGene[] = []
  for (const { number, gene } of models.values()) {
    if (!gene.cds.length) continue
    gene.id = `Mycgr3G${number}`
    gene.references = [`JGI:${number}`]
    gene.exons.sort(byStart)
    gene.cds.sort(byStart)
    genes.push(gene)
  }
  return genes
}

/**
 * Reads the MIPS annotation of *Ustilago maydis* (GFF3 of mRNA and CDS without genes; notes with `+` for spaces). Each mRNA
 * becomes a gene; the CDS parts are its exons, as no others are given.
 */
export function parseMipsAnnotation(text: string): CodingGene[] {
  const genes = new Map<string, CodingGene>()
  const geneOf = (id: string, sequence: string, strand: '+' | '-'): CodingGene => {
    let gene = genes.get(id)
    if (!gene) {
      gene = { id, aliases: [], description: null, sequence, strand, exons: [], cds: [], references: [] }
      genes.set(id, gene)
    }
    return gene
  }
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (!line || line.startsWith('#')) continue
    const [sequence, , type, start, end, , strand, phase, attributes] = line.split('\t')
    const id = /(?:ID|Parent)=mRNA:([^;]+)/.exec(attributes ?? '')?.[1]
    if (!sequence || !id || (strand !== '+' && strand !== '-'))
      throw new SyntaxError(`annotation, line ${index + 1}: ${line}`)
    const gene = geneOf(id, sequence, strand)
    if (type === 'CDS') gene.cds.push({ start1: Number(start), end1: Number(end), phase: Number(phase) as 0 | 1 | 2 })
    const note = /Note=([^;]*)/.exec(attributes!)?.[1]
    if (note) gene.description = decodeURIComponent(note.replaceAll('+', ' ')).trim() || null
  }
  for (const gene of genes.values()) {
    gene.cds.sort(byStart)
    gene.exons = gene.cds.map(({ start1, end1 }) => ({ start1, end1 }))
  }
  return [...genes.values()].filter(({ cds }) => cds.length > 0)
}
