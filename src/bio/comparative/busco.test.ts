import { describe, expect, test } from 'vitest'
import { parseBuscoSummary } from './busco.ts'

describe('summaries of BUSCO', () => {
  test('the text of version 5 gives shares, total and lineage', () => {
    const text = `# BUSCO version is: 5.4.3
# The lineage dataset is: saccharomycetes_odb10 (Creation date: 2020-08-05, number of genomes: 76, number of BUSCOs: 2137)
# Summarized benchmarking in BUSCO notation for file R64.fa

	***** Results: *****

	C:99.3%[S:97.1%,D:2.2%],F:0.2%,M:0.5%,n:2137
`
    expect(parseBuscoSummary(text)).toEqual({
      complete: 99.3,
      single: 97.1,
      duplicated: 2.2,
      fragmented: 0.2,
      missing: 0.5,
      total: 2137,
      lineage: 'saccharomycetes_odb10',
    })
  })

  test('the JSON of version 5, and the line of version 3 with a path as lineage', () => {
    const json = JSON.stringify(
      {
        lineage_dataset: { name: 'mycobacteriales_odb10', number_of_buscos: '623' },
        results: { one_line_summary: 'C:98.9%[S:98.7%,D:0.2%],F:0.3%,M:0.8%,n:623' },
      },
      null,
      2,
    )
    expect(parseBuscoSummary(json)).toMatchObject({ complete: 98.9, total: 623, lineage: 'mycobacteriales_odb10' })
    const old =
      '# The lineage dataset is: /db/fungi_odb9 (Creation date: 2016)\n\tC:95.0%[S:94.0%,D:1.0%],F:2.0%,M:3.0%,n:290'
    expect(parseBuscoSummary(old)).toMatchObject({ fragmented: 2, lineage: 'fungi_odb9' })
  })

  test('other text, and shares that are none, are no summary', () => {
    for (const text of ['', 'genes 12', 'C:195.0%[S:94.0%,D:1.0%],F:2.0%,M:3.0%,n:290', '>a\nACGT'])
      expect(parseBuscoSummary(text)).toBeNull()
  })
})
