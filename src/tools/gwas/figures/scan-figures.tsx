import { type ReactNode, useState } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { useAddressValues, viewPrefix } from '../../../kit/ui/address-values.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Card, Tag } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Checkbox, Field, SelectField, TextInput } from '../../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../../kit/ui/controls/gene-set-picker.tsx'
import { GeneLink } from '../../../kit/ui/gene/gene-link.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../../kit/ui/table/result-table.tsx'
import { readLocus, type ScanSource, writeLocus } from '../addresses.ts'
import type { ScanView } from '../endpoints.ts'
import messages from '../messages.ts'
import type { AssociationHit, LocusView } from '../tool.ts'
import { ManhattanFigure } from './manhattan-figure.tsx'
import { pColumn, useScan, useScans, useTraitName } from './parts.tsx'
import { QuantileFigure } from './quantile-figure.tsx'
import { RegionFigure } from './region-figure.tsx'

const zoomKey = `${viewPrefix}zoom`
const regionKey = `${viewPrefix}region`
const leadKey = `${viewPrefix}lead`
const withKey = `${viewPrefix}with`
const thresholdKey = `${viewPrefix}threshold`
const linkedKey = `${viewPrefix}linked`
/** Hits of a locus have at least this r2 with the lead when loci are told apart by linkage (PLINK's --clump-r2 is 0.5, too). */
const clumpR2 = 0.5
const maxNamedGenes = 4

/** Threshold of the reader's own: written in the address, used once it is a p-value. */
const ThresholdField = ({ view, ran }: { view: ScanView; ran: boolean }): ReactNode => {
  const t = useText(messages)
  const [query, change] = useAddressValues()
  const [typed, setTyped] = useState(query.get(thresholdKey) ?? '')
  const wrong = typed !== '' && !(Number(typed) > 0 && Number(typed) <= 1)
  return (
    <Field label={t('threshold.label')} problems={wrong ? [t('threshold.wrong')] : []}>
      {(control) => (
        <TextInput
          {...control}
          className="gwas-threshold"
          title={
            view.trait.thresholdBy === null
              ? t('threshold.none')
              : t(`threshold.${ran ? 'run' : view.trait.thresholdBy}`, {
                  p: view.trait.threshold === null ? '' : view.trait.threshold.toExponential(2),
                })
          }
          inputMode="decimal"
          placeholder={view.threshold === null ? '' : view.threshold.toExponential(2)}
          value={typed}
          onChange={(event) => {
            const text = event.target.value.trim()
            setTyped(text)
            if (text === '' || (Number(text) > 0 && Number(text) <= 1))
              change({ [thresholdKey]: text === '' ? null : text }, true)
          }}
        />
      )}
    </Field>
  )
}

