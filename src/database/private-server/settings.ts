import os from 'node:os'

/**
 * Settings for a machine that also runs the portal and its engines. A setting the administrator writes into postgresql.conf wins.
 * @param memoryBytes what the machine (or the container) has
 * @param durable false where a power cut may take everything: nothing then waits for the disk
 */
export function renderSettings(memoryBytes: number, durable = true): string {
  const megabytes = Math.floor(memoryBytes / 2 ** 20)
  const within = (low: number, value: number, high: number) => Math.max(low, Math.min(Math.floor(value), high))
  const settings: Record<string, string | number> = {
    max_connections: 100,
    shared_buffers: `${within(128, megabytes / 8, 2048)}MB`,
    effective_cache_size: `${within(256, megabytes / 2, 65_536)}MB`,
    work_mem: '16MB',
    maintenance_work_mem: `${within(64, megabytes / 16, 512)}MB`,
    // Containers have 64 MB of /dev/shm by default; parallel queries take from this first.
    min_dynamic_shared_memory: '32MB',
    random_page_cost: 1.1,
    // Compiling a query costs more than the portal's queries take.
    jit: 'off',
    // Nothing is replicated from here: COPY into a table made in the same transaction then needs no log at all.
    wal_level: 'minimal',
    max_wal_senders: 0,
    wal_compression: 'on',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    // Partitions of many bundles in one transaction: a backup locks every table, to restore one also every index of them. Of larger machines
    // more are expected; each lock that may be has some 300 bytes.
    max_locks_per_transaction: within(256, megabytes / 16, 2048),
    timezone: 'UTC',
    log_timezone: 'UTC',
    datestyle: 'iso, ymd',
    default_text_search_config: 'pg_catalog.simple',
    lc_messages: 'C',
    log_line_prefix: '%m [%p] %q%a ',
    log_checkpoints: 'off',
    // Statements and the details of errors carry what people typed; the log shall not.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`)
  return `# Written by NovoDB at every start.\n${lines.join('\n')}\n`
}

/** The machine's memory, or what a container leaves of it. */
export function findMemoryBytes(): number {
  // Under a container's limit the machine's memory is not ours; without a limit the number is 0 or beyond any machine.
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem()
}
