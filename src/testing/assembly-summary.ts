import { type AssemblySummary, assemblySummarySchema } from '../contracts/species.ts'

/** What the catalogue says of a reference assembly with one gene, save what is given. */
export const makeAssemblySummary = (
  id: string,
  { lengthBp = 4_411_532, ...about }: Partial<AssemblySummary>,
): AssemblySummary =>
  assemblySummarySchema.parse({
    id,
    name: id,
    species: 'tb',
    speciesName: 'Mycobacterium tuberculosis',
    bundle: id,
    reference: true,
    strain: null,
    accession: null,
    description: null,
    partial: null,
    outgroup: false,
    source: null,
    licence: null,
    simulated: false,
    checksum: '0'.repeat(64),
    loadedAt: '2026-01-01T00:00:00.000Z',
    gcFraction: 0.5,
    lengthBp,
    n50Bp: lengthBp,
    gapBp: 0,
    sequenceCount: 1,
    geneCount: 1,
    codingGeneCount: 1,
    transcriptCount: 1,
    dataTypes: {},
    simulatedTypes: [],
    sequences: [],
    sequenceRoles: {},
    exampleGenes: [
      { id: 'g1', symbol: 'esxA', description: null, sequence: 'chr', start: 1001, end: 1288, strand: '+' },
    ],
    ...about,
  })
