import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { installationDirectory, readConfig, SettingsError, scriptSettings, settingsSchema } from './config.ts'
import { writeSettings } from './jobs/slurm-jobs.ts'
import { secretSettings, settingsToHandOver } from './secret-files.ts'

const complaint = (environment: NodeJS.ProcessEnv): string => {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  throw new Error('the settings were accepted')
}

describe('settings of the portal', () => {
  test('a bucket may come without keys, with the two of them, and with no other half', () => {
    expect(readConfig({}).objects).toBeNull()
    const bucket = { NOVODB_S3_BUCKET: 'genomes' }
    expect(readConfig(bucket).objects).toMatchObject({
      bucket: 'genomes',
      endpoint: null,
      pathStyle: false,
      credentials: null,
    })
    const keys = { NOVODB_S3_ACCESS_KEY_ID: 'id', NOVODB_S3_SECRET_ACCESS_KEY: 'secret' }
    expect(readConfig({ ...bucket, ...keys, NOVODB_S3_ENDPOINT: 'https://s3.example.org' }).objects).toMatchObject({
      pathStyle: true,
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    })
    expect(() => readConfig({ ...bucket, NOVODB_S3_ACCESS_KEY_ID: 'id' })).toThrow(
      /NOVODB_S3_SECRET_ACCESS_KEY: needed/,
    )
    expect(() => readConfig({ ...bucket, NOVODB_S3_SECRET_ACCESS_KEY: 'x' })).toThrow(/NOVODB_S3_ACCESS_KEY_ID: needed/)
    expect(() => readConfig(keys)).toThrow(/NOVODB_S3_BUCKET: needed/)
    expect(() => readConfig({ NOVODB_S3_ENDPOINT: 'https://s3.example.org' })).toThrow(/NOVODB_S3_BUCKET: needed/)
  })

  test('without any setting the portal listens on this machine only, at port 8000', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ port: 8000, host: '127.0.0.1', demo: 'all', title: 'NovoDB', logLevel: 'info' })
    expect(config).toMatchObject({ trustProxy: 0, secure: false, adminPassword: undefined, databaseUrl: undefined })
    expect(config.dataDir).toBe(join(installationDirectory, 'data'))
  })

  test('a setting that is empty counts as not given', () => {
    expect(readConfig({ PORT: '', NOVODB_DEMO: '', NOVODB_FILING: '', NOVODB_WORKERS: '' })).toEqual(readConfig({}))
  })

  test('units are those of the document: seconds of a job, GiB of its memory', () => {
    const config = readConfig({ NOVODB_JOB_TIMEOUT: '90', NOVODB_JOB_MEMORY: '0.5', NOVODB_RESULTS: '2' })
    expect(config).toMatchObject({ jobTimeoutMs: 90_000, jobMemoryBytes: 536_870_912, keptResultBytes: 2_147_483_648 })
  })

  test.each(['http', '65536', '-1', '80.5'])('the port %s is refused by name', (port) => {
    expect(complaint({ PORT: port })).toContain('\n  PORT: ')
  })

  test('a mistyped name is refused instead of silently doing nothing', () => {
    expect(complaint({ NOVODB_WORKER: '4' })).toContain('NOVODB_WORKER: there is no such setting')
  })

  test('every wrong setting is named at once', () => {
    const text = complaint({ PORT: 'x', NOVODB_DEMO: 'yeast', NOVODB_TRUST_PROXY: 'perhaps', NOVODB_TITEL: 'Yeasts' })
    for (const name of ['PORT', 'NOVODB_DEMO', 'NOVODB_TRUST_PROXY', 'NOVODB_TITEL'])
      expect(text).toContain(`${name}: `)
  })

  test.each([
    [undefined, 0],
    ['false', 0],
    ['true', 1],
    ['1', 1],
    ['2', 2],
  ])('proxies before the portal, set as %s, are %i', (text, count) => {
    expect(readConfig({ NOVODB_TRUST_PROXY: text }).trustProxy).toBe(count)
  })

  test('a secret that does not hold is not repeated in the complaint', () => {
    const text = complaint({ NOVODB_ADMIN_PASSWORD: 'q7#xZ', DATABASE_URL: 'mysql://administrator:hunter2@db/novodb' })
    expect(text).toContain('NOVODB_ADMIN_PASSWORD: ')
    expect(text).toContain('DATABASE_URL: ')
    expect(text).not.toMatch(/q7#xZ|hunter2|administrator/)
  })

  test('options of Slurm are read for all tools and for one; nodes need a database that they reach', () => {
    const DATABASE_URL = 'postgresql://novodb@db/novodb'
    expect(readConfig({}).slurm).toBeNull()
    const slurm = 'partition=main account=lab tasks=50 blast.memory=64 blast.partition=big homologs.run=slurm'
    expect(readConfig({ DATABASE_URL, NOVODB_SLURM: slurm }).slurm).toEqual({
      general: { partition: 'main', account: 'lab' },
      tools: { blast: { memoryBytes: 64 * 2 ** 30, partition: 'big' }, homologs: { run: 'slurm' } },
      maxTasks: 50,
    })
    expect(complaint({ NOVODB_SLURM: slurm })).toContain('DATABASE_URL: needed with NOVODB_SLURM')
  })

  test.each([
    'main',
    'partition=--wrap=x',
    'partition=a b',
    "account='x'",
    'cores=0',
    'memory=-1',
    'time=1e9',
    'tasks=0',
    'blast.tasks=5',
    'run=here',
    'blast.run=there',
    'blast.password=x',
  ])('"%s" is no option of Slurm', (text) => {
    expect(complaint({ DATABASE_URL: 'postgresql://novodb@db/novodb', NOVODB_SLURM: text })).toContain('NOVODB_SLURM: ')
  })

  test('limits of tools are read by tool and name, parted by blanks or commas', () => {
    expect(readConfig({}).toolLimits).toEqual({})
    expect(
      readConfig({ NOVODB_LIMITS: 'blast.queries=500, blast.databases=60\ngenesearch.names=20000' }).toolLimits,
    ).toEqual({
      blast: { queries: 500, databases: 60 },
      genesearch: { names: 20_000 },
    })
  })

  test.each([
    'blast.queries',
    'queries=5',
    'blast.queries=0',
    'blast.queries=-3',
    'blast.queries=1e3',
    'blast.queries=many',
  ])('the limit "%s" is refused, and how limits are written is said', (text) => {
    expect(complaint({ NOVODB_LIMITS: text })).toContain('NOVODB_LIMITS: limits are written like')
  })

  test('settings of the scripts may stand beside those of the portal', () => {
    const environment = Object.fromEntries(scriptSettings.map((name) => [name, 'no']))
    expect(readConfig(environment)).toEqual(readConfig({}))
  })

  test.each(['en', 'zh'])('every setting has its row in the document, language %s', (language) => {
    const document = readFileSync(join(installationDirectory, 'docs', `settings.${language}.md`), 'utf8')
    const rows = [...document.matchAll(/^\| `(\w+)` *\|/gm)].map((match) => match[1])
    expect(rows.sort()).toEqual([...Object.keys(settingsSchema.shape), ...scriptSettings].sort())
  })
})

