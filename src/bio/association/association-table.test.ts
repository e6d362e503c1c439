import { describe, expect, test } from 'vitest'
import {
  type AssociationTableError,
  logPOfZ,
  openAssociations,
  readLocusInName,
  readLogP,
} from './association-table.ts'

/** A heading and a line of each program's documentation, with what must be read from it. */
const tables: [string, string, string, object][] = [
  [
    'plink',
    ' CHR          SNP         BP   A1       TEST    NMISS       BETA         STAT            P',
    '   1    rs3094315     792429    G        ADD       85     -0.02       -0.3        0.001',
    { chromosome: '1', position1: 792429, effectAllele: 'G', samples: 85, beta: -0.02, logP: 3 },
  ],
  [
    'plink',
    ' CHR SNP BP A1 F_A F_U A2 CHISQ P OR',
    ' 2 rs9 55 T 0.3 0.2 C 4.1 0.01 2',
    { effectAllele: 'T', otherAllele: 'C', logP: 2, beta: Math.log(2) },
  ],
  ['plink', ' CHR SNP BP NMISS BETA SE R2 T P', ' 2 rs9 55 100 0.5 0.1 0.2 5 1e-6', { samples: 100, se: 0.1, logP: 6 }],
  [
    'plink2',
    '#CHROM\tPOS\tID\tREF\tALT\tA1\tTEST\tOBS_CT\tBETA\tSE\tT_STAT\tP\tERRCODE',
    '3\t77\tv1\tA\tG\tA\tADD\t40\t0.1\t0.05\t2\t0.05\t.',
    { effectAllele: 'A', otherAllele: 'G', samples: 40 },
  ],
  [
    'plink2',
    '#CHROM\tPOS\tID\tREF\tALT\tPROVISIONAL_REF?\tA1\tOMITTED\tA1_FREQ\tTEST\tOBS_CT\tOR\tLOG(OR)_SE\tZ_STAT\tLOG10_P\tERRCODE',
    '3\t77\tv1\tA\tG\tY\tG\tA\t0.25\tADD\t40\t1\t0.05\t2\t412.5\t.',
    { frequency: 0.25, otherAllele: 'A', beta: 0, se: 0.05, logP: 412.5 },
  ],
  [
    'gemma',
    'chr\trs\tps\tn_miss\tallele1\tallele0\taf\tbeta\tse\tlogl_H1\tl_remle\tl_mle\tp_wald\tp_lrt\tp_score',
    '1\trs1\t300\t2\tX\tY\t0.4\t-1\t0.2\t-5\t1\t1\t1e-5\t2e-5\t3e-5',
    { effectAllele: 'X', otherAllele: 'Y', frequency: 0.4, samples: null, logP: 5 },
  ],
  [
    'gemma',
    'chr\trs\tps\tn_miss\tallele1\tallele0\taf\tbeta_1\tbeta_2\tVbeta_1_1\tp_lrt',
    '-9\t1-10583-rs58108140\t-9\t0\tA\tB\t0.2\t1\t1\t0\t0.1',
    { chromosome: '1', position1: 10583, logP: 1, beta: null },
  ],
  [
    'table',
    'hm_variant_id\thm_rsid\thm_chrom\thm_pos\thm_other_allele\thm_effect_allele\thm_beta\thm_odds_ratio\tp_value',
    '1_100_A_G\trs7\t1\t100\tA\tG\tNA\t2\t1e-5',
    { chromosome: '1', position1: 100, id: 'rs7', effectAllele: 'G', otherAllele: 'A', beta: Math.log(2), logP: 5 },
  ],
  [
    'gcta',
    'Chr\tSNP\tbp\tA1\tA2\tFreq\tb\tse\tp',
    '1\trs2\t9\tA\tC\t0.1\t0.3\t0.1\t0.001',
    { effectAllele: 'A', otherAllele: 'C', frequency: 0.1, beta: 0.3, logP: 3 },
  ],
  [
    'gcta',
    'CHR\tSNP\tPOS\tA1\tA2\tN\tAF1\tBETA\tSE\tP',
    '1\trs2\t9\tA\tC\t500\t0.9\t0.3\t0.1\t0.001',
    { samples: 500, frequency: 0.9, minorFrequency: 1 - 0.9 },
  ],
  [
    'regenie',
    'CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ N TEST BETA SE CHISQ LOG10P EXTRA',
    '1 123 rs5 A G 0.3 90 ADD 0.2 0.1 4 1.34 NA',
    { position1: 123, effectAllele: 'G', otherAllele: 'A', logP: 1.34 },
  ],
  [
    'saige',
    'CHR\tPOS\tMarkerID\tAllele1\tAllele2\tAC_Allele2\tAF_Allele2\tMissingRate\tBETA\tSE\tTstat\tvar\tp.value\tp.value.NA',
    '1\t5\tm\tA\tG\t20\t0.2\t0\t1\t0.5\t1\t1\t0.04\t0.5',
    { effectAllele: 'G', otherAllele: 'A', frequency: 0.2, logP: -Math.log10(0.04) },
  ],
  [
    'bolt',
    'SNP\tCHR\tBP\tGENPOS\tALLELE1\tALLELE0\tA1FREQ\tF_MISS\tBETA\tSE\tP_BOLT_LMM_INF\tP_BOLT_LMM',
    'rs1\t2\t800\t0.01\tT\tC\t0.4\t0\t0.1\t0.2\t0.5\t0.01',
    { position1: 800, effectAllele: 'T', logP: 2 },
  ],
  [
    'pheweb',
    '#CHROM\tPOS\tref\tALT\tpval\tsebeta\tbeta\tAF',
    '22\t1e6\tC\tT\t3e-9\t0.1\t0.6\t0.02',
    { position1: 1_000_000, effectAllele: 'T', otherAllele: 'C', frequency: 0.02 },
  ],
  [
    'table',
    '#CHROM\tBEGIN\tEND\tMARKER_ID\tNS\tAC\tCALLRATE\tMAF\tPVALUE\tBETA\tSEBETA',
    '20\t61\t61\t20:61_A/C\t266\t3\t1\t0.01\t0.2\t1\t2',
    { position1: 61, id: '20:61_A/C', samples: 266, minorFrequency: 0.01 },
  ],
  [
    'table',
    'MarkerName\tAllele1\tAllele2\tFreq1\tEffect\tStdErr\tP-value\tDirection',
    '7:55:A:T\ta\tt\t0.5\t1\t0.1\t1E-20\t++',
    { chromosome: '7', position1: 55, effectAllele: 'A', frequency: 0.5, logP: 20 },
  ],
  [
    'table',
    'chromosome,base_pair_location,effect_allele,other_allele,beta,standard_error,effect_allele_frequency,p_value,rsid',
    '1,9,A,G,1,2,0.3,NA,rs1',
    'missing' as unknown as object,
  ],
  [
    'table',
    'Trait\tMarker\tChr\tPos\tdf\tF\tp\tadd_effect',
    'height\tS1_100\t1\t100\t2\t9\t1e-4\t3',
    { trait: 'height', logP: 4 },
  ],
  [
    'table',
    'SNP Chromosome Position P.value maf nobs effect',
    'S3_5 3 5 0.1 0.2 281 -2',
    { samples: 281, minorFrequency: 0.2, beta: -2 },
  ],
  [
    'table',
    'chr\tpos\tmarker\tphenotype\tpvalue\tqvalue',
    'chrI\t37478\tc1p37478\tCLS_CRday7\t9.3300000000000005E-6\t2.3E-2',
    { trait: 'CLS_CRday7', position1: 37478 },
  ],
]

