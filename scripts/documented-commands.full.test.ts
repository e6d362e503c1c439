import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSimulated } from '../demo/simulated.ts'
import { hasRealData, realData } from '../src/testing/real-data.ts'

const root = resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

// --- what the documents tell to type -----------------------------------------------------------------------------------

/** Documents that exist in both languages, and those in English alone. */
const pairs = [
  ['README.md', 'README.zh-CN.md'],
  ['docs/settings.en.md', 'docs/settings.zh.md'],
  ['docs/data-formats.en.md', 'docs/data-formats.zh.md'],
  ['docs/import.en.md', 'docs/import.zh.md'],
  ['docs/cluster.en.md', 'docs/cluster.zh.md'],
  ['docs/several-servers.en.md', 'docs/several-servers.zh.md'],
  ['docs/object-storage.en.md', 'docs/object-storage.zh.md'],
  ['docs/deploying.en.md', 'docs/deploying.zh.md'],
  ['docs/promises.en.md', 'docs/promises.zh.md'],
] as const
const single = ['docs/architecture.en.md', 'docs/tour.en.md']

/** Words of a command's line that stand for something of the reader's own, in either language. */
const placeholders: [RegExp, string][] = [
  [/文件夹/g, 'FOLDER'],
  [/文件/g, 'FILE'],
  [/物种/g, 'SPECIES'],
]

