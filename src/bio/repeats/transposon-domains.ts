// What protein domains say of the class of an element. Sources: order of domains by superfamily, Wicker et al. 2007 (figure 1); names of
// profiles, Pfam, GyDB and REXdb.

/** A domain found in an element, as a profile's name and where it lies; coordinates counted from 1. */
export interface FoundDomain {
  name: string
  start1: number
  end1: number
  strand: string
}

/** What the protein of a profile does: the words of Wicker et al. */
export type DomainKind =
  | 'GAG'
  | 'AP'
  | 'INT'
  | 'RT'
  | 'RH'
  | 'ENV'
  | 'CHR'
  | 'EN'
  | 'YR'
  | 'TPASE'
  | 'HEL'
  | 'ATP'
  | 'POLB'

/** Pfam's names and accessions of profiles, in lower case, with what they say by themselves of the superfamily. */
const profiles: Record<string, [DomainKind, string | null]> = {
  rvt_1: ['RT', null],
  pf00078: ['RT', null],
  rvt_2: ['RT', 'RLC'],
  pf07727: ['RT', 'RLC'],
  rvt_3: ['RH', null],
  pf13456: ['RH', null],
  rve: ['INT', null],
  pf00665: ['INT', null],
  rve_2: ['INT', null],
  rve_3: ['INT', null],
  'gag_pre-integrs': ['INT', 'RLC'],
  pf13976: ['INT', 'RLC'],
  integrase_h2c2: ['INT', 'RLG'],
  pf17921: ['INT', 'RLG'],
  'zf-h2c2': ['INT', 'RLG'],
  retrotrans_gag: ['GAG', null],
  pf03732: ['GAG', null],
  retrotran_gag_2: ['GAG', 'RLC'],
  retrotran_gag_3: ['GAG', 'RLC'],
  ubn2: ['GAG', 'RLC'],
  pf14223: ['GAG', 'RLC'],
  ty1_gag: ['GAG', 'RLC'],
  tya: ['GAG', 'RLC'],
  pf01021: ['GAG', 'RLC'],
  gag_p24: ['GAG', null],
  rvp: ['AP', null],
  pf00077: ['AP', null],
  rvp_2: ['AP', 'RLG'],
  pf08284: ['AP', 'RLG'],
  asp_protease: ['AP', null],
  asp_protease_2: ['AP', 'RLG'],
  pf13975: ['AP', 'RLG'],
  peptidase_a17: ['AP', 'RLB'],
  pf05380: ['AP', 'RLB'],
  rnase_h: ['RH', null],
  pf00075: ['RH', null],
  rt_rnaseh: ['RH', 'RLG'],
  pf17917: ['RH', 'RLG'],
  rt_rnaseh_2: ['RH', 'RLG'],
  pf17919: ['RH', 'RLG'],
  chromo: ['CHR', 'RLG'],
  pf00385: ['CHR', 'RLG'],
  exo_endo_phos: ['EN', 'RIX'],
  pf03372: ['EN', 'RIX'],
  exo_endo_phos_2: ['EN', 'RIX'],
  pf14529: ['EN', 'RIX'],
  phage_integrase: ['YR', 'RYX'],
  pf00589: ['YR', 'RYX'],
  dde_1: ['TPASE', 'DTT'],
  pf03184: ['TPASE', 'DTT'],
  dde_3: ['TPASE', 'DTT'],
  pf13358: ['TPASE', 'DTT'],
  transposase_1: ['TPASE', 'DTT'],
  pf01359: ['TPASE', 'DTT'],
  hth_tnp_tc3_2: ['TPASE', 'DTT'],
  pf01498: ['TPASE', 'DTT'],
  dimer_tnp_hat: ['TPASE', 'DTA'],
  pf05699: ['TPASE', 'DTA'],
  mule: ['TPASE', 'DTM'],
  pf10551: ['TPASE', 'DTM'],
  transposase_mut: ['TPASE', 'DTM'],
  pf00872: ['TPASE', 'DTM'],
  dde_tnp_1_7: ['TPASE', 'DTB'],
  pf13843: ['TPASE', 'DTB'],
  dde_tnp_4: ['TPASE', 'DTH'],
  pf13359: ['TPASE', 'DTH'],
  plant_tran: ['TPASE', 'DTH'],
  pf04827: ['TPASE', 'DTH'],
  transposase_21: ['TPASE', 'DTC'],
  pf02992: ['TPASE', 'DTC'],
  transposase_23: ['TPASE', 'DTC'],
  transposase_24: ['TPASE', 'DTC'],
  pf03004: ['TPASE', 'DTC'],
  tnp_p_element: ['TPASE', 'DTP'],
  helitron_like_n: ['HEL', 'DHH'],
  pf14214: ['HEL', 'DHH'],
  pif1: ['HEL', 'DHH'],
  pf05970: ['HEL', 'DHH'],
  dna_pol_b_2: ['POLB', 'DMM'],
  pf03175: ['POLB', 'DMM'],
}

