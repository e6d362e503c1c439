import { describe, expect, it } from 'vitest'
import { loginAddress } from '../account/session.tsx'
import { safeRedirect } from './redirect.ts'

const origin = 'https://genomes.example.org'

describe('the way back after signing in', () => {
  it('is a path of this portal with what it held', () => {
    expect(safeRedirect('/tools/blast?job=ab#hits', origin)).toBe('/tools/blast?job=ab#hits')
    expect(safeRedirect('/search?q=%2F%2Fa', origin)).toBe('/search?q=%2F%2Fa')
  })

  it('never leads to another site, however it is written', () => {
    for (const evil of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/\n//evil.example',
      '\\\\evil.example',
      'javascript:alert(1)',
      '/..//evil.example',
      '/.//evil.example',
      '',
    ])
      expect(safeRedirect(evil, origin), JSON.stringify(evil)).toBe('/home')
  })

  it('does not lead back to the login page', () => {
    expect(safeRedirect('/user/login?redirect=%2Finfo', origin)).toBe('/home')
    expect(safeRedirect(null, origin)).toBe('/home')
  })
})

describe('the address of the login page', () => {
  it('holds the current path as the way back', () => {
    expect(loginAddress({ pathname: '/gene', search: '?id=YAL001C' })).toBe(
      '/user/login?redirect=%2Fgene%3Fid%3DYAL001C',
    )
  })

  it('holds none on the login page itself, nor where a way back is already given', () => {
    expect(loginAddress({ pathname: '/user/login', search: '' })).toBe('/user/login')
    expect(loginAddress({ pathname: '/home', search: '?redirect=%2Finfo' })).toBe('/user/login')
  })
})
