import { useQuery } from '@tanstack/react-query'
import { Download, List } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { NoDataState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { downloadText } from '../../kit/ui/table/export.ts'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { allFamilies, familyAddress, viewNames } from './addresses.ts'
import { type FamiliesAnswer, getRuleFile, listFamilies } from './endpoints.ts'
import { FamilyBars } from './family-bars.tsx'
import { FamilyView } from './family-view.tsx'
import messages from './messages.ts'
import { methodOf, ProvenanceNote } from './provenance.tsx'
import { expressionInWords, namedDomain } from './rules/domain-words.ts'
import type { StatedRule } from './tool.ts'

/** Families of an assembly, or one of them, as the address says. */
export const Browse = (): ReactNode => {
  const [query] = useAddressValues()
  const assembly = query.get(viewNames.assembly) ?? undefined
  const family = query.get(viewNames.family)
  const t = useText(messages)
  const answer = useQuery({
    queryKey: ['tf-families', assembly ?? ''],
    queryFn: (context) => call(listFamilies, assembly === undefined ? {} : { assembly }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  if (answer.data.assembly === null) return <NoDataState title={t('browse.none')} how={t('browse.noneWhy')} />
  return family === null ? (
    <Overview answer={answer.data} assembly={answer.data.assembly} />
  ) : (
    <FamilyView
      assembly={answer.data.assembly}
      family={family === allFamilies ? null : family}
      assemblies={answer.data.assemblies}
    />
  )
}

const Overview = ({ answer, assembly }: { answer: FamiliesAnswer; assembly: string }): ReactNode => {
  const t = useText(messages)
  const [, change] = useAddressValues()
  const { assemblies, about, rules } = answer
  const own = assemblies.find((one) => one.assembly === assembly)!
  const receipt = useCatalogueReceipt(
    'transcriptionfactors',
    methodOf(about),
    useMemo(() => ({ assembly }), [assembly]),
    [assembly],
  )
  const open = (family: string): void => change({ [viewNames.family]: family, [viewNames.assembly]: assembly })
  const counts = Object.entries(own.counts)
    .map(([family, count]) => ({ family, count }))
    .sort((a, b) => b.count - a.count || (a.family < b.family ? -1 : 1))
  const unsearched = rules.filter(({ missing }) => missing.length > 0).length
  const saveRules = async (): Promise<void> => {
    const { text } = await call(getRuleFile, { assembly })
    downloadText(text, `${assembly}-family-rules.txt`, 'text/plain')
  }
  return (
    <div className="tf-stack">
      <Card
        title={t('browse.head', { assembly: own.name, total: own.total, families: counts.length })}
        actions={
          <>
            {own.total === 0 ? null : (
              <ButtonLink
                size="small"
                look="quiet"
                to={familyAddress(assembly, allFamilies)}
                icon={<List size={14} aria-hidden />}
              >
                {t('browse.all')}
              </ButtonLink>
            )}
            <Button
              size="small"
              look="quiet"
              icon={<Download size={14} aria-hidden />}
              onClick={() => void saveRules()}
            >
              {t('browse.rules')}
            </Button>
          </>
        }
      >
        {assemblies.length > 1 ? (
          <div className="tf-choose">
            <SelectField
              label={t('browse.assembly')}
              value={assembly}
              onChoose={(value) => change({ [viewNames.assembly]: value })}
              options={assemblies.map((one) => ({
                value: one.assembly,
                label: `${one.name} (${one.total})`,
                group: one.speciesName,
              }))}
            />
          </div>
        ) : null}
        {about === null ? null : <ProvenanceNote about={about} />}
        {unsearched === 0 || about?.source === 'annotation' ? null : (
          <p className="nv-warn">{t('browse.unsearched', { count: unsearched, total: rules.length })}</p>
        )}
        {own.partial ? <p className="nv-quiet">{t('browse.partial')}</p> : null}
      </Card>
      {counts.length === 0 ? null : (
        <FamilyBars
          counts={counts}
          name={`${assembly}-factor-families`}
          {...(receipt === undefined ? {} : { receipt })}
          onOpen={open}
        />
      )}
      <Card title={t('browse.table')} flush>
        <FamilyTable answer={answer} assembly={assembly} rules={rules} receipt={receipt} />
      </Card>
    </div>
  )
}

/** Columns of other assemblies that are shown at first. */
const shownAssemblies = 3

const FamilyTable = ({
  answer,
  assembly,
  rules,
  receipt,
}: {
  answer: FamiliesAnswer
  assembly: string
  rules: StatedRule[]
  receipt: Parameters<typeof FamilyBars>[0]['receipt']
}): ReactNode => {
  const t = useText(messages)
  const label = namedDomain(answer.about?.labels ?? {})
  const named = (expression: string): string => expressionInWords(expression, t, label)
  const own = answer.assemblies.find((one) => one.assembly === assembly)!
  const count = ({ family }: StatedRule): number => own.counts[family] ?? 0
  // A family that was not looked for has not none: it is not known how many.
  const known = (rule: StatedRule, counts: Record<string, number>): number | null =>
    counts[rule.family] ?? (rule.missing.length > 0 ? null : 0)
  const state = (rule: StatedRule): string =>
    rule.missing.length > 0
      ? t('status.missing', { domains: rule.missing.map(label).join(', ') })
      : t(count(rule) === 0 ? 'status.none' : 'status.found')
  const others = answer.assemblies.filter((one) => one.assembly !== assembly)
  const columns: TableColumn<StatedRule>[] = [
    {
      key: 'family',
      title: t('column.family'),
      value: ({ family }) => family,
      render: (rule) =>
        count(rule) === 0 ? rule.family : <Link to={familyAddress(assembly, rule.family)}>{rule.family}</Link>,
    },
    { key: 'within', title: t('column.within'), hidden: true, value: ({ within }) => within.join(' > ') },
    { key: 'count', title: t('column.count'), kind: 'number', value: (rule) => known(rule, own.counts) },
    { key: 'status', title: t('column.status'), value: state },
    ...others.map(
      (other, at): TableColumn<StatedRule> => ({
        key: `in-${other.assembly}`,
        title: other.name,
        kind: 'number',
        hidden: at >= shownAssemblies,
        value: (rule) => known(rule, other.counts),
      }),
    ),
    {
      key: 'unchecked',
      title: t('column.unchecked'),
      help: t('help.unchecked'),
      hidden: true,
      value: (rule) => [...rule.missingAlternatives, ...rule.missingForbidden].map(label).join(', ') || null,
    },
    { key: 'type', title: t('column.type'), help: t('help.type'), value: ({ type }) => type },
    { key: 'required', title: t('column.required'), long: true, value: ({ required }) => named(required) },
    {
      key: 'forbidden',
      title: t('column.forbidden'),
      long: true,
      hidden: true,
      value: ({ forbidden }) => named(forbidden) || null,
    },
    {
      key: 'auxiliary',
      title: t('column.auxiliary'),
      long: true,
      hidden: true,
      value: ({ auxiliary }) => named(auxiliary) || null,
    },
    { key: 'description', title: t('column.description'), long: true, value: ({ description }) => description },
    { key: 'group', title: t('column.group'), hidden: true, value: ({ group }) => group },
    { key: 'citation', title: t('column.citation'), hidden: true, value: ({ citation }) => citation },
    { key: 'rule', title: t('column.rule'), kind: 'id', hidden: true, value: ({ id }) => id },
  ]
  return (
    <ResultTable
      label={t('browse.table')}
      name={`${assembly}-families`}
      {...(receipt === undefined ? {} : { receipt })}
      columns={columns}
      rows={[...rules].sort((a, b) => count(b) - count(a) || a.missing.length - b.missing.length)}
      rowKey={({ id }) => id}
    />
  )
}
