import { useMemo } from 'react'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import type { Scheme } from './paint.ts'
import type { TreeViewState } from './tree-view.ts'

export const layouts = ['rectangular', 'circular', 'unrooted'] as const
export const colourings = ['none', 'assembly', 'species', 'table'] as const
export const labelKinds = ['symbol', 'name', 'description'] as const
export const supportViews = ['values', 'dots', 'none'] as const
export const schemes = ['chemistry', 'conservation', 'differences'] as const

export interface ViewSettings extends TreeViewState {
  layout: (typeof layouts)[number]
  colouring: (typeof colourings)[number]
  labels: (typeof labelKinds)[number]
  support: (typeof supportViews)[number]
  threshold: number
  aligned: boolean
  alignment: boolean
  scheme: Scheme
  /** Palette numbers of clades by the node above them. */
  clades: ReadonlyMap<number, number>
}

const choice = <Value extends string>(text: string | null, values: readonly Value[], fallback: Value): Value =>
  values.find((value) => value === text) ?? fallback

const ids = (text: string | null): Set<number> =>
  new Set(
    (text ?? '')
      .split('.')
      .filter((part) => /^\d+$/.test(part))
      .map(Number),
  )

const idText = (set: ReadonlySet<number>): string | null => (set.size === 0 ? null : [...set].join('.'))

/** How the tree is looked at, kept in the address so that a link, a reload and Back show the same. */
export const useViewSettings = (
  defaults: Pick<ViewSettings, 'colouring' | 'labels'> & { root: 'given' | 'midpoint' },
): [settings: ViewSettings, change: (part: Partial<ViewSettings>) => void] => {
  const [query, changeAddress] = useAddressValues()
  const { colouring, labels, root: defaultRoot } = defaults
  const settings = useMemo((): ViewSettings => {
    const root = query.get('view.root')
    const only = query.get('view.only')
    return {
      layout: choice(query.get('view.layout'), layouts, 'rectangular'),
      root:
        root !== null && /^\d+$/.test(root)
          ? Number(root)
          : choice<'given' | 'midpoint'>(root, ['given', 'midpoint'], defaultRoot),
      order: choice<'given' | 'up' | 'down'>(query.get('view.order'), ['given', 'up', 'down'], 'up'),
      swapped: ids(query.get('view.swapped')),
      collapsed: ids(query.get('view.collapsed')),
      only: only !== null && /^\d+$/.test(only) ? Number(only) : null,
      lengths: query.get('view.lengths') !== '0',
      colouring: choice(query.get('view.colour'), colourings, colouring),
      labels: choice(query.get('view.labels'), labelKinds, labels),
      support: choice(query.get('view.support'), supportViews, 'values'),
      threshold: Number(query.get('view.threshold') ?? 0) || 0,
      aligned: query.get('view.aligned') === '1',
      alignment: query.get('view.alignment') !== '0',
      scheme: choice(query.get('view.scheme'), schemes, 'chemistry'),
      clades: new Map(
        (query.get('view.clades') ?? '').split('.').flatMap((part): [number, number][] => {
          const pair = /^(\d+)-(\d)$/.exec(part)
          return pair === null ? [] : [[Number(pair[1]), Number(pair[2])]]
        }),
      ),
    }
  }, [query, colouring, labels, defaultRoot])
  const change = (part: Partial<ViewSettings>): void => {
    const values: Record<string, string | null> = {}
    for (const [name, value] of Object.entries(part)) {
      if (name === 'swapped' || name === 'collapsed') values[`view.${name}`] = idText(value as ReadonlySet<number>)
      else if (name === 'clades')
        values['view.clades'] =
          [...(value as ReadonlyMap<number, number>)].map(([id, colour]) => `${id}-${colour}`).join('.') || null
      else if (name === 'colouring') values['view.colour'] = String(value)
      else if (typeof value === 'boolean') values[`view.${name}`] = value ? '1' : '0'
      else values[`view.${name}`] = value === null || value === undefined ? null : String(value)
    }
    changeAddress(values, true)
  }
  return [settings, change]
}
