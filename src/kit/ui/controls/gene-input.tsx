import { useMutation } from '@tanstack/react-query'
import { ArrowRight, CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { resolveGenes } from '../../../contracts/genes.ts'
import { splitIdentifiers } from '../../../contracts/tools/tool.ts'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { call } from '../request.ts'
import { useOpenings } from '../tool/tool-openings.ts'
import { Button } from './button.tsx'
import { GeneSetPicker, toolAddressWithGenes } from './gene-set-picker.tsx'
import { TextBox } from './text-box.tsx'

/** Most ids that the look-up takes at once (contracts/genes.ts). */
const resolveLimit = 5000

/** Of a box for names: some hundred thousand, more than any tool takes. */
export const maxIdentifierCharacters = 2_000_000

/** Leads on with a list that is longer than the field takes to the tools that answer for whole lists. */
const LongList = ({
  target,
  ids,
  assembly,
}: {
  target: 'geneFamilies'
  ids: string[]
  assembly: string | undefined
}): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const format = useFormat()
  const openings = useOpenings(target)
  return openings.map(({ tool, label }) => (
    <p key={tool.id}>
      <Button
        size="small"
        icon={<ArrowRight size={14} aria-hidden />}
        onClick={() =>
          void navigate(
            toolAddressWithGenes(
              tool.route,
              ids,
              assembly === undefined || assembly === '' ? null : assembly,
              t('sets.defaultName', { date: format.dateTime(new Date().toISOString()) }),
            ),
          )
        }
      >
        {label}
      </Button>
    </p>
  ))
}

/**
 * A box for one to thousands of gene ids: pasted, from a file, or from a gene set. "Check ids" looks them up and names
 * every unknown and ambiguous one; an ambiguous one is mended by choosing what was meant, an unknown one by a gene of nearly that name.
 */
export const GeneInput = ({
  id,
  value,
  onValue,
  assembly,
  onAssembly,
  maximum,
  beyond,
  describedBy,
  invalid,
  rows = 5,
}: {
  id?: string
  value: string
  onValue: (text: string) => void
  assembly?: string
  /** A picked set brings its assembly with it. */
  onAssembly?: (assembly: string) => void
  maximum?: number
  /** What takes a list that is longer. */
  beyond?: 'geneFamilies' | undefined
  describedBy?: string
  invalid?: true | undefined
  rows?: number
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const ids = useMemo(() => splitIdentifiers(value), [value])
  const check = useMutation({
    mutationFn: (list: string[]) =>
      call(resolveGenes, { ids: list.slice(0, resolveLimit), assembly: assembly === '' ? undefined : assembly }),
  })
  const checked = check.data
  const former = checked?.found.filter((one) => one.former === true) ?? []
  const elsewhere = checked?.found.filter((one) => one.elsewhere === true) ?? []

  const change = (text: string): void => {
    if (check.data !== undefined) check.reset()
    onValue(text)
  }
  const replace = (from: string, to: string): void => change(ids.map((one) => (one === from ? to : one)).join('\n'))

  return (
    <>
      <TextBox
        id={id}
        rows={rows}
        placeholder={t('genes.placeholder')}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        value={value}
        onText={change}
        max={maxIdentifierCharacters}
        accept=".txt,.tsv,.csv,.list"
        aside={
          <span className={maximum !== undefined && ids.length > maximum ? 'nv-warn' : 'nv-quiet'}>
            {maximum !== undefined && ids.length > maximum
              ? t('genes.over', { count: format.number(ids.length), maximum: format.number(maximum) })
              : t('genes.count', { count: ids.length })}
          </span>
        }
        actions={
          <>
            <GeneSetPicker
              onPick={(set) => {
                change(set.genes.join('\n'))
                if (set.assembly !== null) onAssembly?.(set.assembly)
              }}
            />
            <Button
              size="small"
              look="quiet"
              disabled={ids.length === 0}
              busy={check.isPending}
              onClick={() => check.mutate(ids)}
            >
              {t('genes.check')}
            </Button>
          </>
        }
      />
      {beyond === undefined || maximum === undefined || ids.length <= maximum ? null : (
        <LongList target={beyond} ids={ids} assembly={assembly} />
      )}
      {checked === undefined ? null : (
        <div className="nv-gene-check" role="status">
          <p>
            <span className="nv-good">
              <CircleCheck size={14} aria-hidden /> {t('genes.found', { count: checked.found.length })}
            </span>
            {checked.ambiguous.length === 0 ? null : (
              <span className="nv-warn">
                <CircleHelp size={14} aria-hidden /> {t('genes.ambiguous', { count: checked.ambiguous.length })}
              </span>
            )}
            {checked.unknown.length === 0 ? null : (
              <span className="nv-bad">
                <CircleX size={14} aria-hidden /> {t('genes.unknown', { count: checked.unknown.length })}
              </span>
            )}
          </p>
          {former.length === 0 ? null : (
            <div>
              <p className="nv-quiet">
                {t('genes.former', { count: former.length })}{' '}
                <Button
                  size="small"
                  look="quiet"
                  onClick={() => {
                    const now = new Map(former.map(({ query, gene }) => [query, gene.id]))
                    change(ids.map((one) => now.get(one) ?? one).join('\n'))
                  }}
                >
                  {t('genes.useCurrent')}
                </Button>
              </p>
              <p className="nv-id-list">
                {former.map(({ query, gene }) => (
                  <span key={query}>
                    <code>{query}</code> → <code>{gene.id}</code>
                  </span>
                ))}
              </p>
            </div>
          )}
          {elsewhere.length === 0 ? null : (
            <div>
              <p className="nv-quiet">{t('genes.elsewhere', { count: elsewhere.length })}</p>
              <p className="nv-id-list">
                {elsewhere.map(({ query }) => (
                  <code key={query}>{query}</code>
                ))}
              </p>
            </div>
          )}
          {checked.unknown.length === 0 ? null : (
            <div>
              <p className="nv-quiet">
                {t('genes.unknownList')}{' '}
                <Button
                  size="small"
                  look="quiet"
                  onClick={() => {
                    const unknown = new Set(checked.unknown)
                    change(ids.filter((one) => !unknown.has(one)).join('\n'))
                  }}
                >
                  {t('genes.removeUnknown')}
                </Button>
              </p>
              <p className="nv-id-list">
                {checked.unknown.map((one) => (
                  <code key={one}>{one}</code>
                ))}
              </p>
            </div>
          )}
          {[
            ...checked.nearest.map((one) => ({ ...one, title: t('genes.nearest', { query: one.query }) })),
            ...checked.ambiguous.map((one) => ({ ...one, title: t('genes.ambiguousOne', { query: one.query }) })),
          ].map(({ query, title, genes }) => (
            <div key={query}>
              <p className="nv-quiet">{title}</p>
              <p className="nv-id-list">
                {genes.map((gene) => (
                  <button
                    type="button"
                    key={`${gene.assembly}/${gene.id}`}
                    className="nv-chip"
                    title={gene.description ?? undefined}
                    onClick={() => replace(query, gene.id)}
                  >
                    <code>{gene.id}</code> {gene.symbol === null ? null : <i>{gene.symbol}</i>}{' '}
                    <small>{gene.assembly}</small>
                  </button>
                ))}
              </p>
            </div>
          ))}
        </div>
      )}
    </>
  )
}
