import { escapeGff3Value } from '../../../bio/annotation/feature.ts'
import type { Program } from '../programs.ts'
import type { Hit } from './hit-store.ts'
import type { Hsp } from './tabular.ts'

/** Sequence Ontology terms of the whole hit. */
const matchType: Record<Program, string> = {
  blastn: 'nucleotide_match',
  tblastx: 'translated_nucleotide_match',
  tblastn: 'protein_match',
  blastp: 'protein_match',
  blastx: 'protein_match',
}

/**
 * A genome hit as GFF3: one match for each strand that has HSPs, each HSP a match_part under it with its Target on the query,
 * score = bits. HSPs of a strand that lie further apart than a gene may be long become matches of their own, so that a repeat
 * family is not drawn as one feature over a whole chromosome. Each line names the assembly whose coordinates it has: chromosomes of
 * several assemblies go by the same names.
 */
export async function* gff3Lines(options: {
  query1: number
  query: { id: string }
  hit: Hit
  hsps: AsyncIterable<Hsp>
  program: Program
}): AsyncGenerator<string> {
  const { query1, query, hit, program } = options
  const parts: { hsp: Hsp; start1: number; end1: number; strand: '+' | '-' }[] = []
  for await (const hsp of options.hsps)
    parts.push({
      hsp: { ...hsp, queryRow: '', subjectRow: '' },
      start1: Math.min(hsp.subjectStart1, hsp.subjectEnd1),
      end1: Math.max(hsp.subjectStart1, hsp.subjectEnd1),
      strand: hsp.subjectFrame < 0 || hsp.subjectStart1 > hsp.subjectEnd1 ? '-' : '+',
    })
  const where = hit.assembly === null ? '' : `;assembly=${escapeGff3Value(hit.assembly)}`
  let match = 0
  for (const strand of ['+', '-'] as const) {
    const ordered = parts
      .filter((part) => part.strand === strand)
      .sort((a, b) => a.start1 - b.start1 || a.end1 - b.end1)
    let group: typeof ordered = []
    const groups: (typeof ordered)[] = []
    let reach = Number.NEGATIVE_INFINITY
    for (const part of ordered) {
      if (group.length > 0 && part.start1 - reach > longestIntronBp) {
        groups.push(group)
        group = []
      }
      group.push(part)
      reach = Math.max(reach, part.end1)
    }
    if (group.length > 0) groups.push(group)
    for (const members of groups) {
      match += 1
      const id = `q${query1}.h${hit.rank}.m${match}`
      const best = members.reduce((a, b) => (b.hsp.bitScore > a.hsp.bitScore ? b : a))
      const line = (type: string, start1: number, end1: number, score: number, attributes: string): string =>
        [escapeGff3Value(hit.subject), program, type, start1, end1, score, strand, '.', attributes].join('\t')
      yield line(
        matchType[program],
        Math.min(...members.map((part) => part.start1)),
        Math.max(...members.map((part) => part.end1)),
        best.hsp.bitScore,
        `ID=${id};Name=${escapeGff3Value(query.id)};evalue=${best.hsp.evalue};identity=${best.hsp.identityPercent}${where}`,
      )
      for (const [number, { hsp, start1, end1 }] of members.entries()) {
        const [from, to] = [Math.min(hsp.queryStart1, hsp.queryEnd1), Math.max(hsp.queryStart1, hsp.queryEnd1)]
        yield line(
          'match_part',
          start1,
          end1,
          hsp.bitScore,
          `ID=${id}.${number + 1};Parent=${id};Target=${escapeGff3Value(query.id).replaceAll(' ', '%20')} ${from} ${to};evalue=${hsp.evalue};identity=${hsp.identityPercent}${where}`,
        )
      }
    }
  }
}

/** Gaps between HSPs beyond this part them: longer than nearly every intron of plants, fungi and insects. */
const longestIntronBp = 50_000
