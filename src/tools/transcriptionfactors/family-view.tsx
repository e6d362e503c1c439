import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { allFamilies, familyAddress } from './addresses.ts'
import { DomainFigure } from './domain-figure.tsx'
import { type FamiliesAnswer, listFamilyGenes } from './endpoints.ts'
import messages from './messages.ts'
import { ProteinTable } from './protein-table.tsx'
import { methodOf, ProvenanceNote } from './provenance.tsx'
import { expressionInWords, namedDomain } from './rules/domain-words.ts'
import type { StatedRule } from './tool.ts'

/** A rule in words, with what of it could not be looked at. */
const RuleFacts = ({
  rule,
  label,
  elsewhere,
}: {
  rule: StatedRule
  label: (domain: string) => string
  elsewhere: { assembly: string; name: string; count: number }[]
}): ReactNode => {
  const t = useText(messages)
  const words = (expression: string): string => expressionInWords(expression, t, label) || t('family.nothing')
  const unchecked = [...rule.missingAlternatives, ...rule.missingForbidden]
  const { description, citation, group, type, within } = rule
  return (
    <Facts
      facts={[
        ...(description === null ? [] : [{ name: t('column.description'), value: description, wide: true }]),
        { name: t('family.required'), value: words(rule.required), wide: true },
        { name: t('family.forbidden'), value: words(rule.forbidden), wide: true },
        { name: t('family.auxiliary'), value: words(rule.auxiliary), wide: true },
        ...(unchecked.length === 0
          ? []
          : [
              {
                name: t('column.status'),
                value: t('family.unchecked', { domains: unchecked.map(label).join(', ') }),
                wide: true,
              },
            ]),
        { name: t('column.type'), value: <span title={t('help.type')}>{type}</span> },
        ...(within.length === 0 ? [] : [{ name: t('column.within'), value: within.join(' > ') }]),
        ...(group === null ? [] : [{ name: t('column.group'), value: group }]),
        ...(citation === null ? [] : [{ name: t('column.citation'), value: citation }]),
        { name: t('column.rule'), value: <code>{rule.id}</code> },
        ...(elsewhere.length === 0
          ? []
          : [
              {
                name: t('family.elsewhere'),
                wide: true,
                value: elsewhere.map(({ assembly, name, count }, at) => (
                  <span key={assembly}>
                    {at === 0 ? '' : ' · '}
                    <Link to={familyAddress(assembly, rule.family)}>
                      {t('browse.matrixAssembly', { assembly: name, count })}
                    </Link>
                  </span>
                )),
              },
            ]),
      ]}
    />
  )
}

/** The genes of a family, or all factors, with their domains. */
export const FamilyView = ({
  assembly,
  family,
  assemblies,
}: {
  assembly: string
  family: string | null
  assemblies: FamiliesAnswer['assemblies']
}): ReactNode => {
  const t = useText(messages)
  const answer = useQuery({
    queryKey: ['tf-family', assembly, family],
    queryFn: (context) => call(listFamilyGenes, family === null ? { assembly } : { assembly, family }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })
  const receipt = useCatalogueReceipt(
    'transcriptionfactors',
    methodOf(answer.data?.about ?? null),
    useMemo(() => ({ assembly, family: family ?? allFamilies }), [assembly, family]),
    [assembly],
  )
  const proteins = useMemo(
    () => (answer.data?.genes ?? []).map((one) => ({ ...one, name: one.gene.id, symbol: one.gene.symbol })),
    [answer.data],
  )
  const back = (
    <ButtonLink size="small" look="quiet" to={familyAddress(assembly)} icon={<ArrowLeft size={14} aria-hidden />}>
      {t('family.back')}
    </ButtonLink>
  )
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  const { about, rules } = answer.data
  const name = assemblies.find((one) => one.assembly === assembly)?.name ?? assembly
  const label = namedDomain(about.labels)
  const own = rules.filter((rule) => rule.family === family)
  const elsewhere = assemblies
    .filter((one) => one.assembly !== assembly && family !== null)
    .map((one) => ({ assembly: one.assembly, name: one.name, count: one.counts[family!] ?? 0 }))
  const file = `${assembly}-${family ?? 'factors'}`
  const genes = proteins.map(({ gene }) => ({ id: gene.id, assembly }))
  const shown = receipt === undefined ? {} : { receipt }
  return (
    <div className="tf-stack">
      <Card
        title={
          family === null
            ? t('family.allGenes', { count: proteins.length, assembly: name })
            : t('family.genes', { family, count: proteins.length, assembly: name })
        }
        actions={
          <>
            {back}
            {genes.length === 0 ? null : <GeneSetMenu genes={genes} />}
          </>
        }
      >
        {own.map((rule) => (
          <RuleFacts key={rule.id} rule={rule} label={label} elsewhere={elsewhere} />
        ))}
        <ProvenanceNote about={about} />
      </Card>
      {proteins.length === 0 ? (
        <EmptyState title={t('family.empty', { assembly: name, family: family ?? '' })} why={t('family.emptyWhy')} />
      ) : (
        <>
          <Card title={t('table.genes')} flush>
            <ProteinTable
              proteins={proteins}
              name={file}
              {...shown}
              {...(about.source === 'annotation' ? { annotated: true } : {})}
            />
          </Card>
          <DomainFigure
            proteins={proteins}
            name={`${file}-domains`}
            {...shown}
            annotated={about.source === 'annotation'}
          />
        </>
      )}
    </div>
  )
}
