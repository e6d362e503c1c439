import type { Language } from '../../contracts/text.ts'
import type { AccountRow } from '../../database/accounts.ts'
import { createMailedToken } from '../../database/mailed-tokens.ts'
import type { Portal } from '../portal.ts'
import { createToken, hashToken } from './credentials.ts'

const confirmLifetimeHours = 48

/** Mails a link that confirms an address; the links before it no longer hold. The token is in the fragment, which no server sees. */
export const sendConfirmation = async (
  portal: Pick<Portal, 'database' | 'messenger' | 'config'>,
  about: { id: number; username: string; email: string; language: Language },
): Promise<void> => {
  const token = createToken()
  const lifetimeMs = confirmLifetimeHours * 3600 * 1000
  await createMailedToken(portal.database.sql, {
    tokenHash: hashToken(token),
    account: about.id,
    purpose: 'confirm',
    email: about.email,
    lifetimeMs,
  })
  await portal.messenger.sendMail({
    kind: 'confirm',
    to: about.email,
    username: about.username,
    language: about.language,
    params: { hours: confirmLifetimeHours },
    quoted: `${portal.config.publicUrl}/users/register-result#confirm=${token}`,
    usefulMs: lifetimeMs,
  })
}

/** Tells the owner that the password was changed, at the address that is known to be theirs. */
export const sendPasswordChanged = (
  portal: Portal,
  account: AccountRow,
  language: Language,
  kind: 'passwordChanged' | 'passwordReset',
): void => {
  if (!account.emailConfirmed) return
  portal.messenger.later(() =>
    portal.messenger.sendMail({ kind, to: account.email, username: account.username, language }),
  )
}
