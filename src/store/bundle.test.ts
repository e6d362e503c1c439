import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Bundle,
  createBundle,
  deleteBundle,
  getBundleFolder,
  isBundleId,
  openBundle,
  type StagedBundle,
  sweepBundles,
  verifyBundle,
} from './bundle.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'bundle-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let root: string
let roots = 0
beforeEach(() => {
  root = path.join(folder, `root-${roots++}`)
})

const yeast = { species: 'saccharomyces-cerevisiae', assembly: 'R64' }

async function stage(files: Record<string, string>): Promise<StagedBundle> {
  const staged = await createBundle(root, yeast)
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(await staged.prepareFile(name), content)
    await staged.add(name, { kind: name.split('/')[0]!, meta: { of: name } })
  }
  return staged
}

async function makeBundle(): Promise<Bundle> {
  return (await stage({ 'genome/genome.fa.gz': 'ACGT', 'track/chip.bw': 'signal', 'track/empty.bed': '' })).seal()
}

/** Changes a sealed file, which is read-only, as a failing disk would. */
function damage(bundle: Bundle, name: string, content: string): void {
  const file = path.join(bundle.folder, name)
  chmodSync(file, 0o644)
  writeFileSync(file, content)
}

/** Bundles in place below the root. */
const listSealed = (): string[] => {
  const folder = path.join(root, 'bundles')
  return existsSync(folder) ? readdirSync(folder).filter(isBundleId) : []
}

