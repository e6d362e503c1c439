// Places on proteins that programs find something at: domains, sites, signal peptides, segments in the membrane, coils, disorder.

import { parseGff3Attributes } from './feature.ts'

export interface ProteinHit {
  /** Protein, transcript or gene as the file names it. */
  protein: string
  /** Program or database: Pfam, SMART, SignalP_EUK, TMHMM … */
  analysis: string
  /** Of the signature; null where the program names none (a signal peptide of SignalP's GFF3). */
  accession: string | null
  name: string | null
  /** InterPro entry that the signature belongs to. */
  entry: string | null
  entryName: string | null
  /** Residues, counted from 1, both included. */
  start1: number
  end1: number
  evalue: number | null
  line: number
}

/**
 * What a hit is, as it is drawn and told. `family` is a signature of the whole protein or of its superfamily by structure, `topology` the
 * side of the membrane on which a part lies.
 */
export const featureKinds = [
  'domain',
  'family',
  'repeat',
  'site',
  'signal',
  'transmembrane',
  'topology',
  'coil',
  'disorder',
] as const
export type FeatureKind = (typeof featureKinds)[number]

// Names of analyses as InterProScan 5 and 6 write them in column 4: `Gene3D` and `CATH-Gene3D`, `ProSitePatterns` and `PROSITE patterns`.
const byEvalue =
  /^(pfam|smart|gene3d|cath-?gene3d|cath-?funfam|superfamily|ssf|cdd|panther|pirsf|pirsr|prints|ncbifam|tigrfam|sfld|antifam|funfam)$/i

/** Whether column 9 of InterProScan's TSV is an E-value for this analysis; ProSite's and HAMAP's are scores of their profiles. */
export const scoresByEvalue = (analysis: string): boolean => byEvalue.test(analysis)

/** An E-value as programs write it; null where there is none. `readEvalue('3.1E-6')` is 3.1e-6. */
export const readEvalue = (text: string | undefined): number | null => {
  const trimmed = text?.trim() ?? ''
  if (!/^\d+(\.\d+)?([eE][-+]?\d+)?$/.test(trimmed)) return null
  return Number(trimmed)
}

const kindsOf: readonly [analysis: RegExp, kind: FeatureKind][] = [
  [/^coils?$|^coiled[ _]coil$/i, 'coil'],
  [/^(mobidb-?lite|mobidb|seg|iupred\w*)$|^(low_complexity|compositional[ _]bias|disorder\w*)/i, 'disorder'],
  // Residues of PIRSR stand with the extent of the family's model, not of the sites.
  [/^(panther|pirsf|pirsr|hamap|superfamily|ssf|(cath-?)?(gene3d|funfam)|sfld|ncbifam|tigrfam|antifam)$/i, 'family'],
  [/^(prosite ?patterns|prints)$|^(active|binding|metal)/i, 'site'],
]

/**
 * What a hit is, by its analysis and what this calls it. Examples: `featureKind('SignalP_EUK', 'SignalP-noTM', null)` is `signal`,
 * `featureKind('Phobius', 'NON_CYTOPLASMIC_DOMAIN', null)` is `topology`, `featureKind('Pfam', 'PF00069', 'Protein kinase domain')` is
 * `domain`.
 */
export const featureKind = (analysis: string, accession: string | null, name: string | null): FeatureKind => {
  const word = accession ?? ''
  // Phobius tells the parts of a signal peptide beside the whole.
  if (/^signal_peptide_[nhc]_region$/i.test(word)) return 'topology'
  if (/^signalp|^signal([ _]?peptide)?$|^targetp/i.test(analysis)) return 'signal'
  if (/^signal(_peptide|p|$)/i.test(word)) return 'signal'
  if (/cytoplasmic_domain|^(inside|outside|periplasm|extracellular|cytoplasmic|lumenal)/i.test(word)) return 'topology'
  if (
    /^(deep)?tmhmm|^transmembrane/i.test(analysis) ||
    /^(tm-?helix|transmembrane|beta[ _-]?(sheet|strand))/i.test(word)
  )
    return 'transmembrane'
  for (const [form, kind] of kindsOf) if (form.test(analysis) || form.test(word)) return kind
  return /\brepeat(s|ed)?\b/i.test(name ?? '') ? 'repeat' : 'domain'
}

