// What `npm start` and `npm test` need before they can begin. Plain Node: nothing is installed yet when this runs.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const started = Date.now()

/** A line of progress with the seconds since the start. */
export const say = (text) => {
  process.stdout.write(`[${String(Math.round((Date.now() - started) / 1000)).padStart(3)} s] ${text}\n`)
}

export const fail = (text) => {
  process.stderr.write(`\n${text}\n`)
  process.exit(1)
}

/** Runs a program with its output shown; resolves to its exit status. */
export const run = (program, args, options = {}) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
    child.once('error', () => resolve(127))
    child.once('close', (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })

/**
 * The compiler that is a native program: it takes two fifths of the processor time. The package `typescript` beside it is the one
 * before, which has the interface that rules over syntax trees read programs by; both name their command `tsc`.
 */
export const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc')

/** Runs a program beside others and keeps what it writes, to be shown in its turn. */
export const runQuietly = (program, args, options = {}) => {
  const child = spawn(program, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(text))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: 127, output: `${error.message}\n` }))
    child.once('close', (code) => resolve({ status: code ?? 1, output: Buffer.concat(output).toString('utf8') }))
  })
}

export const checkNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(
      `NovoDB needs Node.js 20.19 or later; this is ${process.versions.node}.\nNovoDB 需要 Node.js 20.19 或更高版本。`,
    )
  }
}

const isRoot = () => process.getuid?.() === 0
const onPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** npm's packages from the lockfile, when they are not there or of another lockfile. */
export const installPackages = async () => {
  const stamp = join(root, 'node_modules', '.novodb-lock')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say('Installing the packages of package-lock.json …')
  const npm = process.env.npm_execpath
  // Not `npm ci`: that refuses the lockfile where a mirror lacks the packages of other platforms. This installs just what
  // the lockfile says, checksums included, and does not write it.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev']
  const status = npm ? await run(process.execPath, [npm, ...args]) : await run('npm', args)
  if (status !== 0) fail('The packages could not be installed: is the npm registry reachable?')
  writeFileSync(stamp, wanted)
}

/** Debian packages that are missing, by the programs they bring. */
export const missingPrograms = (requirements) => requirements.filter(({ program }) => !onPath(program))

/**
 * Installs Debian packages when this is Debian or Ubuntu and we are root; otherwise says exactly what to install.
 * Resolves to what is still missing.
 */
export const installPrograms = async (requirements, purpose) => {
  let missing = missingPrograms(requirements)
  if (missing.length === 0) return []
  const packages = [...new Set(missing.flatMap((requirement) => requirement.package.split(' ')))]
  if (isRoot() && onPath('apt-get') && process.env.NOVODB_INSTALL !== 'no') {
    say(`Installing ${packages.join(' ')} (${purpose}) …`)
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (args) => runQuietly('apt-get', ['-qq', '-o', 'Dpkg::Use-Pty=0', ...args], { env: environment })
    const install = ['install', '-y', '--no-install-recommends', ...packages]
    // Package lists may be absent (containers) or old: they are fetched when the first attempt fails.
    if ((await apt(install)).status !== 0) {
      await apt(['update'])
      const second = await apt(install)
      if (second.status !== 0) process.stderr.write(second.output.split('\n').slice(-6).join('\n'))
    }
    missing = missingPrograms(requirements)
  }
  if (missing.length > 0) {
    const left = [...new Set(missing.map((requirement) => requirement.package))]
    say(`Not installed (${purpose}): ${missing.map((requirement) => requirement.program).join(', ')}`)
    say(`  On Debian or Ubuntu: sudo apt-get install ${left.join(' ')}`)
    const conda = [...new Set(missing.map((requirement) => requirement.bioconda).filter(Boolean))]
    if (conda.length > 0) say(`  Elsewhere: conda install -c conda-forge -c bioconda ${conda.join(' ')}`)
  }
  return missing
}

const filesUnder = (path) => {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules' && entry.name !== 'golden' && entry.name !== 'fixtures')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesUnder(join(path, entry.name)))
}

/**
 * Builds server and browser part when a source file has changed since the last build, as after `git pull`. It is built beside
 * its place and put there whole: a build that fails or is stopped leaves the one before, and what is no longer among the
 * sources is no longer in the build. A portal that is running lists its files when it starts, so it wants a restart.
 */
export const build = async () => {
  const hash = createHash('sha256')
  for (const part of [
    'src',
    'demo',
    'bench',
    // What bench/storm.ts starts.
    'e2e/portal-command.ts',
    'e2e/reverse-proxy.ts',
    'e2e/storm',
    // What bench/screens.ts walks with.
    'e2e/tab-stops.ts',
    'scripts/copy-files.mjs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.node.json',
    'vite.config.ts',
  ]) {
    for (const file of filesUnder(join(root, part))) {
      if (/\.test\.tsx?$/.test(file)) continue
      hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
    }
  }
  const stamp = join(root, 'dist', '.built')
  const wanted = hash.digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say('Building …')
  const dist = join(root, 'dist')
  mkdirSync(dist, { recursive: true })
  for (const name of readdirSync(dist)) if (/^(next|before)-/.test(name)) removeFolder(join(dist, name))
  const next = mkdtempSync(join(dist, 'next-'))
  const before = mkdtempSync(join(dist, 'before-'))
  const bin = (name) => join(root, 'node_modules', '.bin', name)
  const steps = [
    [process.execPath, [compiler, '-p', 'tsconfig.node.json', '--noCheck', '--outDir', join(next, 'node')]],
    [process.execPath, ['scripts/copy-files.mjs', join(next, 'node')]],
    [bin('vite'), ['build', '--logLevel', 'warn', '--outDir', join(next, 'web'), '--emptyOutDir']],
  ]
  for (const [program, args] of steps) {
    if ((await run(program, args)) !== 0) {
      removeFolder(next)
      removeFolder(before)
      fail('The build failed: see above.')
    }
  }
  keepServedAssets(join(dist, 'web'), join(next, 'web'))
  // Without its stamp a build that is put in place by halves is made again.
  rmSync(stamp, { force: true })
  for (const part of ['node', 'web']) {
    if (existsSync(join(dist, part))) renameSync(join(dist, part), join(before, part))
    renameSync(join(next, part), join(dist, part))
  }
  writeFileSync(stamp, wanted)
  removeFolder(next)
  removeFolder(before)
}

/**
 * A portal that runs meanwhile goes on serving the page it was started with, whose scripts must stay: they have names of their
 * own content and are carried over to the next build, those of one build only.
 */
const keepServedAssets = (from, to) => {
  const assets = join(to, 'assets')
  const own = readdirSync(assets)
  if (existsSync(ownAssets)) {
    for (const name of JSON.parse(readFileSync(ownAssets, 'utf8'))) {
      const old = join(from, 'assets', name)
      if (existsSync(old) && !own.includes(name)) copyFileSync(old, join(assets, name))
    }
  }
  writeFileSync(ownAssets, JSON.stringify(own))
}
const ownAssets = join(root, 'dist', '.assets')
const removeFolder = (path) => rmSync(path, { recursive: true, force: true })

/** Programs that the built portal's tools and loaders declare; the large ones, of one tool each, only when asked for. */
export const portalRequirements = ({ large = false } = {}) => {
  const answer = spawnSync(process.execPath, ['bin/novodb.mjs', 'engines', '--json'], { cwd: root, encoding: 'utf8' })
  if (answer.status !== 0) fail(`The portal cannot list its engines:\n${answer.stderr}`)
  return JSON.parse(answer.stdout).filter((requirement) => large || !requirement.large)
}
