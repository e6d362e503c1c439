// `npm start`: installs what is missing, builds what has changed, and serves the portal.
import { spawn } from 'node:child_process'
import { build, checkNode, installPackages, installPrograms, portalRequirements, root, say } from './prepare.mjs'

checkNode()
await installPackages()
await build()
await installPrograms(portalRequirements(), 'engines of the tools; without them those tools are marked unavailable')

say('Starting the portal …')
const child = spawn(process.execPath, ['bin/novodb.mjs', 'serve'], { cwd: root, stdio: 'inherit' })
// A terminal sends its signals to both; a service manager to this process only.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.once('close', (code) => process.exit(code ?? 1))
