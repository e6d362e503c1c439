import type { AuditDetail } from '../../../contracts/accounts/audit-actions.ts'
import { type Locale, translator } from '../../../kit/ui/language.tsx'
import { messages as account } from '../../messages/account.ts'
import { messages as admin } from '../../messages/admin.ts'

/**
 * What an entry of the audit log says beside its action, one text each, in the reader's language. What it does not know, of a later
 * release's entries, stands as it is written. Example: `renderAuditDetail({ disabled: true }, 'zh-CN')` is `['已停用']`.
 */
export const renderAuditDetail = (detail: Record<string, unknown>, locale: Locale): string[] => {
  const t = translator(admin, locale)
  const a = translator(account, locale)
  const fieldNames: Record<string, string> = {
    email: a('field.email'),
    phone: a('field.phoneNumber'),
    workplace: a('field.workplace'),
    jobType: a('field.jobType'),
    nickname: a('field.nickname'),
    profile: a('field.profile'),
    country: a('field.country'),
    province: a('field.province'),
    address: a('field.address'),
    language: a('settings.language'),
  }
  const ways: Record<string, string> = {
    account: t('auditDetail.way.account'),
    admin: t('auditDetail.way.admin'),
    phone: t('auditDetail.way.phone'),
  }
  const roles: Record<string, string> = { user: t('info.access.user'), admin: t('info.access.admin') }
  const known: { [Name in keyof AuditDetail]-?: (value: unknown) => string | undefined } = {
    way: (value) => ways[String(value)],
    fields: (value) =>
      Array.isArray(value)
        ? value.map((name) => fieldNames[String(name)] ?? String(name)).join(locale === 'zh-CN' ? '、' : ', ')
        : undefined,
    ended: (value) => (typeof value === 'number' ? t('auditDetail.ended', { count: value }) : undefined),
    number: (value) => t('auditDetail.number', { number: String(value) }),
    access: (value) => {
      const role = roles[String(value)]
      return role === undefined ? undefined : t('auditDetail.access', { role })
    },
    disabled: (value) => t(value === true ? 'auditDetail.disabled' : 'auditDetail.enabled'),
    load: (value) => t('auditDetail.load', { number: String(value) }),
  }
  return Object.entries(detail).map(
    ([name, value]) =>
      (Object.hasOwn(known, name) ? known[name as keyof AuditDetail](value) : undefined) ??
      `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  )
}
