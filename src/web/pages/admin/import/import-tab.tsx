import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { createImport, listImports, listServerFiles, workOnImport } from '../../../../contracts/accounts/imports.ts'
import { Button } from '../../../../kit/ui/controls/button.tsx'
import { Card } from '../../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../../kit/ui/controls/empty-state.tsx'
import { Field, TextInput } from '../../../../kit/ui/controls/field.tsx'
import { useFormat, useText } from '../../../../kit/ui/language.tsx'
import { call } from '../../../../kit/ui/request.ts'
import { ResultTable } from '../../../../kit/ui/table/result-table.tsx'
import { attempt } from '../../../attempt.ts'
import { messages as admin } from '../../../messages/admin.ts'
import { messages } from '../../../messages/import.ts'
import { refreshMs } from '../paged-rows.tsx'
import type { DroppedFile } from './dropped-files.ts'
import { FileDrop } from './file-drop.tsx'
import { ImportStateTag } from './import-state-tag.tsx'
import { ImportView } from './import-view.tsx'
import { LoadedData } from './loaded-data.tsx'
import { uploadsOf } from './uploader.ts'
import './import.css'

/** Folders and files of the server that the settings let admin import. */
const ServerFolders = ({
  roots,
  onCreated,
}: {
  roots: readonly string[]
  onCreated: (id: string) => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [folder, setFolder] = useState(roots[0]!)
  const answer = useQuery({
    queryKey: ['import-server-files', folder],
    queryFn: (context) => call(listServerFiles, { folder }, context),
  })
  const take = (source: string): Promise<void> =>
    attempt(async () => {
      const { id } = await call(createImport, { names: [source.slice(-200)], source })
      await call(workOnImport, { id, action: 'look' })
      onCreated(id)
    })
  const parent = answer.data?.parent ?? null
  return (
    <Card title={t('import.server')}>
      <div className="account-stack">
        <p className="nv-quiet">{t('import.serverLead')}</p>
        {roots.length > 1 ? (
          <div className="account-actions">
            {roots.map((root) => (
              <Button key={root} size="small" look="quiet" onClick={() => setFolder(root)}>
                <code>{root}</code>
              </Button>
            ))}
          </div>
        ) : null}
        <div className="account-actions">
          <code>{folder}</code>
          {parent === null ? null : (
            <Button size="small" onClick={() => setFolder(parent)}>
              {t('import.serverUp')}
            </Button>
          )}
          <Button size="small" look="primary" onClick={() => void take(folder)}>
            {t('import.serverThis')}
          </Button>
        </div>
        {answer.isPending ? <Waiting /> : null}
        {answer.isError ? <Unanswered of={answer} /> : null}
        {answer.data === undefined ? null : answer.data.entries.length === 0 ? (
          <p className="nv-quiet">{t('import.serverEmpty')}</p>
        ) : (
          <ul className="account-list import-entries">
            {answer.data.entries.map((entry) => (
              <li key={entry.path}>
                {entry.folder ? (
                  <Button size="small" look="quiet" onClick={() => setFolder(entry.path)}>
                    {`${entry.name}/`}
                  </Button>
                ) : (
                  <>
                    <span>{entry.name}</span> <span className="nv-quiet">{format.bytes(entry.bytes)}</span>
                    <Button
                      size="small"
                      look="quiet"
                      aria-label={t('import.importFile', { name: entry.name })}
                      onClick={() => void take(entry.path)}
                    >
                      {t('import.serverFile')}
                    </Button>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        {answer.data?.more ? <p className="nv-quiet">{t('import.serverMore')}</p> : null}
      </div>
    </Card>
  )
}

/** A file that the server fetches by itself. */
const Address = ({ onCreated }: { onCreated: (id: string) => void }): ReactNode => {
  const t = useText(messages)
  const [address, setAddress] = useState('')
  const [checksum, setChecksum] = useState('')
  const [busy, setBusy] = useState(false)
  const take = async (): Promise<void> => {
    setBusy(true)
    await attempt(async () => {
      const name =
        address
          .split(/[?#]/)[0]!
          .split('/')
          .findLast((part) => part !== '') ?? address
      const { id } = await call(createImport, { names: [name.slice(0, 200)], address, checksum: checksum.trim() })
      await call(workOnImport, { id, action: 'look' })
      onCreated(id)
    })
    setBusy(false)
  }
  return (
    <Card title={t('import.address')}>
      <form
        className="account-stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void take()
        }}
      >
        <p className="nv-quiet">{t('import.addressLead')}</p>
        <div className="import-questions">
          <Field label={t('import.addressField')}>
            {(control) => (
              <TextInput
                {...control}
                type="url"
                required
                maxLength={4096}
                value={address}
                onChange={(event) => setAddress(event.target.value)}
              />
            )}
          </Field>
          <Field label={t('import.checksum')} optional>
            {(control) => (
              <TextInput
                {...control}
                maxLength={64}
                value={checksum}
                onChange={(event) => setChecksum(event.target.value)}
              />
            )}
          </Field>
        </div>
        <div className="account-actions">
          <Button type="submit" busy={busy}>
            {t('import.fetch')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

const maxNames = 100

const ImportList = ({ onOpen }: { onOpen: (id: string) => void }): ReactNode => {
  const t = useText(messages)
  const i = useText(admin)
  const format = useFormat()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const answer = useQuery({
    queryKey: ['admin-imports'],
    queryFn: (context) => call(listImports, {}, context),
    refetchInterval: refreshMs,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { imports, roots, maxBytes, freeBytes, keptDays, unwritable } = answer.data
  const opened = (id: string): void => {
    void client.invalidateQueries({ queryKey: ['admin-imports'] })
    onOpen(id)
  }
  const begin = async (files: DroppedFile[]): Promise<void> => {
    setBusy(true)
    await attempt(async () => {
      // Folders first, which a person has named: then what lies in them.
      const parts = files.map(({ path }) => path.split('/'))
      const names = [...parts.flatMap((path) => path.slice(0, -1)), ...parts.map((path) => path.at(-1)!)]
      const { id } = await call(createImport, {
        names: [...new Set(names)].slice(0, maxNames).map((name) => name.slice(0, 200)),
        bytes: files.reduce((sum, { file }) => sum + file.size, 0),
      })
      uploadsOf(id).add(files, { uploaded: [], pending: [] })
      opened(id)
    })
    setBusy(false)
  }
  return (
    <div className="account-stack">
      <Card title={t('import.new')}>
        <div className="account-stack">
          <p>{t('import.lead')}</p>
          <p className="nv-quiet">
            {t('import.formats')} <Link to="/document/import">{t('import.guide')}</Link>
          </p>
          {unwritable !== null ? (
            <div className="nv-banner nv-banner-warn" role="status">
              {t('import.unwritable', { reason: unwritable })}
            </div>
          ) : maxBytes === 0 ? (
            <p className="nv-quiet">{t('import.noUploads')}</p>
          ) : (
            <>
              <FileDrop text={t('import.drop')} busy={busy} onFiles={(files) => void begin(files)} />
              <p className="nv-quiet">
                {t('import.limits', {
                  max: format.bytes(maxBytes),
                  free: format.bytes(freeBytes),
                  days: Math.ceil(keptDays),
                })}
              </p>
            </>
          )}
        </div>
      </Card>
      {maxBytes === 0 || unwritable !== null ? null : <Address onCreated={opened} />}
      {roots.length === 0 || unwritable !== null ? null : <ServerFolders roots={roots} onCreated={opened} />}
      {unwritable === null ? <LoadedData onCreated={opened} /> : null}
      <Card title={t('import.list')} flush>
        <ResultTable
          label={t('import.list')}
          name="novodb-imports"
          rows={imports}
          rowKey={(one) => one.id}
          empty={<EmptyState title={t('import.none')} />}
          columns={[
            {
              key: 'id',
              title: t('import.name'),
              kind: 'id',
              value: (one) => one.id,
              render: (one) => (
                <Button size="small" look="quiet" onClick={() => onOpen(one.id)}>
                  {one.id}
                </Button>
              ),
            },
            {
              key: 'state',
              title: i('info.state'),
              value: (one) => one.state,
              render: (one) => <ImportStateTag of={one} />,
            },
            {
              key: 'source',
              title: t('import.source'),
              value: (one) =>
                one.source ?? one.address ?? t(one.removes ? 'import.source.removal' : 'import.source.upload'),
            },
            { key: 'files', title: t('import.files'), kind: 'number', value: (one) => one.files },
            {
              key: 'bytes',
              title: t('import.size'),
              kind: 'number',
              value: (one) => one.bytes,
              render: (one) => format.bytes(one.bytes),
            },
            {
              key: 'created',
              title: i('info.created'),
              value: (one) => one.createdAt,
              render: (one) => format.dateTime(one.createdAt),
            },
            { key: 'by', title: i('info.startedBy'), value: (one) => one.createdBy },
          ]}
        />
      </Card>
    </div>
  )
}

/** Importing data: what was imported and is being so, and one import with all that belongs to it. */
export const ImportTab = (): ReactNode => {
  const [query, setQuery] = useSearchParams()
  const id = query.get('import')
  const open = (next: string | null): void => setQuery({ tab: 'import', ...(next === null ? {} : { import: next }) })
  return id === null ? <ImportList onOpen={open} /> : <ImportView key={id} id={id} onBack={() => open(null)} />
}
