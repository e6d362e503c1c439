// `npm start`: installs what is missing, builds what has changed, and serves the portal.
import { spawn } from 'node:child_process'
import { build, checkNode, installPackages, installPrograms, portalRequirements, root, say } from './prepare.mjs'

checkNode()
await installPackages()
await build()
await installPrograms(portalRequirements(), 'engines of the tools; without them those tools are marked unavailable')

say('Starting the portal …')
// What answers in a millisecond must not stop for eight to clean up a young generation of 16 MB, Node's default: with 1 MB there are more
// collections and each is short (gene look-ups, 320 a second: p99 5.5 ms instead of 32). Nor may what goes with a request be put among what
// stays (V8 does so with the lists of listeners, since the first ones stay): each then holds its whole request until a full collection,
// which takes processors from all for some 100 ms. Nor may the heap be kept tight: files on their way to slow readers count among what stays,
// and beside them there was a full collection every half second; at four times its live size there is one in several seconds. Processes
// that compute for long have none of it.
const memoryFlags = ['--max-semi-space-size=1', '--no-allocation-site-pretenuring', '--heap-growing-percent=300']
const child = spawn(process.execPath, [...memoryFlags, 'bin/novodb.mjs', 'serve'], {
  cwd: root,
  stdio: 'inherit',
})
// A terminal sends its signals to all; a service manager to npm only, which hands them on to what it started: that this is no shell, which
// would keep them to itself, is what the `exec` in package.json is for.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.once('close', (code) => process.exit(code ?? 1))
