/** A domain that a profile found in a protein; positions are residues counted from 1, both ends included. */
export interface DomainHit {
  profile: string
  accession: string | null
  /** Match states of the profile. */
  profileLength: number
  /** Of the whole sequence: over all domains of this profile. */
  sequenceEvalue: number
  sequenceScore: number
  /** Of this domain: independent e-value, and bits. */
  evalue: number
  score: number
  bias: number
  profileStart: number
  profileEnd: number
  alignmentStart: number
  alignmentEnd: number
  /** The envelope: where the domain most probably lies, its ends included that do not align well. */
  start: number
  end: number
  /** Mean posterior probability of the aligned residues. */
  accuracy: number
}

/**
 * Reads the lines of `--domtblout` (HMMER User's Guide 3.4, "The domain hits table") of hmmscan, where the target is the profile and the
 * query
 * the protein, or of hmmsearch, where it is the other way round. Domains by the protein's name, in the order of the file.
 */
export const parseDomainTable = (text: string, from: 'hmmscan' | 'hmmsearch'): Map<string, DomainHit[]> => {
  const hits = new Map<string, DomainHit[]>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const cells = line.trim().split(/\s+/)
    if (cells.length < 22) continue
    const [profile, protein] = from === 'hmmscan' ? [0, 3] : [3, 0]
    const accession = cells[profile + 1]!
    const number = (at: number): number => Number(cells[at])
    const hit: DomainHit = {
      profile: cells[profile]!,
      accession: accession === '-' ? null : accession,
      profileLength: number(profile + 2),
      sequenceEvalue: number(6),
      sequenceScore: number(7),
      evalue: number(12),
      score: number(13),
      bias: number(14),
      profileStart: number(15),
      profileEnd: number(16),
      alignmentStart: number(17),
      alignmentEnd: number(18),
      start: number(19),
      end: number(20),
      accuracy: number(21),
    }
    const own = hits.get(cells[protein]!)
    if (own === undefined) hits.set(cells[protein]!, [hit])
    else own.push(hit)
  }
  return hits
}

/** Of two domains that share more than this part of the shorter one only one is kept. */
const overlapShare = 0.5

/**
 * Parts the domains of one protein into those that count and those that lie over a better one: taken by rising e-value, then falling
 * score, then position, a domain is left out when its envelope shares more than half of the shorter of the two with one that was taken.
 * Those that count come in order of their start.
 *
 * Example: of domains at 10-60 (1e-20) and 15-50 (1e-8) the second is left out; one at 50-120 beside the first stays.
 */
export const resolveOverlaps = <Domain extends Pick<DomainHit, 'start' | 'end' | 'evalue' | 'score'>>(
  domains: readonly Domain[],
): { kept: Domain[]; covered: Domain[] } => {
  const kept: Domain[] = []
  const covered: Domain[] = []
  const ranked = [...domains].sort((a, b) => a.evalue - b.evalue || b.score - a.score || a.start - b.start)
  for (const one of ranked) {
    const lies = kept.some((other) => {
      const shared = Math.min(one.end, other.end) - Math.max(one.start, other.start) + 1
      return shared > overlapShare * Math.min(one.end - one.start + 1, other.end - other.start + 1)
    })
    if (lies) covered.push(one)
    else kept.push(one)
  }
  const byLocus = (a: Domain, b: Domain): number => a.start - b.start || a.end - b.end
  return { kept: kept.sort(byLocus), covered: covered.sort(byLocus) }
}
