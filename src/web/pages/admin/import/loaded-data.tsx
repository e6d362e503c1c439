import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  createImport,
  listSpeciesEntries,
  type SpeciesEntry,
  workOnImport,
} from '../../../../contracts/accounts/imports.ts'
import { Button } from '../../../../kit/ui/controls/button.tsx'
import { Card } from '../../../../kit/ui/controls/card.tsx'
import { Unanswered, Waiting } from '../../../../kit/ui/controls/empty-state.tsx'
import { Field, Select } from '../../../../kit/ui/controls/field.tsx'
import { useSpeciesNames } from '../../../../kit/ui/gene/species-names.tsx'
import { useText } from '../../../../kit/ui/language.tsx'
import { useSpecies } from '../../../../kit/ui/portal-data.ts'
import { call } from '../../../../kit/ui/request.ts'
import { ResultTable } from '../../../../kit/ui/table/result-table.tsx'
import { attempt } from '../../../attempt.ts'
import { messages } from '../../../messages/import.ts'
import { useEntryName } from './entry-name.ts'

const nameOf = ({ assembly, entry, id }: SpeciesEntry): string =>
  [assembly, entry, id].filter((part) => part !== null).join('/')

const Entries = ({ species, onCreated }: { species: string; onCreated: (id: string) => void }): ReactNode => {
  const t = useText(messages)
  const entryName = useEntryName()
  const answer = useQuery({
    queryKey: ['import-entries', species],
    queryFn: (context) => call(listSpeciesEntries, { species }, context),
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { folder, entries } = answer.data
  if (folder === null) return <p className="nv-quiet">{t('import.entriesGone')}</p>
  const remove = ({ assembly, entry, id }: SpeciesEntry): Promise<void> =>
    attempt(async () => {
      const names = [id ?? entry, entry].map((name) => name.slice(-200))
      const made = await call(createImport, { names, remove: { species, assembly, entry, id } })
      await call(workOnImport, { id: made.id, action: 'look' })
      onCreated(made.id)
    })
  return (
    <ResultTable
      label={t('import.entries')}
      name="novodb-import-entries"
      rows={entries}
      rowKey={nameOf}
      empty={<p className="nv-quiet">{t('import.entriesNone')}</p>}
      columns={[
        { key: 'assembly', title: t('import.assembly'), value: (one) => one.assembly },
        { key: 'entry', title: t('import.entry'), value: (one) => entryName(one.entry) },
        { key: 'id', title: t('import.name'), value: (one) => one.id },
        {
          key: 'remove',
          title: t('import.action'),
          value: () => null,
          render: (one) => (
            <Button
              size="small"
              look="quiet"
              aria-label={t('import.removeEntry', { entry: nameOf(one) })}
              onClick={() => void remove(one)}
            >
              {t('import.remove')}
            </Button>
          ),
        },
      ]}
    />
  )
}

/** What is loaded of a species, each part of which can be taken out again. */
export const LoadedData = ({ onCreated }: { onCreated: (id: string) => void }): ReactNode => {
  const t = useText(messages)
  const species = useSpecies()
  const speciesName = useSpeciesNames()
  const [chosen, setChosen] = useState('')
  const all = species.data?.species ?? []
  if (all.length === 0) return null
  return (
    <Card title={t('import.entries')}>
      <div className="account-stack">
        <p className="nv-quiet">{t('import.entriesLead')}</p>
        <Field label={t('import.species')}>
          {(control) => (
            <Select
              {...control}
              value={chosen}
              options={[
                { value: '', label: t('import.chooseSpecies') },
                ...all.map(({ id }) => ({ value: id, label: speciesName(id) })),
              ]}
              onChoose={setChosen}
            />
          )}
        </Field>
        {chosen === '' ? null : <Entries species={chosen} onCreated={onCreated} />}
      </div>
    </Card>
  )
}
