import type { z } from 'zod'
import { fieldError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { VariantSet } from '../../kit/data/variant-data.ts'
import { type OpenSet, openSet } from '../../kit/data/variants/open-set.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { primer3Program } from '../../kit/programs.ts'
import { listSetsAsked, showSet } from './asked-sets.ts'
import { type FoundRecord, findLoci, findNamed, listVariants, type Places, readRecords } from './find-variants.ts'
import { routes } from './routes.ts'
import { listAccessionsWith } from './tasks/accession-task.ts'
import { findHaplotypes } from './tasks/haplotype-task.ts'
import { findLinkage } from './tasks/ld-task.ts'
import { designVariantMarkers } from './tasks/marker-task.ts'
import type { VariationResult } from './tool.ts'
import tool from './tool.ts'

type Input = z.output<(typeof tool)['input']>

const citations = {
  csq: {
    text: 'Danecek P, McCarthy SA (2017) BCFtools/csq: haplotype-aware variant consequences. Bioinformatics 33:2037-2039',
    doi: '10.1093/bioinformatics/btx100',
  },
  blocks: {
    text: 'Gabriel SB et al. (2002) The structure of haplotype blocks in the human genome. Science 296:2225-2229',
    doi: '10.1126/science.1069424',
  },
  gametes: {
    text: 'Wang N et al. (2002) Distribution of recombination crossovers and the origin of haplotype blocks. American Journal of Human Genetics 71:1227-1234',
    doi: '10.1086/344398',
  },
  letters: {
    text: 'Piepho H-P (2004) An algorithm for a letter-based representation of all-pairwise comparisons. Journal of Computational and Graphical Statistics 13:456-466',
    doi: '10.1198/1061860043515',
  },
  ld: {
    text: 'Lewontin RC (1964) The interaction of selection and linkage. Genetics 49:49-67',
    doi: '10.1093/genetics/49.1.49',
  },
  primer3: {
    text: 'Untergasser A et al. (2012) Primer3: new capabilities and interfaces. Nucleic Acids Research 40:e115',
    doi: '10.1093/nar/gks596',
  },
  rebase: {
    text: 'Roberts RJ et al. (2015) REBASE: a database for DNA restriction and modification. Nucleic Acids Research 43:D298-D299',
    doi: '10.1093/nar/gku1046',
  },
}

/** What each task computes, for the receipt. */
const formulas: Record<Input['task'], string> = {
  variants: 'records by position, id, consequence and frequency; frequency = copies that are not REF / copies called',
  accessions:
    'accessions with at least one copy of each variant (all) or of one of them (any), by GT of the records; a genotype that is not called is neither',
  haplotypes:
    'alleles of each accession at the sites; Kruskal-Wallis, ANOVA, Welch, or chi-square and Fisher over haplotypes, pairs by rank sums, t or Fisher, Benjamini-Hochberg over pairs; within populations the F of value = population + haplotype; blocks as plink --blocks, or by four gametes',
  ld: 'r2 = squared correlation of allele doses (as plink --r2); D′ of haplotype counts, or of maximum-likelihood frequencies of unphased diploids',
  markers: 'primer3 with the 3′ end on (KASP) or before (dCAPS) the variant; restriction sites that one allele has',
}

/** The set that is asked; of names of variants, where none is named, the first that has them. */
const openFirst = async (
  asked: Input,
  data: PortalData,
  signal: AbortSignal,
): Promise<{ set: VariantSet; open: OpenSet; found: Places }> => {
  const isList = asked.task === 'accessions'
  if (isList && asked.variants.length === 0) throw fieldError(['variants'], 'problem.variantsNeeded')
  const sets = await listSetsAsked(
    data,
    asked.assembly,
    asked.set,
    isList || (asked.id !== undefined && asked.id !== ''),
  )
  for (const [number, set] of sets.entries()) {
    const open = await openSet(set)
    try {
      const found = isList
        ? await findNamed(asked.variants, open, data, signal)
        : await findLoci(asked, open, data, signal)
      if (number === sets.length - 1 || found.unknown.length === 0) return { set, open, found }
    } catch (error) {
      await open.close()
      throw error
    }
    await open.close()
  }
  throw new Error('there is at least one set')
}

const run = async (input: Input, context: EngineContext): Promise<VariationResult> => {
  const { data, signal, receipt } = context
  const assembly = (await data.getAssembly(input.assembly)).id
  const asked = { ...input, assembly }
  const { set, open, found } = await openFirst(asked, data, signal)
  receipt.addData(assembly)
  receipt.addDataSet(set)
  receipt.addStep({ program: 'NovoDB variation', version: String(tool.version), formula: formulas[input.task] })
  if (set.consequences !== null) {
    receipt.addStep({
      program: set.consequences.program,
      version: set.consequences.version,
      formula: 'csq --local-csq, at loading',
    })
    receipt.cite(citations.csq)
  }
  try {
    const answer: VariationResult = {
      assembly,
      set: showSet(set),
      variants: null,
      accessions: null,
      haplotypes: null,
      ld: null,
      markers: null,
      unknown: found.unknown,
    }
    if (input.task === 'variants') answer.variants = await listVariants(asked, open, found, data, signal)
    else if (input.task === 'accessions') answer.accessions = await listAccessionsWith(input, open, found, data, signal)
    else if (input.task === 'haplotypes') {
      const told = await findHaplotypes(asked, open, found, data, signal)
      answer.haplotypes = told
      if (told.blocks?.rule === 'gabriel') receipt.cite(citations.blocks)
      if (told.blocks?.rule === 'gametes') receipt.cite(citations.gametes)
      if ((told.phenotype?.pairs.length ?? 0) > 0) receipt.cite(citations.letters)
    } else if (input.task === 'ld') {
      answer.ld = await findLinkage(asked, open, found, data, signal)
      receipt.cite(citations.ld)
    } else {
      const records: FoundRecord[] = []
      if (found.rows === null) throw fieldError(['id'], 'problem.idNeeded')
      if (found.rows.length === 0) throw fieldError(['id'], 'problem.unknownId', { id: input.id ?? '' })
      for await (const one of readRecords(open, found.rows.slice(0, 1), signal)) records.push(one)
      answer.markers = await designVariantMarkers(records[0]!, open, context)
      receipt.cite(citations.primer3)
      receipt.cite(citations.rebase)
    }
    return answer
  } finally {
    await open.close()
  }
}

export default defineEngine({
  tool,
  programs: [
    {
      program: 'bcftools',
      package: 'bcftools',
      bioconda: 'bcftools',
      versionArguments: ['--version'],
      versionPattern: /bcftools (\S+)/,
    },
    primer3Program,
  ],
  bounds: { timeoutMs: 5 * 60_000 },
  run,
  routes,
})
