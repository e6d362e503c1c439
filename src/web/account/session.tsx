import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type CurrentUser, getCurrentUser, logout } from '../../contracts/accounts/auth.ts'
import { AdministratorContext } from '../../kit/ui/administrator.ts'
import { isConnected } from '../../kit/ui/connection-state.ts'
import { localeKey } from '../../kit/ui/language.tsx'
import {
  type CallOptions,
  call,
  displayOf,
  onSignedOut,
  RequestError,
  readToken,
  tokenKey,
} from '../../kit/ui/request.ts'
import { type LayoutSettings, layoutSettings } from '../portal-settings.ts'
import { isPassing } from '../shell/query-client.ts'
import { safeRedirect } from '../shell/redirect.ts'
import { type AccessMap, accessOf } from './access.ts'

/** What the portal knows once it has started (portal specification, section 3). */
export interface InitialState {
  currentUser: CurrentUser | null
  settings: LayoutSettings
  fetchUserInfo: () => Promise<CurrentUser>
}

interface Session {
  initialState: InitialState
  user: CurrentUser | null
  access: AccessMap
  /** The first answer has not come yet. */
  pending: boolean
  signOut: () => Promise<void>
  refresh: () => Promise<void>
  /** Nobody is signed in any more, and the server knows: the account is gone. */
  forget: () => void
}

const isRefused = (error: Error | null): boolean => error instanceof RequestError && error.status === 401

const fetchUserInfo = (options: CallOptions = {}): Promise<CurrentUser> =>
  // That a session has ended is told by the login page, to which it leads.
  call(getCurrentUser, {}, { ...options, skipErrorHandler: isRefused })

/** The initial state for whoever asks. */
export const startState = (user: CurrentUser | null): InitialState => ({
  currentUser: user,
  settings: layoutSettings(),
  fetchUserInfo,
})

const SessionContext = createContext<Session>({
  initialState: startState(null),
  user: null,
  access: accessOf(null),
  pending: true,
  signOut: async () => {},
  refresh: async () => {},
  forget: () => {},
})

export const useSession = (): Session => useContext(SessionContext)

const loginPath = '/user/login'
const errorPath = '/exception'

/** Where to go to sign in: with the way back, unless we are there already or a way back is already given. */
export const loginAddress = (location: { pathname: string; search: string }): string =>
  location.pathname === loginPath || new URLSearchParams(location.search).has('redirect')
    ? loginPath
    : `${loginPath}?${new URLSearchParams({ redirect: location.pathname + location.search })}`

const keepToken = (token: string, remember: boolean): void => {
  ;(remember ? localStorage : sessionStorage).setItem(tokenKey, token)
}

const dropToken = (): void => {
  sessionStorage.removeItem(tokenKey)
  localStorage.removeItem(tokenKey)
}

/** Both storages are emptied on signing out; the language is put back, so that a Chinese reader stays in Chinese. */
const clearStorages = (): void => {
  const locale = localStorage.getItem(localeKey)
  sessionStorage.clear()
  localStorage.clear()
  if (locale !== null) localStorage.setItem(localeKey, locale)
}

export const startSession = keepToken

/** Pages for whoever has no account yet, or no session any more: where the server refuses the caller, these stay open. */
const doorways = new Set([loginPath, '/users/register', '/users/register-result', '/contact'])

/** Fetches the current user at start; a failure leads to the login page (portal specification, section 4). */
export const SessionProvider = ({ children }: { children: ReactNode }): ReactNode => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const location = useLocation()
  const query = useQuery({
    queryKey: ['current-user'],
    queryFn: (context) => fetchUserInfo(context),
    // A question that could not be asked has not failed: it waits for the connection, however often that breaks meanwhile.
    retry: (count, error) =>
      (!isConnected() && error instanceof RequestError && error.status === 0) || (count < 1 && isPassing(error)),
    staleTime: 300_000,
  })
  const failed = query.isError
  // The last answer stays beside a failure: whoever was signed in before it is so no longer.
  const user = failed ? null : (query.data ?? null)

  /** The reader was led to the login page since the question could not be asked, not since it was refused. */
  const sentAway = useRef(false)
  useEffect(() => {
    if (!failed) {
      if (query.data === undefined || !sentAway.current) return
      sentAway.current = false
      if (location.pathname === loginPath)
        navigate(safeRedirect(new URLSearchParams(location.search).get('redirect'), window.location.origin), {
          replace: true,
        })
      return
    }
    // A token that the server refuses would keep every page closed: it goes.
    const refused = isRefused(query.error)
    if (readToken() !== null && refused) dropToken()
    // Whoever is led to the error page finds it there, and not the login in its place.
    const leads = query.error instanceof RequestError && displayOf(query.error) === 'redirect'
    if (location.pathname === loginPath || location.pathname === errorPath || leads) return
    if (refused && doorways.has(location.pathname)) return
    sentAway.current = !refused
    navigate(loginAddress(location), { replace: true })
  }, [failed, query.error, query.data, location, navigate])

  // A session that ended while the page was open: asking again tells, and leads to the login page when a token is refused.
  useEffect(
    () =>
      onSignedOut(() => {
        // What tells may be the very answer to this question: asked once more for it, it would be asked without end.
        if (client.getQueryState(['current-user'])?.fetchStatus === 'fetching') return
        void client.invalidateQueries({ queryKey: ['current-user'] })
      }),
    [client],
  )

  const session = useMemo<Session>(
    () => ({
      initialState: startState(user),
      user,
      access: accessOf(user),
      pending: query.isPending,
      refresh: async () => {
        await client.invalidateQueries({ queryKey: ['current-user'] })
      },
      forget: () => {
        clearStorages()
        client.clear()
      },
      signOut: async () => {
        try {
          // Whoever leaves need not be told: signed out here in any case, and the server forgets the session in time.
          await call(logout, {}, { skipErrorHandler: true })
        } catch {
          // See above.
        }
        clearStorages()
        client.clear()
        navigate(loginAddress(location), { replace: true })
      },
    }),
    [user, query.isPending, client, navigate, location],
  )
  return (
    <SessionContext value={session}>
      <AdministratorContext value={user?.access === 'admin'}>{children}</AdministratorContext>
    </SessionContext>
  )
}
