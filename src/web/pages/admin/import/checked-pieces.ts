import { DefaultHttpStack, type HttpRequest, type HttpStack } from 'tus-js-client'

/** So much is hashed before the page is drawn again, where the browser hashes nothing by itself. */
const sliceBytes = 1024 * 1024

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** SHA-256 in Base64. A browser computes it by itself only where the page is served by HTTPS or from the own computer. */
export const checksumOf = async (piece: Blob): Promise<string> => {
  if (crypto.subtle !== undefined)
    return toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', await piece.arrayBuffer())))
  const { sha256 } = await import('@noble/hashes/sha2.js')
  const hash = sha256.create()
  for (let at = 0; at < piece.size; at += sliceBytes)
    hash.update(new Uint8Array(await piece.slice(at, at + sliceBytes).arrayBuffer()))
  return toBase64(hash.digest())
}

/** Sends every piece with its checksum (the protocol's `Upload-Checksum`), so that the server takes it only as it is here. */
class CheckedRequest implements HttpRequest {
  readonly #inner: HttpRequest
  #aborted = false

  constructor(inner: HttpRequest) {
    this.#inner = inner
  }

  getMethod = (): string => this.#inner.getMethod()
  getURL = (): string => this.#inner.getURL()
  setHeader = (header: string, value: string): void => this.#inner.setHeader(header, value)
  getHeader = (header: string): string | undefined => this.#inner.getHeader(header)
  setProgressHandler = (handler: (sent: number) => void): void => this.#inner.setProgressHandler(handler)
  getUnderlyingObject = (): unknown => this.#inner.getUnderlyingObject()

  async send(body: unknown): Promise<Awaited<ReturnType<HttpRequest['send']>>> {
    if (body instanceof Blob && body.size > 0) {
      const checksum = await checksumOf(body)
      // Paused meanwhile: nothing is sent, and nothing waits for an answer.
      if (this.#aborted) return new Promise(() => undefined)
      this.#inner.setHeader('Upload-Checksum', `sha256 ${checksum}`)
    }
    return this.#inner.send(body)
  }

  abort(): Promise<void> {
    this.#aborted = true
    return this.#inner.abort()
  }
}

export const checkedStack = (): HttpStack => {
  const plain = new DefaultHttpStack({})
  return {
    createRequest: (method, url) => new CheckedRequest(plain.createRequest(method, url)),
    getName: () => 'checked pieces',
  }
}
