import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import messages from './messages.ts'
import { presenceSearches } from './presence-searches.ts'
import tool from './tool.ts'

export default defineGenePanel({
  id: tool.id,
  messages,
  analyses: ({ gene, assemblies, t }) => [
    ...presenceSearches(
      {
        id: gene.id,
        assembly: gene.assembly,
        species: gene.species,
        coding: gene.transcripts.some((one) => (one.proteinLength ?? 0) > 0),
      },
      assemblies,
    ).map(({ program, address, searched, available }) => ({
      key: program,
      label:
        searched < available
          ? `${t(`panel.${program}`)}. ${t('panel.cut', { count: searched, total: available })}`
          : t(`panel.${program}`),
      address,
    })),
    {
      key: 'form',
      label: t('panel.form'),
      address: `${tool.route}?${new URLSearchParams({ genes: gene.id, assembly: gene.assembly })}`,
    },
  ],
})
