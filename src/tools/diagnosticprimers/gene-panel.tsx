import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import messages from './messages.ts'
import tool from './tool.ts'

export default defineGenePanel({
  id: tool.id,
  messages,
  analyses: ({ gene, t }) => [
    {
      key: 'presence',
      label: t('panel.presence'),
      address: `${tool.route}?${new URLSearchParams({ region: gene.id, assembly: gene.assembly, run: '1' })}`,
    },
  ],
})
