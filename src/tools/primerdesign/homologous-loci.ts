// Where the place of a product lies in another genome: by alignment of the genomes, else by orthologs, else by the bases.

import { PortalError } from '../../contracts/errors.ts'
import type { AssemblyLift } from '../../contracts/lift.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'

/** Bases from 1, both included; over the origin of a circular sequence `end1` lies beyond its length. */
export interface Place {
  sequence: string
  start1: number
  end1: number
}

/** How it is known where the place lies: without any of the three, products are judged by their bases. */
type LocusBasis = 'alignment' | 'gene' | 'bases'

export interface HomologousLocus {
  basis: LocusBasis
  /** Where a product has to lie to be the homologous one; none where the genome has no such place. */
  loci: Place[]
  /** Genes one of whose transcripts has to give it. */
  genes: ReadonlySet<string>
  /** What the alignment says of the place; null where it was not asked or is silent. */
  outcome: AssemblyLift['outcome'] | null
}

/** The place in question: of a genomic product, or only a gene (a primer on an exon junction, a search of transcripts). */
export interface TemplateLocus {
  assembly: string
  intended: Place | null
  gene: string | null
}

/** Alignment of genes: a product beside an ortholog may lie so much farther from it than it does at home. */
const besideGeneBp = 500
/** Genes under a region that are followed to their orthologs. */
const genesFollowed = 20

const overlapBp = (a: Place, b: Place): number =>
  a.sequence === b.sequence ? Math.min(a.end1, b.end1) - Math.max(a.start1, b.start1) + 1 : 0

/** The largest overlap of a product with a place; on a circular sequence either may be written beyond the origin. */
const overlapOf = (product: Place, locus: Place, lengthBp: number): number =>
  Math.max(
    0,
    ...[-lengthBp, 0, lengthBp].map((shift) =>
      overlapBp({ ...product, start1: product.start1 + shift, end1: product.end1 + shift }, locus),
    ),
  )

/** Whether a product lies at a place of a sequence of that length: they share more than half of the shorter one. */
export const liesAt = (product: Place, locus: Place, lengthBp: number): boolean =>
  overlapOf(product, locus, lengthBp) > Math.min(product.end1 - product.start1 + 1, locus.end1 - locus.start1 + 1) / 2

/** What a product and a place have in common, as a share of both together. */
export const shareOf = (product: Place, locus: Place, lengthBp: number): number => {
  const shared = overlapOf(product, locus, lengthBp)
  return shared / (product.end1 - product.start1 + locus.end1 - locus.start1 + 2 - shared)
}

/** Length of the words that two products are compared by; at random one in 16 million is equal. */
const wordBp = 12
/** Share of equal words of two products from which they are of one origin: bases that agree in four of five (0.8 to the 12th). */
const minShare = 0.068

/**
 * Whether two segments between primers have one origin, by their shared words of 12 bases (words are shared with the twelfth power of
 * the identity; Ondov et al. 2016, Genome Biol 17:132). The primers' own bases must be left out, for these are alike wherever they
 * prime. Segments too short for a word are of one origin when they are equal.
 */
export const alikeBetweenPrimers = (own: string, other: string): boolean => {
  const [a, b] = [own.toUpperCase(), other.toUpperCase()]
  if (a.length < 2 * wordBp) return a === b
  const words = new Set<string>()
  for (let at = 0; at + wordBp <= b.length; at += 1) words.add(b.slice(at, at + wordBp))
  let shared = 0
  const count = a.length - wordBp + 1
  for (let at = 0; at < count; at += 1) if (words.has(a.slice(at, at + wordBp))) shared += 1
  return shared >= Math.max(2, minShare * count)
}

/**
 * Says for places of templates where they lie in other genomes. Answers are kept, for pairs of one template ask alike. `needsGenes` is of
 * a search of transcripts, where genes are all that can be compared.
 */
