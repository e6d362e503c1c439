// Keeps the frame of the portal for times without a connection, and a new build waiting until the reader asks for it.
// Never touches the answers of the server: /api, /data and /refget go to it as if this were not here.
// The build writes in the version and the files of the frame (service-worker-plugin.ts).
const version = '%VERSION%'
const shell = JSON.parse('%SHELL%')
const cacheName = `novodb-${version}`
const scope = new URL(self.registration.scope)
const pageKey = new URL('home', scope).href

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(cacheName).then(async (cache) => {
      await cache.addAll(shell.map((file) => new Request(new URL(file, scope), { cache: 'no-cache' })))
      await cache.put(pageKey, await fetch(pageKey, { cache: 'no-cache' }))
    }),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name.startsWith('novodb-') && name !== cacheName).map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('message', (event) => {
  if (event.data === 'activate') self.skipWaiting()
  if (event.data === 'version') event.ports[0]?.postMessage(version)
})

/** Files with a hash in their name never change: those once fetched are kept with their build. */
const fromCache = async (request) => {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  // A full disk keeps it from being kept, not from being given.
  if (answer.ok && answer.status === 200) await cache.put(request, answer.clone()).catch(() => undefined)
  return answer
}

/** The page comes from the server whenever it can be reached, so that its settings are those of now. */
const page = async (request) => {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(pageKey, { cacheName, ignoreVary: true })
    if (kept === undefined) throw error
    return kept
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return
  if (request.headers.has('range')) return
  const path = url.pathname.slice(scope.pathname.length)
  if (/^(api|data|refget)(\/|$)/.test(path)) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (path.startsWith('assets/') || shell.includes(path)) event.respondWith(fromCache(request))
})
