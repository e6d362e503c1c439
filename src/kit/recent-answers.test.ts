import { expect, test } from 'vitest'
import { RecentAnswers } from './recent-answers.ts'

test('two readers of one annotation at a time share one reading', async () => {
  const answers = new RecentAnswers<string[]>(2)
  let readings = 0
  const read = async (): Promise<string[]> => {
    readings += 1
    return ['YAL001C']
  }
  const [one, other] = await Promise.all([answers.get('bundle 1', read), answers.get('bundle 1', read)])
  expect(one).toBe(other)
  expect(readings).toBe(1)
})

test('of three assemblies where two are kept, the one that was asked for least lately is read again', async () => {
  const answers = new RecentAnswers<string>(2)
  const readings: string[] = []
  const ask = (bundle: string): Promise<string> =>
    answers.get(bundle, async () => {
      readings.push(bundle)
      return bundle
    })
  for (const bundle of ['1', '2', '1', '3', '1', '2']) await ask(bundle)
  expect(readings).toEqual(['1', '2', '3', '2'])
})

test('a reading that failed is tried again, and does not take the place of one that came after it', async () => {
  const answers = new RecentAnswers<string>(1)
  const failed = answers.get('bundle 1', async () => {
    throw new Error('the database went away')
  })
  await expect(failed).rejects.toThrow('went away')
  expect(await answers.get('bundle 1', async () => 'genes')).toBe('genes')
  expect(await answers.get('bundle 1', async () => 'read anew')).toBe('genes')
})
