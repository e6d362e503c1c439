import { alphabetOfKind, type DatabaseKind } from './programs.ts'

/** Folder of the databases within a bundle. */
export const bakedFolder = 'blast'

/** A file that every BLAST database of that alphabet has. */
export const databaseMark = (kind: DatabaseKind): string =>
  `${bakedFolder}/${kind}.${alphabetOfKind(kind) === 'protein' ? 'pin' : 'nin'}`
