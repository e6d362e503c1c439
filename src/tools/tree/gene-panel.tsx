import { type ReactNode, useEffect } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import tool from './tool.ts'
import './screen.css'

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  const coding = gene.transcripts.some((one) => (one.proteinLength ?? 0) > 0)
  useEffect(() => report(coding ? 1 : 0), [report, coding])
  const address = (more: Record<string, string>): string =>
    `${tool.route}?${new URLSearchParams({ source: 'family', genes: gene.id, assembly: gene.assembly, trim: 'gaps', ...more, run: '1' })}`
  return (
    <>
      <p className="nv-quiet">{t('panel.lead')}</p>
      <div className="tree-bar">
        <ButtonLink to={address({})}>{t('panel.orthogroup')}</ButtonLink>
        <ButtonLink to={address({ similar: 'true' })}>{t('panel.similar')}</ButtonLink>
        <ButtonLink to={address({ molecule: 'codon' })}>{t('panel.codons')}</ButtonLink>
      </div>
    </>
  )
}

export default defineGenePanel({ id: 'tree', order: 125, messages, needs: 'proteins', Panel })
