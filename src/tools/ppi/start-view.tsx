import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import messages from './messages.ts'
import { interactionData } from './stored.ts'
import tool from './tool.ts'
import { useInteractions } from './use-datasets.ts'

const listed = 8

/** Before anything is run: what is loaded, what of it found no gene, and genes to begin with. */
export const StartView = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const assemblyName = useAssemblyNames()
  const [query] = useAddressValues()
  const first = useAssemblies().find(({ dataTypes }) => (dataTypes[interactionData] ?? 0) > 0)?.id
  const assembly = query.get('assembly') ?? first
  const setsAnswer = useInteractions(assembly)
  const known = setsAnswer.data
  const sets = [
    ...(known?.datasets ?? []).map((dataset) => ({ assembly: assembly!, dataset })),
    ...(known?.datasets.length === 0 ? known.sources : []),
  ]
  if (setsAnswer.isError) return <Unanswered of={setsAnswer} />
  if (sets.length === 0) return null
  return (
    <Card title={t('start.title')}>
      <ul className="ppi-sets">
        {sets.map(({ assembly: of, dataset }) => (
          <li key={`${of}/${dataset.id}`}>
            <strong>{format.text(dataset.name)}</strong>{' '}
            <SimulatedTag simulated={dataset.simulated} beside={dataset.name} />
            <p>
              {assemblyName(of)}:{' '}
              {t('start.count', { interactions: dataset.interactionCount, genes: dataset.geneCount })}
              {dataset.licence === null ? '' : ` (${dataset.licence})`}
            </p>
            <p className="nv-quiet">{format.text(dataset.description)}</p>
            {dataset.unmatchedCount === 0 ? null : (
              <p className="nv-quiet">
                {t('start.unmatched', {
                  count: dataset.unmatchedCount,
                  total: dataset.proteinCount,
                  names: `${dataset.unmatched.slice(0, listed).join(', ')}${dataset.unmatchedCount > listed ? ' …' : ''}`,
                })}
              </p>
            )}
            <p>
              {dataset.examples.map((gene) => (
                <Link
                  key={gene}
                  className="nv-chip"
                  to={`${tool.route}?${new URLSearchParams({ assembly: of, genes: gene, run: '1' })}`}
                >
                  <code>{gene}</code>
                </Link>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
