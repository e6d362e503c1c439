import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/**
 * Licences (SPDX identifiers) that ask for no more than their text and notice: what the portal installs and what its pages are
 * built of may be passed on with it under the Apache License 2.0. Copyleft licences are not among them. Engines have licences of
 * their own: they are installed beside the portal and run as programs of their own.
 */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** Whether an SPDX expression can be met by permissive licences alone: one side of OR, both of AND, which binds closer. */
const isPermissive = (expression: string): boolean => {
  const words = expression.match(/\(|\)|[^\s()]+/g) ?? []
  let at = 0
  const either = (): boolean => {
    let good = both()
    while (words[at] === 'OR') {
      at++
      const right = both()
      good = good || right
    }
    return good
  }
  const both = (): boolean => {
    let good = one()
    while (words[at] === 'AND') {
      at++
      const right = one()
      good = good && right
    }
    return good
  }
  const one = (): boolean => {
    const word = words[at++]
    if (word !== '(') return word !== undefined && permissive.has(word)
    const good = either()
    return words[at++] === ')' && good
  }
  return either() && at === words.length
}

/**
 * Packages whose licence is a text without an identifier, read by us: h5wasm is its authors' work for the NIST, free to use and
 * pass on with its notice, and the HDF5 library under a BSD licence of three clauses (its LICENSE.txt). Readme.md of combine-errors
 * says MIT, its package.json nothing.
 */
const readByUs: Record<string, string> = {
  'node_modules/combine-errors': 'none stated',
  'node_modules/h5wasm': 'SEE LICENSE IN LICENSE.txt',
}

interface Package {
  path: string
  licence: string
}

/** Packages of the lockfile that an installation has, tools of development left out; what is on disk is asked first. */
const shippedPackages = (): Package[] => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; license?: string; link?: boolean }>
  }
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && entry.dev !== true && entry.link !== true)
    .map(([path, entry]) => {
      const file = join(root, path, 'package.json')
      // Of optional packages only those of this system are on disk.
      const own: unknown = existsSync(file)
        ? (JSON.parse(readFileSync(file, 'utf8')) as { license?: unknown }).license
        : undefined
      return { path, licence: typeof own === 'string' ? own : (entry.license ?? 'none stated') }
    })
}

describe('licences of what the portal installs and passes on', () => {
  test('none of them is copyleft or unknown', () => {
    const shipped = shippedPackages()
    expect(shipped.length).toBeGreaterThan(100)
    expect(shipped.map(({ path }) => path)).toEqual(expect.arrayContaining(['node_modules/react', 'node_modules/pg']))
    expect(shipped.filter(({ path, licence }) => !isPermissive(licence) && readByUs[path] !== licence)).toEqual([])
  })

  test.each([
    ['MIT', true],
    ['(MPL-2.0 OR Apache-2.0)', true],
    ['MIT AND ISC', true],
    ['GPL-3.0-or-later', false],
    ['(MIT AND LGPL-2.1)', false],
    ['MIT AND (GPL-2.0 OR Zlib)', true],
    ['SEE LICENSE IN LICENSE.txt', false],
    ['none stated', false],
    ['(MIT', false],
  ])('%s: %s', (expression, good) => {
    expect(isPermissive(expression)).toBe(good)
  })
})