const LociTable = ({
  view,
  receipt,
  onOpen,
  opened,
}: {
  view: ScanView
  receipt?: Receipt | undefined
  onOpen: (locus: LocusView) => void
  opened: string | null
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query, change] = useAddressValues()
  const { assembly, loci } = view
  const genes = [...new Set(loci.flatMap(({ genes: own }) => own.map(({ id }) => id)))].map((id) => ({ id, assembly }))
  const first = [...new Set(loci.flatMap(({ genes: own }) => (own[0] === undefined ? [] : [own[0].id])))].map((id) => ({
    id,
    assembly,
  }))
  const columns: TableColumn<LocusView>[] = [
    { key: 'lead', title: t('column.lead'), kind: 'id', value: ({ lead }) => lead.id },
    {
      key: 'locus',
      title: t('column.locus'),
      kind: 'region',
      value: ({ lead, start, end }) => `${lead.sequence}:${start}..${end}`,
      on: ({ lead }) => ({ assembly: view.assembly, sequence: lead.sequence }),
    },
    {
      key: 'sequence',
      title: t('column.sequence'),
      kind: 'id',
      value: ({ lead }) => lead.sequence,
      on: ({ lead }) => ({ assembly: view.assembly, sequence: lead.sequence }),
      hidden: true,
    },
    { key: 'position', title: t('column.position'), kind: 'number', value: ({ lead }) => lead.position, hidden: true },
    pColumn(t('column.p'), ({ lead }) => lead.logP, { main: true }),
    { key: 'logP', title: t('column.logP'), kind: 'number', digits: 2, value: ({ lead }) => lead.logP, hidden: true },
    {
      key: 'alleles',
      title: t('column.alleles'),
      kind: 'id',
      value: ({ lead }) => (lead.effectAllele === null ? null : `${lead.otherAllele ?? '?'}>${lead.effectAllele}`),
    },
    { key: 'beta', title: t('column.beta'), kind: 'number', digits: 3, value: ({ lead }) => lead.beta },
    { key: 'se', title: t('column.se'), kind: 'number', digits: 3, value: ({ lead }) => lead.se, hidden: true },
    { key: 'maf', title: t('column.maf'), kind: 'number', digits: 3, value: ({ lead }) => lead.minorFrequency },
    { key: 'hits', title: t('column.hits'), kind: 'number', value: ({ hitCount }) => hitCount },
    {
      key: 'genes',
      title: t('column.genes'),
      main: true,
      help: t('help.genes'),
      value: ({ genes: own }) => own.map(({ id }) => id).join(' '),
      render: ({ genes: own, geneCount }) => (
        <span className="gwas-genes">
          {own.slice(0, maxNamedGenes).map((gene) => (
            <span key={gene.id}>
              <GeneLink id={gene.id} assembly={assembly} symbol={gene.symbol} />
              {gene.consequences[0] !== undefined ? (
                <Tag tone="blue" title={t('consequence.why')}>
                  {gene.consequences[0]}
                </Tag>
              ) : gene.distanceBp === 0 ? (
                <Tag>{t('gene.within')}</Tag>
              ) : (
                <span className="nv-quiet">{format.basePairs(gene.distanceBp)}</span>
              )}
            </span>
          ))}
          {geneCount > maxNamedGenes ? (
            <span className="nv-quiet">{t('genes.more', { count: geneCount - maxNamedGenes })}</span>
          ) : null}
          {geneCount === 0 ? <span className="nv-quiet">{t('genes.none')}</span> : null}
        </span>
      ),
    },
    {
      key: 'description',
      title: t('column.description'),
      value: ({ genes: own }) => own[0]?.description ?? null,
      long: true,
      hidden: true,
    },
  ]
  const linked = query.get(linkedKey) === '1'
  const isCut = loci.some((one) => one.geneCount > one.genes.length)
  return (
    <Card
      title={t('loci.title')}
      aside={t('loci.count', { count: loci.length })}
      flush
      actions={
        loci.length === 0 ? undefined : (
          <>
            <span className="nv-quiet">{t('loci.first')}</span>
            <GeneSetMenu genes={first} />
            <span className="nv-quiet">{t('loci.all', { count: genes.length, cut: String(isCut) })}</span>
            <GeneSetMenu genes={genes} />
          </>
        )
      }
      foot={
        <>
          <p className="nv-quiet">
            {t(view.linkage === null ? 'loci.method' : 'loci.methodLinked', {
              window: format.basePairs(view.windowBp),
              r2: clumpR2,
              set: view.linkage ?? '',
            })}
          </p>
          {view.lociCut ? <p className="nv-warn">{t('loci.cut', { count: loci.length })}</p> : null}
          <Checkbox checked={linked} onCheck={(checked) => change({ [linkedKey]: checked ? '1' : null }, true)}>
            {t('loci.linked', { r2: clumpR2 })}
          </Checkbox>
        </>
      }
    >
      <ResultTable
        label={t('loci.title')}
        name={`${view.assembly}-${view.trait.id}-loci`}
        {...(receipt === undefined ? {} : { receipt })}
        rows={loci}
        rowKey={({ lead }) => `${lead.sequence}:${lead.position}:${lead.id}`}
        columns={columns.filter(
          ({ hidden, value }) => hidden === true || loci.length === 0 || loci.some((row) => value(row) !== null),
        )}
        onRow={onOpen}
        marked={opened}
        gene={({ genes: own }) => (own[0] === undefined ? null : { id: own[0].id, assembly })}
        empty={
          <EmptyState
            title={t('loci.none')}
            why={t('loci.noneWhy', { p: view.threshold === null ? '–' : view.threshold.toExponential(2) })}
          />
        }
      />
    </Card>
  )
}

