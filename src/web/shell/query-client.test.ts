import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeNotice, currentNotices } from '../../kit/ui/notices.ts'
import { RequestError } from '../../kit/ui/request.ts'
import { isPassing, makeQueryClient } from './query-client.ts'

const failure = (errorMessage: string, status = 400): RequestError =>
  new RequestError({ errorCode: 'X', errorMessage, showType: 4, status })

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('location', { pathname: '/home' })
  for (const notice of currentNotices()) closeNotice(notice.id)
})
afterEach(() => vi.unstubAllGlobals())

const noticeTexts = (): string[] => currentNotices().map(({ text }) => text)
const forget = (): void => {
  for (const notice of currentNotices()) closeNotice(notice.id)
}

describe('the questions of pages', () => {
  it('are asked again where it may pass, and not where the reader or a gateway has had the last word', () => {
    expect([0, 502, 503].map((status) => isPassing(failure('', status)))).toEqual([true, true, true])
    expect([400, 404, 500, 504].map((status) => isPassing(failure('', status)))).toEqual([false, false, false, false])
  })

  it('are shown by the error handler when they fail, each time that they are asked', async () => {
    const client = makeQueryClient()
    const ask = () =>
      client.fetchQuery({ queryKey: ['genes'], queryFn: () => Promise.reject(failure('Away.')) }).catch(() => null)
    await ask()
    expect(noticeTexts()).toEqual(['Away.'])
    forget()
    await ask()
    expect(noticeTexts()).toEqual(['Away.'])
    client.clear()
  })

  it('are not shown where the caller shows them', async () => {
    const client = makeQueryClient()
    const error = failure('Off the map.')
    error.skipped = true
    await client.fetchQuery({ queryKey: ['map'], queryFn: () => Promise.reject(error) }).catch(() => null)
    expect(noticeTexts()).toEqual([])
    client.clear()
  })

  it('that are asked every few seconds are told of once, until they say something else or have been answered', async () => {
    const client = makeQueryClient()
    let answer = (): Promise<string> => Promise.reject(failure('Away.'))
    const observer = new QueryObserver(client, {
      queryKey: ['job'],
      queryFn: () => answer(),
      refetchInterval: 3_600_000,
      retry: false,
    })
    const stop = observer.subscribe(() => undefined)
    await observer.refetch()
    expect(noticeTexts()).toEqual(['Away.'])
    forget()
    await observer.refetch()
    expect(noticeTexts()).toEqual([])
    answer = () => Promise.resolve('there')
    await observer.refetch()
    answer = () => Promise.reject(failure('Away.'))
    await observer.refetch()
    expect(noticeTexts()).toEqual(['Away.'])
    stop()
    client.clear()
  })
})
