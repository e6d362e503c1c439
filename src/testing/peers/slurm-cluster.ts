import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Host, thisMachine } from './hosts.ts'
import { findPorts } from './patroni-cluster.ts'

const run = promisify(execFile)

/** Whether Slurm with several daemons on one machine can be had here: Debian's slurm-wlm and munge. */
export const hasSlurm = ['munged', 'slurmctld', 'slurmd', 'sbatch'].every(
  (program) => spawnSync('sh', ['-c', 'command -v "$0"', program], { env: { PATH: searchPath() } }).status === 0,
)

function searchPath(): string {
  return `${process.env.PATH ?? ''}:/usr/sbin:/sbin`
}

export interface SlurmCluster {
  /** Environment for commands of this cluster. */
  environment: Record<string, string>
  /** Ends a node's daemon and all that runs there, as a power cut does. */
  killNode(name: string): void
  startNode(name: string): Promise<void>
  /** Resolves when the node takes jobs. */
  waitForNode(name: string): Promise<void>
  killController(): void
  startController(): Promise<void>
  /** What a command of Slurm prints. */
  ask(program: string, ...args: string[]): Promise<string>
  close(): void
}

/**
 * A cluster of its own on this machine: munge, a controller, and nodes `n1`, `n2`, … of so many processors each, whatever the machine has.
 * Its daemons belong to whoever starts them. Nodes are processes here and not machines: what runs on one sees those of the others.
 * With `dataDirectoriesIn` each node has a data directory of its own in that folder, by a TaskProlog as docs/cluster.en.md shows it.
 */
export const startSlurm = async ({
  nodes,
  cores,
  dataDirectoriesIn,
  hostOf = () => thisMachine,
}: {
  nodes: number
  cores: number
  dataDirectoriesIn?: string
  /** Of `controller`, `n1`, `n2`, …; munge is one for all of them, by its socket. */
  hostOf?: (name: string) => Host
}): Promise<SlurmCluster> => {
  const folder = mkdtempSync(join(os.tmpdir(), 'novodb-slurm-'))
  // munged refuses a socket that others cannot reach, and a key that they can.
  chmodSync(folder, 0o755)
  for (const name of ['munge', 'state', 'log']) mkdirSync(join(folder, name), { mode: 0o755 })
  writeFileSync(join(folder, 'munge.key'), randomBytes(128), { mode: 0o400 })
  const socket = join(folder, 'munge', 'socket')
  const host = os.hostname().split('.')[0]!
  const user = os.userInfo().username
  const [controllerPort, ...nodePorts] = await findPorts(nodes + 1)
  const names = Array.from({ length: nodes }, (_, at) => `n${at + 1}`)
  const prolog = join(folder, 'task-prolog')
  if (dataDirectoriesIn !== undefined)
    writeFileSync(prolog, `#!/bin/sh\necho "export NOVODB_DATA=${dataDirectoriesIn}/$SLURMD_NODENAME"\n`, {
      mode: 0o755,
    })
  writeFileSync(
    join(folder, 'slurm.conf'),
    `ClusterName=test
SlurmctldHost=${host}(${hostOf('controller').address})
SlurmctldPort=${controllerPort}
AuthType=auth/munge
AuthInfo=socket=${socket}
CredType=cred/munge
SlurmUser=${user}
SlurmdUser=${user}
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool-%n
SlurmctldPidFile=${folder}/controller.pid
SlurmdPidFile=${folder}/node-%n.pid
SlurmctldLogFile=${folder}/log/controller.log
SlurmdLogFile=${folder}/log/node-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=2
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=10
KillWait=5
MessageTimeout=5
MailProg=/bin/true
${dataDirectoriesIn === undefined ? '' : `TaskProlog=${prolog}\n`}${names.map((name, at) => `NodeName=${name} NodeHostname=${host} NodeAddr=${hostOf(name).address} Port=${nodePorts[at]} CPUs=${cores} RealMemory=16000`).join('\n')}
PartitionName=main Nodes=${names.join(',')} Default=YES MaxTime=INFINITE State=UP
`,
  )
  const environment = { SLURM_CONF: join(folder, 'slurm.conf') }
  const startOn = (on: Host, program: string, ...args: string[]) =>
    run(...on.command(program, args), { env: { ...process.env, ...environment, PATH: searchPath() } })
  const pidOf = (file: string): number | null => {
    try {
      return Number(readFileSync(join(folder, file), 'utf8')) || null
    } catch {
      return null
    }
  }
  const kill = (file: string): void => {
    const pid = pidOf(file)
    if (pid === null) return
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It is gone.
    }
    rmSync(join(folder, file), { force: true })
  }
  /** All that runs on a node: tasks carry its name in their environment, and above them is the process of Slurm that started them. */
  const killTasks = (node: string): void => {
    const doomed = new Set<number>()
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
        if (!environment.includes(`SLURMD_NODENAME=${node}\0`) || !environment.includes(folder)) continue
        doomed.add(Number(pid))
        const [, parent] = /^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))!
        if (readFileSync(`/proc/${parent}/comm`, 'latin1').startsWith('slurmstepd')) doomed.add(Number(parent))
      } catch {
        // It is gone.
      }
    }
    for (const pid of doomed) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It is gone.
      }
    }
  }
  const ask = async (program: string, ...args: string[]): Promise<string> =>
    (await startOn(hostOf('controller'), program, ...args)).stdout
  const waitFor = async (what: string, check: () => Promise<boolean>): Promise<void> => {
    const deadline = performance.now() + 60_000
    while (!(await check().catch(() => false))) {
      if (performance.now() > deadline) throw new Error(`Slurm: ${what} did not come up: see ${folder}/log`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const cluster: SlurmCluster = {
    environment,
    killNode(name) {
      kill(`node-${name}.pid`)
      killTasks(name)
    },
    async startNode(name) {
      await startOn(hostOf(name), 'slurmd', '-N', name)
      await cluster.waitForNode(name)
    },
    async waitForNode(name) {
      await waitFor(name, async () =>
        /^(idle|mixed|allocated|completing)\b(?!\*)/.test(await ask('sinfo', '-h', '-n', name, '-o', '%T')),
      )
    },
    killController: () => kill('controller.pid'),
    async startController() {
      await startOn(hostOf('controller'), 'slurmctld')
      await waitFor('the controller', async () => (await ask('scontrol', 'ping')).includes('is UP'))
    },
    ask,
    close() {
      for (const name of names) cluster.killNode(name)
      kill('controller.pid')
      kill('munge/pid')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await startOn(
    hostOf('controller'),
    'munged',
    `--key-file=${folder}/munge.key`,
    `--socket=${socket}`,
    `--pid-file=${folder}/munge/pid`,
    `--log-file=${folder}/log/munged.log`,
    `--seed-file=${folder}/munge/seed`,
    '--num-threads=2',
    '--force',
  )
  await cluster.startController()
  for (const name of names) await cluster.startNode(name)
  return cluster
}
