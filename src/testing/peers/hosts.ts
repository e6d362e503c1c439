import { execFileSync, spawn, spawnSync } from 'node:child_process'

/** A machine of a deployment that is tried: this one, or a network namespace with an address and a link of its own. */
export interface Host {
  /** Where others reach it. */
  address: string
  /** The program and arguments by which a program runs there, as another user where one is named. */
  command(program: string, args: readonly string[], user?: { uid: number; gid: number } | null): [string, string[]]
}

/** Everything on this machine's loopback, as where no hosts can be had. */
export const thisMachine: Host = {
  address: '127.0.0.1',
  command: (program, args, user) =>
    user == null
      ? [program, [...args]]
      : ['setpriv', [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', program, ...args]],
}

/** How the link of a host is; what is left out is as it was made. */
export interface Slowness {
  delayMs: number
  lossPercent: number
  /** In place of both where the kernel cannot delay (see `canDelay`). */
  megabitsPerSecond: number
}

/** Hosts on a bridge between them; this process is on it too, and its end is the end of all. */
export interface Network {
  /** This process's own address on it. */
  address: string
  /** Another address of this process, 1 to 250, as of another machine. */
  addressOf(number: number): string
  host(name: string): Host
  /** From now on nothing comes from the host and nothing reaches it; nobody is told. */
  cut(name: string): void
  join(name: string): void
  slow(name: string, slowness: Slowness): void
  /** Whether links are delayed and lose packets; without, they are narrow. */
  canDelay: boolean
}

/** Within what `runInOwnNetwork` has started, as its last argument. */
const inside = '--in-own-network'

/** Whether network namespaces can be had: Linux, root, iproute2 and util-linux. */
export const canHaveNetwork = (): boolean =>
  process.getuid?.() === 0 &&
  spawnSync('ip', ['-Version']).status === 0 &&
  spawnSync('unshare', [...namespaces, 'true']).status === 0

const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']

/** Whether this process is one that `runInOwnNetwork` has started. */
export const isInOwnNetwork = (): boolean => process.argv.includes(inside)

/**
 * Runs this program again in namespaces of its own, and ends with its status: no address and no process of it is seen from outside, and
 * all of them are gone when it ends, however it ends.
 */
export const runInOwnNetwork = (): Promise<number> => {
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1), inside]
  // The first process of such a namespace has to take in what others leave behind, which a shell does and Node.js does not.
  const inNamespaces = ['unshare', ...namespaces, 'sh', '-c', '"$@" & wait $!', 'sh', ...again]
  const child = spawn('setpriv', ['--pdeathsig=KILL', ...inNamespaces], { stdio: 'inherit' })
  // Of a terminal's Ctrl+C those inside hear too, and clear up.
  process.once('SIGINT', () => undefined)
  process.once('SIGTERM', () => child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (status) => resolve(status ?? 1))
  })
}

const ip = (...lines: string[]): void =>
  void execFileSync('ip', ['-batch', '-'], { input: `${lines.join('\n')}\n`, stdio: ['pipe', 'ignore', 'pipe'] })

const addressAt = (number: number): string => `10.77.0.${number}`
const hardwareAddressAt = (number: number): string => `02:00:0a:4d:00:${number.toString(16).padStart(2, '0')}`
const ownNumber = 254

/** Makes hosts of these names. Only in a process that `runInOwnNetwork` has started. */
export const openNetwork = (names: readonly string[]): Network => {
  if (!isInOwnNetwork()) throw new Error('hosts are made in a network of their own alone')
  execFileSync('mkdir', ['-p', '/run/netns'])
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns'])
  ip(
    'link set lo up',
    `link add bridge address ${hardwareAddressAt(ownNumber)} type bridge`,
    `address add ${addressAt(ownNumber)}/16 dev bridge`,
    ...Array.from({ length: 250 }, (_, at) => `address add 10.77.1.${at + 1}/16 dev bridge`),
    'link set bridge up',
  )
  const numberOf = (name: string): number => {
    const at = names.indexOf(name)
    if (at < 0) throw new Error(`no host ${name}`)
    return at + 1
  }
  const linkOf = (name: string): string => `to-${numberOf(name)}`
  for (const name of names)
    ip(
      `netns add ${name}`,
      `link add ${linkOf(name)} type veth peer name eth0 address ${hardwareAddressAt(numberOf(name))} netns ${name}`,
      `link set ${linkOf(name)} master bridge up`,
    )
  for (const name of names) {
    const lines = [
      'link set lo up',
      `address add ${addressAt(numberOf(name))}/16 dev eth0`,
      'link set eth0 up',
      // Known for good: of a host that is away nobody says that it is, as behind a router.
      ...[...names.map(numberOf), ownNumber]
        .filter((number) => number !== numberOf(name))
        .map((number) => `neigh add ${addressAt(number)} lladdr ${hardwareAddressAt(number)} nud permanent dev eth0`),
      ...Array.from(
        { length: 250 },
        (_, at) => `neigh add 10.77.1.${at + 1} lladdr ${hardwareAddressAt(ownNumber)} nud permanent dev eth0`,
      ),
    ]
    execFileSync('ip', ['-netns', name, '-batch', '-'], { input: `${lines.join('\n')}\n` })
    ip(`neigh add ${addressAt(numberOf(name))} lladdr ${hardwareAddressAt(numberOf(name))} nud permanent dev bridge`)
  }
  const canDelay = spawnSync('tc', ['qdisc', 'add', 'dev', 'lo', 'root', 'netem', 'delay', '0ms']).status === 0
  if (canDelay) execFileSync('tc', ['qdisc', 'del', 'dev', 'lo', 'root'])
  return {
    address: addressAt(ownNumber),
    addressOf: (number) => `10.77.1.${number}`,
    host: (name) => ({
      address: addressAt(numberOf(name)),
      command: (program, args, user) => [
        'nsenter',
        [
          `--net=/run/netns/${name}`,
          ...(user == null ? [] : [`--setuid=${user.uid}`, `--setgid=${user.gid}`]),
          '--',
          program,
          ...args,
        ],
      ],
    }),
    cut: (name) => ip(`link set ${linkOf(name)} down`),
    join: (name) => ip(`link set ${linkOf(name)} up`),
    slow: (name, { delayMs, lossPercent, megabitsPerSecond }) => {
      const how = canDelay
        ? ['netem', 'delay', `${delayMs}ms`, 'loss', `${lossPercent}%`]
        : ['tbf', 'rate', `${megabitsPerSecond}mbit`, 'burst', '64kb', 'latency', '200ms']
      execFileSync('tc', ['qdisc', 'replace', 'dev', linkOf(name), 'root', ...how])
    },
    canDelay,
  }
}