describe('a table of associations', () => {
  test.each(tables)('of %s is told by its heading: %s', (format, heading, line, wanted) => {
    const reader = openAssociations(heading)
    expect(reader.format).toBe(format)
    const read = reader.read(line)
    if (typeof wanted === 'string') expect(read).toBe(wanted)
    else {
      const given = read as unknown as Record<string, unknown>
      for (const [key, value] of Object.entries(wanted))
        if (typeof value === 'number') expect(given[key], key).toBeCloseTo(value, 10)
        else expect(given[key], key).toEqual(value)
    }
  })

  test('leaves out lines of covariates, and those without or with an impossible p-value', () => {
    const reader = openAssociations('CHR SNP BP A1 TEST NMISS BETA STAT P')
    expect(reader.read('1 rs1 1 A ADD 9 1 1 0.5')).toMatchObject({ id: 'rs1' })
    expect(reader.read('1 rs1 1 A COV1 9 1 1 0.5')).toBe('test')
    expect(reader.read('1 rs1 1 A ADD 9 NA NA NA')).toBe('missing')
    expect(reader.read('1 rs1 1 A ADD 9 1 1 1.5')).toBe('beyond')
    expect(reader.read('1 rs1 1 A ADD 9 1 1 abc')).toBe('unreadable')
  })

  test('takes no line that has more cells than the heading, whose columns are not told', () => {
    // As a version of SAIGE wrote dosages, and as R writes names of rows.
    const { read } = openAssociations('CHR SNP POS AF N BETA SE p.value')
    expect(read('2 rs4 4 0.01 1 1000 -0.07 0.76 -0.12')).toBe('unreadable')
    expect(openAssociations('chr\tpos\tp').read('1\t2\t5\t0.01')).toBe('unreadable')
    expect(openAssociations('chr\tpos\tp').read('1\t5\t0.01\t')).toMatchObject({ position1: 5, logP: 2 })
  })

  test('without p-values or places is refused, with the columns that it has', () => {
    const failure = (heading: string, given = {}): AssociationTableError => {
      try {
        openAssociations(heading, given)
      } catch (error) {
        return error as AssociationTableError
      }
      throw new Error('it was read')
    }
    expect(failure('chr\tpos\tbeta')).toMatchObject({ reason: 'no-p', columns: ['chr', 'pos', 'beta'] })
    expect(failure('beta\tp')).toMatchObject({ reason: 'no-place' })
    expect(failure('chr\tpos\tp', { p: 'significance' })).toMatchObject({ reason: 'column', column: 'significance' })
    expect(openAssociations('where\tpos\tsig', { chromosome: 'where', p: 'sig' }).read('1\t5\t0.1')).toMatchObject({
      chromosome: '1',
      logP: 1,
    })
  })
})

