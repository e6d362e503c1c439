import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Card, Facts } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered } from '../../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../../kit/ui/controls/expression-fields.tsx'
import { EffectTag } from '../../../kit/ui/gene/consequence-mark.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { useAssemblies } from '../../../kit/ui/portal-data.ts'
import { addressOf } from '../../../kit/ui/request.ts'
import { variationAddress } from '../effect-parts.tsx'
import { useSets } from '../form.tsx'
import messages from '../messages.ts'

const shownEffects = 12

/** What is loaded for the assembly of the form, before anything is asked. */
export const StartView = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query] = useSearchParams()
  const assemblies = useAssemblies()
  const loaded = assemblies.filter((one) => (one.dataTypes.variants ?? 0) > 0)
  const assembly = query.get('assembly') ?? loaded[0]?.id ?? ''
  const setsAnswer = useSets(assembly)
  const known = setsAnswer.data
  if (loaded.length === 0) return <EmptyState title={t('start.title')} why={t('panel.add')} />
  if (!loaded.some(({ id }) => id === assembly))
    return <EmptyState title={t('problem.noVariants', { assembly })} why={t('panel.add')} />
  if (setsAnswer.isError) return <Unanswered of={setsAnswer} />
  return (
    <>
      {(known?.sets ?? []).map((set) => (
        <Card
          key={set.id}
          title={format.text(set.name)}
          aside={<SimulatedTag simulated={set.simulated} />}
          actions={<a href={addressOf(`/download?assembly=${encodeURIComponent(assembly)}`)}>{t('start.download')}</a>}
        >
          {set.description === null ? null : <p className="nv-quiet">{format.text(set.description)}</p>}
          <Facts
            facts={[
              { name: t('start.sites'), value: format.number(set.sites) },
              { name: t('start.samples'), value: format.number(set.samples) },
              { name: t('start.ploidy'), value: set.ploidy === 0 ? '–' : format.number(set.ploidy) },
              ...Object.entries(set.types).map(([type, count]) => ({
                name: t(`option.types.${type}` as 'option.types.snv'),
                value: format.number(count),
              })),
            ]}
          />
          <p className="variation-genes">
            {set.consequences === null
              ? t('start.noEffects')
              : Object.entries(set.consequences.counts)
                  .slice(0, shownEffects)
                  .map(([name, count]) => (
                    <Link key={name} to={variationAddress({ assembly, set: set.id, consequences: name })}>
                      <EffectTag name={name} /> {format.number(count)}
                    </Link>
                  ))}
          </p>
        </Card>
      ))}
    </>
  )
}
