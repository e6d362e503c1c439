import { type ReactNode, useEffect } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { exampleConsensus } from './example-motifs.ts'
import { useCollections } from './form.tsx'
import messages from './messages.ts'
import tool from './tool.ts'
import './screen.css'

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const collections = useCollections()
  useEffect(() => report(1), [report])
  const own = (collections.data ?? []).filter(({ species }) => species === gene.species)
  const address = (more: Record<string, string>): string =>
    `${tool.route}?${new URLSearchParams({ genes: gene.id, assembly: gene.assembly, enrichment: 'false', run: '1', ...more })}`
  return (
    <>
      <p className="nv-quiet">
        {collections.data !== undefined && own.length === 0 ? t('panel.none') : t('panel.lead')}
      </p>
      <div className="motif-files">
        {own.map(({ id, title, motifCount }) => (
          <ButtonLink key={id} to={address({ motifSource: 'collection', collection: id })}>
            {t('panel.collection', { title: format.text(title), count: motifCount })}
          </ButtonLink>
        ))}
        <ButtonLink to={address({ motifSource: 'consensus', consensus: exampleConsensus(gene.speciesName) })}>
          {t('panel.words')}
        </ButtonLink>
      </div>
    </>
  )
}

export default defineGenePanel({ id: 'motif', order: 140, messages, Panel })
