import type { ReactNode } from 'react'
import { ScrollBox } from '../../../kit/ui/controls/scroll-box.tsx'
import { GeneLink } from '../../../kit/ui/gene/gene-link.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import type { HitAnswer, HspAnswer } from '../endpoints.ts'
import { renderBitScore, renderEvalue } from '../hits/tabular.ts'
import messages from '../messages.ts'
import { type Program, programFacts } from '../programs.ts'
import { splitAlignment } from './alignment-blocks.ts'

const columns = 60

/** Runs of columns that agree, score above zero, or neither, for the colour behind the subject's row. */
const runsOf = (row: string, middle: string): { text: string; same: boolean }[] => {
  const runs: { text: string; same: boolean }[] = []
  for (let at = 0; at < row.length; at += 1) {
    const same = middle[at] !== ' ' && middle[at] !== '+'
    const last = runs.at(-1)
    if (last?.same === same) last.text += row[at]
    else runs.push({ text: row[at]!, same })
  }
  return runs
}

const Row = ({ row, middle }: { row: string; middle: string }): ReactNode =>
  runsOf(row, middle).map((run, at) =>
    run.same ? (
      run.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a row keep their order.
      <mark key={at}>{run.text}</mark>
    ),
  )

/** One alignment with its figures, its positions and the genes under it. */
export const AlignmentView = ({
  hit,
  hsp,
  total,
  program,
}: {
  hit: HitAnswer
  hsp: HspAnswer
  total: number
  program: Program
}): ReactNode => {
  const t = useText(messages)
  const blocks = splitAlignment(hsp, program, columns)
  const digits = Math.max(
    ...[hsp.queryStart1, hsp.queryEnd1, hsp.subjectStart1, hsp.subjectEnd1].map((value) => String(value).length),
  )
  const place = (value: number): string => String(value).padStart(digits)
  const queryWord = t('alignment.query')
  const subjectWord = t('alignment.subject')
  const facts = programFacts[program]
  return (
    <article className="blast-alignment">
      <header>
        <strong>{t('alignment.number', { number: hsp.number, total })}</strong>{' '}
        <span>
          {t('alignment.facts', {
            bits: renderBitScore(hsp.bitScore),
            score: hsp.score,
            evalue: renderEvalue(hsp.evalue),
            identical: hsp.identical,
            length: hsp.lengthColumns,
            identity: String(hsp.identityPercent),
            positives: facts.usesMatrix ? `${hsp.positives}/${hsp.lengthColumns}` : 'none',
            gaps: hsp.gaps,
          })}
          {facts.translatesQuery || facts.translatesDatabase
            ? ` · ${t('alignment.frames', { query: String(hsp.queryFrame), subject: String(hsp.subjectFrame) })}`
            : hsp.strand === null
              ? ''
              : ` · ${t('alignment.strand', { strand: hsp.strand === '-' ? '−' : '+' })}`}
        </span>
        {hsp.genes.length === 0 ? null : (
          <span className="blast-under">
            {t('alignment.under')}{' '}
            {hsp.genes.map((gene) => (
              <GeneLink key={gene.id} id={gene.id} symbol={gene.symbol} assembly={hit.assembly} />
            ))}
          </span>
        )}
      </header>
      <ScrollBox className="blast-rows" label={t('alignment.number', { number: hsp.number, total })}>
        {blocks.map((block) => (
          <div key={`${block.queryStart1}.${block.subjectStart1}`} className="blast-block">
            <span className="blast-word">{queryWord}</span>
            <span>{place(block.queryStart1)}</span>
            <code>{block.queryRow}</code>
            <span>{block.queryEnd1}</span>
            <span className="blast-middle" />
            <span />
            <code className="blast-middle">{block.middleRow}</code>
            <span />
            <span className="blast-word">{subjectWord}</span>
            <span>{place(block.subjectStart1)}</span>
            <code>
              <Row row={block.subjectRow} middle={block.middleRow} />
            </code>
            <span>{block.subjectEnd1}</span>
          </div>
        ))}
      </ScrollBox>
      {hsp.cut ? <p className="nv-quiet">{t('alignment.cut')}</p> : null}
    </article>
  )
}
