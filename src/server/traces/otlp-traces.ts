import { hostname } from 'node:os'
import process from 'node:process'
import { ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Span, SpanStart, Traces } from './traces.ts'

/** A stop does not wait longer for a collector that is away. */
const closeMs = 3_000
const sendMs = 5_000
/** Spans are gathered for so long. */
const gatherMs = 2_000
/** That nothing can be sent is said this often at most. */
const warnMs = 60_000

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL } as const

/** `00-TRACE-SPAN-FLAGS` (W3C Trace Context, section 3.2), as `readTraceparent` lets it through. */
const contextOf = (traceparent: string): SpanContext => {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-')
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}
const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`

/** Says now and then that spans are lost: the exporter itself says nothing. */
const withWarnings = (exporter: SpanExporter, log: (line: string) => void): SpanExporter => {
  let warnedMs = Number.NEGATIVE_INFINITY
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0 && performance.now() - warnedMs > warnMs) {
          warnedMs = performance.now()
          log(`traces not sent: ${result.error?.message ?? 'no reason given'}`)
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush === undefined ? {} : { forceFlush: () => exporter.forceFlush!() }),
  }
}

/**
 * Traces that are sent to an OpenTelemetry collector by OTLP over HTTP, in JSON. Whether a trace is kept is decided where it begins: what
 * a proxy has left out is left out here too. Names of fields are those of OpenTelemetry's semantic conventions where there are any.
 */
export const createOtlpTraces = (
  url: string,
  { role, version, log }: { role: string; version: string; log(line: string): void },
): Traces => {
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: sendMs })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'novodb',
      'service.version': version,
      'service.instance.id': `${hostname()}/${process.pid}`,
      'host.name': hostname(),
      'process.pid': process.pid,
      'novodb.process': role,
    }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor({ exporter: withWarnings(exporter, log), scheduledDelayMillis: gatherMs })],
  })
  const tracer = provider.getTracer('novodb', version)
  return {
    startSpan(name, { parent, kind = 'internal', fields = {}, startedAt }: SpanStart): Span {
      const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent))
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes: fields, ...(startedAt === undefined ? {} : { startTime: startedAt }) },
        context,
      )
      return {
        traceparent: traceparentOf(span.spanContext()),
        end: (more = {}, errorCode = null) => {
          span.setAttributes(errorCode === null ? more : { ...more, 'error.type': errorCode })
          if (errorCode !== null) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    close: () =>
      Promise.race([
        provider.shutdown().catch(() => undefined),
        new Promise<void>((resolve) => {
          setTimeout(resolve, closeMs).unref()
        }),
      ]),
  }
}
