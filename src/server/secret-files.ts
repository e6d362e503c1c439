import { readFileSync } from 'node:fs'

/**
 * Settings that may be given by a file as well, which `NAME_FILE` names: as containers and Kubernetes hand over secrets, which are then
 * in no environment.
 */
export const secretSettings = [
  'DATABASE_URL',
  'NOVODB_ADMIN_PASSWORD',
  'NOVODB_SMTP_URL',
  'NOVODB_SMS_WEBHOOK_SECRET',
  'NOVODB_ALIYUN_KEY_SECRET',
]

/**
 * The environment with each secret in place of the name of its file, and what is wrong with those that cannot be had, a line for each.
 * A line break at the end of a file does not belong to the secret; an empty name of a file counts as not given.
 */
export const readSecretFiles = (
  environment: NodeJS.ProcessEnv,
): { environment: NodeJS.ProcessEnv; wrong: string[] } => {
  const complete = { ...environment }
  const wrong: string[] = []
  for (const name of secretSettings) {
    const fileName = `${name}_FILE`
    const file = environment[fileName] ?? ''
    delete complete[fileName]
    if (file === '') continue
    const secret = readSecret(file)
    if ((environment[name] ?? '') !== '') wrong.push(`${fileName}: ${name} is set as well; only one of them can hold`)
    else if ('reason' in secret) wrong.push(`${fileName}: ${secret.reason}`)
    else complete[name] = secret.text
  }
  return { environment: complete, wrong }
}

/**
 * What another process of the portal must be given to have this database: nothing where it reads the same by itself from the environment
 * that it inherits, so that a password that came by a file gets into no environment.
 */
export const databaseSettings = (
  databaseUrl: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Record<string, string> =>
  databaseUrl === undefined || databaseUrl === readSecretFiles(environment).environment.DATABASE_URL
    ? {}
    : { DATABASE_URL: databaseUrl, DATABASE_URL_FILE: '' }

/** The name of the file is not in the reason: it may be the secret itself, put there by mistake. */
const readSecret = (file: string): { text: string } | { reason: string } => {
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    return text === '' ? { reason: 'the file is empty' } : { text }
  } catch (error) {
    const { code } = error as { code?: string }
    return { reason: reasons[code ?? ''] ?? `the file cannot be read (${code})` }
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this user may not read the file',
  EISDIR: 'a folder is there instead of a file',
}
