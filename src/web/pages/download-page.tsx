import { useQuery } from '@tanstack/react-query'
import { FileCheck, List, Terminal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Download, listDownloads } from '../../contracts/downloads.ts'
import { saysSimulated } from '../../contracts/simulated.ts'
import { AssemblyPicker } from '../../kit/ui/controls/assembly-picker.tsx'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { CopyButton } from '../../kit/ui/controls/copy-button.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Segmented, Select } from '../../kit/ui/controls/field.tsx'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { SpeciesName, useAssemblyNames, useSpeciesNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { messages as kit } from '../../kit/ui/messages.ts'
import { useSpecies } from '../../kit/ui/portal-data.ts'
import { addressOf, call } from '../../kit/ui/request.ts'
import { downloadText } from '../../kit/ui/table/export.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { type ListedTool, useToolList } from '../../kit/ui/tool/tool-list.ts'
import { messages as home } from '../messages/home.ts'
import { messages } from '../messages/pages.ts'
import { PageTitle } from '../shell/page-title.tsx'
import './download-page.css'
import {
  addressList,
  ariaFile,
  ariaList,
  checksumList,
  type FetchedFile,
  type FetchProgram,
  fetchCommand,
  fetchPrograms,
} from './download-commands.ts'

/** The usual order of a release's files: what is asked for most comes first. */
const sumsFile = 'SHA256SUMS'
const kindOrder = ['genome', 'genes', 'transcripts', 'cds', 'proteins', 'annotation', 'track']

