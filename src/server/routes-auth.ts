import type { FastifyInstance } from 'fastify'
import { getCurrentUser, login, logout } from '../contracts/auth.ts'
import { PortalError } from '../contracts/errors.ts'
import { implement } from './implement.ts'
import type { Portal } from './portal.ts'
import { bearerToken, signIn, signOut } from './sessions.ts'

export const mountAuth = (app: FastifyInstance, portal: Portal): void => {
  implement(app, getCurrentUser, async (_, { caller }) => ({ username: caller.username, access: caller.access }))
  implement(app, login, async ({ type, username = '', password = '', remember }) => {
    // No code has been sent that could be right.
    if (type === 'phone') throw new PortalError('WRONG_CREDENTIALS', { message: 'account.codeWrong' })
    return signIn(portal.database.sql, { type, username, password, remember })
  })
  implement(app, logout, async (_, { request }) => {
    const token = bearerToken(request)
    if (token !== null) await signOut(portal.database.sql, token)
    return {}
  })
}
