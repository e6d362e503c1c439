import type { ReactNode } from 'react'
import { ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { EmptyState } from '../../../kit/ui/controls/empty-state.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { fitsAddress, searchAgain } from '../form/search-again.ts'
import { shortNumber } from '../hits/tabular.ts'
import messages from '../messages.ts'
import type { BlastInput, BlastResult } from '../tool.ts'

/** Databases that are named in a sentence; more are counted, and named when opened. */
const namedDatabases = 3

/** More sensitive searches with the same query in the same genomes, each of one click. */
export const OtherSearches = ({ input, result }: { input: BlastInput; result: BlastResult }): ReactNode => {
  const t = useText(messages)
  if (result.program !== 'blastn' || !fitsAddress(input)) return null
  const sensitive = result.task === 'megablast' || result.task === 'dc-megablast'
  return (
    <span className="blast-again">
      {sensitive ? (
        <ButtonLink size="small" look="primary" to={searchAgain(input, { task: 'blastn', run: '1' })}>
          {t('result.withBlastn')}
        </ButtonLink>
      ) : null}
      <ButtonLink
        size="small"
        look={sensitive ? undefined : 'primary'}
        to={searchAgain(input, { program: 'tblastx', task: undefined, run: '1' })}
      >
        {t('result.withTblastx')}
      </ButtonLink>
    </span>
  )
}

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
  const address = (change: Record<string, string>): string => searchAgain(input, { ...change, run: '1' })
  const short = fitsAddress(input)
  const tries: { key: string; text: string; to?: string }[] = []
  if (result.program === 'blastn') tries.push({ key: 'translated', text: t('result.tryTranslated') })
  if (result.settings.evalue < 10)
    tries.push({ key: 'evalue', text: t('result.tryEvalue'), to: address({ evalue: '10' }) })
  if (input.lowComplexity !== 'no')
    tries.push({ key: 'filter', text: t('result.tryFilter'), to: address({ lowComplexity: 'no' }) })
  if ((input.percentIdentity ?? 0) > 0 || (input.queryCoverage ?? 0) > 0)
    tries.push({ key: 'limits', text: t('result.tryLimits') })
  if ((result.scope?.available ?? 0) > new Set(result.databases.map((one) => one.assembly)).size)
    tries.push({ key: 'databases', text: t('result.tryDatabases') })
  const databases = result.databases.map((one) => (one.kind === null ? t('option.kind.pasted') : one.name)).join(', ')
  const why = { evalue: shortNumber(result.settings.evalue), program: result.task ?? result.program }
  return (
    <EmptyState
      title={t('result.noHits', { query: name })}
      why={
        <>
          {result.databases.length <= namedDatabases ? (
            <p>{t('result.noHitsWhy', { ...why, databases })}</p>
          ) : (
            <details>
              <summary>{t('result.noHitsWhyMany', { ...why, count: result.databases.length })}</summary>
              <p>{databases}</p>
            </details>
          )}
          {result.task === 'megablast' ? <p>{t('result.megablast')}</p> : null}
          <p>
            <OtherSearches input={input} result={result} />
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