describe('secrets from files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const fileOf = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const address = 'postgresql://novodb:hunter2@db/novodb'

  test('each secret may be in a file, whose last line break does not belong to it', () => {
    const config = readConfig({
      DATABASE_URL_FILE: fileOf('database', `${address}\n`),
      NOVODB_ADMIN_PASSWORD_FILE: fileOf('admin', ' blanks belong to it \r\n'),
      NOVODB_SMTP_URL_FILE: fileOf('smtp', 'smtps://a:b@mail.example.org'),
      NOVODB_MAIL_FROM: 'portal@example.org',
      NOVODB_PUBLIC_URL: 'https://genomes.example.org',
      NOVODB_SMS_WEBHOOK_URL: 'https://sms.example.org/',
      NOVODB_SMS_WEBHOOK_SECRET_FILE: fileOf('webhook', 'sixteen signs or more\n'),
    })
    expect(config).toMatchObject({ databaseUrl: address, adminPassword: ' blanks belong to it ' })
    expect(config.mail?.url).toBe('smtps://a:b@mail.example.org')
    expect(config.sms).toMatchObject({ secret: 'sixteen signs or more' })
    const aliyun = readConfig({
      NOVODB_ALIYUN_KEY_ID: 'id',
      NOVODB_ALIYUN_KEY_SECRET_FILE: fileOf('aliyun', 'key\n'),
      NOVODB_ALIYUN_SIGN_NAME: 'name',
      NOVODB_ALIYUN_TEMPLATE: 'SMS_1',
    })
    expect(aliyun.sms).toMatchObject({ keySecret: 'key' })
  })

  test('a secret is given once: beside it the name of a file is refused, an empty one passed over', () => {
    const DATABASE_URL_FILE = fileOf('database', address)
    expect(complaint({ DATABASE_URL: address, DATABASE_URL_FILE })).toContain('DATABASE_URL_FILE: DATABASE_URL is set')
    expect(readConfig({ DATABASE_URL: address, DATABASE_URL_FILE: '' }).databaseUrl).toBe(address)
    expect(readConfig({ DATABASE_URL: '', DATABASE_URL_FILE }).databaseUrl).toBe(address)
  })

  test('a file that cannot be had is told with the reason; neither its name nor what is in it is repeated', () => {
    mkdirSync(join(folder, 'inner'))
    for (const [file, reason] of [
      ['/no/hunter2', 'there is no such file'],
      [join(folder, 'inner'), 'a folder is there instead of a file'],
      [fileOf('empty', '\n'), 'the file is empty'],
    ] as const) {
      const text = complaint({ DATABASE_URL_FILE: file, PORT: 'x' })
      expect(text).toContain(`\n  DATABASE_URL_FILE: ${reason}\n  PORT: `)
      expect(text).not.toContain(file)
    }
    expect(complaint({ DATABASE_URL_FILE: fileOf('wrong', 'mysql://root:hunter2@db') })).not.toContain('hunter2')
  })

  test('only secrets may be in files', () => {
    expect(complaint({ NOVODB_TITLE_FILE: '/etc/hostname' })).toContain('NOVODB_TITLE_FILE: there is no such setting')
  })

  test('a process that inherits the name of the file is not given what is in it; one that would read another database is', () => {
    const environment = { DATABASE_URL_FILE: fileOf('database', `${address}\n`) }
    const handedOver = settingsToHandOver({ DATABASE_URL: address, NOVODB_DATA: '/data' }, environment)
    expect(handedOver).toEqual({ NOVODB_DATA: '/data' })
    const DATABASE_URL = 'postgresql://novodb@other/novodb'
    const other = settingsToHandOver({ DATABASE_URL, NOVODB_DATA: '/data' }, { ...environment, NOVODB_DATA: '/data' })
    expect(other).toEqual({ DATABASE_URL, DATABASE_URL_FILE: '' })
    expect(readConfig({ ...environment, ...other }).databaseUrl).toBe(DATABASE_URL)
    expect(settingsToHandOver({ DATABASE_URL: address }, { DATABASE_URL: address })).toEqual({})
  })

  test('nodes of a cluster, which lack the files, are handed what is in them', async () => {
    await writeSettings(folder, { DATABASE_URL_FILE: fileOf('database', `${address}\n`), NOVODB_TITLE: 'Yeasts' })
    const written = JSON.parse(readFileSync(join(folder, 'scheduler/settings.json'), 'utf8')) as NodeJS.ProcessEnv
    expect(written).toEqual({ DATABASE_URL: address, NOVODB_TITLE: 'Yeasts', NOVODB_DATA: folder })
  })

  test.each(['en', 'zh'])('each is named in the document, language %s', (language) => {
    const document = readFileSync(join(installationDirectory, 'docs', `settings.${language}.md`), 'utf8')
    for (const name of secretSettings) expect(document).toContain(`\`${name}_FILE\``)
    for (const name of secretSettings) expect(settingsSchema.shape).toHaveProperty(name)
  })
})
