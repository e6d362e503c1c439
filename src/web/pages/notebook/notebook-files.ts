import type { Notebook, NotebookStep } from '../../../contracts/notebooks.ts'
import { commandLine, type Receipt, receiptLines } from '../../../contracts/tools/receipt.ts'
import { shellWord } from '../../../contracts/tools/shell-word.ts'
import { type Cell, tsvLine } from '../../../kit/write-table.ts'
import type { LiveSet } from './combine-sets.ts'

export interface StepResult {
  result: unknown
  /** The same with words in place of codes, where the tool's screen tells them: for the tables. */
  inWords?: unknown
  receipt: Receipt
}

/**
 * A figure or a table of a step's result as its tool's screen has it: its path below the step's folder, and the drawing, the picture or
 * the text.
 */
export interface StepFile {
  path: string
  /** Null of a table that could not be had whole: its first rows are in the result. */
  content: string | Uint8Array | null
  /** Of a table: rows that are here, of how many; the latter null where it is not known. */
  rows?: number
  of?: number | null
}

export interface NotebookFilesInput {
  notebook: Notebook
  /** By the id of the step; of those that have one. */
  results: ReadonlyMap<string, StepResult>
  /** By the id of the step: figures and tables as its tool's screen has them. */
  drawn: ReadonlyMap<string, readonly StepFile[]>
  sets: readonly LiveSet[]
  /** Where the portal is, without a slash at its end. */
  portal: string
  /** Of a tool, in the reader's language. */
  toolTitle: (tool: string) => string
  exportedAt: string
}

const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .toLowerCase()

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

export interface ResultTable {
  name: string
  text: string
  rows: number
  /** Where the result holds one page of a list: rows of all pages. */
  of: number | null
}

/** How many items all pages of a list have together, where what holds it says that it is a page. */
const pagedTotal = (holder: Record<string, unknown>, list: unknown): number | null => {
  const { total, page, pageSize } = holder
  return typeof total === 'number' &&
    typeof page === 'number' &&
    typeof pageSize === 'number' &&
    Array.isArray(list) &&
    list.length < total &&
    list.length === Math.max(0, Math.min(pageSize, total - (page - 1) * pageSize))
    ? total
    : null
}

/**
 * Lists of a result whose items are plain records, and columns of one length, as tables by the names of the API; lists within items are
 * joined, deeper things are left to the JSON.
 */
export const resultTables = (result: unknown, name = '', of: number | null = null): ResultTable[] => {
  if (typeof result !== 'object' || result === null) return []
  if (!Array.isArray(result)) {
    const columns = Object.entries(result)
    const rows: unknown = columns[0]?.[1]
    if (
      columns.length > 1 &&
      Array.isArray(rows) &&
      rows.length > 0 &&
      columns.every(([, column]) => Array.isArray(column) && column.length === rows.length && column.every(isCell))
    )
      return resultTables(
        rows.map((_, row) => Object.fromEntries(columns.map(([field, column]) => [field, (column as Cell[])[row]]))),
        name,
      )
    return Object.entries(result).flatMap(([field, value]) =>
      resultTables(
        value,
        name === '' ? field : `${name}.${field}`,
        pagedTotal(result as Record<string, unknown>, value),
      ),
    )
  }
  const items = result.filter(
    (item): item is Record<string, unknown> => typeof item === 'object' && item !== null && !Array.isArray(item),
  )
  if (items.length === 0 || items.length < result.length) return []
  const fields = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((field) =>
    items.every(
      ({ [field]: value }) => value === undefined || isCell(value) || (Array.isArray(value) && value.every(isCell)),
    ),
  )
  if (fields.length === 0) return []
  const rows = items.map((item) =>
    fields.map((field): Cell => {
      const value = item[field]
      return Array.isArray(value) ? value.join('; ') : ((value ?? null) as Cell)
    }),
  )
  const text = [fields, ...rows].map((row) => tsvLine(row)).join('')
  return [{ name: name === '' ? 'result' : name, text, rows: rows.length, of }]
}

const folderOf = (step: NotebookStep, at: number): string => {
  const number = String(at + 1).padStart(2, '0')
  return `steps/${number}-${slug(step.run?.tool ?? (step.title || 'set'))}`
}

