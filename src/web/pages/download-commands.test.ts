import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ariaList, checksumList, type FetchedFile, fetchCommand } from './download-commands.ts'

const texts: Record<string, string> = {
  'h37rv-1/genome.fa': '>chr\nACGT\n',
  "h37rv-1/Mycobacterium's genes.gff3": '##gff-version 3\n',
  'bcg-2/genome.fa': '>chr\nACGA\n',
}
let server: Server
let files: FetchedFile[]
let folder: string
beforeAll(async () => {
  server = createServer((request, response) => {
    const text = texts[decodeURIComponent(request.url!).replace('/below/data/', '')]
    response.statusCode = text === undefined ? 404 : 200
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  files = Object.entries(texts).map(([path, text]) => ({
    address: `http://127.0.0.1:${port}/below/data/${path.split('/').map(encodeURIComponent).join('/')}`,
    path,
    sha256: createHash('sha256').update(text).digest('hex'),
  }))
  folder = mkdtempSync(join(tmpdir(), 'novodb-fetch-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await new Promise((resolve) => server.close(resolve))
})

it('the command of curl is read by a shell, fetches files of the same name apart, and the checksums are found right', async () => {
  // The one program that every machine with a browser has; the flags of the other two are theirs to read.
  await promisify(execFile)(
    'sh',
    ['-e', '-c', fetchCommand('curl', files).replace('curl', 'curl --noproxy "*" --silent')],
    {
      cwd: folder,
    },
  )
  for (const { path } of files) expect(readFileSync(join(folder, path), 'utf8')).toBe(texts[path])
  const checked = execFileSync('sha256sum', ['--check', '-'], {
    cwd: folder,
    input: checksumList(files),
    encoding: 'utf8',
  })
  expect(checked.trim().split('\n')).toEqual(files.map(({ path }) => `${path}: OK`))
})

it('the command of wget cuts the folders of the address that the path does not have', () => {
  const command = fetchCommand('wget', files)
  expect(command).toContain('--cut-dirs=2 \\\n')
  expect(command.split('\n')).toHaveLength(files.length + 1)
})

it('the list of aria2 has the address of each file, where it goes, and its checksum', () => {
  expect(ariaList(files.slice(0, 1))).toBe(
    `${files[0]!.address}\n  out=h37rv-1/genome.fa\n  checksum=sha-256=${files[0]!.sha256}\n`,
  )
  expect(fetchCommand('aria2', files)).toBe('aria2c --continue --input-file=novodb-files.aria2')
})
