import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { LimitSettings } from '../contracts/tools/tool-limits.ts'
import type { ObjectStoreSettings } from '../store/objects/object-store.ts'
import { readSecretFiles } from './secret-files.ts'
import { type SlurmSettings, slurmSettings } from './slurm-settings.ts'

/** The folder of the checkout or installation, whether this runs as source or compiled under dist/node. */
export const installationDirectory = ((): string => {
  const here = dirname(fileURLToPath(import.meta.url))
  return here.includes(`${join('dist', 'node')}`) ? resolve(here, '../../../..') : resolve(here, '../..')
})()

const flag = z.stringbool()
const emptyIsUnset = (value: unknown): unknown => (value === '' ? undefined : value)
const setting = <T extends z.ZodType>(schema: T) => z.preprocess(emptyIsUnset, schema)

/**
 * `blast.queries=500 genesearch.names=20000`, parted by blanks or commas. Which tools and limits there are is known when tools are read.
 */
const limitSettings = z.string().transform((text, context): LimitSettings => {
  const limits: LimitSettings = {}
  for (const part of text.split(/[\s,]+/).filter((word) => word !== '')) {
    const match = /^([a-z]+)\.([A-Za-z][A-Za-z0-9]*)=([1-9]\d{0,11})$/.exec(part)
    if (match === null) {
      context.addIssue({ code: 'custom', message: 'limits are written like blast.queries=500, parted by blanks' })
      return z.NEVER
    }
    limits[match[1]!] = { ...limits[match[1]!], [match[2]!]: Number(match[3]) }
  }
  return limits
})