/** `node bin/novodb.mjs` and `novodb` are one; comments and the language of messages do not make another command. */
const plain = (line: string): string =>
  placeholders
    .reduce((text, [word, name]) => text.replace(word, name), line.replace(/\s+#.*$/, ''))
    .replace(/^(node bin\/novodb\.mjs|npx novodb)/, 'novodb')
    .replace(/ --lang zh$/, '')
    .trim()

/** Every command in the shell blocks and between back quotes of a document. */
const commandsOf = (file: string): string[] => {
  const text = read(file)
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap((match) => match[1]!.trim().split('\n'))
  const inline = [...text.replace(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)]
    .map((match) => match[1]!)
    .filter((words) => /^(npm|npx|node|novodb|podman|docker) \S/.test(words))
  return [...new Set([...blocks, ...inline].map(plain))].sort()
}

/** Not run by this file, with the reason. */
const elsewhere: Record<string, string> = {
  'npm test': 'it runs this test',
  'npm test -- --full': 'it runs this test',
  'npm run directions': 'a step of npm test',
  'npm run bench': 'it measures for an hour, on an idle machine',
  'npm run new-tool -- primerdesign': 'new-tool.full.test.ts',
  'node scripts/document-pictures.mjs URL TOOL': 'it writes over pictures that are committed',
  'podman build --format docker -t novodb .': 'wants a container engine and its registry',
  'podman run -d --name novodb --init --stop-timeout 40 -p 127.0.0.1:8000:8000 -v novodb:/data novodb':
    'wants a container engine',
  'podman logs novodb': 'wants a container engine',
  'podman exec -it novodb node bin/novodb.mjs admin password': 'wants a container engine',
  'docker compose up -d': 'wants a container engine and its registry',
  'novodb worker --one': 'e2e/slurm.full.test.ts: a node of Slurm runs it',
  'echo "export NOVODB_DATA=/local/novodb"': 'e2e/storm.full.test.ts: a TaskProlog of Slurm runs it',
  'node dist/node/bench/storm.js 1000 30': 'e2e/storm.full.test.ts: the same with few jobs',
  'export DATABASE_URL=postgresql://novodb:…@db.example.org/novodb': 'e2e/slurm.full.test.ts',
  'export NOVODB_DATA=/shared/novodb': 'e2e/slurm.full.test.ts',
  'export NOVODB_SLURM="partition=compute account=genomes tasks=50"': 'e2e/slurm.full.test.ts',
  'export NOVODB_S3_BUCKET=genomes': 'e2e/object-storage.full.test.ts',
  'export NOVODB_S3_ENDPOINT=https://s3.example.org': 'e2e/object-storage.full.test.ts',
  'export NOVODB_S3_ACCESS_KEY_ID=…': 'e2e/object-storage.full.test.ts',
  'export NOVODB_S3_SECRET_ACCESS_KEY=…': 'e2e/object-storage.full.test.ts',
  'export NOVODB_CACHE_SIZE=200': 'e2e/object-storage.full.test.ts',
  'novodb publish': 'e2e/object-storage.full.test.ts',
  'export DATABASE_URL=postgresql://novodb:…@db1.example.org,db2.example.org,db3.example.org/novodb':
    'e2e/failover.full.test.ts',
  ...Object.fromEntries(
    [
      'mkdir -p -m 700 deploy/secrets',
      'openssl rand -hex 24 > deploy/secrets/database-password',
      'echo "postgresql://novodb:$(cat deploy/secrets/database-password)@database/novodb" > deploy/secrets/database-url',
      'openssl rand -base64 18 > deploy/secrets/admin-password',
      'chmod 644 deploy/secrets/*',
    ].map((line) => [line, 'deploy/compose.test.ts']),
  ),
  ...Object.fromEntries(
    [
      'build',
      'up -d',
      'exec server-1 mkdir -p /data/incoming',
      'cp FOLDER server-1:/data/incoming/',
      'exec server-1 node bin/novodb.mjs load /data/incoming/FOLDER',
      'up -d --no-deps --wait server-1',
      'up -d --no-deps --wait server-2',
      'up -d --no-deps worker-1 worker-2',
      'exec server-1 node bin/novodb.mjs backup /data/FILE',
      'exec -T server-1 tar cf - -C /data FILE bundles jobs > COPY.tar',
      'stop proxy server-1 server-2 worker-1 worker-2',
      "exec database psql --username=novodb --dbname=postgres --command='alter database novodb rename to newer'",
      'exec database createdb --username=novodb novodb',
      'run --rm -T server-1 tar xf - -C /data < COPY.tar',
      'run --rm server-1 node bin/novodb.mjs restore /data/FILE',
    ].map((words) => [`docker compose -f deploy/compose.many.yaml ${words}`, 'wants a container engine']),
  ),
  'docker tag novodb novodb:before': 'wants a container engine',
  'docker compose up -d --build': 'wants a container engine and its registry',
  ...Object.fromEntries(
    [
      'docker compose exec portal node bin/novodb.mjs backup /data/FILE',
      'docker compose exec -T portal tar cf - -C /data FILE bundles jobs > COPY.tar',
      'docker compose down',
      'docker tag novodb:before novodb',
      'docker compose run --rm portal mv /data/postgresql /data/postgresql.newer',
      'docker compose run --rm -T portal tar xf - -C /data < COPY.tar',
      'docker compose run --rm portal node bin/novodb.mjs restore /data/FILE',
      'docker build -f Containerfile -t registry.example.org/novodb:VERSION .',
      'docker push registry.example.org/novodb:VERSION',
    ].map((line) => [line, 'wants a container engine']),
  ),
  ...Object.fromEntries(
    [
      'kubectl exec deployment/genomes-novodb -- mkdir -p /data/incoming',
      'tar cf - FOLDER | kubectl exec -i deployment/genomes-novodb -- tar xf - -C /data/incoming',
      'kubectl exec deployment/genomes-novodb -- node bin/novodb.mjs load /data/incoming/FOLDER',
    ].map((line) => [line, 'wants a cluster of Kubernetes']),
  ),
  'git clone URL novodb': 'where the sources are is for the reader to know',
  'cd novodb': 'where the sources are is for the reader to know',
  'novodb X': 'any command',
  'npm ci': 'a name of the command, without what it is given',
  'docker tag': 'a name of the command, without what it is given',
  'node -p process.execPath': 'of Node.js itself',
  ...Object.fromEntries(
    [
      'cd /opt/novodb',
      'npm ci --include=dev',
      'npm install --no-save --include=dev',
      'npm run build',
      'useradd --system --home-dir /var/lib/novodb --shell /usr/sbin/nologin novodb',
      'install -d -m 700 /etc/novodb',
      'install -m 600 /dev/null /etc/novodb/settings',
      'cp deploy/novodb.service deploy/novodb-worker.service /etc/systemd/system/',
      'systemctl daemon-reload',
      'systemctl enable --now novodb',
      'journalctl --unit novodb',
      'runuser -u novodb -- env NOVODB_DATA=/var/lib/novodb node bin/novodb.mjs load FOLDER',
    ].map((line) => [line, 'it changes the machine; deploy/units.test.ts reads the units']),
  ),
  'kubectl create secret generic novodb --from-file=deploy/secrets/database-url --from-file=deploy/secrets/admin-password':
    'wants a cluster of Kubernetes',
  'helm install genomes deploy/helm/novodb --values my-values.yaml':
    'wants a cluster of Kubernetes; deploy/rendered.full.test.ts renders it',
  'helm upgrade genomes deploy/helm/novodb --values my-values.yaml':
    'wants a cluster of Kubernetes; deploy/rendered.full.test.ts renders it',
}

// --- running them ------------------------------------------------------------------------------------------------------

const place = mkdtempSync(join(tmpdir(), 'novodb-commands-'))
// As root the private PostgreSQL is another user, who keeps its cluster elsewhere when it may not enter here.
chmodSync(place, 0o755)
const folder = join(place, 'yeast')
const backup = join(place, 'novodb.backup')
const species = 'saccharomyces-cerevisiae'
/** Commands of the documents that were run, as the documents write them. */
const ran = new Set<string>()

const environmentOf = (dataDir: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: '0',
  NOVODB_DATA: dataDir,
  NOVODB_DEMO: 'none',
  NOVODB_INSTALL: 'no',
  NOVODB_LOG_LEVEL: 'warn',
  // Each process for answers reads every tool when it starts; nothing here is asked of more than one.
  NOVODB_ANSWER_PROCESSES: '1',
  NOVODB_WORKERS: '1',
})
const data = join(place, 'data')

const started: ChildProcess[] = []

interface Ended {
  status: number | null
  output: string
}

const start = (
  program: string,
  words: string[],
  dataDir: string,
  input = '',
): { child: ChildProcess; text(): string } => {
  const child = spawn(program, words, { cwd: root, env: environmentOf(dataDir), detached: true })
  started.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (text += piece))
  child.stdin.end(input)
  return { child, text: () => text }
}