const HitsTable = ({
  view,
  receipt,
  onOpen,
}: {
  view: ScanView
  receipt?: Receipt | undefined
  onOpen: (hit: AssociationHit) => void
}): ReactNode => {
  const t = useText(messages)
  // Variants without an id of their own are named by their places.
  const isNamedByPlace = view.hits.every(({ id, sequence, position }) => id.startsWith(`${sequence}:${position}`))
  const columns: TableColumn<AssociationHit>[] = [
    {
      key: 'id',
      title: t('column.variant'),
      kind: isNamedByPlace ? 'region' : 'id',
      value: ({ id }) => id,
      // Where the name is the place, it says what the column of sequences would.
      ...(isNamedByPlace ? { on: ({ sequence }: AssociationHit) => ({ assembly: view.assembly, sequence }) } : {}),
    },
    {
      key: 'sequence',
      hidden: isNamedByPlace,
      title: t('column.sequence'),
      kind: 'id',
      value: ({ sequence }) => sequence,
      on: ({ sequence }) => ({ assembly: view.assembly, sequence }),
    },
    {
      key: 'position',
      title: t('column.position'),
      kind: 'number',
      value: ({ position }) => position,
      hidden: isNamedByPlace,
    },
    { key: 'effect', title: t('column.effectAllele'), kind: 'id', value: ({ effectAllele }) => effectAllele },
    { key: 'other', title: t('column.otherAllele'), kind: 'id', value: ({ otherAllele }) => otherAllele },
    pColumn(t('column.p'), ({ logP }) => logP, { main: true }),
    { key: 'logP', title: t('column.logP'), kind: 'number', digits: 2, value: ({ logP }) => logP },
    { key: 'beta', title: t('column.beta'), kind: 'number', digits: 3, value: ({ beta }) => beta },
    { key: 'se', title: t('column.se'), kind: 'number', digits: 3, value: ({ se }) => se },
    { key: 'af', title: t('column.af'), kind: 'number', digits: 3, value: ({ frequency }) => frequency, hidden: true },
    { key: 'maf', title: t('column.maf'), kind: 'number', digits: 3, value: ({ minorFrequency }) => minorFrequency },
    { key: 'n', title: t('column.samples'), kind: 'number', value: ({ samples }) => samples },
  ]
  // What no row has is no column to look at.
  const useful = columns.filter(({ value }) => view.hits.some((row) => value(row) !== null))
  return (
    <Card title={t('hits.title')} flush foot={<p className="nv-quiet">{t('hits.method', { count: view.hitCount })}</p>}>
      <ResultTable
        label={t('hits.title')}
        name={`${view.assembly}-${view.trait.id}-hits`}
        {...(receipt === undefined ? {} : { receipt })}
        rows={view.hits}
        total={view.trait.count}
        rowKey={(row) => `${row.id} ${row.sequence} ${row.position} ${row.effectAllele ?? ''}`}
        columns={useful}
        onRow={onOpen}
        initialSort={{ key: 'logP', descending: true }}
      />
    </Card>
  )
}