/** Every setting of the portal, from the environment; documented in docs/settings.en.md, where a test looks for each name. */
export const settingsSchema = z.object({
  PORT: setting(z.coerce.number().int().min(0).max(65535).default(8000)),
  HOST: setting(z.string().default('127.0.0.1')),
  NOVODB_DATA: setting(z.string().default(join(installationDirectory, 'data'))),
  NOVODB_DEMO: setting(z.enum(['all', 'tb', 'none']).default('all')),
  NOVODB_ADMIN_PASSWORD: setting(z.string().min(8, 'at least 8 characters').max(200).optional()),
  DATABASE_URL: setting(
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'an address that begins with postgresql://')
      .optional(),
  ),
  NOVODB_WORKERS: setting(
    z.coerce
      .number()
      .int()
      .min(0)
      .max(256)
      .default(Math.max(1, availableParallelism() - 1)),
  ),
  NOVODB_ANSWER_PROCESSES: setting(
    z.coerce
      .number()
      .int()
      .min(1)
      .max(64)
      .default(Math.min(4, Math.max(3, availableParallelism()))),
  ),
  NOVODB_JOB_TIMEOUT: setting(z.coerce.number().int().min(10).max(604_800).default(3600)),
  NOVODB_JOB_MEMORY: setting(z.coerce.number().min(0.25).max(4096).default(8)),
  NOVODB_RESULTS: setting(z.coerce.number().min(0.1).max(100_000).default(10)),
  NOVODB_LIMITS: setting(limitSettings.default({})),
  NOVODB_SLURM: setting(slurmSettings.optional()),
  NOVODB_S3_BUCKET: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/, 'the name of a bucket')
      .optional(),
  ),
  NOVODB_S3_PREFIX: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/, 'a path such as portals/yeast')
      .default(''),
  ),
  NOVODB_S3_ENDPOINT: setting(
    z
      .string()
      .regex(/^https?:\/\/[^\s/?#@]+\/?$/, 'an address as https://s3.example.org')
      .optional(),
  ),
  NOVODB_S3_REGION: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,60}$/, 'a region such as eu-central-1')
      .default('us-east-1'),
  ),
  NOVODB_S3_PATH_STYLE: setting(flag.optional()),
  NOVODB_S3_ACCESS_KEY_ID: setting(z.string().max(200).optional()),
  NOVODB_S3_SECRET_ACCESS_KEY: setting(z.string().max(200).optional()),
  NOVODB_S3_SIGNED_DOWNLOADS: setting(flag.default(false)),
  NOVODB_CACHE_SIZE: setting(z.coerce.number().min(0.001).max(1_000_000).default(100)),
  NOVODB_TITLE: setting(z.string().max(60).default('NovoDB')),
  NOVODB_FILING: setting(z.string().max(120).optional()),
  NOVODB_BASE_PATH: setting(
    z
      .string()
      .regex(/^\/([A-Za-z0-9._~-]+(\/[A-Za-z0-9._~-]+)*\/?)?$/, 'a path such as /genomes')
      .default('/'),
  ),
  NOVODB_LANGUAGES: setting(
    z
      .string()
      .regex(/^\s*([a-z]{2}(-[A-Z]{2})?(\s+|$))*$/, 'locales such as "ja-JP ar-EG", parted by blanks')
      .default(''),
  ),
  NOVODB_TOOLS_OFF: setting(
    z
      .string()
      .regex(/^\s*([a-z]+(\s+|$))*$/, 'ids of tools such as "blast jbrowse", parted by blanks')
      .default(''),
  ),
  NOVODB_LOG_LEVEL: setting(z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
  NOVODB_TRUST_PROXY: setting(
    z
      .union(
        [
          z
            .string()
            .regex(/^[0-9]$/)
            .transform(Number),
          flag.transform(Number),
        ],
        'true, false or a number of proxies',
      )
      .default(0),
  ),
  NOVODB_DRAIN: setting(z.coerce.number().int().min(0).max(300).default(0)),
  NOVODB_METRICS: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9.:[\]-]+:\d{1,5}$/, 'an address to listen on, such as 127.0.0.1:9464')
      .optional(),
  ),
  NOVODB_TRACES: setting(
    z
      .string()
      // Without a user and password, which would stand in addresses and errors.
      .regex(/^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/, 'an address such as http://collector.example.org:4318')
      .optional(),
  ),
  NOVODB_SECURE: setting(flag.default(false)),
  NOVODB_REQUIRE_LOGIN: setting(flag.default(false)),
  NOVODB_REGISTRATION: setting(flag.default(true)),
  NOVODB_FOLDERS: setting(z.string().optional()),
  NOVODB_IMPORT_FOLDERS: setting(
    z
      .string()
      .regex(/^(\/[^:]*)(:\/[^:]*)*$/, 'whole paths, parted by colons')
      .default(''),
  ),
  NOVODB_UPLOAD_SIZE: setting(z.coerce.number().min(0).max(100_000).default(10)),
  NOVODB_UPLOAD_DAYS: setting(z.coerce.number().min(1).max(3650).default(14)),
  NOVODB_PUBLIC_URL: setting(
    z
      .string()
      .regex(/^https?:\/\/[^\s/?#]+\/?$/, 'an address as https://genomes.example.org, without a path')
      .optional(),
  ),
  NOVODB_SMTP_URL: setting(
    z
      .string()
      .regex(/^smtps?:\/\/\S+$/, 'an address as smtps://user:password@mail.example.org')
      .optional(),
  ),
  NOVODB_MAIL_FROM: setting(z.string().max(300).regex(/@/, 'an e-mail address').optional()),
  NOVODB_SMS_WEBHOOK_URL: setting(
    z
      .string()
      .regex(/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)(:|\/))\S+$/, 'an address that begins with https://')
      .optional(),
  ),
  NOVODB_SMS_WEBHOOK_SECRET: setting(z.string().min(16, 'at least 16 characters').max(500).optional()),
  NOVODB_ALIYUN_KEY_ID: setting(z.string().max(200).optional()),
  NOVODB_ALIYUN_KEY_SECRET: setting(z.string().max(200).optional()),
  NOVODB_ALIYUN_SIGN_NAME: setting(z.string().max(100).optional()),
  NOVODB_ALIYUN_TEMPLATE: setting(z.string().max(100).optional()),
  NOVODB_ALIYUN_ENDPOINT: setting(
    z
      .string()
      .regex(/^(https:\/\/[^\s/?#]+|http:\/\/(localhost|127\.0\.0\.1)(:\d+)?)$/, 'an address that begins with https://')
      .default('https://dysmsapi.aliyuncs.com'),
  ),
})

/** Settings of which each needs the others: a half of them would fail only when the first message is to be sent. */
const together = [
  ['NOVODB_SMTP_URL', 'NOVODB_MAIL_FROM', 'NOVODB_PUBLIC_URL'],
  ['NOVODB_SMS_WEBHOOK_URL', 'NOVODB_SMS_WEBHOOK_SECRET'],
  ['NOVODB_S3_ACCESS_KEY_ID', 'NOVODB_S3_SECRET_ACCESS_KEY'],
  ['NOVODB_ALIYUN_KEY_ID', 'NOVODB_ALIYUN_KEY_SECRET', 'NOVODB_ALIYUN_SIGN_NAME', 'NOVODB_ALIYUN_TEMPLATE'],
] as const

/** Names that scripts and tests read; a portal that they start has them in its environment and passes over them. */
export const scriptSettings = ['NOVODB_INSTALL', 'NOVODB_FULL_TESTS', 'NOVODB_TEST_CHROMIUM']

export type Settings = z.output<typeof settingsSchema>

export type SmsSettings =
  | { provider: 'webhook'; url: string; secret: string }
  | { provider: 'aliyun'; endpoint: string; keyId: string; keySecret: string; signName: string; template: string }

export interface Config {
  port: number
  host: string
  dataDir: string
  demo: 'all' | 'tb' | 'none'
  adminPassword: string | undefined
  databaseUrl: string | undefined
  workerCount: number
  answerProcessCount: number
  jobTimeoutMs: number
  jobMemoryBytes: number
  /** What the kept results of one account, or of the visitors at one address, may take. */
  keptResultBytes: number
  /** Null: every job is run by the portal's own workers. */
  slurm: SlurmSettings | null
  /** Where files of bundles and finished jobs are kept; null: in the data directory. */
  objects: ObjectStoreSettings | null
  /** Browsers fetch downloads from the store itself, by an address that is signed for them. */
  signedDownloads: boolean
  /** What files of the store may take in the data directory. */
  cacheBytes: number
  /** Limits of tools that this deployment sets otherwise than they do. */
  toolLimits: LimitSettings
  title: string
  filing: string | null
  /** Path that the portal is served under, without a slash at the end: "" at the root. */
  basePath: string
  /** Locales that the language menu lists beside those with tables. */
  languages: string[]
  /** Ids of tools that this deployment does not offer. */
  toolsOff: string[]
  logLevel: Settings['NOVODB_LOG_LEVEL']
  /** Reverse proxies before the portal, of which each adds an address to X-Forwarded-For; 0: none. */
  trustProxy: number
  /** Where Prometheus reads what the server counts; null: nowhere. */
  metrics: { host: string; port: number } | null
  /** Where traces are sent to (OTLP over HTTP), without a slash at its end; null: none are kept. */
  tracesUrl: string | null
  /** How long a server that is told to stop goes on answering while it calls itself unfit, so that a proxy sends no more to it. */
  drainMs: number
  secure: boolean
  /** Every page and file needs signing in, save what leads to it. */
  requireLogin: boolean
  /** Whether people may register themselves. */
  registration: boolean
  /** Directory whose folders admin can load from the page. */
  foldersDir: string
  /** Folders of the server whose content admin can import where it lies. */
  importFolders: string[]
  /** What one import may upload; 0: nothing. */
  uploadBytes: number
  /** After this what was uploaded and not loaded is deleted. */
  uploadKeptMs: number
  /** Address of the portal for links in mails, without a slash at its end. */
  publicUrl: string
  /** Null: mails are kept in the outbox. */
  mail: { url: string; from: string } | null
  /** Null: text messages are kept in the outbox. */
  sms: SmsSettings | null
  /** PATH on which engines are looked for. */
  searchPath: string
}

/** A setting that does not hold, named with the reason; its value is never repeated, for it may be a secret. */
export class SettingsError extends Error {
  constructor(lines: string[]) {
    super(`Please correct these settings:\n${lines.map((line) => `  ${line}`).join('\n')}`)
    this.name = 'SettingsError'
  }
}

/** Reads and validates the environment once, and the files of secrets that it names; rejects with every wrong setting named. */
export const readConfig = (given: NodeJS.ProcessEnv = process.env): Config => {
  const { environment, wrong: unread } = readSecretFiles(given)
  const parsed = settingsSchema.safeParse(environment)
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith('NOVODB_') && !(name in settingsSchema.shape) && !scriptSettings.includes(name))
    .map((name) => `${name}: there is no such setting`)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(
      (issue) =>
        `${issue.path.join('.')}: ${issue.code === 'invalid_type' && issue.expected === 'number' ? 'not a number' : issue.message}`,
    )
    throw new SettingsError([...unread, ...wrong, ...unknown])
  }
  if (unread.length + unknown.length > 0) throw new SettingsError([...unread, ...unknown])
  const settings = parsed.data
  const incomplete = together.flatMap((names) => {
    const missing = names.filter((name) => settings[name] === undefined)
    // The public address is of use by itself.
    const wanted = names.some((name) => name !== 'NOVODB_PUBLIC_URL' && settings[name] !== undefined)
    return wanted
      ? missing.map((name) => `${name}: needed with ${names.filter((other) => other !== name).join(', ')}`)
      : []
  })
  if (settings.NOVODB_SMS_WEBHOOK_URL !== undefined && settings.NOVODB_ALIYUN_KEY_ID !== undefined)
    incomplete.push('NOVODB_SMS_WEBHOOK_URL: one way to send text messages, not two')
  if (settings.NOVODB_SLURM !== undefined && settings.DATABASE_URL === undefined)
    incomplete.push("DATABASE_URL: needed with NOVODB_SLURM, for nodes do not reach the portal's own database")
  for (const name of ['NOVODB_S3_ENDPOINT', 'NOVODB_S3_ACCESS_KEY_ID'] as const)
    if (settings.NOVODB_S3_BUCKET === undefined && settings[name] !== undefined)
      incomplete.push(`NOVODB_S3_BUCKET: needed with ${name}`)
  if (incomplete.length > 0) throw new SettingsError(incomplete)
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir: resolve(settings.NOVODB_DATA),
    demo: settings.NOVODB_DEMO,
    adminPassword: settings.NOVODB_ADMIN_PASSWORD,
    databaseUrl: settings.DATABASE_URL,
    workerCount: settings.NOVODB_WORKERS,
    answerProcessCount: settings.NOVODB_ANSWER_PROCESSES,
    jobTimeoutMs: settings.NOVODB_JOB_TIMEOUT * 1000,
    jobMemoryBytes: settings.NOVODB_JOB_MEMORY * 1024 ** 3,
    keptResultBytes: settings.NOVODB_RESULTS * 1024 ** 3,
    slurm: settings.NOVODB_SLURM ?? null,
    objects: readObjectStore(settings),
    signedDownloads: settings.NOVODB_S3_SIGNED_DOWNLOADS,
    cacheBytes: settings.NOVODB_CACHE_SIZE * 1024 ** 3,
    toolLimits: settings.NOVODB_LIMITS,
    title: settings.NOVODB_TITLE,
    filing: settings.NOVODB_FILING ?? null,
    basePath: settings.NOVODB_BASE_PATH.replace(/\/+$/, ''),
    languages: settings.NOVODB_LANGUAGES.split(/\s+/).filter(Boolean),
    toolsOff: settings.NOVODB_TOOLS_OFF.split(/\s+/).filter(Boolean),
    logLevel: settings.NOVODB_LOG_LEVEL,
    trustProxy: settings.NOVODB_TRUST_PROXY,
    metrics: readListenAddress(settings.NOVODB_METRICS),
    tracesUrl: settings.NOVODB_TRACES?.replace(/\/+$/, '') ?? null,
    drainMs: settings.NOVODB_DRAIN * 1000,
    secure: settings.NOVODB_SECURE,
    requireLogin: settings.NOVODB_REQUIRE_LOGIN,
    registration: settings.NOVODB_REGISTRATION,
    foldersDir: resolve(settings.NOVODB_FOLDERS ?? join(settings.NOVODB_DATA, 'incoming')),
    importFolders: settings.NOVODB_IMPORT_FOLDERS.split(':')
      .filter(Boolean)
      .map((folder) => resolve(folder)),
    uploadBytes: settings.NOVODB_UPLOAD_SIZE * 1e9,
    uploadKeptMs: settings.NOVODB_UPLOAD_DAYS * 24 * 3600 * 1000,
    publicUrl:
      (settings.NOVODB_PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/$/, '') +
      settings.NOVODB_BASE_PATH.replace(/\/+$/, ''),
    mail:
      settings.NOVODB_SMTP_URL === undefined
        ? null
        : { url: settings.NOVODB_SMTP_URL, from: settings.NOVODB_MAIL_FROM! },
    sms: readSms(settings),
    searchPath: environment.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  }
}

