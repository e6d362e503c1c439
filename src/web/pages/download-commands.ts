import { shellWord } from '../../contracts/tools/shell-word.ts'

/** A file as a program fetches it. */
export interface FetchedFile {
  /** The whole address. */
  address: string
  /** Folder and name that it is written to: the same names occur in every release. */
  path: string
  sha256: string
}

/** Programs that fetch many files by one command. */
export const fetchPrograms = ['curl', 'wget', 'aria2'] as const
export type FetchProgram = (typeof fetchPrograms)[number]

/** Name of the file that `ariaList` is saved under. */
export const ariaFile = 'novodb-files.aria2'

const lines = (first: string, others: string[]): string => [first, ...others.map((one) => `  ${one}`)].join(' \\\n')

/**
 * One command that fetches the files into folders of their releases and goes on where it was interrupted; aria2's takes `ariaList`, and
 * looks at the checksums itself. The programs must be curl 7.66, wget 1.12 or aria2 1.18 or later.
 */
export const fetchCommand = (program: FetchProgram, files: readonly FetchedFile[]): string => {
  if (program === 'aria2') return `aria2c --continue --input-file=${ariaFile}`
  if (program === 'curl')
    return lines(
      'curl --fail --location --continue-at - --create-dirs --parallel',
      files.map(({ address, path }) => `--output ${shellWord(path)} ${shellWord(address)}`),
    )
  const [first] = files
  // Folders of the address before those that are kept.
  const above =
    first === undefined ? 0 : new URL(first.address).pathname.split('/').length - first.path.split('/').length - 1
  return lines(
    `wget --continue --force-directories --no-host-directories --cut-dirs=${above}`,
    files.map(({ address }) => shellWord(address)),
  )
}

/** What `aria2c --input-file` reads (its manual, "Input File"). */
export const ariaList = (files: readonly FetchedFile[]): string =>
  files.map(({ address, path, sha256 }) => `${address}\n  out=${path}\n  checksum=sha-256=${sha256}\n`).join('')

/** What `sha256sum --check` reads (GNU coreutils). */
export const checksumList = (files: readonly FetchedFile[]): string =>
  files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('')

/** What `wget --input-file` reads, and many programs besides. */
export const addressList = (files: readonly FetchedFile[]): string =>
  files.map(({ address }) => `${address}\n`).join('')
