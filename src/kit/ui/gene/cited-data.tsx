import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type CitedDataSet, publicationDataSchema } from '../../../contracts/publication.ts'
import { type LocalizedText, textIn } from '../../../contracts/text.ts'
import { runTool } from '../../../contracts/tools/jobs.ts'
import { browsedAssembly } from '../browser-address.ts'
import { Tag } from '../controls/card.tsx'
import { useFormat, useText } from '../language.tsx'
import { messages as kit } from '../messages.ts'
import { useAssemblies } from '../portal-data.ts'
import { call } from '../request.ts'
import { useOpenings } from '../tool/tool-openings.ts'
import { messages } from './cited-data-messages.ts'

/** Publications that the tool which opens them finds by a title, or by an author and a year, of a species. */
const usePublications = (species: string | undefined, title: string | null) => {
  const [opening] = useOpenings('publication')
  const input = opening?.input({ id: '', species: species ?? '', title: title ?? '' })
  return useQuery({
    queryKey: ['cited-data', opening?.tool.id, input],
    enabled: opening !== undefined && species !== undefined && title !== null,
    queryFn: async (context) => {
      const run = await call(runTool, { ...input, tool: opening!.tool.id }, context)
      return 'result' in run ? publicationDataSchema.parse(run.result).publications : []
    },
    staleTime: 300_000,
    retry: false,
  })
}

/** Links to the data that a publication is behind; how that is known is their title. */
export const CitedData = ({ sets }: { sets: readonly CitedDataSet[] }): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const [expression] = useOpenings('expressionData')
  return sets.map((set) => {
    const { kind, assembly, id } = set
    const words = (
      <>
        {format.text(set.name)}
        {kind === 'assembly' ? null : (
          <small>
            {t(`cited.kind.${kind}`)} · {assembly}
          </small>
        )}
        {set.simulated ? (
          <Tag tone="amber" title={k('simulated.why')}>
            {k('simulated.tag')}
          </Tag>
        ) : null}
      </>
    )
    const about = { key: `${kind} ${assembly} ${id}`, className: 'nv-cited', title: t(`cited.by.${set.by}`) }
    const to =
      kind === 'expression'
        ? expression?.address({ assembly, dataset: id })
        : browsedAssembly(assembly, kind === 'track' ? id : undefined)
    return to === undefined ? (
      <span {...about} key={about.key}>
        {words}
      </span>
    ) : (
      <Link {...about} key={about.key} to={to}>
        {words}
      </Link>
    )
  })
}

/** The data that the publication of this record is behind; nothing where there are none. */
export const DataOfPublication = ({
  species,
  id,
  title,
}: {
  species: string
  id: string
  title: string | null
}): ReactNode => {
  const t = useText(messages)
  const found = usePublications(species, title === null ? null : `"${title}"`).data?.find(({ records }) =>
    records.some((record) => record.species === species && record.key === id),
  )
  return found === undefined || found.dataSets.length === 0 ? null : (
    <p className="nv-cited-data">
      <strong>{t('cited.data')}</strong> <CitedData sets={found.dataSets} />
    </p>
  )
}

/** "Griffin et al. 2011" of a source as words that find the publication: `Griffin 2011`; null where it names none so. */
const wordsOfSource = (source: LocalizedText | null): string | null => {
  const [, family, year] = /(\p{Lu}[\p{L}'’-]+)[^;\d]{0,40}\b((?:19|20)\d{2})\b/u.exec(textIn(source ?? '', 'en')) ?? []
  return family === undefined ? null : `${family} ${year}`
}

/** Leads from a data set of expression to the publication that its source cites, where that is loaded. */
export const PublicationOfData = ({
  assembly,
  dataset,
}: {
  assembly: string
  dataset: { id: string; source: LocalizedText | null }
}): ReactNode => {
  const t = useText(messages)
  const species = useAssemblies().find(({ id }) => id === assembly)?.species
  const found = usePublications(species, wordsOfSource(dataset.source)).data?.find(({ dataSets }) =>
    dataSets.some((set) => set.kind === 'expression' && set.assembly === assembly && set.id === dataset.id),
  )
  if (found === undefined) return null
  const { key } = found.records.find((record) => record.species === species) ?? found.records[0]!
  return (
    <Link
      to={`/detail?${new URLSearchParams({ type: 'reference', id: key, species: species! })}`}
      title={found.title ?? key}
    >
      {t('cited.publication')}
    </Link>
  )
}