describe('a bundle', () => {
  it('is nowhere to be seen until it is sealed, and then whole, with checksums and what was said of its files', async () => {
    const staged = await stage({ 'genome/genome.fa.gz': 'ACGT', 'track/chip.bw': 'signal' })
    expect(listSealed()).toEqual([])
    const sealed = await staged.seal()
    expect(isBundleId(sealed.id)).toBe(true)
    expect(readdirSync(path.join(root, 'staging'))).toEqual([])
    expect(listSealed()).toEqual([sealed.id])
    const opened = await openBundle(getBundleFolder(root, sealed.id))
    expect(opened.manifest).toEqual(sealed.manifest)
    expect(opened.manifest).toMatchObject(yeast)
    expect(opened.find('track/chip.bw')).toEqual({
      path: 'track/chip.bw',
      bytes: 6,
      sha256: 'd041924c15885af6d06530a425c6dbffc80520150c4dd264f40b4364b12421a8',
      kind: 'track',
      meta: { of: 'track/chip.bw' },
    })
    expect(opened.findByKind('genome').map(({ path: name }) => name)).toEqual(['genome/genome.fa.gz'])
    expect(readFileSync(opened.pathOf('genome/genome.fa.gz'), 'utf8')).toBe('ACGT')
    expect(opened.bytes).toBe(10)
    expect(await verifyBundle(opened.folder)).toEqual([])
  })

  it('has an id that sorts by time and ends in the digest of its content', async () => {
    const first = await makeBundle()
    await new Promise((resolve) => setTimeout(resolve, 5))
    const second = await makeBundle()
    await new Promise((resolve) => setTimeout(resolve, 5))
    const other = await (await stage({ 'genome/genome.fa.gz': 'ACGA' })).seal()
    expect([other.id, second.id, first.id].sort()).toEqual([first.id, second.id, other.id])
    expect(first.id.slice(-16)).toBe(second.id.slice(-16))
    expect(other.id.slice(-16)).not.toBe(first.id.slice(-16))
  })

  it('takes a folder of files, such as a BLAST database, under one kind', async () => {
    const staged = await createBundle(root, yeast)
    for (const name of ['genome.nin', 'genome.nsq', 'deep/genome.nhr'])
      writeFileSync(await staged.prepareFile(`blast/${name}`), name)
    await staged.addFolder('blast', { kind: 'blast', meta: { title: 'R64' } })
    const bundle = await staged.seal()
    expect(bundle.findByKind('blast').map(({ path: name, meta }) => [name, meta])).toEqual([
      ['blast/deep/genome.nhr', { title: 'R64' }],
      ['blast/genome.nin', {}],
      ['blast/genome.nsq', {}],
    ])
  })

  it('is not sealed with a file that nobody added, that changed, that vanished or that is a link', async () => {
    const stray = await stage({ 'a/one': '1' })
    writeFileSync(path.join(stray.folder, 'a', 'two'), '2')
    await expect(stray.seal()).rejects.toMatchObject({
      code: 'bundle-incomplete',
      file: path.join(stray.folder, 'a', 'two'),
    })
    const changed = await stage({ 'a/one': '1' })
    writeFileSync(path.join(changed.folder, 'a', 'one'), '12')
    await expect(changed.seal()).rejects.toMatchObject({ code: 'bundle-incomplete' })
    const vanished = await stage({ 'a/one': '1' })
    rmSync(path.join(vanished.folder, 'a', 'one'))
    await expect(vanished.seal()).rejects.toMatchObject({ code: 'missing' })
    const linked = await stage({ 'a/one': '1' })
    symlinkSync('/etc/hostname', path.join(linked.folder, 'a', 'link'))
    await expect(linked.seal()).rejects.toMatchObject({ code: 'bundle-incomplete' })
    expect(listSealed()).toEqual([])
  })

  it('takes no path that leads out of it, no file twice, and nothing once it is sealed', async () => {
    const staged = await stage({ 'a/one': '1' })
    for (const name of ['../x', '/etc/passwd', 'a//b', 'a/../../x', '', 'a/-rf', 'a b', 'bundle.json'])
      await expect(staged.prepareFile(name)).rejects.toMatchObject({ code: 'invalid-path' })
    await expect(staged.add('a/one', { kind: 'a' })).rejects.toMatchObject({ code: 'bundle-incomplete' })
    await expect(staged.add('a/none', { kind: 'a' })).rejects.toMatchObject({ code: 'missing' })
    const { folder: sealedFolder } = await staged.seal()
    await expect(staged.prepareFile('a/two')).rejects.toMatchObject({ code: 'bundle-not-staged' })
    await expect(staged.seal()).rejects.toMatchObject({ code: 'bundle-not-staged' })
    await staged.discard()
    expect(existsSync(sealedFolder)).toBe(true)
  })

  it('has paths for the files of its manifest and no others', async () => {
    const bundle = await makeBundle()
    expect(bundle.pathOf('track/chip.bw')).toBe(path.join(bundle.folder, 'track', 'chip.bw'))
    for (const name of ['bundle.json', '../x', 'track']) expect(() => bundle.pathOf(name)).toThrow(/has no file/)
  })
})

describe('a damaged bundle', () => {
  it('has each damaged file named, and only those', async () => {
    const bundle = await makeBundle()
    damage(bundle, 'genome/genome.fa.gz', 'ACGA')
    damage(bundle, 'track/chip.bw', 'signals')
    rmSync(path.join(bundle.folder, 'track/empty.bed'))
    writeFileSync(path.join(bundle.folder, 'extra'), '')
    const seen: number[] = []
    const damages = await verifyBundle(bundle.folder, { onProgress: ({ bytesRead }) => seen.push(bytesRead) })
    expect(damages).toEqual([
      { path: 'genome/genome.fa.gz', problem: 'wrong-checksum' },
      { path: 'track/chip.bw', problem: 'wrong-size' },
      { path: 'track/empty.bed', problem: 'missing' },
      { path: 'extra', problem: 'not-listed' },
    ])
    expect(seen.at(-1)).toBe(10)
  })

  it('whose manifest was edited, cut off or moved is not opened, and does not hide the others from the list', async () => {
    const edited = await makeBundle()
    damage(edited, 'bundle.json', JSON.stringify({ ...edited.manifest, assembly: 'R65' }))
    const cut = await makeBundle()
    damage(cut, 'bundle.json', readFileSync(path.join(cut.folder, 'bundle.json'), 'utf8').slice(0, 50))
    const newer = await makeBundle()
    damage(newer, 'bundle.json', JSON.stringify({ ...newer.manifest, formatVersion: 99 }))
    const escaping = await makeBundle()
    const files = [{ ...escaping.manifest.files[0]!, path: '../../../etc/passwd' }]
    damage(escaping, 'bundle.json', JSON.stringify({ ...escaping.manifest, files }))
    const good = await makeBundle()
    for (const bad of [edited, cut, newer, escaping])
      await expect(openBundle(bad.folder)).rejects.toMatchObject({ code: 'not-a-bundle' })
    await expect(openBundle(good.folder)).resolves.toMatchObject({ id: good.id })
  })
})