/** By their folders and names below the portal's folder of files. */
const toFetched = (file: Download): FetchedFile => ({
  address: new URL(addressOf(file.url), location.href).href,
  path: file.url.replace(/^\/data\//, ''),
  sha256: file.sha256,
})

const DownloadPage = (): ReactNode => {
  const t = useText(messages)
  const h = useText(home)
  const k = useText(kit)
  const format = useFormat()
  const [query, setQuery] = useSearchParams()
  const species = query.get('species') ?? ''
  const assembly = query.get('assembly') ?? ''
  const loaded = useSpecies()
  const all = loaded.data?.species ?? []
  const answer = useQuery({
    queryKey: ['downloads', species, assembly],
    queryFn: (context) =>
      call(listDownloads, { species: species || undefined, assembly: assembly || undefined }, context),
  })
  const kind = query.get('kind') ?? ''
  const listed = answer.data?.files ?? []
  const kinds = [...new Set([...kindOrder, ...listed.map((file) => file.kind)])].filter((one) =>
    listed.some((file) => file.kind === one),
  )
  const assemblyOrder = all.flatMap((one) => one.assemblies.map((each) => each.id))
  const files = listed
    .filter((file) => kind === '' || file.kind === kind)
    .sort(
      (a, b) =>
        assemblyOrder.indexOf(a.assembly ?? '') - assemblyOrder.indexOf(b.assembly ?? '') ||
        kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
        a.name.localeCompare(b.name),
    )
  const language = useLanguage()
  // A kind that a tool brings is named by the tool.
  const toolKinds = Object.assign({}, ...useToolList().map((tool) => tool.fileKinds)) as ListedTool['fileKinds']
  const kindName = (one: string): string =>
    `download.kind.${one}` in messages.en
      ? t(`download.kind.${one}` as 'download.kind.genome')
      : (toolKinds[one]?.[language] ?? one)
  const [ticked, setTicked] = useState<{ of: string; files: Download[] }>({ of: '', files: [] })
  const [program, setProgram] = useState<FetchProgram>('curl')
  const [open, setOpen] = useState(false)
  // Those that are ticked and still listed; without any, all that are listed.
  // Another table, of one species or of several, begins without any.
  const table = new Set(files.map((file) => file.species)).size < 2 ? 'one' : 'several'
  const some = files.filter((file) => ticked.of === table && ticked.files.some(({ url }) => url === file.url))
  const wanted = some.length > 0 ? some : files
  const fetched = wanted.map(toFetched)
  const command = fetchCommand(program, fetched)
  const count = t('download.count', {
    count: wanted.length,
    size: format.bytes(wanted.reduce((sum, file) => sum + file.bytes, 0)),
  })
  const saveSums = (): void => void downloadText(checksumList(fetched), sumsFile)
  const receipt = useCatalogueReceipt('download', 'files of the loaded releases', { species, assembly, kind }, [])
  const set = (name: string, value: string): void => {
    const next = new URLSearchParams(query)
    if (value === '') next.delete(name)
    else next.set(name, value)
    if (name === 'species') next.delete('assembly')
    setQuery(next)
  }
  const speciesName = useSpeciesNames()
  const assemblyName = useAssemblyNames()
  return (
    <main className="nv-page">
      <PageTitle>{t('download.title')}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>{t('download.title')}</h1>
          <p className="nv-lead">{t('download.lead')}</p>
        </div>
        <div className="nv-page-actions">
          <Button
            icon={<List size={15} aria-hidden />}
            title={t('download.urlsHelp')}
            disabled={files.length === 0}
            onClick={() => downloadText(addressList(fetched), 'novodb-files.txt')}
          >
            {t('download.urls')}
          </Button>
          <Button
            icon={<FileCheck size={15} aria-hidden />}
            title={t('download.sumsHelp')}
            disabled={files.length === 0}
            onClick={saveSums}
          >
            {t('download.sums')}
          </Button>
        </div>
      </header>
      <div className="nv-card">
        <div className="nv-card-head download-choices">
          <Select
            aria-label={t('download.species')}
            value={species}
            options={[
              { value: '', label: h('home.allSpecies') },
              ...all.map((one) => ({ value: one.id, label: speciesName(one.id) })),
            ]}
            onChoose={(value) => set('species', value)}
          />
          <Select
            aria-label={t('download.kind')}
            value={kind}
            options={[
              { value: '', label: t('download.allKinds') },
              ...kinds.map((one) => ({ value: one, label: kindName(one) })),
            ]}
            onChoose={(value) => set('kind', value)}
          />
          <AssemblyPicker value={assembly} allowAll onChoose={(value) => set('assembly', value)} />
        </div>
        {answer.isSuccess && files.length === 0 ? null : (
          <details
            className="download-command"
            open={open}
            onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
          >
            <summary>
              <Terminal size={15} aria-hidden /> <strong>{t('download.script')}</strong>{' '}
              <span className="nv-quiet">
                {t(some.length > 0 ? 'download.ofTicked' : 'download.ofListed', { files: count })}
              </span>
            </summary>
            <p className="nv-quiet">{t('download.scriptWhy')}</p>
            <div className="nv-figure-bar">
              <Segmented
                label={t('download.program')}
                value={program}
                options={fetchPrograms.map((one) => ({ value: one, label: one }))}
                onChoose={(one) => setProgram(one as FetchProgram)}
              />
              <CopyButton size="normal" textOf={() => command} reported={t('download.copied')}>
                {t('download.copy')}
              </CopyButton>
              {program === 'aria2' ? (
                <Button icon={<List size={15} aria-hidden />} onClick={() => downloadText(ariaList(fetched), ariaFile)}>
                  {t('download.aria')}
                </Button>
              ) : (
                <Button icon={<FileCheck size={15} aria-hidden />} onClick={saveSums}>
                  {t('download.sums')}
                </Button>
              )}
            </div>
            <ScrollBox className="download-script" label={t('download.script')}>
              <pre>{command}</pre>
              {program === 'aria2' ? null : <pre>{`sha256sum --check ${sumsFile}`}</pre>}
            </ScrollBox>
          </details>
        )}
        <div className="nv-card-flush">
          {/* With the names of species, which else widen the columns once more. */}
          {answer.isPending || loaded.isPending ? (
            <Waiting />
          ) : answer.isError ? (
            <Unanswered of={answer} />
          ) : (
            <ResultTable
              label={t('download.title')}
              name="novodb-downloads"
              receipt={receipt}
              rows={files}
              rowKey={(file) => file.url}
              onSelect={(rows) => {
                setTicked({ of: table, files: rows })
                if (rows.length > 0) setOpen(true)
              }}
              key={table}
              pageSize={50}
              empty={<EmptyState title={t('download.none')} why={t('download.noneWhy')} />}
              columns={[
                {
                  key: 'name',
                  title: t('download.file'),
                  // A title is longer than the name: it goes over lines, and does not lie over the next column.
                  long: true,
                  value: (file) => file.name,
                  render: (file) => (
                    <>
                      <a href={addressOf(file.url)} download>
                        {file.title === null ? file.name : format.text(file.title)}
                      </a>{' '}
                      {file.simulated && !saysSimulated(format.text(file.title)) ? (
                        <Tag tone="amber">{k('simulated.tag')}</Tag>
                      ) : null}
                    </>
                  ),
                },
                // With the file and its size what a phone has room for.
                {
                  key: 'fileName',
                  title: t('download.fileName'),
                  kind: 'id',
                  // Its ending is the format.
                  value: ({ url }) => decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)),
                },
                {
                  key: 'assembly',
                  title: t('download.assembly'),
                  main: true,
                  // Of the species, as the column beside it says; long names go over lines.
                  value: (file) => (file.assembly === null ? null : assemblyName(file.assembly)),
                  render: (file) => (
                    <span className="download-assembly">
                      {file.assembly === null ? (
                        <span className="nv-quiet">{t('download.wholeSpecies')}</span>
                      ) : (
                        assemblyName(file.assembly)
                      )}
                    </span>
                  ),
                },
                {
                  key: 'bytes',
                  title: t('download.size'),
                  kind: 'number',
                  main: true,
                  value: (file) => file.bytes,
                  render: (file) => format.bytes(file.bytes),
                },
                { key: 'kind', title: t('download.kind'), value: (file) => kindName(file.kind) },
                {
                  key: 'species',
                  title: t('download.species'),
                  // Of one species each row would say the same; the exported table has it all the same.
                  hidden: table === 'one',
                  value: (file) => speciesName(file.species),
                  // The assembly beside it tells species of one name apart.
                  render: (file) =>
                    file.assembly === null ? (
                      <SpeciesName id={file.species} />
                    ) : (
                      <i>{all.find((one) => one.id === file.species)?.name ?? file.species}</i>
                    ),
                },
                {
                  key: 'date',
                  title: t('download.date'),
                  hidden: true,
                  value: (file) => file.createdAt,
                  render: (file) => <span style={{ whiteSpace: 'nowrap' }}>{format.date(file.createdAt)}</span>,
                },
                { key: 'licence', title: t('download.licence'), value: (file) => file.licence },
                {
                  key: 'sha256',
                  title: t('download.sha'),
                  kind: 'id',
                  value: (file) => file.sha256,
                  render: (file) => <span title={file.sha256}>{file.sha256.slice(0, 12)}…</span>,
                },
                {
                  key: 'description',
                  title: t('download.description'),
                  hidden: true,
                  value: (file) => format.text(file.description),
                },
              ]}
            />
          )}
        </div>
      </div>
    </main>
  )
}

export default DownloadPage