describe('p-values', () => {
  test('beyond the numbers of the machine keep their digits', () => {
    expect(readLogP('1e-400')).toBe(400)
    expect(readLogP('2.5E-310')).toBeCloseTo(310 - Math.log10(2.5), 12)
    expect(readLogP('0')).toBe(Number.POSITIVE_INFINITY)
    expect(readLogP('NA')).toBeNaN()
    expect(readLogP('-0.1')).toBeNull()
  })

  test('of zero are computed from effect and standard error, else are at least what a machine can write', () => {
    const reader = openAssociations('chr\tpos\tp\tbeta\tse')
    // -(log Q(45) + log 2) / log 10, with log Q(x) = log phi(x) - log x + log(1 - 1/x^2 + 3/x^4 - 15/x^6).
    expect(reader.read('1\t5\t0\t4.5\t0.1')).toMatchObject({ zero: true, logP: expect.closeTo(441.4746, 3) })
    expect(reader.read('1\t5\t0.0\tNA\tNA')).toMatchObject({ zero: true, logP: 323.3 })
  })

  test('of a normal deviate agree with the normal distribution', () => {
    expect(logPOfZ(1.959963984540054)).toBeCloseTo(-Math.log10(0.05), 12)
    expect(logPOfZ(0.5)).toBeCloseTo(-Math.log10(0.6170750774519738), 12)
    expect(logPOfZ(8)).toBeCloseTo(-Math.log10(1.2441921148543568e-15), 9)
  })
})

test('a place is found in the usual names of variants, and not in rs numbers', () => {
  expect(readLocusInName('10:114758349_C/T')).toEqual({ chromosome: '10', position1: 114758349, ref: 'C', alt: 'T' })
  expect(readLocusInName('chr1_12345_A_T')).toEqual({ chromosome: 'chr1', position1: 12345, ref: 'A', alt: 'T' })
  expect(readLocusInName('c1p37409')).toMatchObject({ chromosome: '1', position1: 37409 })
  expect(readLocusInName('rs12345')).toBeNull()
})
