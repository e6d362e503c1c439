import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import messages from './messages.ts'
import tool, { limits } from './tool.ts'

/** Flanks in which primers around a whole gene are looked for. */
const aroundBp = 300

export default defineGenePanel({
  id: tool.id,
  messages,
  analyses: ({ gene, t }) => {
    const lengthBp = gene.end - gene.start + 1
    const address = (more: Record<string, string>): string =>
      `${tool.route}?${new URLSearchParams({ genes: gene.id, assembly: gene.assembly, ...more, run: '1' })}`
    const hasIntron = gene.transcripts.some((one) => one.exons.length > 1)
    return [
      ...(lengthBp > limits.templateBp! ? [] : [{ key: 'pcr', label: t('panel.pcr'), address: address({}) }]),
      {
        key: 'qpcr',
        label: t(hasIntron ? 'panel.qpcr' : 'panel.qpcrPlain'),
        address: address({ purpose: 'qpcr' }),
      },
      ...(lengthBp + 2 * aroundBp > limits.templateBp!
        ? []
        : [
            {
              key: 'whole',
              label: t('panel.whole'),
              address: address({
                flankBp: String(aroundBp),
                target: `${aroundBp + 1}-${aroundBp + lengthBp}`,
                productSizes: `${lengthBp + 40}-${lengthBp + 2 * aroundBp}`,
              }),
            },
          ]),
    ]
  },
})
