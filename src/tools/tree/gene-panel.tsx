import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import messages from './messages.ts'
import tool from './tool.ts'

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: 'proteins',
  analyses: ({ gene, t }) => {
    if (!gene.transcripts.some((one) => (one.proteinLength ?? 0) > 0)) return []
    const address = (more: Record<string, string>): string =>
      `${tool.route}?${new URLSearchParams({ source: 'family', genes: gene.id, assembly: gene.assembly, trim: 'gaps', ...more, run: '1' })}`
    return [
      { key: 'orthogroup', label: t('panel.orthogroup'), address: address({}) },
      { key: 'similar', label: t('panel.similar'), address: address({ similar: 'true' }) },
      { key: 'codons', label: t('panel.codons'), address: address({ molecule: 'codon' }) },
    ]
  },
})
