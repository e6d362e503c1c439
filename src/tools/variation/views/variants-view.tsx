import { Download, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { readListValue, useAddressValues, viewPrefix } from '../../../kit/ui/address-values.ts'
import { browserAddress } from '../../../kit/ui/browser-address.ts'
import { Button, ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Card, Facts } from '../../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../../kit/ui/controls/empty-state.tsx'
import { GeneSetMenu } from '../../../kit/ui/controls/gene-set-picker.tsx'
import { Menu } from '../../../kit/ui/controls/menu.tsx'
import { useGathered } from '../../../kit/ui/gathered-files.ts'
import { EffectTag, useConsequenceName } from '../../../kit/ui/gene/consequence-mark.tsx'
import { GeneLink } from '../../../kit/ui/gene/gene-link.tsx'
import { useRegionLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../../kit/ui/table/result-table.tsx'
import { ColumnMenu, TableFrame } from '../../../kit/ui/table/table-frame.tsx'
import { downloadToolRoute, gatherToolTable } from '../../../kit/ui/tool/tool-route.ts'
import { affectedGenes } from '../affected-genes.ts'
import { alleleText, changesOf, frequencyOf, gravest, variationAddress } from '../effect-parts.tsx'
import messages from '../messages.ts'
import tool, {
  frequencySort,
  limits,
  populationSort,
  type ShownVariant,
  type VariantsResult,
  type VariationResult,
} from '../tool.ts'
import { LocusFigure } from './locus-figure.tsx'
import { MatrixCard } from './matrix-figure.tsx'
import { Share } from './share.tsx'

/** Groups whose frequencies are columns from the first; the bar says how many more there are. */
const shownGroups = 5
const pageSizes = [25, 50, 100, 200]
/** Genotypes, of a gene in a common panel, that are drawn without being asked for. */
const drawnAtOnce = 100_000
/** Bases on each side of a variant that its links show. */
const aroundBp = 5000
/** Bases around a variant where the genome browser opens. */
const browserMarginBp = 200

const variantName = ({ ids, key }: ShownVariant): string => ids[0] ?? key

const useVariantColumns = (
  assembly: string,
  set: string,
  known: boolean,
  populations: VariantsResult['populations'],
  /** A phone has room for the change of a protein and one more: its effect, or where there are several, its gene. */
  manyGenes: boolean,
): TableColumn<ShownVariant>[] => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useConsequenceName()
  return [
    {
      key: 'position',
      title: t('column.position'),
      kind: 'id',
      value: ({ sequence, position }) => `${sequence}:${position}`,
      on: ({ sequence }) => ({ assembly, sequence }),
      render: (row) => (
        <Link to={variationAddress({ assembly, set, id: row.key })}>
          <code className="variation-position">
            <span>{row.sequence}:</span>
            <wbr />
            <span>{format.number(row.position)}</span>
          </code>
        </Link>
      ),
    },
    { key: 'id', title: t('column.id'), kind: 'id', value: ({ ids }) => ids.join(', '), hidden: true },
    { key: 'alleles', title: t('column.alleles'), kind: 'id', value: alleleText },
    {
      key: 'effect',
      main: !manyGenes,
      title: t('column.effect'),
      value: (row) => {
        const name = gravest(row, known)
        return name === null ? null : nameOf(name)
      },
      render: (row) => {
        const name = gravest(row, known)
        return name === null ? <span className="nv-none">–</span> : <EffectTag name={name} />
      },
    },
    {
      key: 'gene',
      main: manyGenes,
      title: t('column.gene'),
      kind: 'id',
      value: ({ effects }) => [...new Set(effects.map(({ gene }) => gene))].join(', '),
      render: ({ effects }) => {
        const genes = new Map(effects.map((effect) => [effect.gene, effect.symbol]))
        return genes.size === 0 ? (
          <span className="nv-none">–</span>
        ) : (
          <span className="variation-genes">
            {[...genes].slice(0, 3).map(([id, symbol]) => (
              <GeneLink key={id} id={id} assembly={assembly} symbol={symbol} />
            ))}
          </span>
        )
      },
    },
    {
      key: 'change',
      main: true,
      title: t('column.change'),
      kind: 'id',
      value: ({ effects }) => changesOf(effects),
    },
    {
      key: 'frequency',
      title: t('column.frequency'),
      kind: 'number',
      digits: 3,
      help: t('column.frequencyHelp'),
      value: ({ alleles }) => frequencyOf(alleles),
      render: ({ alleles }) => <Share value={frequencyOf(alleles)} />,
    },
    ...populations.map(
      ({ name, samples }, at): TableColumn<ShownVariant> => ({
        key: `population-${at}`,
        title: name,
        kind: 'number',
        digits: 3,
        help: `${t('column.frequency')}, ${name} (n = ${samples})`,
        hidden: at >= shownGroups,
        value: ({ byPopulation }) => frequencyOf(byPopulation[at]),
        render: ({ byPopulation }) => <Share value={frequencyOf(byPopulation[at])} />,
      }),
    ),
    {
      key: 'missing',
      title: t('column.missing'),
      kind: 'number',
      digits: 3,
      value: ({ alleles }) => (alleles === null || alleles.samples === 0 ? null : alleles.missing / alleles.samples),
    },
    {
      key: 'quality',
      title: t('column.quality'),
      kind: 'number',
      digits: 1,
      hidden: true,
      value: ({ quality }) => quality,
    },
    { key: 'filter', title: t('column.filter'), hidden: true, value: ({ filters }) => filters.join(', ') },
  ]
}

const Record = ({
  variant,
  result,
  receipt,
}: {
  variant: ShownVariant
  result: VariationResult
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const nameOf = useConsequenceName()
  const { assembly, set } = result
  const found = result.variants!
  const from = Math.max(1, variant.position - aroundBp)
  const around = `${variant.sequence}:${from}-${variant.end + aroundBp}`
  const name = variantName(variant)
  const alleles = [variant.reference, ...variant.alternates]
  return (
    <>
      <Card title={t('record.title', { name })}>
        <Facts
          facts={[
            {
              name: t('record.locus'),
              value: (
                <code>
                  {regionOf(assembly, { sequence: variant.sequence, start: variant.position, end: variant.end })}
                </code>
              ),
            },
            { name: t('column.alleles'), value: <code className="variation-allele">{alleleText(variant)}</code> },
            ...(variant.ids.length === 0 ? [] : [{ name: t('column.id'), value: variant.ids.join(', ') }]),
            ...(variant.quality === null
              ? []
              : [{ name: t('column.quality'), value: format.number(variant.quality, 1) }]),
            { name: t('column.filter'), value: variant.filters.length === 0 ? 'PASS' : variant.filters.join(', ') },
            ...(variant.alleles === null
              ? []
              : [
                  {
                    name: t('column.frequency'),
                    value: alleles
                      .map(
                        (allele, at) =>
                          `${allele.slice(0, 12)}: ${variant.alleles!.called === 0 ? '–' : format.number(variant.alleles!.counts[at]! / variant.alleles!.called, 4)}`,
                      )
                      .join(', '),
                  },
                  {
                    name: t('column.missing'),
                    value: `${format.number(variant.alleles.missing)} / ${format.number(variant.alleles.samples)}`,
                  },
                ]),
          ]}
        />
        <div className="variation-actions">
          <ButtonLink
            to={browserAddress(
              { assembly, sequence: variant.sequence, start: variant.position, end: variant.end },
              { marginBp: browserMarginBp, more: { tracks: `variants-${set.id}` } },
            )}
          >
            {t('record.browser')}
          </ButtonLink>
          {set.ploidy === 0 ? null : (
            <ButtonLink to={variationAddress({ task: 'accessions', assembly, set: set.id, variants: variant.key })}>
              {t('record.accessions')}
            </ButtonLink>
          )}
          <ButtonLink to={variationAddress({ task: 'markers', assembly, set: set.id, id: variant.key })}>
            {t('record.marker')}
          </ButtonLink>
          <ButtonLink to={variationAddress({ assembly, set: set.id, region: around })}>{t('record.around')}</ButtonLink>
          <ButtonLink to={variationAddress({ task: 'ld', assembly, set: set.id, region: around })}>
            {t('record.ld')}
          </ButtonLink>
        </div>
      </Card>
      <LocusFigure found={found} assembly={assembly} set={set.id} receipt={receipt} />
      <Card title={t('record.effects')} flush={variant.effects.length > 0}>
        {variant.effects.length === 0 ? (
          <p className="nv-quiet">{t(set.consequences === null ? 'note.noEffects' : 'record.noEffects')}</p>
        ) : (
          <ResultTable
            label={t('record.effects')}
            name={`${name}-effects`}
            receipt={receipt}
            rows={variant.effects.map((effect, number) => ({ effect, number }))}
            rowKey={({ number }) => String(number)}
            gene={({ effect }) => ({ id: effect.gene, assembly })}
            columns={[
              {
                key: 'effect',
                title: t('column.effect'),
                value: ({ effect }) => effect.consequences.map(nameOf).join(', '),
                render: ({ effect }) => (
                  <span className="variation-genes">
                    {effect.consequences.map((one) => (
                      <EffectTag key={one} name={one} />
                    ))}
                  </span>
                ),
              },
              {
                key: 'allele',
                title: t('column.alleles'),
                kind: 'id',
                value: ({ effect }) => (effect.allele === null ? null : alleles[effect.allele]!.slice(0, 20)),
              },
              {
                key: 'gene',
                title: t('column.gene'),
                kind: 'id',
                value: ({ effect }) => effect.gene,
                render: ({ effect }) => <GeneLink id={effect.gene} assembly={assembly} symbol={effect.symbol} />,
              },
              {
                key: 'transcript',
                title: t('column.transcript'),
                kind: 'id',
                value: ({ effect }) => effect.transcript,
              },
              { key: 'change', title: t('column.change'), kind: 'id', value: ({ effect }) => changesOf([effect]) },
            ]}
          />
        )}
      </Card>
      {found.populations.length === 0 ? null : (
        <Card title={t('record.populations')} flush>
          <ResultTable
            plain
            label={t('record.populations')}
            name={`${name}-populations`}
            receipt={receipt}
            rows={found.populations.map((population, at) => ({ ...population, at }))}
            rowKey={({ name: one }) => one}
            columns={[
              { key: 'population', title: t('column.population'), value: (row) => row.name },
              { key: 'samples', title: t('column.samples'), kind: 'number', value: (row) => row.samples },
              ...alleles.map(
                (allele, number): TableColumn<{ name: string; samples: number; at: number }> => ({
                  key: `allele-${number}`,
                  title: allele.slice(0, 12),
                  kind: 'number',
                  digits: 4,
                  value: ({ at }) => {
                    const counts = variant.byPopulation[at]!
                    return counts.called === 0 ? null : counts.counts[number]! / counts.called
                  },
                }),
              ),
              {
                key: 'missing',
                title: t('column.missing'),
                kind: 'number',
                value: ({ at }) => variant.byPopulation[at]!.missing,
              },
            ]}
          />
        </Card>
      )}
      {found.genotypes === null ? null : (
        <Card title={t('record.genotypes')} flush>
          <ResultTable
            label={t('record.genotypes')}
            name={`${name}-genotypes`}
            receipt={receipt}
            rows={found.genotypes}
            rowKey={({ accession }) => accession}
            columns={[
              { key: 'accession', title: t('column.accession'), kind: 'id', value: ({ accession }) => accession },
              { key: 'population', title: t('column.population'), value: ({ population }) => population },
              {
                key: 'genotype',
                title: t('column.genotype'),
                kind: 'id',
                value: (row) =>
                  row.alleles
                    .map((allele) => (allele < 0 ? '.' : alleles[allele]!.slice(0, 20)))
                    .join(row.phased ? ' | ' : ' / '),
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}

export const VariantsView = ({
  result,
  filter,
  consequences,
  receipt,
  pending,
}: {
  result: VariationResult
  filter: Record<string, unknown>
  /** That were asked for. */
  consequences: readonly string[]
  receipt: Receipt
  pending: boolean
}): ReactNode => {
  const t = useText(messages)
  const [address, change] = useAddressValues()
  const { assembly, set } = result
  const found = result.variants!
  const pageGenes = [...new Set(found.rows.flatMap(({ effects }) => affectedGenes(effects, consequences)))]
  const genes = found.affected ?? pageGenes
  const columns = useVariantColumns(assembly, set.id, set.consequences !== null, found.populations, genes.length > 1)
  const [hidden, setHidden] = useState<Set<string>>(
    () => new Set(columns.filter((one) => one.hidden).map((one) => one.key)),
  )
  const single = found.rows.length === 1 && found.genotypes !== null
  const asked = typeof filter.id === 'string' && filter.id !== ''
  const isRecord = asked && found.rows.length === 1 && (single || found.genotypes === null)
  const name = `${assembly}-${set.id}`
  useGathered(async () =>
    isRecord || found.rows.length === 0
      ? null
      : gatherToolTable(
          { tool: tool.id, path: 'file', input: { format: 'tsv', filter } },
          { name: 'variants', shown: found.rows.length, of: found.total },
        ),
  )
  if (isRecord) return <Record variant={found.rows[0]!} result={result} receipt={receipt} />
  const hiddenGroups = found.populations.filter((_, at) => hidden.has(`population-${at}`)).length
  // What is ticked stays while another page, gene or region is looked at.
  const chosenName = `${viewPrefix}chosen.${assembly}.${set.id}`
  const chosen = new Set(readListValue(address, chosenName) ?? [])
  const choose = (keys: readonly string[], on: boolean): void => {
    const next = new Set(chosen)
    for (const key of keys) {
      if (on) next.add(key)
      else next.delete(key)
    }
    change({ [chosenName]: next.size === 0 ? null : [...next].join(',') }, true)
  }
  const sortable =
    set.ploidy === 0
      ? []
      : [
          { key: 'frequency', by: frequencySort },
          ...found.populations.map((population, at) => ({
            key: `population-${at}`,
            by: populationSort(population.name),
          })),
        ]
  const sorted = sortable.find(({ by }) => by === found.sort?.by)
  const passing = found.total ?? found.scanned?.passed ?? found.rows.length
  return (
    <>
      {set.consequences === null ? <p className="nv-warn">{t('note.noEffects')}</p> : null}
      {found.scanned !== null && found.scanned.looked < found.scanned.of ? (
        <p className="nv-warn">{t('note.scanned', found.scanned)}</p>
      ) : null}
      {found.loci.length === 1 && found.marks.length > 0 ? (
        <LocusFigure
          found={found}
          assembly={assembly}
          set={set.id}
          receipt={receipt}
          changes={new Map(found.rows.map((row) => [row.position, changesOf(row.effects)]))}
        />
      ) : null}
      <Card title={t('table.title')} flush>
        <TableFrame
          label={t('table.title')}
          busy={pending}
          columns={columns.filter(({ key }) => !hidden.has(key))}
          rows={found.rows}
          rowKey={({ key }) => key}
          selection={
            set.ploidy === 0
              ? undefined
              : {
                  selected: chosen,
                  onSelect: (key, on) => choose([key], on),
                  all: found.rows.length > 0 && found.rows.every(({ key }) => chosen.has(key)),
                  onAll: (on) =>
                    choose(
                      found.rows.map(({ key }) => key),
                      on,
                    ),
                  allLabel: t('chosen.all'),
                }
          }
          sort={sorted === undefined ? null : { key: sorted.key, descending: found.sort!.descending }}
          sortable={new Set(sortable.map(({ key }) => key))}
          onSort={(key) => {
            const by = sortable.find((one) => one.key === key)?.by
            // The most frequent first, then the rarest, then by position again.
            const next =
              by !== found.sort?.by
                ? { sort: by ?? null, descending: null }
                : found.sort?.descending === true
                  ? { sort: by ?? null, descending: 'false' }
                  : { sort: null, descending: null }
            change({ page: null, ...next })
          }}
          none={<EmptyState title={t('table.none')} why={t('table.noneWhy')} />}
          bar={
            <>
              <span className="nv-table-count">
                {found.total === null
                  ? t('table.foundMore', { found: passing })
                  : t('table.found', { total: found.total })}
              </span>
              {hiddenGroups === 0 ? null : (
                <span className="nv-quiet">
                  {t('table.hiddenGroups', { count: hiddenGroups, of: found.populations.length })}
                </span>
              )}
              {chosen.size === 0 ? null : (
                <span className="nv-table-selection">
                  <strong>{t('chosen.count', { count: chosen.size })}</strong>
                  {chosen.size > limits.chosen ? (
                    <span className="nv-warn">{t('chosen.tooMany', { limit: limits.chosen })}</span>
                  ) : (
                    <ButtonLink
                      size="small"
                      to={variationAddress({
                        task: 'accessions',
                        assembly,
                        set: set.id,
                        variants: [...chosen].join(','),
                      })}
                    >
                      {t('chosen.open', { count: chosen.size })}
                    </ButtonLink>
                  )}
                  <Button
                    size="small"
                    look="quiet"
                    aria-label={t('chosen.clear')}
                    title={t('chosen.clear')}
                    icon={<X size={14} aria-hidden />}
                    onClick={() => choose([...chosen], false)}
                  />
                </span>
              )}
              {genes.length > 0 ? <GeneSetMenu genes={genes.map((id) => ({ id, assembly }))} /> : null}
              {found.affected === null && genes.length > 0 ? (
                <span className="nv-quiet">{t('table.pageGenes')}</span>
              ) : null}
              <span className="nv-table-tools">
                <ColumnMenu columns={columns} hidden={hidden} onHidden={setHidden} />
                <Menu
                  size="small"
                  look="quiet"
                  icon={<Download size={15} aria-hidden />}
                  label={t('table.download')}
                  items={(['tsv', 'vcf'] as const).map((format) => ({
                    key: format,
                    label: format.toUpperCase(),
                    run: () => void downloadToolRoute(tool.id, 'file', { format, filter }, `${name}.${format}`),
                  }))}
                />
              </span>
            </>
          }
          pages={
            passing > pageSizes[0]! || found.page > 1
              ? {
                  page: found.page,
                  pages: Math.max(found.page, Math.ceil(passing / found.pageSize)),
                  onPage: (page) => change({ page: String(page) }),
                  size: {
                    value: found.pageSize,
                    sizes: pageSizes,
                    onSize: (pageSize) => change({ pageSize: String(pageSize), page: null }),
                  },
                }
              : null
          }
        />
      </Card>
      {set.ploidy > 0 && found.rows.length > 0 ? (
        <MatrixCard
          assembly={assembly}
          key={JSON.stringify(filter)}
          filter={filter}
          receipt={receipt}
          name={name}
          isSmall={found.total !== null && found.total * set.samples <= drawnAtOnce}
        />
      ) : null}
    </>
  )
}
