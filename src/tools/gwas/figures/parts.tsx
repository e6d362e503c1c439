import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import type { TableColumn } from '../../../kit/ui/table/result-table.tsx'
import { ToolPages } from '../../../kit/ui/tool/tool-pages.tsx'
import { addressWith, type ScanSource } from '../addresses.ts'
import { getScan, listScans } from '../endpoints.ts'
import messages from '../messages.ts'
import type { AssociationRun, LocusView } from '../tool.ts'

export const ScanNav = ({ now, assembly }: { now: 'overview' | 'locus'; assembly: string }): ReactNode => {
  const t = useText(messages)
  const pages = [
    { key: 'overview', to: addressWith({ assembly }), title: t('title') },
    { key: 'locus', to: `${addressWith({ assembly })}&locus=`.replace('?&', '?'), title: t('nav.locus') },
  ]
  return <ToolPages label={t('nav.label')} pages={pages} now={now} />
}

export const useScans = (assembly: string | undefined) =>
  useQuery({
    queryKey: ['gwas-scans', assembly ?? ''],
    queryFn: (context) => call(listScans, assembly === undefined || assembly === '' ? {} : { assembly }, context),
    staleTime: 60_000,
    retry: false,
  })

/** A p-value within a sentence: no line is broken after its minus sign (U+2060, word joiner). */
export const pInLine = (logP: number): string => pText(logP).replace('e-', 'e-\u2060')

/** The best candidate gene of the locus of a test, for the headline. */
export const geneOf = (best: { id: string } | null, loci: readonly LocusView[]): string => {
  const gene = loci.find(({ lead }) => lead.id === best?.id)?.genes[0]
  return gene === undefined ? 'none' : (gene.symbol ?? gene.id)
}

/** A trait as the phenotypes that its table was made of name it; else by its id. */
export const useTraitName = (assembly: string | undefined): ((set: string, trait: string) => string) => {
  const format = useFormat()
  const { data } = useScans(assembly)
  return (set, trait) => {
    const of = data?.sets.find(({ id }) => id === set)?.phenotypes ?? null
    const named = data?.phenotypes.find(({ id }) => id === of)?.traits.find(({ id }) => id === trait)
    return named === undefined ? trait : format.text(named.name)
  }
}

/** Beyond these the genomic inflation factor is told of: what passes 1.1 is commonly held to be inflated. */
const calmLambda = [0.9, 1.1] as const
/** Alleles called in all samples for each pattern among them, from which on they are said to be inherited together. */
const sharedPattern = 2

/** What an unusual λ means, and what may be wrong. */
export const LambdaNote = ({
  lambda,
  patterns,
}: {
  lambda: number | null
  patterns?: AssociationRun['patterns']
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const unusual = lambda !== null && (lambda < calmLambda[0] || lambda > calmLambda[1])
  const shared = patterns != null && patterns.of >= sharedPattern * patterns.count
  if (!unusual) return null
  return (
    <div className="nv-banner nv-banner-warn gwas-lambda" role="note">
      <p>
        <strong>{t(lambda < 1 ? 'lambda.low' : 'lambda.high', { lambda: format.fixed(lambda, 2) })}</strong>{' '}
        {t(lambda < 1 ? 'lambda.lowWhy' : 'lambda.highWhy')}
      </p>
      {shared ? <p>{t('lambda.patterns', patterns)}</p> : null}
    </div>
  )
}

/** What asks for a scan: only what its source has. */
export const sourceInput = ({ assembly, scan, trait, job }: ScanSource): Record<string, string> =>
  job !== undefined
    ? { job }
    : Object.fromEntries(
        Object.entries({ assembly, scan, trait }).filter((pair): pair is [string, string] => pair[1] !== undefined),
      )

export const useScan = (
  source: ScanSource | null,
  options: { threshold?: number | undefined; minR2?: number | undefined } = {},
) =>
  useQuery({
    queryKey: ['gwas-scan', JSON.stringify(source), JSON.stringify(options)],
    enabled: source !== null,
    queryFn: (context) =>
      call(
        getScan,
        {
          ...sourceInput(source!),
          ...(options.threshold === undefined ? {} : { threshold: options.threshold }),
          ...(options.minR2 === undefined ? {} : { minR2: options.minR2 }),
        },
        context,
      ),
    staleTime: 10 * 60_000,
    placeholderData: (before, query) => (query?.queryKey[1] === JSON.stringify(source) ? before : undefined),
    retry: false,
  })

/** A p-value of its -log10 with two digits that count, in words that also hold below 1e-308: `0.30`, `0.0021`, `1.2e-400`. */
export const pText = (logP: number): string => {
  if (logP < 3) return (10 ** -logP).toPrecision(2)
  const exponent = Math.ceil(logP - 1e-9)
  return `${(10 ** (exponent - logP)).toFixed(1)}e-${exponent}`
}

/**
 * Column of p-values by their -log10, which orders the rows: numbers to files and filters, on the page as `pText` writes them. What is below
 * the least number that a computer has is 0 in files.
 */
export const pColumn = <Row,>(
  title: string,
  logPOf: (row: Row) => number | null,
  more: Partial<TableColumn<Row>> = {},
): TableColumn<Row> => ({
  key: 'p',
  title,
  kind: 'pValue',
  value: (row) => {
    const logP = logPOf(row)
    return logP === null ? null : 10 ** -logP
  },
  order: (row) => {
    const logP = logPOf(row)
    return logP === null ? null : -logP
  },
  render: (row) => {
    const logP = logPOf(row)
    return logP === null ? '–' : pText(logP)
  },
  ...more,
})