export const createLocusFinder = (data: PortalData, assemblies: readonly string[], needsGenes: boolean) => {
  const lifts = new Map<string, Promise<AssemblyLift[] | null>>()
  const genes = new Map<string, Promise<GeneHomologs>>()

  const liftAll = (assembly: string, { sequence, start1, end1 }: Place): Promise<AssemblyLift[] | null> => {
    const key = `${assembly} ${sequence} ${start1} ${end1}`
    const known = lifts.get(key)
    if (known !== undefined) return known
    const asked = data
      .getSequence(assembly, sequence)
      .then(({ lengthBp }) => {
        // A product over the origin may be counted from before or from behind it.
        const from1 = ((start1 - 1) % lengthBp) + 1
        return data.alignments.lift({ assembly, sequence, start1: from1, end1: from1 + end1 - start1 }, assemblies)
      })
      .then((answer) => answer.lifts)
      .catch((error: unknown) => {
        // Nothing is aligned, or the place is too long to be followed.
        if (error instanceof PortalError) return null
        throw error
      })
    lifts.set(key, asked)
    return asked
  }

  const followGenes = (template: TemplateLocus): Promise<GeneHomologs> => {
    const { assembly, intended, gene } = template
    const key = JSON.stringify([assembly, gene, intended])
    const known = genes.get(key)
    if (known !== undefined) return known
    const asked = findHomologs(data, template)
    genes.set(key, asked)
    return asked
  }

  return async (template: TemplateLocus, assembly: string): Promise<HomologousLocus> => {
    const unknown: HomologousLocus = { basis: 'bases', loci: [], genes: new Set(), outcome: null }
    let outcome: HomologousLocus['outcome'] = null
    if (!needsGenes && template.intended !== null) {
      const lift = (await liftAll(template.assembly, template.intended))?.find((one) => one.assembly === assembly)
      if (lift !== undefined) {
        // A better alignment passes over the place, and what was found is elsewhere: a gene that has moved, or only its copy.
        const isElsewhere = lift.deletedAt !== null && lift.loci.length > 0
        outcome = isElsewhere ? 'deleted' : lift.outcome
        // Not aligned is not absent, and what is elsewhere may have moved: then genes may still tell.
        if (!isElsewhere && outcome !== 'unaligned' && outcome !== 'reference-lacks')
          return {
            basis: 'alignment',
            loci: lift.loci
              .filter((locus) => locus.role !== 'copy')
              .map(({ sequence, start, end }) => ({ sequence, start1: start, end1: end })),
            genes: new Set(),
            outcome,
          }
      }
    }
    const found = await followGenes(template)
    if (found.compared.has(assembly) && found.genes.length > 0) {
      const own = found.homologs.get(assembly) ?? []
      const models = needsGenes
        ? []
        : await data.getGenes(
            assembly,
            own.map((one) => one.gene),
          )
      return {
        basis: 'gene',
        loci: models.map((gene) => {
          const beside = own.find((one) => one.gene === gene.id)!.besideBp
          const reach = beside === 0 ? 0 : beside + besideGeneBp
          return { sequence: gene.sequence, start1: gene.start - reach, end1: gene.end + reach }
        }),
        genes: new Set(own.map((one) => one.gene)),
        outcome,
      }
    }
    // Aligned and not followed: equal bases elsewhere may be a repeat's, and are no place.
    return outcome === null ? unknown : { ...unknown, basis: 'alignment', outcome }
  }
}

interface GeneHomologs {
  /** Genes of the template with a protein that was compared. */
  genes: string[]
  /** Assemblies with which they were. */
  compared: ReadonlySet<string>
  /** Orthologs by assembly, with how far from the gene the product lies at home; 0 where it overlaps it. */
  homologs: ReadonlyMap<string, { gene: string; besideBp: number }[]>
}

const findHomologs = async (data: PortalData, template: TemplateLocus): Promise<GeneHomologs> => {
  const { assembly, intended, gene } = template
  const state = await data.getHomology()
  if (state === null || !state.covered.includes(assembly))
    return { genes: [], compared: new Set(), homologs: new Map() }
  const under =
    intended === null
      ? []
      : await data.listGenesInRegion(assembly, intended.sequence, intended.start1, intended.end1, genesFollowed)
  const own = [...new Set([...(gene === null ? [] : [gene]), ...under.map(({ id }) => id)])]
  const models = new Map((await data.getGenes(assembly, own)).map((one) => [one.id, one]))
  const besideOf = (id: string): number => {
    const model = models.get(id)
    if (intended === null || model === undefined) return 0
    return Math.max(0, model.start - intended.end1, intended.start1 - model.end)
  }
  const lists = await data.listHomologs(assembly, own)
  const homologs = new Map<string, { gene: string; besideBp: number }[]>()
  for (const list of lists)
    for (const one of list.homologs) {
      if (one.relation !== 'ortholog') continue
      const found = homologs.get(one.assembly) ?? []
      found.push({ gene: one.gene, besideBp: besideOf(list.gene) })
      homologs.set(one.assembly, found)
    }
  return { genes: lists.map((one) => one.gene), compared: new Set(state.covered), homologs }
}
