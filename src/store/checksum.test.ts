import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { getFileChecksum, parseRefgetId, RefgetDigest, sha512t24u, trunc512 } from './checksum.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'checksum-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const digestsOf = (pieces: string[]) => {
  const digest = new RefgetDigest()
  for (const piece of pieces) digest.update(Buffer.from(piece))
  return digest.digest()
}

describe('digests of sequences', () => {
  // The example digests of the GA4GH documents (refget v2; VRS "truncated digest").
  it('are those that GA4GH publishes for ACGT and for nothing', () => {
    expect(sha512t24u('ACGT')).toBe('aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2')
    expect(sha512t24u('')).toBe('z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXc')
    expect(trunc512('ACGT')).toBe('68a178f7c740c5c240aa67ba41843b119d3bf9f8b0f0ac36')
    expect(digestsOf(['ACGT'])).toEqual({
      md5: 'f1f8f4bf413b16ad135722aa4591043e',
      sha512t24u: 'SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2',
      trunc512: '68a178f7c740c5c240aa67ba41843b119d3bf9f8b0f0ac36',
    })
  })

  it('do not depend on the pieces they were fed in', () => {
    expect(digestsOf(['AC', '', 'GTNN', 'NN'])).toEqual(digestsOf(['ACGTNNNN']))
  })

  it('are asked for in every spelling that refget allows', () => {
    const sq = 'SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2'
    expect(parseRefgetId(sq)).toEqual({ algorithm: 'sha512t24u', id: sq })
    expect(parseRefgetId(`ga4gh:${sq}`)).toEqual({ algorithm: 'sha512t24u', id: sq })
    expect(parseRefgetId('68A178F7C740C5C240AA67BA41843B119D3BF9F8B0F0AC36')).toEqual({
      algorithm: 'sha512t24u',
      id: sq,
    })
    expect(parseRefgetId('md5:F1F8F4BF413B16AD135722AA4591043E')).toEqual({
      algorithm: 'md5',
      id: 'f1f8f4bf413b16ad135722aa4591043e',
    })
    for (const wrong of ['', 'chr1', 'SQ.short', `md5:${sq}`, '../../etc/passwd', 'f1f8f4bf413b16ad135722aa4591043'])
      expect(parseRefgetId(wrong)).toBeNull()
  })
})

describe('the checksum of a file', () => {
  it('is that of sha256sum and md5sum', async () => {
    const file = path.join(folder, 'abc')
    writeFileSync(file, 'abc')
    // FIPS 180-4 and RFC 1321 test values.
    expect(await getFileChecksum(file, { md5: true })).toEqual({
      bytes: 3,
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      md5: '900150983cd24fb0d6963f7d28e17f72',
    })
    expect((await getFileChecksum(file)).md5).toBeNull()
    await expect(getFileChecksum(path.join(folder, 'none'))).rejects.toMatchObject({ code: 'missing' })
  })
})