const end = ({ child, text }: ReturnType<typeof start>): Promise<Ended> =>
  new Promise((done) => child.once('close', (status) => done({ status, output: text() })))

/** Runs a command as the documents write it, its placeholders filled in. */
const novodb = (
  command: string,
  {
    dataDir = data,
    input = '',
    values = {},
  }: { dataDir?: string; input?: string; values?: Record<string, string> } = {},
): Promise<Ended> => {
  ran.add(`novodb ${command}`)
  const known: Record<string, string> = { FOLDER: folder, FILE: backup, SPECIES: species, ...values }
  const words = command.split(' ').map((word) => known[word] ?? word)
  return end(start(process.execPath, ['bin/novodb.mjs', ...words], dataDir, input))
}

interface Running extends ReturnType<typeof start> {
  url: string
  ended: Promise<Ended>
}

/** `npm start`, until it says where the portal is. */
const npmStart = async (): Promise<Running> => {
  ran.add('npm start')
  const npm = start('npm', ['start'], data)
  const ended = end(npm)
  const url = await new Promise<string>((done, failed) => {
    const look = (): void => {
      const found = /is ready: (http:\/\/\S+?)\/?\s/.exec(npm.text())
      if (found !== null) done(found[1]!)
    }
    npm.child.stdout?.on('data', look)
    void ended.then(({ status, output }) => failed(new Error(`npm start ended with ${status}:\n${output}`)))
  })
  return { ...npm, url, ended }
}

