import { placeInterval } from '../../bio/annotation/gene-geometry.ts'
import { PortalError } from '../../contracts/errors.ts'
import { type ElementSummary, findElementSummary } from '../../kit/data/element-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { ElementRow } from './element-rows.ts'
import type { Element } from './tool.ts'

/**
 * The segments of a sequence that are meant by one, as elements are kept: on a circular sequence what goes on over the origin is asked for
 * behind it, and what an element that begins before the origin has behind it is numbered on from the sequence's end.
 */
export const segmentsOf = (
  sequence: { lengthBp: number; circular: boolean },
  start1: number,
  end1: number,
): { start1: number; end1: number }[] => {
  const { pieces } = placeInterval({ start1, end1 }, sequence)
  if (!sequence.circular) return pieces
  const { lengthBp } = sequence
  return [...pieces, ...pieces.map((piece) => ({ start1: piece.start1 + lengthBp, end1: piece.end1 + lengthBp }))]
}

export const showElement = (assembly: string, row: ElementRow): Element => ({
  id: row.id,
  assembly,
  family: row.family === '' ? null : row.family,
  code: row.code,
  sequence: row.sequence,
  start: row.start1,
  end: row.end1,
  strand: row.strand,
  lengthBp: row.end1 - row.start1 + 1,
  form: row.form,
  divergence: row.divergence,
  ltrIdentity: row.ltrIdentity,
  ltrDivergence: row.ltrDivergence,
})

/** The figures of an assembly's elements; rejects where none are loaded, saying what the administrator can do. */
export const requireSummary = async (data: PortalData, assembly: string): Promise<ElementSummary> => {
  const summary = await findElementSummary(data, assembly)
  if (summary === null) throw new PortalError('NOT_FOUND', { message: 'problem.notLoaded', params: { assembly } })
  return summary
}

export const citations = {
  wicker: {
    text: 'Wicker T, Sabot F, Hua-Van A, et al. (2007) A unified classification system for eukaryotic transposable elements. Nat Rev Genet 8:973-982',
    doi: '10.1038/nrg2165',
  },
  genomeTools: {
    text: 'Gremme G, Steinbiss S, Kurtz S (2013) GenomeTools: a comprehensive software library for efficient processing of structured genome annotations. IEEE/ACM Trans Comput Biol Bioinform 10:645-656',
    doi: '10.1109/TCBB.2013.68',
  },
  ltrHarvest: {
    text: 'Ellinghaus D, Kurtz S, Willhoeft U (2008) LTRharvest, an efficient and flexible software for de novo detection of LTR retrotransposons. BMC Bioinformatics 9:18',
    doi: '10.1186/1471-2105-9-18',
  },
  ltrDigest: {
    text: 'Steinbiss S, Willhoeft U, Gremme G, Kurtz S (2009) Fine-grained annotation and classification of de novo predicted LTR retrotransposons. Nucleic Acids Res 37:7002-7013',
    doi: '10.1093/nar/gkp759',
  },
  kimura: {
    text: 'Kimura M (1980) A simple method for estimating evolutionary rates of base substitutions through comparative studies of nucleotide sequences. J Mol Evol 16:111-120',
    doi: '10.1007/BF01731581',
  },
  age: {
    text: 'SanMiguel P, Gaut BS, Tikhonov A, Nakajima Y, Bennetzen JL (1998) The paleontology of intergene retrotransposons of maize. Nat Genet 20:43-45',
    doi: '10.1038/1695',
  },
} as const
