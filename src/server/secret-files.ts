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
  'NOVODB_S3_SECRET_ACCESS_KEY',
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
    if ((environment[name] ?? '') !== '') wrong.push(`${fileName}: ${name} is set as well: set one of them`)
    else if ('reason' in secret) wrong.push(`${fileName}: ${secret.reason}`)
    else complete[name] = secret.text
  }
  return { environment: complete, wrong }
}

/**
 * Of these settings what another process of the portal must be given: those that it would not read by itself from the environment that it
 * inherits. So a secret that came by a file gets into no environment.
 */
export const settingsToHandOver = (
  wanted: Record<string, string>,
  environment: NodeJS.ProcessEnv = process.env,
): Record<string, string> => {
  const inherited = readSecretFiles(environment).environment
  const others = Object.entries(wanted).filter(([name, value]) => (inherited[name] ?? '') !== value)
  return Object.fromEntries([
    ...others.filter(([name]) => secretSettings.includes(name)).map(([name]) => [`${name}_FILE`, '']),
    ...others,
  ])
}

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
