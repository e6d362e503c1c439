/**
 * Answers for JBrowse's readers of files, in place of what the network alone would say:
 *
 * - They read ahead of what they need and would ask for ranges that begin behind the end of a small file. RFC 9110 (section
 *   15.5.17) answers these with 416, which JBrowse's cache of ranges takes for a failure of the track; here they are empty.
 * - A file that is not served becomes an error in the reader's language; JBrowse shows it in the track.
 */
export interface OwnFiles {
  /** True for addresses of the portal's own data files. */
  isOwn(address: string): boolean
  /** What is said of a file that was answered with `status`. */
  explain(status: number, name: string): string
}

type Fetch = typeof fetch

const rangePattern = /^bytes=(\d+)-\d*$/

const emptyRange = (sizeBytes: number): Response =>
  new Response(new Uint8Array(0), { status: 206, headers: { 'content-range': `bytes */${sizeBytes}` } })

/** Example: of a file of 10 bytes, once any part of it was read, `bytes=10-19` is answered with nothing, without the network. */
export const makeOwnFilesFetch = (network: Fetch, files: OwnFiles): Fetch => {
  const sizes = new Map<string, number>()
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!files.isOwn(address)) return network(input, init)
    const range = rangePattern.exec(new Headers(init?.headers).get('range') ?? '')
    const size = sizes.get(address)
    if (range !== null && size !== undefined && Number(range[1]) >= size) return emptyRange(size)
    const response = await network(input, init)
    const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')
    if (total !== null) sizes.set(address, Number(total[1]))
    if (response.status === 416 && total !== null) return emptyRange(Number(total[1]))
    if (!response.ok) {
      const name = decodeURIComponent(new URL(address, 'http://portal').pathname.split('/').pop() ?? '')
      throw new Error(files.explain(response.status, name))
    }
    return response
  }
}