/** Every run as a call of the API, waited for and saved; then how the programs were started, as comments. */
const shellScript = ({ notebook, results, portal }: NotebookFilesInput): string => {
  const lines = [
    '#!/bin/sh',
    `# ${(notebook.title || 'Notebook').replace(/\s+/g, ' ')}`,
    '# Runs every step again on the data that the portal has today. Needs curl and jq.',
    'set -eu',
    `PORTAL=\${PORTAL:-${shellWord(portal)}}`,
    '',
    'run() { # tool, file of the input, file for the result',
    '  id=$(curl -fsS -H "Content-Type: application/json" -H "Prefer: respond-async" --data-binary @"$2" "$PORTAL/api/tools/$1/" | jq -r .data.job.id)',
    '  while :; do',
    '    state=$(curl -fsS "$PORTAL/api/jobs/$id/" | jq -r .data.job.state)',
    '    case $state in done) break ;; failed | cancelled) echo "$1: $state" >&2; return 1 ;; esac',
    '    sleep 2',
    '  done',
    '  curl -fsS "$PORTAL/api/jobs/$id/result/" > "$3"',
    '}',
    'mkdir -p again',
  ]
  for (const [at, step] of notebook.steps.entries()) {
    if (step.run === null) continue
    const folder = folderOf(step, at)
    lines.push('', `# ${at + 1}. ${step.title.replace(/\s+/g, ' ')}`)
    lines.push(
      `run ${shellWord(step.run.tool)} ${shellWord(`${folder}/input.json`)} ${shellWord(`again/${folder.slice('steps/'.length)}.json`)}`,
    )
    for (const one of results.get(step.id)?.receipt.steps ?? []) {
      const command = commandLine(one)
      if (command !== null) lines.push(`#   ${one.program} ${one.version}: ${command.replace(/\s*\n\s*/g, ' ')}`)
    }
  }
  return `${lines.join('\n')}\n`
}

const lineList = (text: string): string[] => {
  const lines = text.split('\n')
  return lines.map((line, at) => (at < lines.length - 1 ? `${line}\n` : line))
}

/** A Jupyter notebook (nbformat 4.5) that calls the portal's API, with the notes between. */
const jupyterNotebook = ({ notebook, sets, portal, toolTitle }: NotebookFilesInput): string => {
  let count = 0
  const cell = (type: 'markdown' | 'code', source: string): unknown => {
    count += 1
    return {
      id: `cell-${count}`,
      cell_type: type,
      metadata: {},
      source: lineList(source),
      ...(type === 'code' ? { execution_count: null, outputs: [] } : {}),
    }
  }
  const live = new Map(sets.map((set) => [set.step, set]))
  const cells = [
    cell('markdown', `# ${notebook.title || 'Notebook'}\n\n${portal}/notebook?id=${notebook.id}`),
    cell(
      'code',
      `import json, time\nimport requests\n\nPORTAL = ${JSON.stringify(portal)}\n\ndef run(tool, parameters):\n    """Runs a tool of the portal as a job and waits for its result."""\n    answer = requests.post(f"{PORTAL}/api/tools/{tool}/", json=parameters, headers={"Prefer": "respond-async"})\n    answer.raise_for_status()\n    job = answer.json()["data"]["job"]["id"]\n    while True:\n        state = requests.get(f"{PORTAL}/api/jobs/{job}/").json()["data"]["job"]\n        if state["state"] == "done":\n            return requests.get(f"{PORTAL}/api/jobs/{job}/result/").json()["data"]["result"]\n        if state["state"] in ("failed", "cancelled"):\n            raise RuntimeError(state["error"])\n        time.sleep(2)`,
    ),
    ...notebook.steps.flatMap((step, at) => {
      const head = `## ${at + 1}. ${step.title || (step.run === null ? 'Set' : toolTitle(step.run.tool))}${step.note === '' ? '' : `\n\n${step.note}`}`
      const name = `step_${at + 1}`
      if (step.run !== null)
        return [
          cell('markdown', head),
          cell(
            'code',
            // JSON within a string of Python: true, false and null are written otherwise there.
            `${name} = run(${JSON.stringify(step.run.tool)}, json.loads(${JSON.stringify(JSON.stringify(step.run.input))}))\n{key: len(value) if isinstance(value, list) else value for key, value in ${name}.items() if not isinstance(value, dict)}`,
          ),
        ]
      return [
        cell('markdown', head),
        cell('code', `${name} = ${JSON.stringify(live.get(step.id)?.genes ?? step.set?.genes ?? [])}\nlen(${name})`),
      ]
    }),
  ]
  return json({
    cells,
    metadata: {
      kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
      language_info: { name: 'python' },
    },
    nbformat: 4,
    nbformat_minor: 5,
  })
}

