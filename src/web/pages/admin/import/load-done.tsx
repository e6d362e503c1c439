import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { z } from 'zod'
import { type getImport, type ImportSurvey, undoLoad } from '../../../../contracts/accounts/imports.ts'
import { isServing } from '../../../../contracts/load-steps.ts'
import { Button, ButtonLink } from '../../../../kit/ui/controls/button.tsx'
import { geneAddress } from '../../../../kit/ui/gene/gene-link.tsx'
import { useSpeciesNames } from '../../../../kit/ui/gene/species-names.tsx'
import { useFormat, useLanguage, useText } from '../../../../kit/ui/language.tsx'
import { showNotice } from '../../../../kit/ui/notices.ts'
import { useAssemblies } from '../../../../kit/ui/portal-data.ts'
import { call } from '../../../../kit/ui/request.ts'
import { useToolList } from '../../../../kit/ui/tool/tool-list.ts'
import { attempt, notifySuccess } from '../../../attempt.ts'
import { messages } from '../../../messages/import.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useLoad } from '../load-view.tsx'

type Import = z.infer<(typeof getImport)['output']>
type Addition = NonNullable<ImportSurvey['addition']>

const shownTools = 4

/** Tools that show what was added, told by the entry that they need. */
const AddedIn = ({ entries }: { entries: Addition['entries'] }): ReactNode => {
  const language = useLanguage()
  const assemblies = useAssemblies()
  const tools = useToolList()
  const found = entries.flatMap(({ assembly, entry, id }) => {
    const loaded = assemblies.find((one) => one.id === assembly)?.dataTypes
    return tools
      .filter((tool) => tool.entryNeeds.includes(entry))
      .filter((tool) => loaded === undefined || tool.dataNeeds.every((type) => (loaded[type] ?? 0) > 0))
      .map((tool) => {
        const query = new URLSearchParams()
        if (assembly !== null && tool.fields.includes('assembly')) query.set('assembly', assembly)
        if (id !== null && tool.fields.includes('dataset')) query.set('dataset', id)
        return { tool, address: `${tool.route}?${query}` }
      })
  })
  const first = found.filter(({ tool }, at) => found.findIndex((one) => one.tool.id === tool.id) === at)
  return first.slice(0, shownTools).map(({ tool, address }) => (
    <ButtonLink key={tool.id} to={address} icon={<tool.icon size={16} aria-hidden />}>
      {tool.title[language]}
    </ButtonLink>
  ))
}

/** What a load has led to, as soon as it is in service: the species and its first gene, or what was added, and the way back. */
export const LoadDone = ({
  load,
  survey,
  matched,
  way,
  onUndone,
}: {
  load: number
  survey: ImportSurvey
  matched: Import['matched']
  /** Absent where it cannot be undone, as once a later load serves. */
  way: Import['undo'][number] | undefined
  onUndone: () => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const speciesName = useSpeciesNames()
  const served = useAssemblies()
  const client = useQueryClient()
  // What the reader was told is what is undone.
  const [asking, setAsking] = useState<Import['undo'][number] | null>(null)
  const row = useLoad(load).data?.load
  const isIn = row !== undefined && isServing(row)
  const isDone = row?.state === 'done'
  // What is in service is asked for anew once it is another, and once all is compared.
  useEffect(() => {
    if (isIn || isDone) void client.invalidateQueries()
  }, [isIn, isDone, client])
  if (row === undefined || !isIn) return null
  const species = speciesName(row.species)
  const { addition } = survey
  const names = {
    entries: format.series(addition?.entries.map(({ entry, id }) => id ?? entry) ?? []),
    count: addition?.entries.length ?? 0,
    species,
  }
  const assembly = survey.species
    .find((one) => one.id === row.species)
    ?.assemblies.find(({ id, genes }) => genes.length > 0 && served.some((one) => one.id === id))
  const undone = (before: number | null): string =>
    addition !== null
      ? t(addition.removes ? 'import.undoneRemoval' : 'import.undoneAdd', names)
      : before === null
        ? t('import.undoneRemove', { species })
        : t('import.undoneBack', { species, number: before })
  const undo = ({ number, before }: Import['undo'][number]): Promise<void> =>
    attempt(async () => {
      const { leftManifest } = await call(undoLoad, { id: load, number, before })
      setAsking(null)
      if (leftManifest === null) notifySuccess(undone(before))
      else showNotice({ kind: 'message', level: 'warning', text: t('import.undoneLeft', { file: leftManifest }) })
      await client.invalidateQueries()
      onUndone()
    })
  const isAdded = addition !== null && !addition.removes
  return (
    <div className="account-stack">
      <div className="account-actions" role="status">
        <strong>
          {isAdded
            ? t(isDone ? 'import.entriesDone' : 'import.entriesComparing', names)
            : t(isDone ? 'import.done' : 'import.comparing', { species })}
        </strong>
        {addition !== null || assembly === undefined
          ? null
          : assembly.genes.slice(0, 1).map((gene) => (
              <ButtonLink key={gene.id} look="primary" to={geneAddress(gene.id, assembly.id)}>
                {t('import.openGene', { gene: gene.id })}
              </ButtonLink>
            ))}
        {isAdded ? <AddedIn entries={addition.entries} /> : null}
        {way === undefined ? null : <Button onClick={() => setAsking(way)}>{t('import.undo')}</Button>}
      </div>
      {matched.map(({ assembly: of, entry, id, samples, genes }) => (
        <p key={`${of} ${id}`}>{t('import.matched', { entry: id ?? entry, samples, genes })}</p>
      ))}
      {asking === null ? null : (
        <ConfirmDialog
          title={
            addition === null
              ? t('import.undoTitle', { species })
              : t(addition.removes ? 'import.undoRemovalTitle' : 'import.undoAddTitle', names)
          }
          why={[
            addition === null
              ? asking.before === null
                ? t('import.undoRemove', { species })
                : t('import.undoBack', { number: asking.before })
              : t(addition.removes ? 'import.undoRemoval' : 'import.undoAdd', names),
            isAdded && addition.entries.some(({ replaces }) => replaces) ? t('import.undoReplaced', names) : '',
          ]
            .join(' ')
            .trim()}
          action={t('import.undo')}
          danger={asking.before === null}
          onNo={() => setAsking(null)}
          onYes={() => void undo(asking)}
        />
      )}
    </div>
  )
}
