import { type ReactNode, useEffect } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import tool, { limits } from './tool.ts'
import './screen.css'

/** Flanks in which primers around a whole gene are looked for. */
const aroundBp = 300

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  useEffect(() => report(1), [report])
  const lengthBp = gene.end - gene.start + 1
  const address = (more: Record<string, string>): string =>
    `${tool.route}?${new URLSearchParams({ genes: gene.id, assembly: gene.assembly, ...more })}`
  const hasIntron = gene.transcripts.some((one) => one.exons.length > 1)
  return (
    <>
      <p className="nv-quiet">{t('panel.lead')}</p>
      <div className="primer-panel-actions">
        {lengthBp > limits.templateBp! ? null : <ButtonLink to={address({ run: '1' })}>{t('panel.pcr')}</ButtonLink>}
        <ButtonLink to={address({ purpose: 'qpcr', run: '1' })}>
          {t(hasIntron ? 'panel.qpcr' : 'panel.qpcrPlain')}
        </ButtonLink>
        {lengthBp + 2 * aroundBp > limits.templateBp! ? null : (
          <ButtonLink
            to={address({
              flankBp: String(aroundBp),
              target: `${aroundBp + 1}-${aroundBp + lengthBp}`,
              productSizes: `${lengthBp + 40}-${lengthBp + 2 * aroundBp}`,
              run: '1',
            })}
          >
            {t('panel.whole')}
          </ButtonLink>
        )}
      </div>
    </>
  )
}

export default defineGenePanel({ id: 'primerdesign', order: 130, messages, Panel })
