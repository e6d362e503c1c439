import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { configurationOf, image, longestStopSeconds, read, root } from './deployment.ts'

const helm = (args: string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8' })
  return { status, output: `${stdout ?? ''}${stderr ?? ''}` }
}
const folder = join(root, 'deploy/helm/novodb')

type Labels = Record<string, string>
interface Container {
  env: { name: string; value: string }[]
  ports?: { name: string; containerPort: number }[]
  volumeMounts: { name: string; mountPath: string }[]
  securityContext: { readOnlyRootFilesystem: boolean }
  startupProbe?: { httpGet: { path: string; port: string } }
  readinessProbe?: { httpGet: { path: string; port: string } }
  livenessProbe?: { httpGet: { path: string; port: string } }
}
interface Manifest {
  kind: string
  metadata: { name: string; labels: Labels; annotations?: Labels }
  spec: {
    replicas?: number
    selector?: Labels & { matchLabels: Labels }
    podSelector?: { matchLabels: Labels }
    accessModes?: string[]
    rules?: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[]
    ingress?: unknown[]
    template?: {
      metadata: { labels: Labels }
      spec: {
        enableServiceLinks: boolean
        terminationGracePeriodSeconds: number
        securityContext: { runAsUser: number; runAsNonRoot: boolean }
        volumes: {
          name: string
          persistentVolumeClaim?: { claimName: string }
          emptyDir?: { sizeLimit?: string }
          secret?: { secretName: string }
        }[]
        containers: Container[]
      }
    }
  }
}

const render = (settings: string[] = [], more: string[] = []): Manifest[] => {
  const set = settings.flatMap((setting) => ['--set', setting])
  const { status, output } = helm(['template', 'lab', folder, ...set, ...more])
  expect(status, output).toBe(0)
  return parseAllDocuments(output).map((document) => document.toJS() as Manifest)
}
const ofKind = (manifests: Manifest[], kind: string): Manifest[] => manifests.filter((one) => one.kind === kind)
const isPartOf = (few: Labels, many: Labels): boolean =>
  Object.entries(few).every(([name, value]) => many[name] === value)

