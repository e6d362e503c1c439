import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { SmsSettings } from '../config.ts'

/** A code for a phone; `text` is the whole message, for services that take any text. */
export interface CodeMessage {
  /** E.164. */
  phone: string
  code: string
  text: string
  language: 'en' | 'zh'
}

/** A service that sends codes; rejects with the reason, in which neither code nor number nor secret stands. */
export interface SmsProvider {
  sendCode(message: CodeMessage): Promise<void>
}

const timeoutMs = 15_000

export const createSmsProvider = (settings: SmsSettings): SmsProvider =>
  settings.provider === 'aliyun' ? createAliyunProvider(settings) : createWebhookProvider(settings)

/**
 * Any service behind an HTTPS address of the lab's own: a POST of `{phone, code, text, language}`, signed so that the receiver
 * knows who sends: `X-NovoDB-Signature: sha256=` and the HMAC-SHA256 in hexadecimal of `X-NovoDB-Timestamp`, a dot, and the body.
 */
const createWebhookProvider = (settings: { url: string; secret: string }): SmsProvider => ({
  sendCode: async (message) => {
    const body = JSON.stringify(message)
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', settings.secret).update(`${timestamp}.${body}`).digest('hex')
    const answer = await fetch(settings.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-NovoDB-Timestamp': timestamp,
        'X-NovoDB-Signature': `sha256=${signature}`,
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`the SMS webhook answered with status ${answer.status}`)
  },
})

/** Percent-encoding of RFC 3986: `encodeURIComponent` leaves five signs that it reserves. */
const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * The Authorization header of Alibaba Cloud's request signature version 3, ACS3-HMAC-SHA256 ("V3 request body and signature
 * mechanism" of its OpenAPI documentation): over method, path, sorted query, the headers `host`, `content-type` and `x-acs-*`,
 * and the hash of the body, which must also be the header `x-acs-content-sha256`.
 */
export const signAliyunRequest = (request: {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: string
  keyId: string
  keySecret: string
}): string => {
  const query = Object.keys(request.query)
    .sort()
    .map((name) => `${percentEncode(name)}=${percentEncode(request.query[name]!)}`)
    .join('&')
  const signed = Object.entries(request.headers)
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .filter(([name]) => name === 'host' || name === 'content-type' || name.startsWith('x-acs-'))
    .sort(([first], [second]) => (first < second ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    request.method,
    request.path,
    query,
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256(request.body),
  ].join('\n')
  const signature = createHmac('sha256', request.keySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex')
  return `ACS3-HMAC-SHA256 Credential=${request.keyId},SignedHeaders=${names},Signature=${signature}`
}

/** Short Message Service of Alibaba Cloud: action SendSms of API version 2017-05-25, with a template that has the variable `code`. */
const createAliyunProvider = (settings: Extract<SmsSettings, { provider: 'aliyun' }>): SmsProvider => ({
  sendCode: async ({ phone, code }) => {
    const query = {
      PhoneNumbers: phone.replace(/^\+86/, '').replace(/^\+/, ''),
      SignName: settings.signName,
      TemplateCode: settings.template,
      TemplateParam: JSON.stringify({ code }),
    }
    const headers: Record<string, string> = {
      host: new URL(settings.endpoint).host,
      'x-acs-action': 'SendSms',
      'x-acs-version': '2017-05-25',
      'x-acs-date': new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      'x-acs-signature-nonce': randomUUID(),
      'x-acs-content-sha256': sha256(''),
    }
    const { keyId, keySecret } = settings
    const authorization = signAliyunRequest({ method: 'POST', path: '/', query, headers, body: '', keyId, keySecret })
    const { host: _, ...sent } = headers
    const search = Object.entries(query)
      .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
      .join('&')
    const answer = await fetch(`${settings.endpoint}/?${search}`, {
      method: 'POST',
      headers: { ...sent, accept: 'application/json', authorization },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      // What fetch says of a failure may quote the address, and with it the code.
      const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name
      throw new Error(`Alibaba Cloud SMS could not be reached: ${cause}`)
    })
    const reported = (await answer.json().catch(() => ({}))) as { Code?: unknown; RequestId?: unknown }
    if (reported.Code !== 'OK')
      throw new Error(
        `Alibaba Cloud SMS refused: ${String(reported.Code ?? answer.status)} (${String(reported.RequestId ?? '')})`,
      )
  },
})
