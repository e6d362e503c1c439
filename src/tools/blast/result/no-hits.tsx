import type { ReactNode } from 'react'
import { ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { EmptyState } from '../../../kit/ui/controls/empty-state.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { fitsAddress, searchAgain } from '../form/search-again.ts'
import { shortNumber } from '../hits/tabular.ts'
import messages from '../messages.ts'
import type { BlastInput, BlastResult } from '../tool.ts'

/** Why there is no hit, with searches that may find one. */
export const NoHits = ({
  input,
  result,
  name,
}: {
  input: BlastInput
  result: BlastResult
  name: string
}): ReactNode => {
  const t = useText(messages)
  const address = (change: Record<string, string>): string => searchAgain(input, change)
  const short = fitsAddress(input)
  const tries: { key: string; text: string; to?: string }[] = []
  if (result.program === 'blastn' && result.task === 'megablast')
    tries.push({ key: 'task', text: t('result.tryTask'), to: address({ task: 'blastn' }) })
  if (result.program === 'blastn') tries.push({ key: 'translated', text: t('result.tryTranslated') })
  if (result.settings.evalue < 10)
    tries.push({ key: 'evalue', text: t('result.tryEvalue'), to: address({ evalue: '10' }) })
  if (input.lowComplexity !== 'no')
    tries.push({ key: 'filter', text: t('result.tryFilter'), to: address({ lowComplexity: 'no' }) })
  if ((input.percentIdentity ?? 0) > 0 || (input.queryCoverage ?? 0) > 0)
    tries.push({ key: 'limits', text: t('result.tryLimits') })
  if ((result.scope?.available ?? 0) > new Set(result.databases.map((one) => one.assembly)).size)
    tries.push({ key: 'databases', text: t('result.tryDatabases') })
  return (
    <EmptyState
      title={t('result.noHits', { query: name })}
      why={
        <>
          <p>
            {t('result.noHitsWhy', {
              databases: result.databases
                .map((database) => (database.kind === null ? t('option.kind.pasted') : database.name))
                .join(', '),
              evalue: shortNumber(result.settings.evalue),
              program: result.task ?? result.program,
            })}
          </p>
          <ul>
            {tries.map((one) => (
              <li key={one.key}>
                {one.text}{' '}
                {one.to === undefined || !short ? null : (
                  <ButtonLink size="small" look="quiet" to={one.to}>
                    {t('result.rerun')}
                  </ButtonLink>
                )}
              </li>
            ))}
          </ul>
        </>
      }
    />
  )
}
