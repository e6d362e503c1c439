import type { Translate } from '../../kit/ui/language.tsx'
import type { TableColumn } from '../../kit/ui/table/result-table.tsx'
import type messages from './messages.ts'
import type { Feature, Protein, ProteinVariant } from './tool.ts'

/** A feature or a variant of a protein, as a row of the table behind the figure. */
export interface TabledRow {
  key: string
  protein: Pick<Protein, 'assembly' | 'gene' | 'transcript'>
  start: number
  end: number
  feature: Feature | null
  variant: ProteinVariant | null
}

export const tabledRows = (
  protein: Pick<Protein, 'assembly' | 'gene' | 'transcript' | 'features' | 'variants'>,
): TabledRow[] => [
  ...protein.features.map((feature, at) => ({
    key: `${protein.transcript} f${at}`,
    protein,
    start: feature.start,
    end: feature.end,
    feature,
    variant: null,
  })),
  ...protein.variants.map((variant, at) => ({
    key: `${protein.transcript} v${at}`,
    protein,
    start: variant.residue,
    end: variant.residue,
    feature: null,
    variant,
  })),
]

export const featureColumns = ({
  t,
  consequenceName,
  several = false,
}: {
  t: Translate<keyof (typeof messages)['en']>
  consequenceName: (name: string) => string
  /** Of several genes. */
  several?: boolean
}): TableColumn<TabledRow>[] => [
  ...(several
    ? [
        { key: 'assembly', title: t('column.assembly'), value: ({ protein }: TabledRow) => protein.assembly },
        { key: 'gene', title: t('column.gene'), kind: 'id' as const, value: ({ protein }: TabledRow) => protein.gene },
      ]
    : []),
  {
    key: 'transcript',
    title: t('column.transcript'),
    kind: 'id',
    value: ({ protein }) => protein.transcript,
    hidden: !several,
  },
  {
    key: 'kind',
    title: t('column.kind'),
    value: ({ feature, variant }) =>
      feature !== null ? t(`kind.${feature.kind}`) : variant !== null ? consequenceName(variant.consequence) : null,
  },
  { key: 'start', title: t('column.start'), kind: 'number', value: ({ start }) => start },
  { key: 'end', title: t('column.end'), kind: 'number', value: ({ end }) => end },
  {
    key: 'analysis',
    title: t('column.analysis'),
    value: ({ feature, variant }) => feature?.analysis ?? variant?.set ?? null,
  },
  {
    key: 'accession',
    title: t('column.accession'),
    kind: 'id',
    value: ({ feature }) => feature?.accession ?? null,
  },
  {
    key: 'position',
    title: t('column.position'),
    kind: 'id',
    value: ({ variant }) => (variant === null ? null : `${variant.sequence}:${variant.position}`),
    on: ({ protein, variant }) =>
      variant === null ? null : { assembly: protein.assembly, sequence: variant.sequence },
  },
  { key: 'name', title: t('column.name'), value: ({ feature, variant }) => feature?.name ?? variant?.change ?? null },
  { key: 'entry', title: t('column.entry'), kind: 'id', value: ({ feature }) => feature?.entry ?? null },
  { key: 'entryName', title: t('column.entryName'), value: ({ feature }) => feature?.entryName ?? null },
  {
    key: 'evalue',
    title: t('column.evalue'),
    kind: 'number',
    value: ({ feature }) => feature?.evalue ?? null,
    render: ({ feature }) => feature?.evalue?.toExponential(1) ?? '–',
  },
]