/** Everything that is drawn and told of a scan, loaded or run: the address holds what is looked at. */
export const ScanFigures = ({
  source,
  title,
  receipt,
  shown,
}: {
  source: ScanSource
  title: string
  receipt?: Receipt | undefined
  /** Told the answer, for headings. */
  shown?: (view: ScanView) => ReactNode
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query, change] = useAddressValues()
  const threshold = Number(query.get(thresholdKey))
  const answer = useScan(source, {
    threshold: threshold > 0 && threshold <= 1 ? threshold : undefined,
    minR2: query.get(linkedKey) === '1' ? clumpR2 : undefined,
  })
  const view = answer.data
  const list = useScans(view?.assembly ?? source.assembly)
  const nameOf = useTraitName(view?.assembly ?? source.assembly)
  const traits = (list.data?.sets ?? []).flatMap((set) =>
    set.traits.map((trait) => ({ set, trait, key: `${set.id}|${trait.id}` })),
  )
  const chosen = traits.find(({ key }) => key === query.get(withKey))
  const other: ScanSource | null =
    chosen === undefined || view === undefined
      ? null
      : { assembly: view.assembly, scan: chosen.set.id, trait: chosen.trait.id }
  const second = useScan(other)
  if (answer.isError) return <Unanswered of={answer} />
  if (view === undefined) return <Waiting />
  const zoom = readLocus(query.get(zoomKey))
  const asked = readLocus(query.get(regionKey))
  const best = view.loci[0]?.lead ?? view.trait.best
  const around = (sequence: string, position: number): { sequence: string; start: number; end: number } => ({
    sequence,
    start: Math.max(1, position - view.windowBp),
    end: position + view.windowBp,
  })
  const region = asked ?? (best === null ? null : around(best.sequence, best.position))
  const open = (sequence: string, position: number, lead: string | null): void => {
    change({ [regionKey]: writeLocus(around(sequence, position)), [leadKey]: lead })
    requestAnimationFrame(() =>
      document.getElementById('gwas-region')?.scrollIntoView({ block: 'nearest', behavior: 'smooth' }),
    )
  }
  const name = `${view.assembly}-${view.trait.id}`
  return (
    <>
      {shown?.(view)}
      {second.isError ? <Unanswered of={second} /> : null}
      <div className={view.trait.complete ? 'gwas-plots' : undefined}>
        <ManhattanFigure
          controls={
            <>
              <ThresholdField view={view} ran={source.job !== undefined} />
              {traits.length < (source.job === undefined ? 2 : 1) ? null : (
                <SelectField
                  label={t('miami.with')}
                  value={query.get(withKey) ?? ''}
                  onChoose={(key) => change({ [withKey]: key === '' ? null : key })}
                  options={[
                    { value: '', label: t('miami.none') },
                    ...traits
                      .filter(({ set, trait }) => set.id !== source.scan || trait.id !== view.trait.id)
                      .map(({ set, trait, key }) => ({
                        value: key,
                        label: nameOf(set.id, trait.id),
                        group: format.text(set.name),
                      })),
                  ]}
                />
              )}
            </>
          }
          halves={[
            { view, source, title },
            ...(other === null || second.data === undefined
              ? []
              : [{ view: second.data, source: other, title: nameOf(chosen!.set.id, chosen!.trait.id) }]),
          ]}
          zoom={zoom}
          onZoom={(interval) => change({ [zoomKey]: interval === null ? null : writeLocus(interval) })}
          onPick={(sequence, position) => open(sequence, position, null)}
          receipt={receipt}
          name={`${name}-manhattan`}
        />
        {view.trait.complete ? (
          <QuantileFigure view={view} name={name} receipt={receipt} />
        ) : (
          <p className="nv-quiet">{t('qq.hitsOnly')}</p>
        )}
      </div>
      <LociTable
        view={view}
        receipt={receipt}
        onOpen={({ lead }) => open(lead.sequence, lead.position, lead.id)}
        opened={
          region === null
            ? null
            : (view.loci
                .map(({ lead }) => `${lead.sequence}:${lead.position}:${lead.id}`)
                .find((key) => key.startsWith(`${region.sequence}:`) && key.endsWith(`:${query.get(leadKey) ?? ''}`)) ??
              null)
        }
      />
      {region === null ? null : (
        <RegionFigure
          source={source}
          assembly={view.assembly}
          segment={region}
          threshold={view.threshold}
          lead={query.get(leadKey)}
          onLead={(lead) => change({ [leadKey]: lead, [regionKey]: writeLocus(region) }, true)}
          onMove={(interval) => change({ [regionKey]: writeLocus(interval) }, true)}
          receipt={receipt}
          track={view.set === null ? undefined : `gwas-${view.set.id}`}
        />
      )}
      <HitsTable view={view} receipt={receipt} onOpen={({ sequence, position, id }) => open(sequence, position, id)} />
      {query.get(regionKey) === null && query.get(zoomKey) === null ? null : (
        <p>
          <Button
            size="small"
            look="quiet"
            onClick={() => change({ [regionKey]: null, [zoomKey]: null, [leadKey]: null })}
          >
            {t('view.reset')}
          </Button>
        </p>
      )}
    </>
  )
}