const kindWords: [RegExp, DomainKind][] = [
  [/(^|[-_: ])gag($|[-_ ])/i, 'GAG'],
  [/(^|[-_: ])(prot|pr|ap)($|[-_ ])/i, 'AP'],
  [/(^|[-_: ])(int|integrase)($|[-_ ])/i, 'INT'],
  [/(^|[-_: ])rt($|[-_ ])/i, 'RT'],
  [/(^|[-_: ])(rh|arh|rnaseh)($|[-_ ])/i, 'RH'],
  [/(^|[-_: ])(tpase|transposase)($|[-_ ])/i, 'TPASE'],
  [/(^|[-_: ])endo?($|[-_ ])/i, 'EN'],
  [/(^|[-_: ])env($|[-_ ])/i, 'ENV'],
  [/(^|[-_: ])(chdii?|chr(omo)?)($|[-_ ])/i, 'CHR'],
  [/(^|[-_: ])hel(icase)?($|[-_ ])/i, 'HEL'],
]

/**
 * Kind and superfamily of a profile by its name or accession: Pfam's by a table, others by the words of GyDB and REXdb
 * (`Ty1/copia:Ale:RT`, `RT_athila`, `Class_I/LTR/Ty3_gypsy/Tekay:Ty3-INT`). Null for a profile that says nothing of transposons.
 *
 * Example: `describeProfile('RVT_2')` is `{kind: 'RT', code: 'RLC'}`.
 */
export const describeProfile = (name: string): { kind: DomainKind; code: string | null } | null => {
  const known = profiles[name.toLowerCase().replace(/\.\d+$/, '')]
  if (known !== undefined) return { kind: known[0], code: known[1] }
  const kind = kindWords.find(([pattern]) => pattern.test(name))?.[1]
  if (kind === undefined) return null
  const code = /copia|ty1/i.test(name) ? 'RLC' : /gypsy|ty3/i.test(name) ? 'RLG' : /bel|pao/i.test(name) ? 'RLB' : null
  return { kind, code }
}

/**
 * Superfamily of an LTR element by its domains: each that is of one superfamily alone votes for it, and the order of integrase and
 * reverse transcriptase decides between Copia (integrase first) and Gypsy (behind) where none or both were voted for. Null when the domains
 * do not tell.
 *
 * Example: integrase at 2000..2200 and reverse transcriptase at 2500..2900 on the strand + are `'RLC'`.
 */
export const classifyByDomains = (domains: readonly FoundDomain[]): string | null => {
  const described = domains.flatMap((domain) => {
    const about = describeProfile(domain.name)
    return about === null ? [] : [{ ...domain, ...about }]
  })
  const votes = new Map<string, number>()
  for (const { code } of described) if (code !== null) votes.set(code, (votes.get(code) ?? 0) + 1)
  const ranked = [...votes].sort(([, a], [, b]) => b - a)
  if (ranked.length === 1 || (ranked.length > 1 && ranked[0]![1] > ranked[1]![1])) return ranked[0]![0]
  const integrase = described.find(({ kind }) => kind === 'INT')
  const transcriptase = described.find(({ kind, strand }) => kind === 'RT' && strand === integrase?.strand)
  if (integrase === undefined || transcriptase === undefined) return null
  return integrase.start1 < transcriptase.start1 === (integrase.strand !== '-') ? 'RLC' : 'RLG'
}
