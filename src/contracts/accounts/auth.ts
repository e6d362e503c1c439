import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { codeSchema, emailSchema, passwordBounds, passwordSchema, phoneSchema, usernameSchema } from './identity.ts'

const currentUserSchema = z.object({
  username: z.string(),
  access: z.enum(['visitor', 'user', 'admin']),
})
export type CurrentUser = z.infer<typeof currentUserSchema>

/** How a message goes out: to the person, or into the outbox that admin reads, on a portal without that service. */
const deliveries = ['mail', 'sms', 'outbox'] as const
const deliverySchema = z.enum(deliveries)
export type Delivery = z.infer<typeof deliverySchema>

export const workplaces = ['school', 'private', 'commerce', 'other'] as const
export const jobTypes = ['student', 'teacher', 'other'] as const

export const getCurrentUser = defineEndpoint({
  method: 'GET',
  path: '/api/auth/user/',
  summary: 'Who is asking; a visitor when no token is given, on a portal that is open to visitors',
  tag: 'account',
  input: z.object({}),
  output: currentUserSchema,
})

/** What the sign-in screens need to know of the portal before anybody has signed in. */
export const getAuthOptions = defineEndpoint({
  method: 'GET',
  path: '/api/auth/options/',
  summary: 'What this portal asks of its readers: signing in, and how messages reach them',
  tag: 'account',
  open: true,
  ignoresToken: true,
  input: z.object({}),
  output: z.object({
    requireLogin: z.boolean(),
    /** Whether people may register themselves. */
    registration: z.boolean(),
    mail: z.enum(['mail', 'outbox']),
    sms: z.enum(['sms', 'outbox']),
    resendSeconds: z.number(),
    passwordShortest: z.number(),
    /** The demo's data are what this portal serves, or is about to: no lab has put its own in their place. */
    demo: z.boolean(),
  }),
})

const plainPassword = z.string('account.needPassword').min(1, 'account.needPassword').max(passwordBounds.longest)

export const loginTypes = ['account', 'admin', 'phone'] as const

export const login = defineEndpoint({
  method: 'POST',
  path: '/api/auth/login/',
  summary: 'Exchanges a name and password, or a phone number and code, for a token',
  tag: 'account',
  open: true,
  ignoresToken: true,
  input: z
    .object({
      /** The tab: `admin` lets only administrators in; `phone` takes `phone` and `captcha`, the others `username` and `password`. */
      type: z.enum(loginTypes).default('account'),
      username: z.string().max(254).optional(),
      password: z.string().max(passwordBounds.longest).optional(),
      phone: z.string().max(40).optional(),
      captcha: z.string().max(20).optional(),
      /** Keeps the session for a month of use instead of a day. */
      remember: z.boolean().default(false),
    })
    .superRefine((fields, context) => {
      const need = (name: 'username' | 'password' | 'phone' | 'captcha', message: string) => {
        if ((fields[name] ?? '').trim() === '') context.addIssue({ code: 'custom', path: [name], message })
      }
      if (fields.type === 'phone') {
        need('phone', 'account.needPhone')
        need('captcha', 'account.needCode')
        if ((fields.phone ?? '').trim() !== '' && !phoneSchema.safeParse(fields.phone).success)
          context.addIssue({ code: 'custom', path: ['phone'], message: 'account.phoneForm' })
      } else {
        need('username', 'account.needUsername')
        if ((fields.password ?? '') === '')
          context.addIssue({ code: 'custom', path: ['password'], message: 'account.needPassword' })
      }
    }),
  output: z.object({ token: z.string(), user: currentUserSchema, expiresAt: z.string() }),
})

const captchaPurposes = ['login', 'confirm'] as const

export const sendCaptcha = defineEndpoint({
  method: 'POST',
  path: '/api/auth/captcha/',
  summary: 'Sends a six-digit code to a phone; the answer is the same whether or not an account has the number',
  tag: 'account',
  open: true,
  ignoresToken: true,
  input: z.object({
    phone: phoneSchema,
    /** `login`: only a number that an account has confirmed gets one; `confirm`: any number, to prove that it is one's own. */
    purpose: z.enum(captchaPurposes).default('login'),
  }),
  output: z.object({ delivered: z.enum(['sms', 'outbox']), resendSeconds: z.number(), expiresSeconds: z.number() }),
})

export const logout = defineEndpoint({
  method: 'POST',
  path: '/api/auth/logout/',
  summary: 'Ends the session of the token',
  tag: 'account',
  open: true,
  input: z.object({}),
  output: z.object({}),
})

const passwordPair = {
  password: passwordSchema,
  confirm: z.string('account.needConfirm').min(1, 'account.needConfirm'),
}
/** The second field must repeat the first. */
export const checkConfirm = (fields: { password: string; confirm: string }, context: z.RefinementCtx): void => {
  if (fields.password !== fields.confirm)
    context.addIssue({ code: 'custom', path: ['confirm'], message: 'account.passwordsDiffer' })
}

export const register = defineEndpoint({
  method: 'POST',
  path: '/api/auth/register/',
  summary: 'Makes an account; a mail to the address confirms it',
  tag: 'account',
  open: true,
  ignoresToken: true,
  input: z
    .object({
      username: usernameSchema,
      email: emailSchema,
      /** Not asked for: a number can be given, and confirmed, at any later time. */
      phone: phoneSchema.optional(),
      workplace: z.enum(workplaces),
      jobType: z.enum(jobTypes),
      ...passwordPair,
      /** The code sent to the phone with purpose `confirm`: with it the number serves for signing in at once. */
      captcha: codeSchema.optional(),
    })
    .superRefine(checkConfirm)
    .superRefine(({ phone, captcha }, context) => {
      if (captcha !== undefined && phone === undefined)
        context.addIssue({ code: 'custom', path: ['phone'], message: 'account.needPhone' })
    }),
  output: z.object({
    username: z.string(),
    email: z.string(),
    delivered: z.enum(['mail', 'outbox']),
    phoneConfirmed: z.boolean(),
  }),
})

/** A secret from a mailed link; it travels in the fragment of the address, which browsers keep to themselves. */
const mailedToken = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'account.linkInvalid')

export const confirmEmail = defineEndpoint({
  method: 'POST',
  path: '/api/auth/confirm-email/',
  summary:
    'Confirms an e-mail address with the token of a mailed link (`/users/register-result#confirm=TOKEN`); again, it says the same',
  tag: 'account',
  open: true,
  ignoresToken: true,
  input: z.object({ token: mailedToken }),
  output: z.object({ username: z.string(), email: z.string() }),
})

export const requestPasswordReset = defineEndpoint({
  method: 'POST',
  path: '/api/auth/password-reset/',
  summary: 'Mails a link for a new password to a confirmed address; the answer is the same whoever asks',
  tag: 'account',
  open: true,
  ignoresToken: true,
  input: z.object({ email: emailSchema }),
  output: z.object({ delivered: z.enum(['mail', 'outbox']), expiresSeconds: z.number() }),
})

export const resetPassword = defineEndpoint({
  method: 'POST',
  path: '/api/auth/password-reset/confirm/',
  summary: 'Sets a new password with the token of a mailed link (`/user/login#reset=TOKEN`); every session ends',
  tag: 'account',
  open: true,
  ignoresToken: true,
  input: z.object({ token: mailedToken, ...passwordPair }).superRefine(checkConfirm),
  output: z.object({ username: z.string() }),
})

/** For what must not be done at an unattended screen. */
export const currentPasswordSchema = plainPassword
