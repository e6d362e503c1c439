import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { useAnnotatedAssembly, useCollections } from './form.tsx'
import messages from './messages.ts'
import tool from './tool.ts'

/** Before anything is run: real gene sets of the assembly, one click from their result. */
export const StartView = (): ReactNode => {
  const t = useText(messages)
  const [query] = useAddressValues()
  const first = useAnnotatedAssembly()
  const answer = useCollections(query.get('assembly') ?? first)
  const examples = answer.data?.examples ?? []
  const assembly = answer.data?.assembly
  if (examples.length === 0 || assembly === null || assembly === undefined) return null
  return (
    <Card title={t('start.title')}>
      <p className="nv-quiet">{t('start.lead')}</p>
      <ul className="enr-examples">
        {examples.map(({ term, name, genes }) => (
          <li key={term}>
            <Link to={`${tool.route}?${new URLSearchParams({ genes: genes.join(','), assembly, run: '1' })}`}>
              {t('start.set', { name: name ?? term, count: genes.length })}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
