import { Download, X } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { familyClasses } from '../../bio/comparative/pan-genome.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { readListValue, useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox, SelectField } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { geneStatesAddress } from '../../kit/ui/gene/gene-states.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { downloadToolRoute } from '../../kit/ui/tool/tool-route.ts'
import {
  classesByCount,
  type Matrix,
  type NamedFamilies,
  type NamedFamily,
  useClassBounds,
  useFamilyGenes,
  useGenesOf,
} from './families.ts'
import { FamilyLinks } from './family-links.tsx'
import messages from './messages.ts'
import tool, { type PanGenome } from './tool.ts'

/** Beyond this many assemblies, those without a gene are counted, not named. */
const maxNamed = 24
/** Genes that go to a tool in one set. */
const maxSent = 50_000

const names = { class: `${viewPrefix}class`, present: `${viewPrefix}present`, absent: `${viewPrefix}absent` } as const

/** All families with a gene that stands for each, by class and by where they are. */
export const FamilyTable = ({
  result,
  matrix,
  families,
  chosen,
  onClear,
  receipt,
}: {
  result: PanGenome
  matrix: Matrix
  families: NamedFamilies | undefined
  chosen: readonly number[]
  onClear: () => void
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const assemblyName = useAssemblyNames()
  const [query, change] = useAddressValues()
  const [bounds] = useClassBounds()
  const [genesOf] = useGenesOf(result)
  const familyGenes = useFamilyGenes(genesOf)
  const ids = useMemo(() => result.assemblies.map(({ id }) => id), [result.assemblies])
  const wantedClass = familyClasses.find((kind) => kind === query.get(names.class)) ?? null
  const listOf = (name: string): string[] => (readListValue(query, name) ?? []).filter((id) => ids.includes(id))
  const asked = { present: listOf(names.present), absent: listOf(names.absent) }
  const askedKey = `${asked.present.join()}|${asked.absent.join()}`
  const { core, softCore, private: max } = bounds
  const classes = useMemo(
    () => classesByCount(ids.length, { core, softCore, private: max }),
    [ids.length, core, softCore, max],
  )
  const has = useMemo(() => {
    const indexes = new Map(ids.map((id, at) => [id, at]))
    return (row: NamedFamily, id: string): boolean => {
      const at = matrix.placeOf.get(row.family)
      // What is not drawn is in one assembly alone: that of the gene that stands for it.
      return at === undefined ? row.assembly === id : matrix.at(at, indexes.get(id)!) > 0
    }
  }, [ids, matrix])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists come through their text.
  const rows = useMemo(() => {
    const only = chosen.length === 0 ? null : new Set(chosen)
    return (families?.list ?? []).filter(
      (row) =>
        (only === null || only.has(row.family)) &&
        (wantedClass === null || classes[row.present] === wantedClass) &&
        asked.present.every((id) => has(row, id)) &&
        !asked.absent.some((id) => has(row, id)),
    )
  }, [families, chosen, wantedClass, classes, has, askedKey])
  const genes = useMemo(
    () =>
      rows
        .flatMap(({ family }) => familyGenes?.get(family) ?? [])
        .slice(0, maxSent)
        .map((id) => ({ id, assembly: genesOf })),
    [rows, familyGenes, genesOf],
  )
  const partial = new Set(result.assemblies.flatMap((one) => (one.partial ? [one.id] : [])))
  const columns: TableColumn<NamedFamily>[] = [
    {
      key: 'family',
      title: t('column.family'),
      kind: 'id',
      value: ({ id }) => id,
      render: (row) => <FamilyLinks family={row.id} gene={row.gene} assembly={row.assembly} />,
    },
    { key: 'class', title: t('column.class'), value: ({ present }) => t(`class.${classes[present]!}`) },
    { key: 'present', title: t('column.present'), kind: 'number', value: ({ present }) => present },
    { key: 'genes', title: t('column.genes'), kind: 'number', value: (row) => row.genes },
    { key: 'max', title: t('column.max'), kind: 'number', hidden: true, value: (row) => row.max },
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: ({ gene }) => gene,
      render: ({ gene, assembly }) => <GeneLink id={gene} assembly={assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ symbol }) => symbol },
    { key: 'description', title: t('column.description'), long: true, value: ({ description }) => description },
    {
      key: 'missing',
      title: t('column.missing'),
      help: t('help.missing'),
      value: (row) => {
        if (row.present === ids.length) return ''
        const missing = ids.filter((id) => !has(row, id))
        return missing.length > maxNamed
          ? format.number(missing.length)
          : format.series(
              missing.map((id) => (partial.has(id) ? `${assemblyName(id)} (${t('set.partial')})` : assemblyName(id))),
            )
      },
    },
    {
      key: 'itself',
      title: t('families.gene'),
      help: t('help.geneItself'),
      value: () => null,
      render: ({ gene, assembly }) => <Link to={geneStatesAddress(gene, assembly)}>{t('families.geneOpen')}</Link>,
    },
    {
      key: 'assembly',
      title: t('column.assembly'),
      hidden: true,
      value: ({ assembly }) => assemblyName(assembly),
    },
  ]
  const chooser = (kind: 'present' | 'absent'): ReactNode => (
    <div className="pan-asked">
      <SelectField
        label={t(`families.${kind}`)}
        value=""
        onChoose={(id) => {
          if (id !== '') change({ [names[kind]]: [...asked[kind], id].join(',') })
        }}
        options={[
          { value: '', label: t('families.add') },
          ...ids
            .filter((id) => !asked.present.includes(id) && !asked.absent.includes(id))
            .map((id) => ({ value: id, label: assemblyName(id) })),
        ]}
      />
      {asked[kind].map((id) => (
        <Button
          key={id}
          size="small"
          look="quiet"
          icon={<X size={13} aria-hidden />}
          title={t('families.remove', { assembly: assemblyName(id) })}
          onClick={() => {
            const rest = asked[kind].filter((one) => one !== id)
            change({ [names[kind]]: rest.length === 0 ? null : rest.join(',') })
          }}
        >
          {assemblyName(id)}
        </Button>
      ))}
    </div>
  )
  const inputOf = (cells: 'genes' | 'counts') => ({ assemblies: ids, cells, ...bounds })
  const download = (cells: 'genes' | 'counts'): void =>
    void downloadToolRoute(tool.id, 'file', inputOf(cells), `gene-families-${cells}.tsv`)
  return (
    <Card
      id="families"
      title={t('families.title')}
      aside={families === undefined ? undefined : t('families.shown', { count: rows.length })}
      flush
      actions={
        <>
          {genes.length === 0 ? null : <GeneSetMenu genes={genes} />}
          <Menu
            look="quiet"
            size="small"
            icon={<Download size={14} aria-hidden />}
            label={t('families.file')}
            items={[
              { key: 'genes', label: t('families.fileGenes'), run: () => download('genes') },
              { key: 'counts', label: t('families.fileCounts'), run: () => download('counts') },
            ]}
          />
        </>
      }
    >
      <div className="pan-bar pan-inset">
        <SelectField
          label={t('families.class')}
          value={wantedClass ?? ''}
          onChoose={(kind) => change({ [names.class]: kind === '' ? null : kind })}
          options={[
            { value: '', label: t('families.all') },
            ...familyClasses.map((kind) => ({ value: kind, label: t(`class.${kind}`) })),
          ]}
        />
        {chooser('present')}
        {chooser('absent')}
        {chosen.length === 0 ? null : (
          <Checkbox checked onCheck={onClear}>
            {t('families.onlyChosen', { count: chosen.length })}
          </Checkbox>
        )}
      </div>
      {families === undefined ? (
        <Waiting />
      ) : (
        <>
          {families.total > families.list.length ? (
            <p className="nv-quiet pan-inset">
              {t('families.cut', { shown: families.list.length, total: families.total })}
            </p>
          ) : null}
          <p className="nv-quiet pan-inset">{t('families.notTheGene')}</p>
          <ResultTable
            columns={columns}
            rows={rows}
            rowKey={({ family }) => String(family)}
            name="gene-families"
            receipt={receipt}
            whole={{ tool: tool.id, path: 'file', input: inputOf('genes'), of: families.total }}
            gene={({ gene, assembly }) => ({ id: gene, assembly })}
            label={t('families.title')}
            empty={<EmptyState title={t('families.none')} why={t('families.noneWhy')} />}
          />
        </>
      )}
    </Card>
  )
}
