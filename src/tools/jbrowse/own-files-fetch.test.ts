import { expect, it } from 'vitest'
import { makeOwnFilesFetch } from './own-files-fetch.ts'

const bytes = new Uint8Array(10).map((_, at) => at)

/** A server of one file of ten bytes, which answers ranges as RFC 9110 has it. */
const server = () => {
  const asked: string[] = []
  const network: typeof fetch = async (input, init) => {
    const range = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init?.headers).get('range') ?? '')
    asked.push(`${new URL(String(input)).pathname} ${range?.[0] ?? 'whole'}`)
    if (!String(input).endsWith('/reads.bam')) return new Response(null, { status: 404 })
    if (range === null) return new Response(bytes)
    const [start, end] = [Number(range[1]), Math.min(Number(range[2]), 9)]
    if (start > 9) return new Response(null, { status: 416, headers: { 'content-range': 'bytes */10' } })
    return new Response(bytes.slice(start, end + 1), {
      status: 206,
      headers: { 'content-range': `bytes ${start}-${end}/10` },
    })
  }
  const read = makeOwnFilesFetch(network, {
    isOwn: (address) => address.startsWith('http://portal/data/'),
    explain: (status, name) => `${name}: ${status}`,
  })
  const part = (range: string) => read('http://portal/data/b/reads.bam', { headers: { range } })
  return { asked, read, part }
}

it('reading behind the end of a small alignment file finds nothing and is no failure', async () => {
  const { asked, part } = server()
  expect((await (await part('bytes=8-19')).arrayBuffer()).byteLength).toBe(2)
  const behind = await part('bytes=10-19')
  expect(behind.ok).toBe(true)
  expect((await behind.arrayBuffer()).byteLength).toBe(0)
  // The size was known: nothing was asked of the server.
  expect(asked).toEqual(['/data/b/reads.bam bytes=8-19'])
})

it('an end that is not known yet is learnt from the answer', async () => {
  const { asked, part } = server()
  expect((await part('bytes=20-29')).status).toBe(206)
  expect((await part('bytes=40-49')).status).toBe(206)
  expect(asked).toHaveLength(1)
})

it('a file that is gone is named in the error', async () => {
  const { read } = server()
  await expect(read('http://portal/data/b/tracks/lost%20one.bw')).rejects.toThrow('lost one.bw: 404')
})

it('other addresses are left to the network', async () => {
  const { read } = server()
  expect((await read('http://portal/api/none')).status).toBe(404)
})
