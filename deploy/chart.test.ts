import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settingsSchema } from '../src/server/config.ts'
import { secretSettings } from '../src/server/secret-files.ts'
import { image, read, root } from './deployment.ts'

const chart = 'deploy/helm/novodb'
const templates = readdirSync(join(root, chart, 'templates'))
  .map((name) => read(`${chart}/templates/${name}`))
  .join('\n')
const values = parse(read(`${chart}/values.yaml`)) as {
  secret: { keys: Record<string, string> }
  settings: Record<string, string>
}
const schema = JSON.parse(read(`${chart}/values.schema.json`)) as {
  properties: {
    secret: { properties: { keys: { properties: Record<string, unknown> } } }
    settings: { propertyNames: { not: { enum: string[] } } }
  }
}

describe('the chart', () => {
  it('sets what the portal has as settings', () => {
    const named = [...templates.matchAll(/^ *- name: ([A-Z_]+)$/gm)].map(([, name]) => name!)
    expect(named).toContain('NOVODB_DRAIN')
    for (const name of [...named, ...Object.keys(values.settings)]) expect(settingsSchema.shape).toHaveProperty(name)
  })

  it('takes each secret from a file, and none as a setting that all can read', () => {
    expect(Object.keys(schema.properties.secret.properties.keys.properties).sort()).toEqual([...secretSettings].sort())
    for (const name of Object.keys(values.secret.keys)) expect(secretSettings).toContain(name)
    const kept = schema.properties.settings.propertyNames.not.enum
    for (const name of secretSettings) if (name.startsWith('NOVODB_')) expect(kept).toContain(name)
    // Nor what the templates set themselves.
    for (const [, name] of templates.matchAll(/^ *- name: (NOVODB_[A-Z_]+)$/gm)) expect(kept).toContain(name)
  })

  it('has the port, the data directory and the user of the image, and its version', () => {
    expect(templates).toContain(`containerPort: ${image.port}\n`)
    expect(templates).toContain(`mountPath: ${image.dataDir}\n`)
    expect(templates).toContain(`runAsUser: ${image.user}\n`)
    expect(templates).toContain(`path: ${image.healthPath}, port: http`)
    const { appVersion } = parse(read(`${chart}/Chart.yaml`)) as { appVersion: string }
    expect(appVersion).toBe((JSON.parse(read('package.json')) as { version: string }).version)
  })
})
