import type { Config } from '../config.ts'

/** What a span says of itself: names, numbers and codes of the portal's own, never what people ask, enter or are told. */
export type SpanFields = Record<string, string | number>

export interface SpanStart {
  /** W3C trace context that it belongs to; null begins a trace. */
  parent: string | null
  /** `server` and `consumer` are what is done for another process, `internal` all else. */
  kind?: 'server' | 'consumer' | 'internal'
  fields?: SpanFields
  /** When it began, in ms since 1970; now where absent. */
  startedAt?: number
}

export interface Span {
  /** W3C trace context by which what is done for it, here or in another process, becomes part of the trace. */
  readonly traceparent: string
  /** Ends it, with what is known only then; a failure has a code. */
  end(fields?: SpanFields, errorCode?: string | null): void
}

/** Traces of one process, sent on in portions behind whoever is served. */
export interface Traces {
  startSpan(name: string, start: SpanStart): Span
  /** Sends what is left, as far as that takes no longer than a stop may. */
  close(): Promise<void>
}

/** Traces where the settings ask for them; the libraries are read only then. */
export const openTraces = async (
  { tracesUrl }: Pick<Config, 'tracesUrl'>,
  about: { role: string; version: string; log(line: string): void },
): Promise<Traces | null> =>
  tracesUrl === null ? null : (await import('./otlp-traces.ts')).createOtlpTraces(tracesUrl, about)

/** Header of a request as a parent, where its form is that of W3C Trace Context, version 00; null otherwise. */
export const readTraceparent = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(header)
    ? header
    : null