describe('deleting and sweeping', () => {
  it('deletes one bundle by its id, and takes no other text for one', async () => {
    const one = await makeBundle()
    const two = await makeBundle()
    await deleteBundle(root, one.id)
    expect(listSealed()).toEqual([two.id])
    expect(readdirSync(path.join(root, 'trash'))).toEqual([])
    await expect(deleteBundle(root, one.id)).rejects.toMatchObject({ code: 'missing' })
    for (const id of ['', '.', '..', `../bundles/${two.id}`, `${two.id}/`, `${two.id}\n`])
      await expect(deleteBundle(root, id)).rejects.toMatchObject({ code: 'invalid-path' })
  })

  it('sweeps what a killed load left and a deletion did not finish, and nothing of a load that runs', async () => {
    const running = await stage({ 'a/one': '1' })
    const own = path.basename(running.folder)
    // A process that was here a moment ago and is gone: its id is dead, or soon another's.
    const child = spawn(process.execPath, ['-e', ''])
    await new Promise((resolve) => child.once('exit', resolve))
    const parts = own.split('.')
    const dead = [parts[0], parts[1], child.pid, parts[3], '0123456789ab'].join('.')
    const reused = [parts[0], parts[1], parts[2], '1', '0123456789ab'].join('.')
    const beforeBoot = [parts[0], '00000000', parts[2], parts[3], '0123456789ab'].join('.')
    const elsewhere = ['00000000', parts[1], '1', '1', '0123456789ab'].join('.')
    const elsewhereIdle = ['00000000', parts[1], '1', '1', 'ba9876543210'].join('.')
    const strange = 'somebody-elses'
    for (const name of [dead, reused, beforeBoot, elsewhere, elsewhereIdle, strange]) {
      mkdirSync(path.join(root, 'staging', name))
      writeFileSync(path.join(root, 'staging', name, 'part'), 'x')
    }
    const longAgo = new Date(Date.now() - 3 * 24 * 3600 * 1000)
    for (const name of ['part', '.']) utimesSync(path.join(root, 'staging', elsewhereIdle, name), longAgo, longAgo)
    mkdirSync(path.join(root, 'trash', 'half-deleted'), { recursive: true })
    const removed = await sweepBundles(root)
    const expected = [dead, beforeBoot, elsewhereIdle, 'half-deleted']
    // Only where the system tells when a process started can a reused id be known.
    if (parts[3] !== '0') expected.push(reused)
    expect(removed.map((name) => path.basename(name)).sort()).toEqual(expected.sort())
    expect(readdirSync(path.join(root, 'trash'))).toEqual([])
    expect(readdirSync(path.join(root, 'staging'))).toEqual(expect.arrayContaining([own, elsewhere, strange]))
    expect(await verifyBundle((await running.seal()).folder)).toEqual([])
  })

  it('discards a load that failed', async () => {
    const staged = await stage({ 'a/one': '1' })
    await staged.discard()
    expect(existsSync(staged.folder)).toBe(false)
    await expect(staged.seal()).rejects.toMatchObject({ code: 'bundle-not-staged' })
  })
})