/** What Ctrl-C does: the terminal signals every process of the group, npm, script, server and workers alike. */
const pressCtrlC = (running: Running): Promise<Ended> => {
  process.kill(-running.child.pid!, 'SIGINT')
  return running.ended
}

const fetchData = async <T>(url: string, init?: RequestInit): Promise<T | null> => {
  const answer = (await (await fetch(url, init)).json()) as { success: boolean; data: T }
  return answer.success ? answer.data : null
}
const logIn = (url: string, password: string): Promise<unknown> =>
  fetchData(`${url}/api/auth/login/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'admin', username: 'admin', password }),
  })

/** The README's manifest beside real files: chromosome I and the mitochondrion of R64, or three simulated sequences without the set. */
const writeFolder = async (): Promise<number> => {
  let genome: string
  let genes: string
  mkdirSync(folder)
  if (hasRealData) {
    const kept = /^(chrI|chrmt)\s/
    genome = gunzipSync(readFileSync(join(realData, 'yeast/genome/R64.genome.chr.fa.gz')))
      .toString('latin1')
      .split('>')
      .filter((record) => kept.test(record))
      .map((record) => `>${record}`)
      .join('')
    genes = gunzipSync(readFileSync(join(realData, 'yeast/derived/R64.gff3.gz')))
      .toString('utf8')
      .split('\n')
      .filter((line) => line.startsWith('##gff') || kept.test(line))
      .join('\n')
  } else {
    const simulated = join(place, 'simulated')
    await makeSimulated(simulated)
    genome = readFileSync(join(simulated, 'genome.fa'), 'utf8')
    genes = readFileSync(join(simulated, 'genes.gff3'), 'utf8')
    const last = [...genome.matchAll(/^>(\S+)/gm)].at(-1)![1]!
    genome = genome.replaceAll(new RegExp(`^>${last}\\b`, 'gm'), '>chrmt')
    genes = genes.replaceAll(new RegExp(`^(##sequence-region )?${last}\\b`, 'gm'), '$1chrmt')
  }
  writeFileSync(join(folder, 'genome.fa.gz'), gzipSync(genome))
  writeFileSync(join(folder, 'genes.gff3.gz'), gzipSync(`${genes}\n`))
  writeFileSync(join(folder, 'species.yaml'), manifestOf('README.md'))
  return genes.split('\n').filter((line) => line.split('\t')[2] === 'gene').length
}

const manifestOf = (file: string): string => /^```yaml\n(.*?)^```$/ms.exec(read(file))![1]!

let geneCount: number
beforeAll(async () => {
  // What is tested is what `npm start` builds; nothing is built when nothing has changed.
  const script = `import { build } from './scripts/prepare.mjs'\nawait build()\n`
  const built = await end(start(process.execPath, ['--input-type=module', '--eval', script], data))
  expect(built, built.output).toMatchObject({ status: 0 })
  geneCount = await writeFolder()
})
afterAll(() => {
  // A test that failed half way leaves nobody running.
  for (const child of started) {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // It has ended, as it should.
    }
  }
  rmSync(place, { recursive: true, force: true })
})

// --- tests -------------------------------------------------------------------------------------------------------------

describe('what the documents tell to type', () => {
  test.each(pairs)('is the same in both languages: %s, %s', (english, chinese) => {
    expect(commandsOf(chinese)).toEqual(commandsOf(english))
  })

  test('the manifest of a first genome is the same in both languages', () => {
    expect(manifestOf('README.zh-CN.md')).toBe(manifestOf('README.md'))
  })
})

