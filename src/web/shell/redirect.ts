/**
 * The way back after signing in, as a path within this portal; "/home" for an address of another site, for what no browser
 * reads as a path, and for the login page itself. Example: `safeRedirect('/tools/blast?job=1', origin)` is that path,
 * `safeRedirect('//evil.example', origin)` is "/home".
 */
export const safeRedirect = (redirect: string | null, origin: string): string => {
  if (redirect === null || !redirect.startsWith('/')) return '/home'
  let url: URL
  try {
    url = new URL(redirect, origin)
  } catch {
    return '/home'
  }
  const path = url.pathname + url.search + url.hash
  if (url.origin !== origin || path.startsWith('//') || url.pathname === '/user/login') return '/home'
  return path
}
