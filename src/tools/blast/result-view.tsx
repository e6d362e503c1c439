import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { TextInput } from '../../kit/ui/controls/field.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { fitsAddress, searchAgain } from './form/search-again.ts'
import { renderEvalue } from './hits/tabular.ts'
import messages from './messages.ts'
import { programFacts } from './programs.ts'
import { QueryResult } from './result/query-result.tsx'
import { countScope } from './result/scope-words.ts'
import { type BlastInput, type BlastResult, limits } from './tool.ts'

/** The result of a search: queries at the left when there are several, and what was found with the chosen one. */
export const BlastResultView = ({ input, result, receipt, job }: ResultProps<BlastInput, BlastResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query, setQuery] = useSearchParams()
  const [words, setWords] = useState('')
  const firstFound = result.queries.findIndex((one) => one.hits > 0)
  const asked = Number(query.get('q') ?? 0)
  const query1 = asked >= 1 && asked <= result.queries.length ? asked : Math.max(0, firstFound) + 1
  const protein = programFacts[result.program].query === 'protein'
  const notes = [
    result.unknownGenes.length === 0 ? null : t('result.unknownGenes', { names: result.unknownGenes.join(', ') }),
    result.ambiguousGenes.length === 0
      ? null
      : t('result.ambiguousGenes', {
          names: result.ambiguousGenes
            .map(({ name, interpretations }) => `${name} (${interpretations.join('; ')})`)
            .join(', '),
        }),
    result.genesWithoutSequence.length === 0
      ? null
      : t('result.genesWithoutSequence', { names: result.genesWithoutSequence.join(', ') }),
    result.otherGeneticCodes.length === 0
      ? null
      : t('result.otherCodes', {
          code: String(result.settings.databaseGeneticCode),
          names: result.otherGeneticCodes
            .map((one) => `${one.assembly} ${one.sequence} (${one.geneticCode})`)
            .join(', '),
        }),
  ].filter((note) => note !== null)
  if (job === null) return null
  const { searched, others } = countScope(result)
  const leftOut = result.scope?.leftOut ?? []
  return (
    <div className={`blast-result${result.queries.length > 1 ? ' blast-result-many' : ''}`}>
      {leftOut.length > 0 ? (
        <p className="nv-banner nv-banner-warn" role="status">
          {t('result.leftOut', { limit: limits.databases!, names: format.list(leftOut) })}
        </p>
      ) : others > 0 ? (
        <p className="nv-banner nv-banner-info" role="status">
          {t('result.narrowed', { searched, available: searched + others })}{' '}
          {fitsAddress(input) ? (
            <ButtonLink
              size="small"
              look="quiet"
              to={searchAgain(input, { databases: undefined, species: undefined, run: '1' })}
            >
              {t('result.widen')}
            </ButtonLink>
          ) : null}
        </p>
      ) : null}
      {notes.length === 0 ? null : (
        <div className="nv-banner nv-banner-warn" role="status">
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </div>
      )}
      {result.warnings.length === 0 ? null : (
        <details className="nv-advanced">
          <summary>
            {t('result.warnings')} <small>{result.warnings.length}</small>
          </summary>
          <ul className="nv-mono">
            {result.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      )}
      {result.queries.length > 1 ? (
        <nav className="nv-card blast-queries" aria-label={t('result.queries')}>
          {result.queries.length > 8 ? (
            <TextInput
              type="search"
              placeholder={t('result.queryFilter')}
              aria-label={t('result.queryFilter')}
              value={words}
              onChange={(event) => setWords(event.target.value)}
            />
          ) : null}
          <ol>
            {result.queries.map((one, at) =>
              `${one.id} ${one.description}`.toLowerCase().includes(words.trim().toLowerCase()) ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the queries of a search keep their order, and their names may repeat.
                <li key={at}>
                  <button
                    type="button"
                    aria-current={query1 === at + 1}
                    onClick={() =>
                      setQuery(
                        (before) => {
                          const next = new URLSearchParams(before)
                          next.set('q', String(at + 1))
                          next.delete('hit')
                          return next
                        },
                        { replace: true, preventScrollReset: true },
                      )
                    }
                  >
                    <code>{one.id}</code>
                    <span>{t('result.hitsOf', { hits: one.hits })}</span>
                    <small>
                      {t('result.length', { length: one.lengthResidues, alphabet: protein ? 'protein' : 'nucleotide' })}
                      {one.best === null ? '' : ` · E ${renderEvalue(one.best.evalue)}`}
                    </small>
                  </button>
                </li>
              ) : null,
            )}
          </ol>
        </nav>
      ) : null}
      <div className="blast-main">
        <QueryResult key={query1} input={input} result={result} receipt={receipt} job={job} query1={query1} />
      </div>
    </div>
  )
}
