import { reverseComplement, wrapFasta } from '../../../bio/sequence/sequence.ts'
import { readFastaRecords } from '../../../kit/data/genes/gene-sequences.ts'
import type { ToolRouteContext } from '../../../kit/engine.ts'
import { alphabetOfKind } from '../programs.ts'
import { type Hit, HspReader } from './hit-store.ts'
import { isNucleotide, type OpenSearch, selectHits } from './job-search.ts'
import { subjectStrand } from './tabular.ts'

const wholeFile = { transcript: 'transcripts', cds: 'cds', protein: 'proteins' } as const

/** Longest part of a genome given as one record; the sequence tools give longer ones. */
const maxRegionBp = 10_000_000

/** Sequences of hits as FASTA, each with `note` at the end of its description: of each HSP what is aligned, of each genome hit the region with flanks, or the whole subjects. */
export async function* hitSequences(
  search: OpenSearch,
  input: {
    query?: number | undefined
    hits?: string | undefined
    what: 'aligned' | 'region' | 'subject'
    flank: number
  },
  note: string,
  context: ToolRouteContext,
): AsyncGenerator<string> {
  const { data, signal } = context
  const idOf = (query1: number): string => search.result.queries[query1 - 1]!.id
  const name = nameOnce(search)
  if (input.what === 'aligned') {
    const reader = await HspReader.open(search.directory, signal)
    try {
      for await (const { query1, hit } of selectHits(search, input, signal)) {
        let number = 0
        for await (const hsp of reader.read(hit)) {
          number += 1
          const strand = subjectStrand(hsp, isNucleotide(search, hit))
          yield wrapFasta(
            `${name(hit, `:${hsp.subjectStart1}-${hsp.subjectEnd1}`)} ${describe(hit)}${strand === null ? '' : ` strand=${strand}`} query=${idOf(query1)}:${hsp.queryStart1}-${hsp.queryEnd1} hsp=${number} identity=${hsp.identityPercent}% evalue=${hsp.evalue} ${note}`,
            hsp.subjectRow.replaceAll('-', ''),
          )
        }
      }
    } finally {
      await reader.close()
    }
    return
  }
  // Whole transcripts and proteins come from the files that the databases were made of, read once a file.
  const wanted = new Map<string, Map<string, Hit>>()
  const given = new Set<string>()
  for await (const { query1, hit } of selectHits(search, input, signal)) {
    if (hit.assembly === null || hit.kind === null) continue
    if (hit.kind === 'genome') {
      const from = Math.min(...hit.hsps.flatMap(([, , start, end]) => [start, end]))
      const to = Math.max(...hit.hsps.flatMap(([, , start, end]) => [start, end]))
      // The best HSP where the others are far away: between the arms of a repeat family lies half a chromosome.
      const best: [number, number] = [
        Math.min(hit.subjectStart1, hit.subjectEnd1),
        Math.max(hit.subjectStart1, hit.subjectEnd1),
      ]
      const [start, end] = input.what === 'region' && to - from > maxSpreadBp ? best : [from, to]
      const start1 = Math.max(1, start - input.flank)
      const end1 = Math.min(hit.subjectLength, end + input.flank, start1 + maxRegionBp - 1)
      const bases = await data.fetchSequence(hit.assembly, hit.subject, start1, end1)
      const minus = hit.strand === '-'
      yield wrapFasta(
        `${name(hit, `:${start1}-${end1}(${hit.strand ?? '+'})`)} ${describe(hit)} query=${idOf(query1)} flank=${input.flank} ${note}`,
        minus ? reverseComplement(bases) : bases,
      )
    } else {
      const key = `${hit.assembly}\t${hit.kind}`
      if (given.has(`${key}\t${hit.subject}`)) continue
      given.add(`${key}\t${hit.subject}`)
      const subjects = wanted.get(key) ?? new Map<string, Hit>()
      subjects.set(hit.subject, hit)
      wanted.set(key, subjects)
    }
  }
  for (const [key, subjects] of wanted) {
    const [assembly, kind] = key.split('\t') as [string, keyof typeof wholeFile]
    const file = await data.bundleFile(assembly, wholeFile[kind])
    if (file === null) continue
    const records = await readFastaRecords(file, new Set(subjects.keys()), alphabetOfKind(kind), signal)
    for (const [subject, hit] of subjects) {
      const sequence = records.get(subject)
      if (sequence !== undefined) yield wrapFasta(`${name(hit, '')} ${describe(hit)} ${note}`, sequence)
    }
  }
}

/** HSPs of one subject further apart than this belong to different places, not to the exons of one gene. */
const maxSpreadBp = 200_000

/**
 * Names of records, each given once in a file as programs need them: of a search over several assemblies with the assembly before it
 * (strains call their chromosomes alike), and what several queries hit with a number behind it.
 */
const nameOnce = (search: OpenSearch): ((hit: Hit, range: string) => string) => {
  const several = new Set(search.result.databases.map(({ assembly }) => assembly)).size > 1
  const given = new Map<string, number>()
  return (hit, range) => {
    const name = `${several && hit.assembly !== null ? `${hit.assembly}|` : ''}${hit.subject}${range}`
    const times = (given.get(name) ?? 0) + 1
    given.set(name, times)
    return times === 1 ? name : `${name}_${times}`
  }
}

const describe = (hit: Hit): string =>
  [
    hit.gene === null ? '' : `gene=${hit.gene}`,
    hit.symbol === null ? '' : `symbol=${hit.symbol}`,
    hit.assembly === null ? 'pasted' : `assembly=${hit.assembly}`,
    hit.kind === null ? '' : `database=${hit.kind}`,
  ]
    .filter((part) => part !== '')
    .join(' ')
