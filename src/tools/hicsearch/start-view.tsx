import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { NoDataState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { mapAddress } from './map/map-address.ts'
import messages from './messages.ts'
import { NamesNote } from './names-note.tsx'
import { contactsData } from './stored.ts'
import { useBinSize, useMaps, useNormalizationName } from './use-maps.ts'

/** Before anything is searched: the maps of the assembly, what they hold, and a way to look at them whole. */
export const StartView = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const binSize = useBinSize()
  const nameOf = useNormalizationName()
  const assemblyName = useAssemblyNames()
  const [query] = useAddressValues()
  const first = useAssemblies().find(({ dataTypes }) => (dataTypes[contactsData] ?? 0) > 0)?.id
  const assembly = query.get('assembly') ?? first
  const mapsAnswer = useMaps(assembly)
  const known = mapsAnswer.data
  if (assembly === undefined) return null
  if (mapsAnswer.isError) return <Unanswered of={mapsAnswer} />
  if (known === undefined) return <Waiting />
  if (known.maps.length === 0)
    return <NoDataState title={t('problem.noMaps', { assembly: assemblyName(assembly) })} how={t('detail.noMapsWhy')} />
  return (
    <Card title={t('start.title')}>
      <ul className="hic-maps">
        {known.maps.map((map) => {
          const names = [...new Set(map.resolutions.flatMap(({ normalizations }) => normalizations))]
          const pixels = map.resolutions[0]?.pixels ?? null
          const shown = map.chromosomes.find(({ sequence }) => sequence !== null)?.sequence
          return (
            <li key={map.id}>
              <strong>{format.text(map.name)}</strong> <SimulatedTag simulated={map.simulated} beside={map.name} />
              <p>
                {assemblyName(assembly)} · <code>.{map.format}</code> ·{' '}
                {t('start.resolutions', { list: format.names(map.resolutions.map(({ binBp }) => binSize(binBp))) })}
                {pixels === null ? '' : ` · ${t('start.contacts', { count: pixels })}`}
                {' · '}
                {names.length === 0
                  ? t('start.unbalanced')
                  : t('start.balanced', { list: format.names(names.map(nameOf)) })}
              </p>
              <p className="nv-quiet">{format.text(map.description)}</p>
              <NamesNote map={map} assembly={assembly} />
              {shown === undefined ? null : (
                <p>
                  <Link className="nv-chip" to={mapAddress({ assembly, map: map.id, locus: shown })}>
                    {t('start.example')}
                  </Link>
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
