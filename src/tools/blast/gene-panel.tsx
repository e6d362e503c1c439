import { type ReactNode, useMemo } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Answered } from '../../kit/ui/controls/empty-state.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useText } from '../../kit/ui/language.tsx'
import { useAssemblies, useSpecies } from '../../kit/ui/portal-data.ts'
import messages from './messages.ts'
import { presenceSearches } from './presence-searches.ts'
import './screen.css'

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const species = useSpecies()
  const assemblies = useAssemblies()
  const searches = useMemo(
    () =>
      presenceSearches(
        {
          id: gene.id,
          assembly: gene.assembly,
          species: gene.species,
          coding: gene.transcripts.some((one) => (one.proteinLength ?? 0) > 0),
        },
        assemblies,
      ),
    [gene, assemblies],
  )
  const cut = searches.find((one) => one.searched < one.available)
  if (species.data === undefined) return <Answered of={species}>{() => null}</Answered>
  if (searches.length === 0) return <p className="nv-quiet">{t('panel.none')}</p>
  return (
    <>
      <p className="nv-quiet">
        {t('panel.lead')} {cut === undefined ? null : t('panel.cut', { count: cut.searched, total: cut.available })}
      </p>
      <div className="blast-presence">
        {searches.map((one) => (
          <ButtonLink key={one.program} to={one.address}>
            {t(`panel.${one.program}` as 'panel.blastn')}
          </ButtonLink>
        ))}
      </div>
    </>
  )
}

export default defineGenePanel({ id: 'blast', order: 105, messages, Panel })
