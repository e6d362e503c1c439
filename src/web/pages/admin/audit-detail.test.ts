import { describe, expect, it } from 'vitest'
import { updateProfile } from '../../../contracts/accounts/account.ts'
import type { AuditDetail } from '../../../contracts/accounts/audit-actions.ts'
import { renderAuditDetail } from './audit-detail.ts'

/** One of each that the server writes; a detail that is added to the contract and not here is an error of types. */
const every: Required<AuditDetail>[] = (['account', 'admin', 'phone'] as const).flatMap((way) =>
  ([true, false] as const).map((disabled) => ({
    way,
    fields: Object.keys(updateProfile.input.shape).filter((name) => name !== 'captcha'),
    ended: 2,
    number: 3,
    access: disabled ? ('user' as const) : ('admin' as const),
    disabled,
    load: 12,
  })),
)

describe('the details of the audit log', () => {
  it('are in Chinese to a Chinese reader, whatever was noted: no word of the code shows', () => {
    for (const detail of every) {
      const texts = renderAuditDetail(detail, 'zh-CN')
      expect(texts.length).toBe(7)
      for (const text of texts) {
        expect(text).toMatch(/[\u4e00-\u9fff]/)
        expect(text).not.toMatch(/[a-z]{3,}/i)
      }
    }
  })

  it('are sentences in English, numbers of one and many told apart', () => {
    expect(renderAuditDetail({ ended: 1 }, 'en-US')).toEqual(['1 session ended'])
    expect(renderAuditDetail({ ended: 2, access: 'admin', disabled: false }, 'en-US')).toEqual([
      '2 sessions ended',
      'role: admin',
      'enabled again',
    ])
    expect(renderAuditDetail({ fields: ['nickname', 'email'] }, 'en-US')).toEqual(['Nickname, E-mail'])
    for (const detail of every)
      for (const text of renderAuditDetail(detail, 'en-US'))
        expect(text).not.toMatch(/undefined|\bjobType\b|: (true|false)/)
  })

  it('of a later release stand as they were written', () => {
    expect(renderAuditDetail({ orbit: [1, 2] }, 'zh-CN')).toEqual(['orbit: 1, 2'])
    expect(renderAuditDetail({ way: 'carrier pigeon' }, 'zh-CN')).toEqual(['way: carrier pigeon'])
  })
})
