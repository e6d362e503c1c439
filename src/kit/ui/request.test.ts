import { describe, expect, it } from 'vitest'
import { displayOf, needsToken, queryOf, RequestError } from './request.ts'

const failure = (showType: number, status = 400): RequestError =>
  new RequestError({ errorCode: 'X', errorMessage: 'text', showType, status })

describe('how a failure is shown', () => {
  it('follows the display types of the portal specification', () => {
    expect([0, 1, 2, 4, 9, 3, 99].map((type) => displayOf(failure(type)))).toEqual([
      'nothing',
      'warning',
      'error',
      'notification',
      'redirect',
      'error',
      'error',
    ])
  })

  it('calls a 504 a network error whatever it carries', () => {
    expect(displayOf(failure(0, 504))).toBe('network')
  })
})

describe('which requests carry the token', () => {
  it('all of the API but the login', () => {
    expect(['/api/auth/user/', '/portal/api/species/', '/api/auth/login/', '/data/b/x.fa'].map(needsToken)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('a query string', () => {
  it('leaves out what was not given and repeats lists', () => {
    expect(queryOf({ q: 'esxA', type: undefined, species: '', ids: ['a', 'b'], page: 0 })).toBe(
      '?q=esxA&ids=a&ids=b&page=0',
    )
  })
})
