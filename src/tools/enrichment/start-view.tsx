import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { listExamples } from './endpoints.ts'
import { useAnnotatedAssembly } from './form.tsx'
import messages from './messages.ts'
import tool from './tool.ts'

/** Before anything is run: real gene sets of the assembly, one click from their result. */
export const StartView = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query] = useAddressValues()
  const first = useAnnotatedAssembly()
  const asked = query.get('assembly') ?? first
  const answer = useQuery({
    queryKey: ['enrichment-examples', asked ?? ''],
    queryFn: (context) => call(listExamples, { assembly: asked }, context),
    staleTime: 60_000,
    retry: false,
  })
  const examples = answer.data?.examples ?? []
  const assembly = answer.data?.assembly
  if (examples.length === 0 || assembly === null || assembly === undefined) return null
  return (
    <Card title={t('start.title')}>
      <p className="nv-quiet">{t(examples[0]!.experiment === null ? 'start.lead' : 'start.leadExperiment')}</p>
      <ul className="enr-examples">
        {examples.map(({ term, experiment, genes }) => (
          <li key={genes.join()}>
            <Link to={`${tool.route}?${new URLSearchParams({ genes: genes.join(','), assembly, run: '1' })}`}>
              {experiment === null
                ? t('start.set', { name: term?.name ?? term?.id ?? '', count: genes.length })
                : experiment.contrast === null
                  ? t('start.levels', {
                      count: genes.length,
                      direction: experiment.direction,
                      measure: experiment.measure === null ? 'none' : format.text(experiment.measure),
                      level: experiment.level ?? '',
                      other: experiment.other ?? 'none',
                    })
                  : t('start.contrast', {
                      count: genes.length,
                      direction: experiment.direction,
                      contrast: format.text(experiment.contrast),
                      measured: experiment.measure === null ? 'expression' : 'other',
                    })}
            </Link>
            {experiment === null ? null : <span className="nv-quiet"> {format.text(experiment.name)}</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
