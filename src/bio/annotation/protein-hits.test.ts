import { describe, expect, it } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import { type AnnotationFormat, createAnnotationReader } from './annotation.ts'
import { featureKind, type ProteinHit, readEvalue, readProteinFeatureLine } from './protein-hits.ts'

const md5 = '14086411a2cdf1c4cba63020e1622579'
const hitsOf = (format: AnnotationFormat, lines: string[]): { hits: ProteinHit[]; terms: string[] } => {
  const hits: ProteinHit[] = []
  const terms: string[] = []
  const reader = createAnnotationReader(format, {
    file: 'x',
    log: new DefectLog(),
    onRow: ({ gene, term, source }) => terms.push(`${gene} ${term} ${source}`),
    onHit: (hit) => hits.push(hit),
  })
  for (const [number, line] of lines.entries()) reader.addLine(line, number + 1)
  reader.end()
  return { hits, terms }
}

describe('places on proteins', () => {
  it('InterProScan TSV: signature with place, E-value and InterPro entry; a score of ProSite is no E-value', () => {
    const { hits } = hitsOf('interproscan', [
      `P1\t${md5}\t400\tPfam\tPF00069\tProtein kinase domain\t12\t270\t3.1E-60\tT\t01-01-2024\tIPR000719\tProtein kinase domain`,
      `P1\t${md5}\t400\tProSiteProfiles\tPS50011\tProtein kinase domain profile\t10\t280\t44.3\tT\t01-01-2024\t-\t-`,
      `P1\t${md5}\t400\tSignalP_GRAM_POSITIVE\tSignalP-noTM\t-\t1\t24\t-\tT\t01-01-2024`,
    ])
    expect(hits.map(({ accession, start1, end1, evalue, entry }) => [accession, start1, end1, evalue, entry])).toEqual([
      ['PF00069', 12, 270, 3.1e-60, 'IPR000719'],
      ['PS50011', 10, 280, null, null],
      ['SignalP-noTM', 1, 24, null, null],
    ])
  })
  it('InterProScan GFF3: hits and their terms belong to the protein of the first column', () => {
    const { hits, terms } = hitsOf('gff3', [
      '##gff-version 3',
      '##sequence-region P1 1 400',
      'P1\t.\tpolypeptide\t1\t400\t.\t+\t.\tID=P1;md5=x',
      'P1\tPfam\tprotein_match\t12\t270\t3.1E-60\t+\t.\tdate=x;Target=P1 12 270;ID=match$1_12_270;signature_desc=Protein kinase domain;Name=PF00069;status=T;Dbxref="InterPro:IPR000719"',
    ])
    expect(hits).toHaveLength(1)
    expect(hits[0]).toMatchObject({ protein: 'P1', accession: 'PF00069', entry: 'IPR000719', evalue: 3.1e-60 })
    expect(terms).toEqual(['P1 PF00069 Pfam', 'P1 IPR000719 InterPro'])
  })
  it('SignalP 6, UniProt and DeepTMHMM', () => {
    const read = (line: string) => readProteinFeatureLine(line.split('\t'), 1)
    expect(read('P1\tSignalP-6.0\tsignal_peptide\t1\t22\t0.99\t.\t.\t.')).toMatchObject({
      accession: 'SIGNAL_PEPTIDE',
      start1: 1,
      end1: 22,
      evalue: null,
    })
    expect(read('P1\tUniProtKB\tTransmembrane\t30\t50\t.\t.\t.\tNote=Helical')).toMatchObject({ name: 'Helical' })
    expect(read('P1\tTMhelix\t30\t50')).toMatchObject({ analysis: 'DeepTMHMM', accession: 'TMhelix', start1: 30 })
    expect(read('chr1\tsrc\tgene\t30\t50\t.\t+\t.\tID=g')).toBeNull()
    expect(read('P1\tPfam\tprotein_match\t50\t30\t.\t+\t.\tName=PF1')).toBeNull()
  })
  it.each([
    ['Pfam', 'PF00069', 'Protein kinase domain', 'domain'],
    ['Pfam', 'PF00400', 'WD domain, G-beta repeat', 'repeat'],
    ['SignalP_EUK', 'SignalP-noTM', null, 'signal'],
    ['Phobius', 'SIGNAL_PEPTIDE', 'Signal peptide region', 'signal'],
    ['Phobius', 'SIGNAL_PEPTIDE_H_REGION', null, 'topology'],
    ['Phobius', 'TRANSMEMBRANE', null, 'transmembrane'],
    ['Phobius', 'NON_CYTOPLASMIC_DOMAIN', null, 'topology'],
    ['Phobius', 'CYTOPLASMIC_DOMAIN', null, 'topology'],
    ['TMHMM', 'TMhelix', null, 'transmembrane'],
    ['DeepTMHMM', 'outside', null, 'topology'],
    ['Coils', 'Coil', 'Coil', 'coil'],
    ['MobiDBLite', 'mobidb-lite', 'consensus disorder prediction', 'disorder'],
    ['PANTHER', 'PTHR24346', null, 'family'],
    ['ProSitePatterns', 'PS00107', null, 'site'],
    ['PROSITE patterns', 'PS00107', null, 'site'],
    ['COILS', 'Coil', 'Coil', 'coil'],
    ['CATH-Gene3D', 'G3DSA:2.40.30.170', null, 'family'],
    ['MobiDB-lite', 'mobidb-lite', 'Consensus disorder prediction', 'disorder'],
  ])('%s %s %s is drawn as %s', (analysis, accession, name, kind) => {
    expect(featureKind(analysis, accession, name)).toBe(kind)
  })
  it('reads E-values and nothing else', () => {
    expect(['0.0', '3E-5', '1.2e+1', '-', '', 'x', '-3'].map(readEvalue)).toEqual([0, 3e-5, 12, null, null, null, null])
  })
})
