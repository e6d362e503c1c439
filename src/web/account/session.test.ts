import { describe, expect, it } from 'vitest'
import { startState } from './session.tsx'

describe('the initial state', () => {
  it('holds the current user, the settings of the layout and a way to fetch the user', () => {
    const { currentUser, settings, fetchUserInfo } = startState({ username: 'li', access: 'user' })
    expect(currentUser).toEqual({ username: 'li', access: 'user' })
    expect(settings).toEqual({
      title: 'NovoDB',
      layout: 'top',
      navTheme: 'dark',
      primaryColor: '#0f7a55',
      contentWidth: 'fluid',
      fixedHeader: false,
      fixedSidebar: true,
    })
    expect(fetchUserInfo).toBeTypeOf('function')
    expect(startState(null).currentUser).toBeNull()
  })
})
