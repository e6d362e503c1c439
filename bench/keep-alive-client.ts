import net from 'node:net'

/**
 * One connection that asks, one request at a time, and measures. Node's own HTTP client takes about as much processor time for
 * a small request as the server does; this one only finds where an answer ends, by Content-Length or by chunks (RFC 9112, section 6.3).
 */
export class KeepAliveClient {
  readonly #socket: net.Socket
  readonly #port: number
  readonly #headers: string
  #waiting: { done: () => void; failed: (error: Error) => void; target: string } | null = null
  #received: Buffer = Buffer.alloc(0)

  /** @param headers Of each request, such as an address that it gives as its own, as a proxy would. */
  constructor(port: number, headers: Record<string, string> = {}) {
    this.#port = port
    this.#headers = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    this.#socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (part: Buffer) => {
      this.#received = this.#received.length === 0 ? part : Buffer.concat([this.#received, part])
      this.#read()
    })
    this.#socket.once('error', (error) => this.#waiting?.failed(error))
    this.#socket.once('close', () => this.#waiting?.failed(new Error('the server hung up')))
  }

  /** Resolves when the whole answer is there; rejects with any status but 200. Asks with POST where there is a body, of JSON. */
  get(target: string, body?: string): Promise<void> {
    const content =
      body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
    return new Promise((done, failed) => {
      this.#waiting = { done, failed, target }
      this.#socket.write(
        `${body === undefined ? 'GET' : 'POST'} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\nAccept: application/json\r\n${this.#headers}${content}\r\n${body ?? ''}`,
      )
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(): void {
    const headEnd = this.#received.indexOf('\r\n\r\n')
    const waiting = this.#waiting
    if (headEnd < 0 || waiting === null) return
    const head = this.#received.toString('latin1', 0, headEnd)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length !== undefined ? this.#received.length < headEnd + 4 + Number(length) : !endsLastChunk(this.#received))
      return
    this.#received = Buffer.alloc(0)
    this.#waiting = null
    if (head.startsWith('HTTP/1.1 200 ')) waiting.done()
    else waiting.failed(new Error(`${head.slice(0, 40).split('\r\n')[0]} ${waiting.target}`))
  }
}

const endsLastChunk = (received: Buffer): boolean => received.subarray(-7).toString('latin1') === '\r\n0\r\n\r\n'
