import { lstat, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { alphabetOfKind, type DatabaseKind, type Program, programFacts } from './programs.ts'
import { bakedFolder, databaseMark } from './stored.ts'
import { databaseNamePattern } from './tool.ts'

/** Folder of a run's directory in which the programs look for databases. */
export const searchFolder = 'databases'

/** A pasted subject's database; no assembly begins with an underscore. */
export const pastedDatabase = '_pasted/subject'

/** Databases are found from the run's directory, and no configuration file of the machine changes a search. */
export const blastEnvironment = (directory: string): Record<string, string> => ({
  BLASTDB: join(directory, searchFolder),
  NCBI_DONT_USE_NCBIRC: '1',
  NCBI_DONT_USE_LOCAL_CONFIG: '1',
  BLAST_USAGE_REPORT: 'false',
})

/** A baked database, as a search names it. */
export interface SearchDatabase {
  /** "assembly/kind": also the path by which the program finds it in {@link searchFolder}. */
  name: string
  assembly: string
  kind: DatabaseKind
  /** Sequences in it. */
  sequences: number
}

/**
 * Looks the chosen databases up. Throws beside the field: unknown names, kinds that the assembly has not, and databases of the
 * other alphabet than the program searches.
 */
export const findDatabases = async (
  names: readonly string[],
  program: Program,
  data: PortalData,
): Promise<SearchDatabase[]> => {
  const found: SearchDatabase[] = []
  for (const name of names) {
    const match = databaseNamePattern.exec(name)
    if (match === null) throw fieldError(['databases'], 'databases.form', { name: name.slice(0, 100) })
    const assembly = match[1]!
    const kind = match[2] as DatabaseKind
    if (alphabetOfKind(kind) !== programFacts[program].database)
      throw fieldError(['databases'], 'databases.otherAlphabet', { name, program })
    const summary = await data.getAssembly(assembly).catch((error: unknown) => {
      if (error instanceof PortalError && error.code === 'UNKNOWN_ASSEMBLY') return null
      throw error
    })
    if (summary === null) throw fieldError(['databases'], 'databases.unknown', { name })
    if ((await findDatabaseMark(data, assembly, kind)) === null)
      throw fieldError(['databases'], 'databases.missing', { assembly, kind })
    found.push({ name, assembly, kind, sequences: summary.dataTypes[`blast-${kind}`] ?? 0 })
  }
  return found
}

/** A large database is in volumes, which an alias file holds together: then there is no index file under the plain name. */
const findDatabaseMark = async (data: PortalData, assembly: string, kind: DatabaseKind): Promise<string | null> => {
  const mark = databaseMark(kind)
  return (await data.bundleFile(assembly, mark)) ?? (await data.bundleFile(assembly, mark.replace(/in$/, 'al')))
}

/**
 * Puts links to the bundles' databases into the run's directory, so that the program, its archive and every format made from it
 * name databases as people do ("R64/genome") and hold no path of this machine.
 */
export const linkDatabases = async (
  databases: readonly SearchDatabase[],
  directory: string,
  data: PortalData,
): Promise<void> => {
  const folder = join(directory, searchFolder)
  await mkdir(folder, { recursive: true })
  for (const assembly of new Set(databases.map((database) => database.assembly))) {
    const link = join(folder, assembly)
    const directory = await data.bundleFiles(assembly, `${bakedFolder}/`)
    const present = await lstat(link).catch(() => null)
    if (present === null) await symlink(join(directory, bakedFolder), link)
  }
}