/** Types of features of proteins in GFF3: InterProScan's, SignalP's and those of UniProt's files; what each is. */
const proteinTypes: Readonly<Record<string, string>> = {
  protein_match: '',
  protein_hmm_match: '',
  polypeptide_domain: '',
  domain: '',
  signal_peptide: 'SIGNAL_PEPTIDE',
  'signal peptide': 'SIGNAL_PEPTIDE',
  signal: 'SIGNAL_PEPTIDE',
  transmembrane: 'TRANSMEMBRANE',
  transmembrane_helix: 'TRANSMEMBRANE',
  transmembrane_polypeptide_region: 'TRANSMEMBRANE',
  'coiled coil': 'COILED_COIL',
  coiled_coil: 'COILED_COIL',
  'compositional bias': 'COMPOSITIONAL_BIAS',
  'active site': 'ACTIVE_SITE',
  'binding site': 'BINDING_SITE',
}
const deepTmhmm: Readonly<Record<string, string>> = {
  TMhelix: 'TMhelix',
  'Beta sheet': 'Beta sheet',
  signal: 'SIGNAL_PEPTIDE',
  inside: 'inside',
  outside: 'outside',
  periplasm: 'periplasm',
}

const positions = (start: string | undefined, end: string | undefined): { start1: number; end1: number } | null => {
  if (!/^\d{1,7}$/.test(start ?? '') || !/^\d{1,7}$/.test(end ?? '')) return null
  const [start1, end1] = [Number(start), Number(end)]
  return start1 < 1 || end1 < start1 ? null : { start1, end1 }
}

/**
 * What a line of a GFF3 file says of a place on a protein; null where it is about something else. Sources: InterProScan 5 (`protein_match`
 * with the signature in `Name`), SignalP 6 (`signal_peptide`), UniProt's GFF, and DeepTMHMM's lines of four columns (protein, type,
 * start, end).
 *
 * Example: `['P1', 'Pfam', 'protein_match', '5', '90', '2e-30', '+', '.', 'Name=PF00069;signature_desc=Protein kinase domain']` is a hit
 * of PF00069 at 5–90 with E-value 2e-30.
 */
export const readProteinFeatureLine = (columns: readonly string[], line: number): ProteinHit | null => {
  const short = deepTmhmm[columns[1] ?? '']
  if (short !== undefined) {
    const place = positions(columns[2], columns[3])
    if (place !== null)
      return {
        ...{ protein: columns[0]!.trim().split(/\s/)[0]!, analysis: 'DeepTMHMM', accession: short, name: null },
        ...{ entry: null, entryName: null, ...place, evalue: null, line },
      }
  }
  const given = proteinTypes[columns[2]?.toLowerCase() ?? '']
  if (given === undefined || columns.length < 8) return null
  const place = positions(columns[3], columns[4])
  if (place === null) return null
  const attributes = parseGff3Attributes(columns[8] ?? '')
  const first = (key: string): string | null => attributes[key]?.[0] ?? null
  const analysis = columns[1]!.trim()
  const reference = (attributes.Dbxref ?? []).find((one) => /^"?InterPro:IPR\d{6}/.test(one))
  const isMatch = given === ''
  return {
    protein: columns[0]!.trim(),
    analysis,
    accession: isMatch ? (first('Name') ?? first('ID')) : given,
    name: first('signature_desc') ?? first('Note'),
    entry: reference === undefined ? null : /IPR\d{6}/.exec(reference)![0],
    entryName: null,
    ...place,
    evalue: isMatch && scoresByEvalue(analysis) ? readEvalue(columns[5]) : null,
    line,
  }
}
