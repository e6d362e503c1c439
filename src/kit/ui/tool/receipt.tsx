import { Download } from 'lucide-react'
import { createContext, type ReactNode } from 'react'
import { commandLine, type Receipt, receiptLines } from '../../../contracts/tools/receipt.ts'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { downloadReceipt, fileName } from '../table/export.ts'

/** The receipt that stands below everything of a result; a figure of the same run does not repeat it. */
export const ReceiptBelow = createContext<Receipt | null>(null)

/** The one line under a result: programs, versions and time, opening to all that is needed to repeat and cite it. */
export const ReceiptView = ({ receipt, open = false }: { receipt: Receipt; open?: boolean }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const programs = receipt.steps.map((step) => `${step.program} ${step.version}`)
  return (
    <details className="nv-receipt" open={open}>
      <summary>
        <span className="nv-receipt-word">{t('receipt.title')}</span>
        {[...new Set(programs)].slice(0, 4).map((program) => (
          <code key={program}>{program}</code>
        ))}
        <span>
          {receipt.elapsedMs === 0
            ? t('receipt.asOf', { date: format.dateTime(receipt.startedAt) })
            : t('receipt.when', { date: format.dateTime(receipt.startedAt), time: format.duration(receipt.elapsedMs) })}
        </span>
      </summary>
      <div className="nv-receipt-body">
        <strong>{t('receipt.programs')}</strong>
        <ol>
          {receipt.steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are in the order they ran.
            <li key={index}>
              <strong>
                {step.program} {step.version}
              </strong>
              {step.elapsedMs === undefined ? null : <span> · {format.duration(step.elapsedMs)}</span>}
              {step.command === undefined ? null : <pre>{commandLine(step)}</pre>}
              {step.formula === undefined ? null : <pre>{step.formula}</pre>}
            </li>
          ))}
        </ol>
        <strong>{t('receipt.data')}</strong>
        <ul>
          {receipt.data.map((data) => (
            <li key={`${data.assembly}${data.bundle}`}>
              {data.assembly} <code>{data.bundle}</code> · {t('receipt.checksum')}{' '}
              <code>{data.checksum.slice(0, 16)}</code>
            </li>
          ))}
          <li>{t('receipt.portal', { version: receipt.portalVersion })}</li>
        </ul>
        <strong>{t('receipt.parameters')}</strong>
        <pre>
          {Object.entries(receipt.parameters)
            .map(([key, value]) => {
              const text = typeof value === 'string' ? value : JSON.stringify(value)
              return `${key} = ${text !== undefined && text.length > 300 ? `${text.slice(0, 300)}…` : text}`
            })
            .join('\n')}
        </pre>
        {receipt.citations.length === 0 ? null : (
          <>
            <strong>{t('receipt.citations')}</strong>
            <ul>
              {receipt.citations.map((citation) => (
                <li key={citation.text}>
                  {citation.text}{' '}
                  {citation.doi === undefined ? null : (
                    <a href={`https://doi.org/${citation.doi}`} rel="noreferrer" target="_blank">
                      doi:{citation.doi}
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
        <CopyButton textOf={() => receiptLines(receipt).join('\n')} reported={t('receipt.copied')}>
          {t('receipt.copy')}
        </CopyButton>{' '}
        <Button
          size="small"
          icon={<Download size={14} aria-hidden />}
          onClick={() => downloadReceipt(receipt, fileName(receipt.tool))}
        >
          {t('receipt.save')}
        </Button>
      </div>
    </details>
  )
}
