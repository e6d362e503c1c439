import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { notebookSchema } from '../notebooks.ts'
import { jobSchema, jobStates } from '../tools/jobs.ts'
import { checkConfirm, currentPasswordSchema, jobTypes, workplaces } from './auth.ts'
import { codeSchema, emailSchema, passwordSchema, phoneSchema } from './identity.ts'

/** Languages an account can choose; mails are written in it. */
export const accountLanguages = ['en-US', 'zh-CN'] as const

const profileSchema = z.object({
  username: z.string(),
  access: z.enum(['user', 'admin']),
  email: z.string(),
  emailConfirmed: z.boolean(),
  /** An address that waits for its confirmation before it takes the place of `email`. */
  newEmail: z.string().nullable(),
  nickname: z.string(),
  /** The personal profile, in the person's own words. */
  profile: z.string(),
  country: z.string(),
  /** Province or city. */
  province: z.string(),
  /** Street address. */
  address: z.string(),
  phone: z.string(),
  phoneConfirmed: z.boolean(),
  workplace: z.enum(workplaces).nullable(),
  jobType: z.enum(jobTypes).nullable(),
  language: z.enum(accountLanguages).nullable(),
  createdAt: z.string(),
})
export type Profile = z.infer<typeof profileSchema>

export const getProfile = defineEndpoint({
  method: 'GET',
  path: '/api/account/',
  summary: 'The account of whoever asks',
  tag: 'account',
  access: 'user',
  input: z.object({}),
  output: profileSchema,
})

/** Absent: unchanged; null: emptied; an empty text is a field that was to be filled in. */
const text = (longest: number, message: string) => z.string().trim().min(1, message).max(longest).nullable().optional()

const profileFields = {
  email: emailSchema.optional(),
  nickname: text(60, 'account.needNickname'),
  profile: text(2000, 'account.needProfile'),
  country: text(100, 'account.needCountry'),
  province: text(100, 'account.needProvince'),
  address: text(300, 'account.needAddress'),
  /** A number that is changed is no longer confirmed; with `captcha` (sent with purpose `confirm`) it is. */
  phone: phoneSchema.nullable().optional(),
  captcha: codeSchema.optional(),
  workplace: z.enum(workplaces).optional(),
  jobType: z.enum(jobTypes).optional(),
  language: z.enum(accountLanguages).optional(),
}

export const updateProfile = defineEndpoint({
  method: 'PUT',
  path: '/api/account/profile/',
  summary: 'Changes fields of the profile; a new e-mail address counts once it is confirmed',
  tag: 'account',
  access: 'user',
  sessionOnly: true,
  input: z.object(profileFields),
  output: z.object({ profile: profileSchema, delivered: z.enum(['mail', 'outbox']).nullable() }),
})

export const resendConfirmation = defineEndpoint({
  method: 'POST',
  path: '/api/account/confirmation/',
  summary: 'Mails the confirmation of the e-mail address once more',
  tag: 'account',
  access: 'user',
  sessionOnly: true,
  input: z.object({}),
  output: z.object({ delivered: z.enum(['mail', 'outbox']) }),
})

export const changePassword = defineEndpoint({
  method: 'POST',
  path: '/api/account/password/',
  summary: 'Changes the password; other sessions of the account end',
  tag: 'account',
  access: 'user',
  sessionOnly: true,
  input: z
    .object({
      currentPassword: currentPasswordSchema,
      password: passwordSchema,
      confirm: z.string('account.needConfirm').min(1, 'account.needConfirm'),
    })
    .superRefine(checkConfirm),
  output: z.object({}),
})

const sessionSchema = z.object({
  id: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  remember: z.boolean(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  expiresAt: z.string(),
})

export const listSessions = defineEndpoint({
  method: 'GET',
  path: '/api/account/sessions/',
  summary: 'Where the account is signed in',
  tag: 'account',
  access: 'user',
  sessionOnly: true,
  input: z.object({}),
  output: z.object({ sessions: z.array(sessionSchema) }),
})

export const endOtherSessions = defineEndpoint({
  method: 'POST',
  path: '/api/account/sessions/end/',
  summary: 'Signs out everywhere but here',
  tag: 'account',
  access: 'user',
  sessionOnly: true,
  input: z.object({}),
  output: z.object({ ended: z.number() }),
})

const apiTokenSchema = z.object({
  id: z.number(),
  name: z.string(),
  /** The first signs, to tell one from another. */
  start: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
})
export type ApiToken = z.infer<typeof apiTokenSchema>

export const listApiTokens = defineEndpoint({
  method: 'GET',
  path: '/api/account/tokens/',
  summary: 'API tokens of the account',
  tag: 'account',
  access: 'user',
  sessionOnly: true,
  input: z.object({}),
  output: z.object({ tokens: z.array(apiTokenSchema) }),
})

export const createApiToken = defineEndpoint({
  method: 'POST',
  path: '/api/account/tokens/',
  summary: 'Makes an API token for programs; it is shown this once',
  tag: 'account',
  access: 'user',
  sessionOnly: true,
  input: z.object({
    name: z.string('account.needTokenName').trim().min(1, 'account.needTokenName').max(60),
    /** Null: until it is revoked. */
    expiresDays: z.number().int().min(1).max(3650).nullable().default(365),
  }),
  output: z.object({ token: z.string(), about: apiTokenSchema }),
})

export const deleteApiToken = defineEndpoint({
  method: 'DELETE',
  path: '/api/account/tokens/{id}/',
  summary: 'Revokes an API token',
  tag: 'account',
  access: 'user',
  sessionOnly: true,
  input: z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) }),
  output: z.object({}),
})

