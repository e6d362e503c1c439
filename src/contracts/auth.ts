import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'

export const currentUserSchema = z.object({
  username: z.string(),
  access: z.enum(['visitor', 'user', 'admin']),
})
export type CurrentUser = z.infer<typeof currentUserSchema>

export const getCurrentUser = defineEndpoint({
  method: 'GET',
  path: '/api/auth/user/',
  summary: 'Who is asking; a visitor when no token is given',
  tag: 'account',
  input: z.object({}),
  output: currentUserSchema,
})

export const login = defineEndpoint({
  method: 'POST',
  path: '/api/auth/login/',
  summary: 'Exchanges a name and password for a token',
  tag: 'account',
  input: z.object({
    type: z.enum(['account', 'admin']).default('account'),
    username: z.string().min(1).max(100),
    password: z.string().min(1).max(200),
  }),
  output: z.object({ token: z.string(), user: currentUserSchema }),
})

export const logout = defineEndpoint({
  method: 'POST',
  path: '/api/auth/logout/',
  summary: 'Ends the session of the token',
  tag: 'account',
  input: z.object({}),
  output: z.object({}),
})
