import { describe, expect, it } from 'vitest'
import { accessOf, allows, isAccessible } from './access.ts'

const named = accessOf({ username: 'admin', access: 'user' })
const admin = accessOf({ username: 'li', access: 'admin' })
const user = accessOf({ username: 'li', access: 'user' })

describe('access by name', () => {
  it('makes admin of the name and of the access', () => {
    expect([named, admin, user, accessOf(null)].map((map) => allows(map, 'canAdmin'))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('allows a route without a name and refuses an unknown one', () => {
    expect(allows(user, undefined)).toBe(true)
    expect(allows(user, 'canFly')).toBe(false)
  })

  it('asks a function in the map', () => {
    expect(allows({ canSee: (route) => route.path === '/info' }, 'canSee', { path: '/info' })).toBe(true)
    expect(allows({ canSee: (route) => route.path === '/info' }, 'canSee', { path: '/home' })).toBe(false)
  })

  it('refuses a name that is no string', () => {
    expect(() => allows(user, 7)).toThrow(TypeError)
  })

  it('closes a route none of whose children are open', () => {
    expect(isAccessible(user, { children: [{ access: 'canAdmin' }] })).toBe(false)
    expect(isAccessible(admin, { children: [{ access: 'canAdmin' }] })).toBe(true)
  })
})