describe.skipIf(helm(['version']).status !== 0)('the chart, rendered by helm (skipped where helm is not there)', () => {
  it('passes the strict checks of helm', () => {
    expect(helm(['lint', '--strict', folder])).toMatchObject({ status: 0 })
  })

  const all = [
    'ingress.enabled=true',
    'networkPolicy.enabled=true',
    'metrics.port=9464',
    'servers.drainSeconds=40',
    'secret.keys.NOVODB_ADMIN_PASSWORD=admin-password',
    'secret.keys.NOVODB_SMTP_URL=smtp-url',
    'settings.NOVODB_MAIL_FROM=portal@example.org',
    'settings.NOVODB_PUBLIC_URL=https://genomes.example.org',
    'settings.NOVODB_JOB_TIMEOUT=604800',
  ]

  it.each([
    { given: 'nothing', settings: [] },
    { given: 'everything', settings: all },
  ])('starts servers and workers with settings that hold, given $given', ({ settings }) => {
    const deployments = ofKind(render(settings), 'Deployment')
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['lab-novodb', 'lab-novodb-worker'])
    for (const { spec } of deployments) {
      const pod = spec.template!.spec
      const [container] = pod.containers
      const environment = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]))
      const config = configurationOf(environment)
      expect(config.databaseUrl).toBe('postgresql://novodb:secret@database/novodb')
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(config.drainMs / 1000 + longestStopSeconds)
      expect(pod).toMatchObject({
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: image.user },
      })
      expect(container!.securityContext.readOnlyRootFilesystem).toBe(true)
      // Everything that is mounted is among the volumes, and every secret below its mount.
      const volumes = pod.volumes.map(({ name }) => name)
      for (const { name } of container!.volumeMounts) expect(volumes).toContain(name)
      const mount = container!.volumeMounts.find(({ name }) => name === 'secrets')!.mountPath
      for (const [name, value] of Object.entries(environment))
        if (name.endsWith('_FILE')) expect(value.startsWith(`${mount}/`)).toBe(true)
      expect(container!.volumeMounts).toContainEqual({ name: 'data', mountPath: image.dataDir })
    }
  })

  it('brings each setting over as it was given', () => {
    const [server, worker] = ofKind(render(all), 'Deployment').map(({ spec }) =>
      Object.fromEntries(spec.template!.spec.containers[0]!.env.map(({ name, value }) => [name, value])),
    )
    expect(server).toMatchObject({ NOVODB_JOB_TIMEOUT: '604800', NOVODB_DRAIN: '40', NOVODB_METRICS: '0.0.0.0:9464' })
    expect(server).toMatchObject({ NOVODB_WORKERS: '0', NOVODB_SMTP_URL_FILE: '/run/secrets/novodb/smtp-url' })
    expect(worker).toMatchObject({ NOVODB_WORKERS: '2', NOVODB_JOB_TIMEOUT: '604800' })
  })

  it('sends readers to servers alone, and asks each at a port that it has', () => {
    const manifests = render(all)
    const [server, worker] = ofKind(manifests, 'Deployment')
    const [service] = ofKind(manifests, 'Service')
    for (const selector of [
      service!.spec.selector!,
      ofKind(manifests, 'PodDisruptionBudget')[0]!.spec.selector!.matchLabels,
      ofKind(manifests, 'NetworkPolicy')[0]!.spec.podSelector!.matchLabels,
      server!.spec.selector!.matchLabels,
    ]) {
      expect(isPartOf(selector, server!.spec.template!.metadata.labels)).toBe(true)
      expect(isPartOf(selector, worker!.spec.template!.metadata.labels)).toBe(false)
    }
    const [container] = server!.spec.template!.spec.containers
    const ports = Object.fromEntries(container!.ports!.map(({ name, containerPort }) => [name, containerPort]))
    expect(ports).toEqual({ http: image.port, metrics: 9464 })
    expect(container!.readinessProbe?.httpGet).toEqual({ path: image.healthPath, port: 'http' })
    for (const probe of [container!.startupProbe, container!.livenessProbe])
      expect(probe?.httpGet).toEqual({ path: '/robots.txt', port: 'http' })
    const [ingress] = ofKind(manifests, 'Ingress')
    expect(ingress!.spec.rules![0]!.http.paths[0]).toMatchObject({
      path: '/',
      backend: { service: { name: service!.metadata.name } },
    })
    // Nobody may reach workers.
    expect(ofKind(manifests, 'NetworkPolicy')[1]!.spec.ingress).toBeUndefined()
  })

  it('gives each pod a cache of its own instead where files are in object storage, and refuses it where they are not', () => {
    const kinds = render(['data.perPod=true', 'settings.NOVODB_S3_BUCKET=genomes'])
    expect(ofKind(kinds, 'PersistentVolumeClaim')).toEqual([])
    for (const { spec } of ofKind(kinds, 'Deployment'))
      expect(spec.template!.spec.volumes[0]).toEqual({ name: 'data', emptyDir: { sizeLimit: '200Gi' } })
    const refused = helm(['template', 'lab', folder, '--set', 'data.perPod=true'])
    expect(refused.status).not.toBe(0)
    expect(refused.output).toContain('NOVODB_S3_BUCKET')
  })

  it('makes a claim that stays when the release goes, or takes one that is there', () => {
    const [claim] = ofKind(render(), 'PersistentVolumeClaim')
    expect(claim!.spec.accessModes).toEqual(['ReadWriteMany'])
    expect(claim!.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' })
    const manifests = render(['data.existingClaim=genomes'])
    expect(ofKind(manifests, 'PersistentVolumeClaim')).toEqual([])
    for (const { spec } of ofKind(manifests, 'Deployment'))
      expect(spec.template!.spec.volumes[0]).toEqual({ name: 'data', persistentVolumeClaim: { claimName: 'genomes' } })
  })

  it('takes the values that the document shows', () => {
    const [, values] = /```yaml\n(.*?)```/s.exec(read('docs/deploying.en.md'))!
    const place = mkdtempSync(join(tmpdir(), 'novodb-values-'))
    try {
      writeFileSync(join(place, 'my-values.yaml'), values!)
      const manifests = render([], ['--values', join(place, 'my-values.yaml')])
      const [server] = ofKind(manifests, 'Deployment')
      expect(server!.spec.replicas).toBe(3)
      const [container] = server!.spec.template!.spec.containers
      const config = configurationOf(Object.fromEntries(container!.env.map(({ name, value }) => [name, value])))
      expect(config).toMatchObject({ title: 'Genomes', adminPassword: 'correct-horse-battery' })
      expect(ofKind(manifests, 'Ingress')).toHaveLength(1)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })

  it('does without workers where there are none', () => {
    expect(ofKind(render(['workers.replicas=0']), 'Deployment')).toHaveLength(1)
  })

  it.each([
    'settings.NOVODB_ADMIN_PASSWORD=hunter2hunter2',
    'settings.NOVODB_WORKERS=3',
    'settings.TITLE=Yeasts',
    'secret.keys.NOVODB_TITLE=title',
    'servers.replicas=0',
    'servers.replica=3',
    'data.size=much',
  ])('refuses %s', (setting) => {
    const { status, output } = helm(['template', 'lab', folder, '--set', setting])
    expect(status).not.toBe(0)
    expect(output).toMatch(/don't meet the specifications of the schema/)
  })
})

const composeFiles = ['compose.yaml', 'deploy/compose.many.yaml']
const compose = [['docker', 'compose'], ['docker-compose']].find(
  ([program, ...rest]) => spawnSync(program!, [...rest, 'version']).status === 0,
)

describe.skipIf(compose === undefined)('Docker Compose (skipped where it is not there)', () => {
  it.each(composeFiles)('reads %s', (file) => {
    const [program, ...rest] = compose!
    const { status, stderr } = spawnSync(program!, [...rest, '-f', join(root, file), 'config', '--quiet'], {
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
  })
})
