import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installationDirectory } from '../src/server/config.ts'
import { type Host, thisMachine } from '../src/testing/peers/hosts.ts'
import { findPorts } from '../src/testing/peers/patroni-cluster.ts'

const searchPath = `${process.env.PATH ?? ''}:/usr/sbin`

/** Which of the proxies that the documents name are installed here (Debian's packages haproxy, nginx). */
export const findProxies = (): ('haproxy' | 'nginx')[] =>
  (['haproxy', 'nginx'] as const).filter(
    (program) => spawnSync('sh', ['-c', 'command -v "$0"', program], { env: { PATH: searchPath } }).status === 0,
  )

const read = (file: string): string => readFileSync(join(installationDirectory, file), 'utf8')

/** The configuration that is shipped, or that the document shows, with the addresses here. */
const configurationOf = (proxy: string, address: string, servers: readonly string[], folder: string): string => {
  if (proxy === 'haproxy')
    return read('deploy/haproxy.cfg')
      .replace('bind :8080', `bind ${address}`)
      .replaceAll(/server-([12]):8000/g, (_, number) => servers[Number(number) - 1]!)
  const shown = /```nginx\n([\s\S]*?)```/
    .exec(read('docs/several-servers.en.md'))![1]!
    .replace('listen 8080', `listen ${address}`)
    .replaceAll('10.0.0.11:8000', servers[0]!)
    .replaceAll('10.0.0.12:8000', servers[1]!)
  return `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path ${folder}/body;\nproxy_temp_path ${folder}/proxy;\n${shown}}\n`
}

/** Starts a proxy before two servers by their addresses and ports; its files go into the folder. Resolves once it answers for one of them. */
export const startProxy = async (
  proxy: 'haproxy' | 'nginx',
  servers: readonly string[],
  folder: string,
  host: Host = thisMachine,
): Promise<{ child: ChildProcess; port: number; url: string }> => {
  const [port] = (await findPorts(1)) as [number]
  const url = `http://${host.address}:${port}`
  const file = join(folder, `${proxy}.conf`)
  writeFileSync(file, configurationOf(proxy, `${host.address}:${port}`, servers, folder))
  const args = proxy === 'haproxy' ? ['-db', '-f', file] : ['-c', file, '-p', folder]
  const child = spawn(...host.command(proxy, args), { stdio: 'ignore', env: { PATH: searchPath } })
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(`${url}/api/health/`).catch(() => null)
    if (answer?.status === 200) return { child, port, url }
    await new Promise((done) => setTimeout(done, 100))
  }
  child.kill('SIGKILL')
  throw new Error(`${proxy} does not answer`)
}
