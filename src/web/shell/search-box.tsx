import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { detailTypes } from '../../contracts/details.ts'
import { type SearchEntry, suggest } from '../../contracts/search.ts'
import { Combobox } from '../../kit/ui/controls/combobox.tsx'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { useToolList } from '../../kit/ui/tool/tool-list.ts'
import { messages } from '../messages/shell.ts'
import { groupOrthologs } from './group-orthologs.ts'

/** Suggestions that are shown, and names that are asked for, of which those of many strains are one suggestion. */
const suggestions = 8
const suggestedEntries = 60

type FoundEntry = Pick<SearchEntry, 'type' | 'id' | 'assembly'> & { species?: string }

/** An address of a tool for an entry; what the entry does not have is left out. */
export const fillAddress = (address: string, { id, assembly }: FoundEntry): string => {
  const [first, rest] = id.split(/\|(.*)/s)
  const values: Record<string, string | null | undefined> = { id, assembly, 'id.0': first, 'id.1': rest }
  const [path, query = ''] = address.split('?')
  const pairs = query.split('&').flatMap((pair) => {
    const [name, given = ''] = pair.split('=')
    const value = given.startsWith('{') ? (values[given.slice(1, -1)] ?? '') : given
    return value === '' ? [] : [[name!, value]]
  })
  return `${path}?${new URLSearchParams(pairs)}`
}

/**
 * Page of a found thing: genes have their own, a tool's entries what the tool says, what has a record its record; of other things the
 * search shows what belongs to them.
 */
export const useEntryAddress = (): ((entry: FoundEntry) => string) => {
  const tools = useToolList()
  return (entry) => {
    if (entry.type === 'gene') return geneAddress(entry.id, entry.assembly)
    const own = tools.find((tool) => entry.type in tool.records)?.records[entry.type]
    if (own !== undefined) return fillAddress(own, entry)
    if (!detailTypes.some((type) => type === entry.type)) return `/search?${new URLSearchParams({ q: entry.id })}`
    const scope = { assembly: entry.assembly ?? '', species: entry.species ?? '' }
    return `/detail?${new URLSearchParams([['type', entry.type], ['id', entry.id], ...Object.entries(scope).filter(([, value]) => value !== '')])}`
  }
}

export const searchAddress = (q: string, species = ''): string =>
  `/search?${new URLSearchParams({ q, ...(species === '' ? {} : { species }) })}`

/** What a type of the index is called; a tool's own types show as they are. */
export const useTypeName = (): ((type: string) => string) => {
  const t = useText(messages)
  return (type) => (`type.${type}` in messages.en ? t(`type.${type}` as 'type.gene') : type)
}

/** The box over everything: suggests as one types, Enter searches. */
export const SearchBox = ({
  initial = '',
  species = '',
  onSearch,
  className = '',
  placeholder,
  autoFocus = false,
}: {
  initial?: string
  species?: string
  onSearch?: (q: string) => void
  className?: string
  placeholder?: string
  autoFocus?: boolean
}): ReactNode => {
  const t = useText(messages)
  const typeName = useTypeName()
  const navigate = useNavigate()
  const entryAddress = useEntryAddress()
  const assemblyName = useAssemblyNames()
  const [typed, setTyped] = useState(initial)
  useEffect(() => setTyped(initial), [initial])
  const late = useDeferredValue(typed.trim())
  const answer = useQuery({
    queryKey: ['suggest', 'orthologs', late, species],
    enabled: late.length >= 2 && late !== initial.trim(),
    queryFn: (context) =>
      call(
        suggest,
        {
          q: late.slice(0, 200),
          species: species === '' ? undefined : species,
          limit: suggestedEntries,
          orthologs: 'true',
        },
        context,
      ),
    staleTime: 60_000,
    retry: false,
  })
  const order = useAssemblies().map(({ id }) => id)
  const found = late.length >= 2 ? groupOrthologs(answer.data?.entries ?? [], order) : []
  const entries = found.slice(0, suggestions).map(({ entry }) => entry)
  const key = (entry: SearchEntry): string => `${entry.type}|${entry.assembly ?? ''}|${entry.id}`
  return (
    <div className={`shell-search ${className}`}>
      <Search size={16} aria-hidden />
      <Combobox
        label={t('search.label')}
        placeholder={placeholder ?? t('search.placeholder')}
        text={typed}
        onText={setTyped}
        inputClassName="shell-search-input"
        autoFocus={autoFocus}
        choices={found.slice(0, suggestions).map(({ entry, others }) => ({
          value: key(entry),
          label: (
            <>
              {entry.type === 'gene' && entry.label !== entry.id ? <i>{entry.label}</i> : <code>{entry.label}</code>}{' '}
              {entry.label === entry.id || entry.type !== 'gene' ? null : <code className="nv-quiet">{entry.id}</code>}{' '}
              <span className="nv-quiet">{entry.description}</span>
            </>
          ),
          hint: [
            typeName(entry.type),
            entry.assembly === null
              ? null
              : t('search.genomes', {
                  name: assemblyName(entry.assembly),
                  others: new Set(others.map((one) => one.assembly)).size,
                }),
          ]
            .filter((part) => part !== null)
            .join(' · '),
        }))}
        onChoose={(value) => {
          const entry = entries.find((one) => key(one) === value)
          if (entry !== undefined) navigate(entryAddress(entry))
        }}
        onFree={(text) => {
          if (text.trim() === '') return
          if (onSearch === undefined) navigate(searchAddress(text.trim(), species))
          else onSearch(text.trim())
        }}
      />
    </div>
  )
}