const readListenAddress = (text: string | undefined): Config['metrics'] => {
  const [, host, port] = /^(.+):(\d+)$/.exec(text ?? '') ?? []
  return host === undefined ? null : { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

const readObjectStore = (settings: Settings): ObjectStoreSettings | null => {
  const { NOVODB_S3_BUCKET: bucket, NOVODB_S3_ENDPOINT: endpoint, NOVODB_S3_ACCESS_KEY_ID: accessKeyId } = settings
  if (bucket === undefined) return null
  return {
    bucket,
    prefix: settings.NOVODB_S3_PREFIX,
    endpoint: endpoint ?? null,
    region: settings.NOVODB_S3_REGION,
    // A store of one's own seldom has a host name for each bucket.
    pathStyle: settings.NOVODB_S3_PATH_STYLE ?? endpoint !== undefined,
    credentials:
      accessKeyId === undefined ? null : { accessKeyId, secretAccessKey: settings.NOVODB_S3_SECRET_ACCESS_KEY! },
  }
}

const readSms = (settings: Settings): SmsSettings | null => {
  if (settings.NOVODB_ALIYUN_KEY_ID !== undefined) {
    return {
      provider: 'aliyun',
      endpoint: settings.NOVODB_ALIYUN_ENDPOINT,
      keyId: settings.NOVODB_ALIYUN_KEY_ID,
      keySecret: settings.NOVODB_ALIYUN_KEY_SECRET!,
      signName: settings.NOVODB_ALIYUN_SIGN_NAME!,
      template: settings.NOVODB_ALIYUN_TEMPLATE!,
    }
  }
  if (settings.NOVODB_SMS_WEBHOOK_URL !== undefined) {
    return {
      provider: 'webhook',
      url: settings.NOVODB_SMS_WEBHOOK_URL,
      secret: settings.NOVODB_SMS_WEBHOOK_SECRET!,
    }
  }
  return null
}
