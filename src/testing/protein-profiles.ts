import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRandomBelow } from './random.ts'

// Profiles for tests, built by hmmbuild from made-up domains: found where they were put, and nowhere else.

const residues = 'ACDEFGHIKLMNPQRSTVWY'

/** Residues by chance. */
export const makeResidues = (seed: number, length: number): string => {
  const random = makeRandomBelow(seed * 7919 + 17)
  return Array.from({ length }, () => residues[random(20)]!).join('')
}

/** A domain of 60 residues; copies of another number differ in a fifth of them. */
export const makeDomain = (domain: number, copy: number): string => {
  const random = makeRandomBelow(domain * 1009 + copy * 31 + 5)
  return [...makeResidues(domain, 60)].map((one) => (random(5) === 0 ? residues[random(20)]! : one)).join('')
}

/** Builds a profile of a made-up domain in the folder with the real hmmbuild, and gives back its text. */
export const buildProfile = (
  folder: string,
  name: string,
  domain: number,
  about: { accession?: string; gathering?: string } = {},
): string => {
  const rows = Array.from({ length: 12 }, (_, copy) => `>s${copy}\n${makeDomain(domain, copy + 100)}\n`)
  writeFileSync(join(folder, `${name}.afa`), rows.join(''))
  execFileSync('hmmbuild', ['-n', name, '--amino', `${name}.hmm`, `${name}.afa`], { cwd: folder })
  const text = readFileSync(join(folder, `${name}.hmm`), 'utf8')
  // Accession and gathering thresholds stand in the head as curated profiles have them.
  return text
    .replace(/^(NAME .*\n)/m, `$1${about.accession === undefined ? '' : `ACC   ${about.accession}\n`}`)
    .replace(/^(STATS LOCAL MSV.*)$/m, `${about.gathering === undefined ? '' : `GA    ${about.gathering};\n`}$1`)
}
