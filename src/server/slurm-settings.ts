import { z } from 'zod'

/** What sbatch is asked for; of a tool's, only what differs from the general ones. */
export interface SlurmOptions {
  partition?: string
  account?: string
  qos?: string
  constraint?: string
  reservation?: string
  cores?: number
  memoryBytes?: number
  timeLimitMs?: number
}

export interface SlurmSettings {
  general: SlurmOptions
  tools: Record<string, SlurmOptions & { run?: 'slurm' | 'here' }>
  /** Tasks that wait or run at Slurm at one time. */
  maxTasks: number
}

const defaultMaxTasks = 32

/** Names of partitions and the like, as sbatch takes them: no blank, no quote, nothing that begins with a dash. */
const word = /^[A-Za-z0-9_][A-Za-z0-9_.:,&|*[\]-]{0,99}$/
const readers: Record<string, (value: string) => Partial<SlurmOptions> | null> = {
  ...Object.fromEntries(
    (['partition', 'account', 'qos', 'constraint', 'reservation'] as const).map((name) => [
      name,
      (value: string) => (word.test(value) ? { [name]: value } : null),
    ]),
  ),
  cores: (value) => within(value, 1, 1024, (cores) => ({ cores })),
  memory: (value) => within(value, 1, 16_384, (gigabytes) => ({ memoryBytes: gigabytes * 2 ** 30 })),
  time: (value) => within(value, 5, 43_200, (minutes) => ({ timeLimitMs: minutes * 60_000 })),
}

const within = <T>(value: string, min: number, max: number, make: (number: number) => T): T | null => {
  const number = Number(value)
  return /^\d+$/.test(value) && number >= min && number <= max ? make(number) : null
}

/**
 * `partition=compute account=lab tasks=50 blast.cores=8 blast.memory=16 homologs.run=slurm`, parted by blanks: memory in GiB, time in
 * minutes. Which tools there are is known when tools are read.
 */
export const slurmSettings = z.string().transform((text, context): SlurmSettings => {
  const settings: SlurmSettings = { general: {}, tools: {}, maxTasks: defaultMaxTasks }
  for (const part of text.split(/\s+/).filter((one) => one !== '')) {
    const [, tool, name, value] = /^(?:([a-z]+)\.)?([a-z]+)=(.+)$/.exec(part) ?? []
    const read = name === undefined ? null : (readers[name]?.(value!) ?? null)
    if (tool === undefined && name === 'tasks') {
      const tasks = within(value!, 1, 10_000, (count) => count)
      if (tasks !== null) {
        settings.maxTasks = tasks
        continue
      }
    } else if (tool !== undefined && name === 'run' && (value === 'slurm' || value === 'here')) {
      settings.tools[tool] = { ...settings.tools[tool], run: value }
      continue
    } else if (read !== null) {
      if (tool === undefined) Object.assign(settings.general, read)
      else settings.tools[tool] = { ...settings.tools[tool], ...read }
      continue
    }
    context.addIssue({
      code: 'custom',
      message:
        'options are written like partition=compute blast.cores=8, parted by blanks: partition, account, qos, constraint, reservation, cores, memory (GiB), time (minutes), tasks, TOOL.run=slurm or TOOL.run=here',
    })
    return z.NEVER
  }
  return settings
})

/** The options in force for a tool. */
export const slurmOptionsOf = (settings: SlurmSettings, tool: string): SlurmOptions => ({
  ...settings.general,
  ...settings.tools[tool],
})

/** Arguments of sbatch for what a site alone decides. Example: `['--partition=compute', '--account=lab']`. */
export const slurmArguments = (options: SlurmOptions): string[] =>
  (['partition', 'account', 'qos', 'constraint', 'reservation'] as const).flatMap((name) =>
    options[name] === undefined ? [] : [`--${name}=${options[name]}`],
  )
