import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { type Host, thisMachine } from './hosts.ts'
import type { TestStore } from './object-store.ts'
import { findPorts } from './patroni-cluster.ts'

const programs = ['monmaptool', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'ceph', 'radosgw', 'radosgw-admin']

/** Whether Ceph is installed (ceph-common, ceph-mon, ceph-osd, radosgw). */
export const hasCeph = (): boolean => programs.every((name) => spawnSync(name, ['--version']).error === undefined)

/** Starts a Ceph cluster of one monitor and one store in memory, with its gateway for S3 and an empty bucket. Takes half a minute. */
export const startCeph = async (host: Host = thisMachine): Promise<TestStore> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'novodb-ceph-'))
  const at = (name: string): string => path.join(folder, name)
  const [v2, v1, port] = (await findPorts(3)) as [number, number, number]
  const [cluster, store] = [crypto.randomUUID(), crypto.randomUUID()]
  const monitors = `[v2:${host.address}:${v2},v1:${host.address}:${v1}]`
  for (const name of ['mon', 'osd']) mkdirSync(at(name))
  writeFileSync(
    at('ceph.conf'),
    `[global]
fsid = ${cluster}
mon_host = ${monitors}
mon_initial_members = a
keyring = ${at('keyring')}
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pg_autoscale_mode = off
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
osd_crush_chooseleaf_type = 0
osd_objectstore = memstore
memstore_device_bytes = 2147483648
run_dir = ${folder}
admin_socket = ${folder}/$name.$pid.asok
pid_file = ${folder}/$name.$pid.pid
log_file = ${folder}/$name.log
crash_dir = ${folder}
public_addr = ${host.address}
cluster_addr = ${host.address}
[mon.a]
mon_data = ${at('mon')}
[osd.0]
osd_data = ${at('osd')}
[client.admin]
rgw_frontends = beast endpoint=${host.address}:${port}
`,
  )
  const children: ChildProcess[] = []
  const environment = { ...process.env, CEPH_CONF: at('ceph.conf') }
  const run = (program: string, ...given: string[]): string => {
    const done = spawnSync(...host.command(program, given), { env: environment, encoding: 'utf8', timeout: 120_000 })
    if (done.status !== 0) throw new Error(`${program} ${given.join(' ')}: ${done.stderr}`)
    return done.stdout
  }
  const start = (program: string, ...given: string[]): ChildProcess => {
    const command = host.command(program, ['-c', at('ceph.conf'), '-f', ...given])
    const child = spawn(...command, { env: environment, stdio: 'ignore' })
    children.push(child)
    return child
  }
  let gateway: ChildProcess
  const startGateway = async (): Promise<void> => {
    gateway = start('radosgw', '-n', 'client.admin', '--no-mon-config')
    const deadline = Date.now() + 120_000
    for (;;) {
      const answer = await fetch(`http://${host.address}:${port}/`).catch(() => null)
      if (answer?.ok) return
      if (Date.now() > deadline) throw new Error('radosgw does not answer')
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
  const close = async (): Promise<void> => {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await ended
      }),
    )
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const key = (name: string, ...caps: string[]): string =>
      run(
        'ceph-authtool',
        at('keyring'),
        '--gen-key',
        '-n',
        name,
        ...caps.flatMap((cap) => ['--cap', ...cap.split('=')]),
      )
    run('ceph-authtool', '--create-keyring', at('keyring'))
    key('mon.', 'mon=allow *')
    key('client.admin', 'mon=allow *', 'osd=allow *', 'mgr=allow *')
    key('osd.0', 'mon=allow profile osd', 'osd=allow *', 'mgr=allow profile osd')
    copyFileSync(at('keyring'), at('mon.keyring'))
    run('monmaptool', '--create', '--addv', 'a', monitors, '--fsid', cluster, at('monmap'))
    run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', at('monmap'), '--keyring', at('mon.keyring'))
    start('ceph-mon', '-i', 'a')
    // A store that starts before the release is set does not take its place.
    run('ceph', '--connect-timeout', '60', 'osd', 'require-osd-release', 'pacific', '--yes-i-really-mean-it')
    run('ceph', 'osd', 'new', store)
    run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store)
    start('ceph-osd', '-i', '0')
    const user = ['--uid=novodb', '--display-name=novodb', '--access-key=NOVODB', '--secret-key=secret-of-novodb']
    run('radosgw-admin', 'user', 'create', ...user)
    await startGateway()
    const client = new S3Client({
      endpoint: `http://${host.address}:${port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'NOVODB', secretAccessKey: 'secret-of-novodb' },
      forcePathStyle: true,
    })
    // The first request of a new gateway makes its pools.
    await client.send(new CreateBucketCommand({ Bucket: 'novodb' }))
    client.destroy()
  } catch (error) {
    await close()
    throw error
  }
  return {
    port,
    folder,
    kill: () => void gateway.kill('SIGKILL'),
    start: startGateway,
    settingsAt: (chosen) => ({
      bucket: 'novodb',
      prefix: 'portal',
      endpoint: `http://${host.address}:${chosen}`,
      region: 'us-east-1',
      pathStyle: true,
      credentials: { accessKeyId: 'NOVODB', secretAccessKey: 'secret-of-novodb' },
    }),
    close,
  }
}
