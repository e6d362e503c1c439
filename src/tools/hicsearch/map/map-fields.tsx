import type { ReactNode } from 'react'
import { SimulatedTag } from '../../../kit/ui/controls/expression-fields.tsx'
import { SelectField } from '../../../kit/ui/controls/field.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import messages from '../messages.ts'
import type { BakedContacts } from '../stored.ts'
import { useBinSize, useNormalizationName } from '../use-maps.ts'

export interface MapChoice {
  map: string | undefined
  resolution: number | undefined
  normalization: string | undefined
}

/** The map, its resolution and its normalization: a choice that the map does not have is not kept. */
export const MapFields = ({
  maps,
  value,
  onValue,
  fitting,
  problems = {},
  brief = false,
}: {
  maps: BakedContacts[]
  value: MapChoice
  onValue: (change: Partial<MapChoice>) => void
  /** Resolutions that can be taken; all when absent. */
  fitting?: readonly number[]
  problems?: Record<string, string[]>
  /** Without what is told about the map. */
  brief?: boolean
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const binSize = useBinSize()
  const nameOf = useNormalizationName()
  const map = maps.find(({ id }) => id === value.map) ?? maps[0]
  if (map === undefined) return null
  const resolution = map.resolutions.find(({ binBp }) => binBp === value.resolution)
  const names = [
    ...new Set((resolution === undefined ? map.resolutions : [resolution]).flatMap((one) => one.normalizations)),
  ]
  return (
    <>
      <SelectField
        label={t('field.map')}
        problems={problems.map ?? []}
        aside={<SimulatedTag simulated={map.simulated} />}
        help={brief ? undefined : format.text(map.description)}
        value={map.id}
        onChoose={(id) =>
          onValue({ map: id === maps[0]?.id ? undefined : id, resolution: undefined, normalization: undefined })
        }
        options={maps.map((one) => ({ value: one.id, label: format.text(one.name) }))}
      />
      <SelectField
        label={t('field.resolution')}
        problems={problems.resolution ?? []}
        value={resolution === undefined ? '' : String(resolution.binBp)}
        onChoose={(chosen) => onValue({ resolution: chosen === '' ? undefined : Number(chosen) })}
        options={[
          { value: '', label: t('resolution.auto') },
          ...map.resolutions.flatMap(({ binBp }) =>
            fitting === undefined || fitting.includes(binBp) || binBp === resolution?.binBp
              ? [{ value: String(binBp), label: binSize(binBp) }]
              : [],
          ),
        ]}
      />
      <SelectField
        label={t('field.normalization')}
        problems={problems.normalization ?? []}
        value={value.normalization ?? names[0] ?? 'none'}
        onChoose={(name) => onValue({ normalization: name === (names[0] ?? 'none') ? undefined : name })}
        options={[...names, 'none'].map((name) => ({ value: name, label: nameOf(name) }))}
      />
    </>
  )
}