/** By POST, for the password must not stand in an address. */
export const deleteAccount = defineEndpoint({
  method: 'POST',
  path: '/api/account/delete/',
  summary: 'Deletes the account with everything that belongs to it',
  tag: 'account',
  access: 'user',
  sessionOnly: true,
  input: z.object({ password: currentPasswordSchema }),
  output: z.object({}),
})

export const listOwnJobs = defineEndpoint({
  method: 'GET',
  path: '/api/account/jobs/',
  summary: 'Jobs of whoever asks, newest first',
  tag: 'account',
  access: 'user',
  input: z.object({
    page: z.coerce.number().int().min(1).max(100_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(200).default(20),
    state: z.enum(jobStates).optional(),
    tool: z.string().max(64).optional(),
  }),
  output: z.object({ jobs: z.array(jobSchema), total: z.number() }),
})

/** Named lists of genes kept with the account; the shape is that of a visitor's sets in the browser. */
export const geneSetLimits = { sets: 500, genes: 50_000 } as const
const geneSetFields = {
  name: z.string('account.needSetName').trim().min(1, 'account.needSetName').max(200),
  assembly: z.string().max(64).nullable(),
  genes: z.array(z.string().min(1).max(200)).max(geneSetLimits.genes),
}
const accountGeneSetSchema = z.object({
  ...geneSetFields,
  id: z.string(),
  created: z.string(),
  updated: z.string(),
})
export type AccountGeneSet = z.infer<typeof accountGeneSetSchema>
const geneSetId = z.string().regex(/^[0-9a-f]{16}$/)

export const listAccountGeneSets = defineEndpoint({
  method: 'GET',
  path: '/api/account/gene-sets/',
  summary: 'Gene sets of the account, newest first',
  tag: 'account',
  access: 'user',
  input: z.object({}),
  output: z.object({ sets: z.array(accountGeneSetSchema.omit({ genes: true }).extend({ geneCount: z.number() })) }),
})

export const getAccountGeneSet = defineEndpoint({
  method: 'GET',
  path: '/api/account/gene-sets/{id}/',
  summary: 'A gene set with its genes',
  tag: 'account',
  access: 'user',
  input: z.object({ id: geneSetId }),
  output: accountGeneSetSchema,
})

export const createAccountGeneSet = defineEndpoint({
  method: 'POST',
  path: '/api/account/gene-sets/',
  summary: 'Keeps a gene set with the account; an id that a browser gave it is kept',
  tag: 'account',
  access: 'user',
  bodyLimitBytes: 12 * 1024 * 1024,
  input: z.object({ ...geneSetFields, id: geneSetId.optional() }),
  output: accountGeneSetSchema,
})

export const updateAccountGeneSet = defineEndpoint({
  method: 'PUT',
  path: '/api/account/gene-sets/{id}/',
  summary: 'Renames a gene set or replaces its genes',
  tag: 'account',
  access: 'user',
  bodyLimitBytes: 12 * 1024 * 1024,
  input: z.object({
    id: geneSetId,
    name: geneSetFields.name.optional(),
    assembly: geneSetFields.assembly.optional(),
    genes: geneSetFields.genes.optional(),
  }),
  output: accountGeneSetSchema,
})

export const deleteAccountGeneSet = defineEndpoint({
  method: 'DELETE',
  path: '/api/account/gene-sets/{id}/',
  summary: 'Deletes a gene set',
  tag: 'account',
  access: 'user',
  input: z.object({ id: geneSetId }),
  output: z.object({}),
})

export const exportAccount = defineEndpoint({
  method: 'GET',
  path: '/api/account/export/',
  summary: 'Everything that the portal keeps about whoever asks',
  tag: 'account',
  access: 'user',
  sessionOnly: true,
  input: z.object({}),
  output: z.object({
    exportedAt: z.string(),
    profile: profileSchema,
    geneSets: z.array(accountGeneSetSchema),
    notebooks: z.array(notebookSchema),
    /** With the input of each. */
    jobs: z.array(jobSchema.extend({ input: z.unknown() })),
    sessions: z.array(sessionSchema),
    apiTokens: z.array(apiTokenSchema),
    messages: z.array(z.object({ subject: z.string(), message: z.string(), createdAt: z.string() })),
    activity: z.array(z.object({ at: z.string(), action: z.string(), target: z.string() })),
  }),
})
