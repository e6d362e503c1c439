// What is known of the strains of the yeast VCF. Source: Liti et al. 2009, Nature 458:337, supplementary table 1; Yue et al. 2017, Nature
// Genetics 49:913, supplementary table 1. Places are given as countries only, as the sources have them.

interface YeastAccession {
  accession: string
  name: string
  population: 'domesticated' | 'wild' | 'S_paradoxus'
  country: string
  lineage: string
  source: string
}

export const yeastAccessions: readonly YeastAccession[] = [
  {
    accession: 'SK1',
    name: 'SK1',
    population: 'domesticated',
    country: 'USA',
    lineage: 'mosaic, West African',
    source: 'laboratory strain, from soil',
  },
  {
    accession: 'Y12',
    name: 'Y12',
    population: 'domesticated',
    country: 'Ivory Coast',
    lineage: 'Sake',
    source: 'palm wine',
  },
  {
    accession: 'DBVPG6044',
    name: 'DBVPG 6044',
    population: 'domesticated',
    country: 'West Africa',
    lineage: 'West African',
    source: 'bili wine',
  },
  {
    accession: 'YPS128',
    name: 'YPS128',
    population: 'wild',
    country: 'USA',
    lineage: 'North American',
    source: 'soil beneath an oak',
  },
  {
    accession: 'UWOPS034614',
    name: 'UWOPS03-461.4',
    population: 'wild',
    country: 'Malaysia',
    lineage: 'Malaysian',
    source: 'nectar of the bertram palm',
  },
  {
    accession: 'CBS432',
    name: 'CBS 432',
    population: 'S_paradoxus',
    country: 'Russia',
    lineage: 'European S. paradoxus',
    source: 'bark of an oak',
  },
]

export const samplesOf = (population: YeastAccession['population']): string[] =>
  yeastAccessions.filter((one) => one.population === population).map(({ accession }) => accession)

/** These and further accessions as a table with a heading; what is not known of one stays empty. */
export const renderYeastAccessions = (further: readonly Readonly<Record<string, string>>[]): string[] => {
  const rows: Readonly<Record<string, string>>[] = [...yeastAccessions.map((one) => ({ ...one })), ...further]
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [columns.join('\t'), ...rows.map((row) => columns.map((column) => row[column] ?? '').join('\t'))]
}