const mediaTypes: Record<string, string> = {
  json: 'application/json',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  md: 'text/markdown',
  sh: 'application/x-sh',
  ipynb: 'application/x-ipynb+json',
  gmt: 'text/tab-separated-values',
  svg: 'image/svg+xml',
  png: 'image/png',
}

/**
 * RO-Crate 1.1 by the Process Run Crate profile 0.5 of Workflow Run RO-Crate (Leo et al. 2024, doi:10.1371/journal.pone.0309210): each run
 * is a CreateAction with its instrument, input and results.
 */
const crateMetadata = (
  { notebook, results, portal, toolTitle, exportedAt }: NotebookFilesInput,
  files: Readonly<Record<string, string | Uint8Array>>,
): string => {
  const profile = 'https://w3id.org/ro/wfrun/process/0.5'
  const reference = (id: string) => ({ '@id': id })
  const runs = notebook.steps.flatMap((step, at) =>
    step.run === null ? [] : [{ step, run: step.run, at, folder: folderOf(step, at) }],
  )
  const tools = [...new Set(runs.map(({ run }) => run.tool))]
  const graph: unknown[] = [
    {
      '@id': 'ro-crate-metadata.json',
      '@type': 'CreativeWork',
      conformsTo: reference('https://w3id.org/ro/crate/1.1'),
      about: reference('./'),
    },
    {
      '@id': './',
      '@type': 'Dataset',
      name: notebook.title || 'Notebook',
      description: `Notebook exported from ${portal}`,
      datePublished: exportedAt,
      license: 'No licence is stated by the portal; the data keep those of their sources.',
      conformsTo: reference(profile),
      hasPart: Object.keys(files).map(reference),
      mentions: runs.map(({ step }) => reference(`#run-${step.id}`)),
    },
    { '@id': profile, '@type': 'CreativeWork', name: 'Process Run Crate', version: '0.5' },
    ...tools.map((tool) => ({
      '@id': `#tool-${tool}`,
      '@type': 'SoftwareApplication',
      name: `NovoDB: ${toolTitle(tool)}`,
      url: `${portal}/document/${tool}`,
      softwareVersion:
        runs
          .map(({ step, run }) => (run.tool === tool ? results.get(step.id)?.receipt.portalVersion : undefined))
          .find((version) => version !== undefined) ?? 'unknown',
    })),
    ...runs.map(({ step, run, folder }) => {
      const receipt = results.get(step.id)?.receipt ?? run.receipt
      const own = Object.keys(files).filter((file) => file.startsWith(`${folder}/`))
      return {
        '@id': `#run-${step.id}`,
        '@type': 'CreateAction',
        name: step.title || toolTitle(run.tool),
        ...(step.note === '' ? {} : { description: step.note }),
        instrument: reference(`#tool-${run.tool}`),
        object: own.filter((file) => file.endsWith('/input.json')).map(reference),
        result: own.filter((file) => !file.endsWith('/input.json')).map(reference),
        ...(receipt === null
          ? { actionStatus: reference('http://schema.org/FailedActionStatus') }
          : {
              startTime: receipt.startedAt,
              endTime: new Date(Date.parse(receipt.startedAt) + receipt.elapsedMs).toISOString(),
              actionStatus: reference('http://schema.org/CompletedActionStatus'),
            }),
      }
    }),
    ...Object.entries(files).map(([path, content]) => ({
      '@id': path,
      '@type': 'File',
      name: path.split('/').at(-1),
      encodingFormat: mediaTypes[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      contentSize: String(typeof content === 'string' ? new TextEncoder().encode(content).length : content.length),
    })),
  ]
  return json({ '@context': 'https://w3id.org/ro/crate/1.1/context', '@graph': graph })
}

const countRows = (rows: number, of: number | null): string =>
  of === null || of === rows ? `${rows} ${rows === 1 ? 'row' : 'rows'}` : `${rows} of ${of} rows`

/** Lists of a result as tables, save the page of a list that stands beside them whole. */
const apiTables = (result: unknown, drawn: readonly StepFile[]): ResultTable[] => {
  const hasWhole = drawn.some(({ content, rows, of }) => content !== null && rows !== undefined && rows === of)
  return resultTables(result).filter(({ of }) => of === null || !hasWhole)
}

/** What a reader of a step's tables is told: how many rows each has, and where these are not all. */
const tableLines = (result: unknown, drawn: readonly StepFile[]): string[] => [
  ...drawn.flatMap(({ path, content, rows, of = null }) =>
    rows === undefined
      ? []
      : [
          content === null
            ? `- ${path} is missing: the portal did not give it, or it is too large for this archive. result.json has ${countRows(rows, of)}; the page of the tool exports all.`
            : `- ${path}: ${countRows(rows, of)}`,
        ],
  ),
  ...resultTables(result).flatMap(({ name, rows, of }) =>
    of === null
      ? []
      : [
          `- result.json: ${name} is one page of the list, ${countRows(rows, of)}. A table of all rows is asked for at the export; its head names the release of the data.`,
        ],
  ),
]

const readme = ({ notebook, portal, toolTitle, exportedAt, sets, results, drawn }: NotebookFilesInput): string => {
  const under = (lines: string[]): string[] => (lines.length === 0 ? [] : ['', ...lines])
  const live = new Map(sets.map((set) => [set.step, set]))
  return [
    `# ${notebook.title || 'Notebook'}`,
    '',
    `${portal}/notebook?id=${notebook.id}, ${exportedAt}`,
    ...notebook.steps.flatMap((step, at) => [
      '',
      `## ${at + 1}. ${step.title}`,
      '',
      step.run === null
        ? `${live.get(step.id)?.genes.length ?? 0} genes`
        : `${toolTitle(step.run.tool)}; ${step.run.receipt?.data.map((data) => `${data.assembly} ${data.checksum}`).join(', ') ?? ''}`,
      ...under(step.note === '' ? [] : [step.note]),
      ...under(tableLines(results.get(step.id)?.result, drawn.get(step.id) ?? [])),
    ]),
    '',
  ].join('\n')
}

/** All files of a notebook's export by their paths: questions, results, figures and receipts of every run, tables, sets, and how to run it again. */
export const notebookFiles = (given: NotebookFilesInput): Record<string, string | Uint8Array> => {
  const { notebook, results, drawn, sets } = given
  const files: Record<string, string | Uint8Array> = { 'README.md': readme(given), 'notebook.json': json(notebook) }
  for (const [at, step] of notebook.steps.entries()) {
    const folder = folderOf(step, at)
    if (step.run !== null) {
      files[`${folder}/input.json`] = json(step.run.input)
      const came = results.get(step.id)
      if (came === undefined) continue
      files[`${folder}/result.json`] = json(came.result)
      files[`${folder}/receipt.txt`] = `${receiptLines(came.receipt).join('\n')}\n`
      const own = drawn.get(step.id) ?? []
      for (const { name, text } of apiTables(came.inWords ?? came.result, own))
        files[`${folder}/api/${slug(name)}.tsv`] = text
      for (const { path, content } of own) if (content !== null) files[`${folder}/${path}`] = content
    } else {
      const live = sets.find((set) => set.step === step.id)
      files[`${folder}/genes.txt`] = `${(live?.genes ?? step.set?.genes ?? []).join('\n')}\n`
    }
  }
  if (sets.length > 0)
    files['sets.gmt'] = sets
      .map((set) =>
        tsvLine([notebook.steps.find((step) => step.id === set.step)?.title ?? '', set.assembly ?? '', ...set.genes]),
      )
      .join('')
  files['commands.sh'] = shellScript(given)
  files['notebook.ipynb'] = jupyterNotebook(given)
  files['ro-crate-metadata.json'] = crateMetadata(given, files)
  return files
}
