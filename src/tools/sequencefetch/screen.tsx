import { Dna, Download, FlaskConical, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { parseRegion } from '../../bio/sequence/region.ts'
import { browserAddress } from '../../kit/ui/browser-address.ts'
import { AssemblyPicker } from '../../kit/ui/controls/assembly-picker.tsx'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox, Field, NumberInput, Segmented } from '../../kit/ui/controls/field.tsx'
import { textOf } from '../../kit/ui/controls/form-values.ts'
import { RegionInput, type RegionValue } from '../../kit/ui/controls/region-input.tsx'
import { useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { TextBox } from '../../kit/ui/controls/text-box.tsx'
import { useBiotypeName } from '../../kit/ui/gene/biology-names.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { SameLocusButton } from '../../kit/ui/gene/same-locus.tsx'
import { RoleOf, useLocusLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { SequenceView } from '../../kit/ui/gene/sequence-view.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { defineScreen, type FormProps, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { useToolList } from '../../kit/ui/tool/tool-list.ts'
import { downloadToolRoute } from '../../kit/ui/tool/tool-route.ts'
import messages from './messages.ts'
import tool, { batchCharacters, type FetchedRecord } from './tool.ts'

type Input = z.output<(typeof tool)['input']>
type Result = z.output<(typeof tool)['result']>

const positionOf = (value: unknown): number | string | undefined =>
  typeof value === 'number' ? value : textOf(value) || undefined

/** One region or a list: what is not shown is not sent. */
const Form = ({ values, onValues, problems }: FormProps): ReactNode => {
  const t = useText(messages)
  const [batch, setBatch] = useState(textOf(values.regions) !== '')
  const many = batch || textOf(values.regions) !== ''
  return (
    <>
      <Field label={t('field.assembly')} help={t('help.assembly')} problems={problems.assembly}>
        {(ids) => (
          <AssemblyPicker
            id={ids.id}
            value={textOf(values.assembly)}
            onChoose={(assembly) => onValues({ assembly })}
            describedBy={ids['aria-describedby']}
            invalid={ids['aria-invalid']}
          />
        )}
      </Field>
      <Segmented
        label={t('field.mode')}
        value={many ? 'batch' : 'one'}
        options={[
          { value: 'one', label: t('mode.one') },
          { value: 'batch', label: t('mode.batch') },
        ]}
        onChoose={(mode) => {
          setBatch(mode === 'batch')
          onValues(
            mode === 'batch' ? { sequence: undefined, start: undefined, end: undefined } : { regions: undefined },
          )
        }}
      />
      {many ? (
        <Field label={t('field.regions')} help={t('help.regions')} problems={problems.regions}>
          {(ids) => (
            <TextBox
              {...ids}
              rows={8}
              accept=".txt,.bed,.tsv,.list"
              max={batchCharacters}
              value={textOf(values.regions)}
              onText={(regions) => onValues({ regions })}
            />
          )}
        </Field>
      ) : (
        <Field
          label={t('field.sequence')}
          help={t('help.sequence')}
          problems={[...(problems.sequence ?? []), ...(problems.start ?? []), ...(problems.end ?? [])]}
        >
          {(ids) => (
            <RegionInput
              id={ids.id}
              invalid={ids['aria-invalid']}
              assembly={textOf(values.assembly)}
              value={boxesOf(values)}
              onValue={({ sequence, start, end }) => onValues({ sequence, start, end })}
            />
          )}
        </Field>
      )}
      <div className="nv-field">
        <Checkbox checked={values.annotate === true} onCheck={(annotate) => onValues({ annotate })}>
          {t('field.annotate')}
        </Checkbox>
      </div>
      <Field label={t('field.lineWidth')} help={t('help.lineWidth')} problems={problems.lineWidth}>
        {(ids) => (
          <NumberInput
            {...ids}
            min={0}
            max={100_000}
            step={1}
            value={textOf(values.lineWidth)}
            onNumber={(lineWidth) => onValues({ lineWidth })}
          />
        )}
      </Field>
    </>
  )
}

/** The three boxes; a region that an address has in one text is parted into them. A base alone cannot be told reversed in them. */
const boxesOf = (values: Record<string, unknown>): RegionValue => {
  const [sequence, start, end] = [textOf(values.sequence), positionOf(values.start), positionOf(values.end)]
  const read = start === undefined && end === undefined ? parseRegion(sequence) : null
  if (!read?.ok || (read.region.start1 === read.region.end1 && read.region.strand === '-'))
    return { sequence, start, end }
  const { sequenceName, start1, end1, strand } = read.region
  return strand === '-'
    ? { sequence: sequenceName, start: end1, end: start1 }
    : { sequence: sequenceName, start: start1, end: end1 }
}

const locusFieldsOf = ({ sequence, start, end, strand }: FetchedRecord) => ({ sequence, start, end, strand })

const Result = ({ input, result, receipt }: ResultProps<Input, Result>): ReactNode => {
  const t = useText(messages)
  const biotypeName = useBiotypeName()
  const format = useFormat()
  const placeOf = useLocusLabel()
  const tools = useToolList()
  const [chosen, setChosen] = useState(0)
  const [busy, setBusy] = useState(false)
  const { assembly, records } = result
  const record = records[Math.min(chosen, records.length - 1)]
  const text = useToolText(messages)
  const note = (one: { id: string; params: Record<string, string | number> }): string => text(one.id, one.params) ?? ''
  const download = async (): Promise<void> => {
    setBusy(true)
    const { annotate: _, ...regions } = input
    await downloadToolRoute(tool.id, 'fasta', { ...regions, skipInvalid: true }, `${assembly}.fa`)
    setBusy(false)
  }
  const fasta = (
    <Button
      look="primary"
      size="small"
      icon={<Download size={14} aria-hidden />}
      busy={busy}
      onClick={() => void download()}
    >
      {busy ? t('result.downloading') : t('result.download')}
    </Button>
  )
  if (record === undefined) return null
  // A query that fits an address; longer sequences are pasted from the file.
  const short = record.residues !== null && record.residues.length === record.lengthBp && record.lengthBp <= 1500
  const linkWith = (id: string, field: string, icon: ReactNode, label: string): ReactNode => {
    const target = tools.find((one) => one.id === id)
    return target === undefined || !short ? null : (
      <ButtonLink
        size="small"
        icon={icon}
        to={`${target.route}?${new URLSearchParams({ [field]: `>${record.header.split(' ')[0]}\n${record.residues}` })}`}
      >
        {label}
      </ButtonLink>
    )
  }
  return (
    <>
      {records.length > 1 ? (
        <Card title={t('result.sequences')} actions={fasta} flush>
          <ResultTable
            label={t('result.sequences')}
            name={`${assembly}-regions`}
            receipt={receipt}
            rows={records.map((one, index) => ({ ...one, index }))}
            rowKey={(row) => String(row.index)}
            onRow={(row) => setChosen(row.index)}
            marked={String(chosen)}
            columns={[
              { key: 'line', title: t('column.line'), value: (row) => row.line, kind: 'number' },
              {
                key: 'name',
                title: t('column.name'),
                value: (row) => row.name,
                kind: 'id',
                hidden: records.every((one) => one.name === null),
              },
              {
                key: 'sequence',
                title: t('column.sequence'),
                value: (row) => row.sequence,
                kind: 'id',
                on: ({ sequence }) => ({ assembly, sequence }),
              },
              { key: 'start', title: t('column.start'), value: (row) => row.start, kind: 'number' },
              { key: 'end', title: t('column.end'), value: (row) => row.end, kind: 'number' },
              { key: 'strand', title: t('column.strand'), value: (row) => row.strand, kind: 'id' },
              { key: 'length', title: t('column.length'), value: (row) => row.lengthBp, kind: 'number' },
              {
                key: 'gc',
                title: t('column.gc'),
                value: (row) => (row.gcFraction === null ? null : row.gcFraction * 100),
                kind: 'number',
                digits: 1,
              },
              {
                key: 'unknown',
                title: t('column.unknown'),
                value: (row) => row.unknownBp,
                kind: 'number',
                hidden: true,
              },
              { key: 'masked', title: t('column.masked'), value: (row) => row.maskedBp, kind: 'number', hidden: true },
              { key: 'genes', title: t('column.genes'), value: (row) => row.genes?.length ?? null, kind: 'number' },
              { key: 'notes', title: t('column.notes'), value: (row) => row.notes.map(note).join(' ') },
            ]}
          />
        </Card>
      ) : null}
      {result.problems.length > 0 ? (
        <Card title={t('result.badLines')} flush>
          <ResultTable
            label={t('result.badLines')}
            name={`${assembly}-bad-lines`}
            receipt={receipt}
            rows={result.problems}
            rowKey={(row) => String(row.line)}
            columns={[
              { key: 'line', title: t('column.line'), value: (row) => row.line, kind: 'number' },
              { key: 'text', title: t('column.text'), value: (row) => row.text, kind: 'id' },
              { key: 'reason', title: t('column.reason'), value: note },
            ]}
          />
        </Card>
      ) : null}
      <Card
        title={records.length > 1 ? placeOf(assembly, record) : t('result.sequence')}
        actions={
          <>
            <ButtonLink
              size="small"
              icon={<Search size={14} aria-hidden />}
              to={browserAddress({ assembly, ...locusFieldsOf(record) })}
            >
              {t('result.browse')}
            </ButtonLink>
            <SameLocusButton region={{ assembly, ...locusFieldsOf(record) }} />
            {linkWith('blast', 'query', <Dna size={14} aria-hidden />, t('result.blast'))}
            {linkWith('primerdesign', 'sequence', <FlaskConical size={14} aria-hidden />, t('result.primers'))}
            {records.length > 1 ? null : fasta}
          </>
        }
      >
        {record.notes.map((one) => (
          <p key={one.id} className="nv-warn">
            {note(one)}
          </p>
        ))}
        <Facts
          facts={[
            {
              name: t('fact.region'),
              value: (
                <>
                  <code>{format.locus(record)}</code>
                  <RoleOf assembly={assembly} sequence={record.sequence} />
                </>
              ),
            },
            { name: t('fact.strand'), value: t(record.strand === '-' ? 'strand.reverse' : 'strand.forward') },
            { name: t('fact.length'), value: `${format.number(record.lengthBp)} bp` },
            ...(record.gcFraction === null
              ? []
              : [{ name: t('fact.gc'), value: format.percent(record.gcFraction, 1) }]),
            ...(record.unknownBp === null || record.unknownBp === 0
              ? []
              : [{ name: t('fact.unknown'), value: `${format.number(record.unknownBp)} bp` }]),
            ...(record.maskedBp === null || record.maskedBp === 0
              ? []
              : [{ name: t('fact.masked'), value: format.percent(record.maskedBp / record.lengthBp, 1) }]),
          ]}
        />
        {record.residues === null ? (
          <EmptyState title={t('result.notShown')} />
        ) : (
          <>
            {record.residues.length < record.lengthBp ? (
              <p className="nv-warn">
                {t('result.shownPart', { shown: record.residues.length, total: record.lengthBp })}
              </p>
            ) : null}
            <div style={{ marginBlockStart: 'var(--space-4)' }}>
              <SequenceView key={chosen} sequence={record.residues} header={record.header} kind="nucleotide" />
            </div>
          </>
        )}
      </Card>
      {record.genes === null ? (
        result.annotatedAll ? null : (
          <p className="nv-quiet">{t('result.notAnnotated', { count: tool.limits.annotatedRegions! })}</p>
        )
      ) : (
        <Card title={t('result.genes')} flush={record.genes.length > 0}>
          {record.genesTruncated ? (
            <p className="nv-warn">{t('result.genesTruncated', { count: record.genes.length })}</p>
          ) : null}
          <ResultTable
            key={chosen}
            label={t('result.genes')}
            name={`${assembly}-${record.sequence}-${record.start}-${record.end}-genes`}
            receipt={receipt}
            rows={record.genes}
            rowKey={(gene) => gene.id}
            gene={(gene) => ({ id: gene.id, assembly: gene.assembly })}
            empty={<EmptyState title={t('result.noGenes')} why={t('result.noGenesWhy', { assembly })} />}
            columns={[
              {
                key: 'id',
                title: t('column.gene'),
                value: (gene) => gene.id,
                kind: 'id',
                render: (gene) => <GeneLink id={gene.id} assembly={gene.assembly} />,
              },
              { key: 'symbol', title: t('column.symbol'), value: (gene) => gene.symbol, kind: 'symbol' },
              { key: 'start', title: t('column.start'), value: (gene) => gene.start, kind: 'number' },
              { key: 'end', title: t('column.end'), value: (gene) => gene.end, kind: 'number' },
              { key: 'strand', title: t('column.strand'), value: (gene) => gene.strand, kind: 'id' },
              {
                key: 'biotype',
                title: t('column.biotype'),
                value: (gene) => gene.biotype,
                render: (gene) => biotypeName(gene.biotype),
                hidden: true,
              },
              {
                key: 'description',
                title: t('column.description'),
                value: (gene) => gene.description,
                long: true,
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}

const Headline = ({ result }: { result: Result }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const placeOf = useLocusLabel()
  const [only] = result.records
  const { assembly } = result
  return result.records.length === 1 && only !== undefined && result.problems.length === 0
    ? t('head.one', { length: format.basePairs(only.lengthBp), locus: placeOf(assembly, only), assembly })
    : t('head.many', {
        count: result.records.length,
        assembly,
        length: format.basePairs(result.totalBp),
        bad: result.problems.length,
      })
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form,
  Result,
  fields: { assembly: { needs: 'genome' } },
  headline: ({ result }) => <Headline result={result} />,
})