describe('a lab with a genome of its own', () => {
  test('checks its folder and loads it, every gene of its GFF3', async () => {
    expect(await novodb('check FOLDER')).toMatchObject({ status: 0 })
    const loaded = await novodb('load FOLDER')
    expect(loaded, loaded.output).toMatchObject({ status: 0 })
    expect(loaded.output).toContain(`R64: ${geneCount} genes`)
    expect(loaded.output).toContain(`${species}: release 1 is in service`)
    expect((await novodb('list')).output).toMatch(
      new RegExp(`^${species} {2}release 1 .*\\n {2}R64: ${geneCount} genes`),
    )
  })

  test('is told in Chinese what is wrong with a folder, and nothing is changed by it', async () => {
    const wrong = join(place, 'wrong')
    cpSync(folder, wrong, { recursive: true })
    writeFileSync(join(wrong, 'species.yaml'), manifestOf('README.md').replace('genes.gff3.gz', 'genes.gff'))
    const refused = await novodb('check FOLDER --lang zh', { values: { FOLDER: wrong } })
    expect(refused.status).toBe(1)
    expect(refused.output).toMatch(/^genes\.gff: .*[\u4e00-\u9fff]{4}/m)
    expect(await novodb('load FOLDER', { values: { FOLDER: wrong } })).toMatchObject({ status: 1 })
    expect((await novodb('list')).output).toContain('release 1')
  })

  test('imports the same files without a manifest, and what nothing says of them is marked', async () => {
    const download = join(place, 'download')
    mkdirSync(download)
    for (const name of ['genome.fa.gz', 'genes.gff3.gz']) cpSync(join(folder, name), join(download, name))
    const values = { PATH: download }
    const told = await novodb('import PATH --dry-run', { values })
    expect(told, told.output).toMatchObject({ status: 0 })
    expect(readdirSync(download).sort()).toEqual(['genes.gff3.gz', 'genome.fa.gz'])
    const marked = await novodb('import PATH', { values })
    expect(marked).toMatchObject({ status: 1 })
    expect(readFileSync(join(download, 'species.yaml'), 'utf8')).toContain('# CHECK')
    const loaded = await novodb('import PATH --yes --rewrite', { values })
    expect(loaded, loaded.output).toMatchObject({ status: 0 })
    expect(loaded.output).toContain(`download: ${geneCount} genes`)

    const genes = gunzipSync(readFileSync(join(download, 'genes.gff3.gz'))).toString('utf8')
    const ids = [...genes.matchAll(/\tgene\t.*?\bID=([^;\n]+)/g)].slice(0, 20).map(([, id]) => id)
    const table = join(place, 'leaf_tpm.tsv')
    writeFileSync(table, ['gene\tleaf_1\tleaf_2', ...ids.map((id, at) => `${id}\t${at}.5\t${at}`), ''].join('\n'))
    const adding = { TABLE: table, SPECIES: 'download', ENTRY: 'download/expression/leaf_tpm' }
    const before = readFileSync(join(download, 'species.yaml'), 'utf8')
    const wouldAdd = await novodb('import TABLE --to SPECIES --dry-run', { values: adding })
    expect(wouldAdd, wouldAdd.output).toMatchObject({ status: 0 })
    expect(wouldAdd.output).toContain(adding.ENTRY)
    expect(readFileSync(join(download, 'species.yaml'), 'utf8')).toBe(before)
    const added = await novodb('import TABLE --to SPECIES', { values: adding })
    expect(added, added.output).toMatchObject({ status: 0 })
    expect(added.output).toMatch(/taken over: genome, products/)
    const removed = await novodb('import --to SPECIES --remove ENTRY', { values: adding })
    expect(removed, removed.output).toMatchObject({ status: 0 })
    expect(removed.output).toContain('download: unchanged')
    expect(await novodb('remove SPECIES', { values: { SPECIES: 'download' } })).toMatchObject({ status: 0 })
  })

  test('exports what was loaded, and loading that changes nothing', async () => {
    const values = { FOLDER: join(place, 'exported') }
    expect(await novodb('export SPECIES FOLDER', { values })).toMatchObject({ status: 0 })
    for (const name of ['genome.fa.gz', 'genes.gff3.gz'])
      expect(readFileSync(join(values.FOLDER, name)).equals(readFileSync(join(folder, name))), name).toBe(true)
    expect((await novodb('load FOLDER', { values })).output).toMatch(/R64: unchanged[\s\S]*release 1 is in service/)
    expect(await novodb('export SPECIES FOLDER', { values })).toMatchObject({ status: 1 })
  })

  test('starts the portal, loads again while it runs, goes back a release, and stops it with Ctrl-C', async () => {
    const running = await npmStart()
    // The lines behind the address may come in a later piece of the output.
    const findPassword = (): string | undefined => /Password: +(\S+)/.exec(running.text())?.[1]
    await expect.poll(findPassword).toBeDefined()
    const madeUp = findPassword()
    const served = async () => {
      const answer = await fetchData<{
        species: { id: string; release: number; assemblies: { geneCount: number }[] }[]
      }>(`${running.url}/api/species/`)
      return answer?.species.map((one) => [one.id, one.release, one.assemblies[0]?.geneCount])
    }
    expect(await served()).toEqual([[species, 1, geneCount]])
    expect(await (await fetch(`${running.url}/`)).text()).toContain('<title>')
    expect(await logIn(running.url, madeUp!)).not.toBeNull()

    const described = manifestOf('README.md').replace('assemblies:', 'description: Budding yeast\nassemblies:')
    writeFileSync(join(folder, 'species.yaml'), described)
    expect((await novodb('load FOLDER')).output).toMatch(/R64: unchanged[\s\S]*release 2 is in service/)
    // Several folders one after the other; these have nothing new, and so make no release.
    expect(await novodb('load A B C', { values: { A: folder, B: folder, C: folder } })).toMatchObject({ status: 0 })
    await expect.poll(served).toEqual([[species, 2, geneCount]])
    expect((await novodb('rollback SPECIES')).output).toContain('release 1 is in service')
    await expect.poll(served).toEqual([[species, 1, geneCount]])
    expect(await novodb('rollback SPECIES N', { values: { N: '2' } })).toMatchObject({ status: 0 })
    await expect.poll(served).toEqual([[species, 2, geneCount]])

    expect(await novodb('admin password', { input: 'a-new-password-of-admin\n' })).toMatchObject({ status: 0 })
    expect(await logIn(running.url, madeUp!)).toBeNull()
    expect(await logIn(running.url, 'a-new-password-of-admin')).not.toBeNull()

    expect(await novodb('backup FILE')).toMatchObject({ status: 0 })

    const second = await end(start(process.execPath, ['bin/novodb.mjs', 'serve'], data))
    expect(second.status).toBe(1)
    expect(second.output).toMatch(/already runs on this data directory: process \d+/)

    const { output } = await pressCtrlC(running)
    expect(output).toContain('Stopping …')
    // Nobody is left behind, and the database was not torn away.
    await expect.poll(() => existsSync(join(data, 'postgresql', 'postmaster.pid'))).toBe(false)
    expect(readFileSync(join(data, 'postgresql.log'), 'utf8').trim().split('\n').at(-1)).toContain('is shut down')
    expect(output).not.toMatch(/ended \(|Error|aborted/)
  })

  test('starts again without a build and without another password; killed outright, the next start serves the same', async () => {
    const running = await npmStart()
    expect(running.text()).not.toMatch(/Building|Installing the packages|Password:/)
    process.kill(-running.child.pid!, 'SIGKILL')
    await running.ended
    const again = await npmStart()
    const answer = await fetchData<{ species: { id: string; release: number }[] }>(`${again.url}/api/species/`)
    expect(answer?.species).toMatchObject([{ id: species, release: 2 }])
    // A service manager signals npm alone.
    process.kill(again.child.pid!, 'SIGTERM')
    await again.ended
    await expect.poll(() => existsSync(join(data, 'postgresql', 'postmaster.pid'))).toBe(false)
  })

  test('restores its back-up on another machine, with the bundles copied beside it', async () => {
    const other = join(place, 'other-machine')
    mkdirSync(other)
    cpSync(join(data, 'bundles'), join(other, 'bundles'), { recursive: true })
    const restored = await novodb('restore FILE', { dataDir: other })
    expect(restored, restored.output).toMatchObject({ status: 0 })
    expect((await novodb('list', { dataDir: other })).output).toContain(`R64: ${geneCount} genes`)
    expect(await novodb('verify', { dataDir: other })).toMatchObject({ status: 0 })
    // Never over what is there.
    expect((await novodb('restore FILE', { dataDir: other })).status).toBe(1)
  })

  test('is told which file in service was damaged', async () => {
    expect(await novodb('verify')).toMatchObject({ status: 0 })
    const genome = readdirSync(join(data, 'bundles'), { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.fa.gz'),
    )!
    const bytes = readFileSync(join(data, 'bundles', genome))
    bytes.writeUInt8(bytes.readUInt8(1000) ^ 1, 1000)
    rmSync(join(data, 'bundles', genome))
    writeFileSync(join(data, 'bundles', genome), bytes)
    const damaged = await novodb('verify')
    expect(damaged.status).toBe(1)
    expect(damaged.output).toContain(genome.split('/').slice(1).join('/'))
  })

  test('runs workers on a further machine, which end when told', async () => {
    ran.add('novodb worker')
    const worker = start(process.execPath, ['bin/novodb.mjs', 'worker'], data)
    const ended = end(worker)
    await expect.poll(worker.text).toMatch(/^Takes jobs, \d+ at a time/m)
    expect(worker.child.exitCode).toBeNull()
    worker.child.kill('SIGTERM')
    const { status, output } = await ended
    expect({ status, output }).toMatchObject({ status: 0, output: expect.stringMatching(/^Takes jobs, .*\n$/) })
  })

  test('takes its species out of the portal', async () => {
    expect(await novodb('remove SPECIES')).toMatchObject({ status: 0 })
    expect((await novodb('list')).output).toBe('Nothing is loaded yet.\n')
    expect((await novodb('remove SPECIES')).status).toBe(1)
  })

  test('reads which engines there are, and the schema of its manifest', async () => {
    expect((await novodb('engines')).output).toMatch(/^makeblastdb: /m)
    const schema = JSON.parse((await novodb('schema')).output) as { properties: Record<string, unknown> }
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(['species', 'assemblies', 'downloads']))
  })
})

test('every command of the documents and of the help has been run', async () => {
  const documented = [...pairs.map(([english]) => english), ...single].flatMap(commandsOf)
  const { output } = await end(start(process.execPath, ['bin/novodb.mjs', 'help'], data))
  const helped = [...output.matchAll(/^ {2}(novodb [a-z]+(?: password)?(?: [A-Z]+)*(?: \[N\])?)(?:\.\.\.)? /gm)].map(
    (match) => match[1]!.replace(/\[(N)\]/, '$1'),
  )
  expect(helped.length).toBeGreaterThanOrEqual(13)
  // The server is what npm start runs.
  if (ran.has('npm start')) ran.add('novodb serve')
  ran.add('novodb help')
  /** The name of a command that was run, without what it is given. */
  const isName = (command: string): boolean =>
    /^novodb [a-z]+$/.test(command) && [...ran].some((one) => one.startsWith(`${command} `))
  expect(
    [...new Set([...documented, ...helped])].filter(
      (command) => !ran.has(command) && !isName(command) && !(command in elsewhere),
    ),
  ).toEqual([])
})
