import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/**
 * The headers that guard every answer, by helmet. They are the same for all, so they are made once: helmet writes the content security
 * policy out anew for every request, which was a seventh of what a gene look-up allocated.
 */
export const readSecurityHeaders = (secure: boolean): Record<string, string> => {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name] = value
    },
    removeHeader: () => undefined,
  }
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // WebAssembly, but no evaluation of text: the genome browser inflates BGZF and CRAM blocks with it (CSP 3, section 6.7.1).
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        // Component libraries set styles at run time; nothing else is inline.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", 'blob:', 'data:'],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    hsts: secure,
    crossOriginEmbedderPolicy: false,
    // Genome browsers elsewhere may read the public files.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  })({} as IncomingMessage, response as unknown as ServerResponse, (error?: unknown) => {
    if (error !== undefined) throw error
  })
  return headers
}
