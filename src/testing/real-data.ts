import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** Whether everything is tested, as `npm test -- --full` does. */
export const full: boolean = process.env.NOVODB_FULL_TESTS === '1'

/** Folder of real data beside the repository: seven yeast assemblies with every kind of data, and samples of formats. */
export const realData: string = resolve(import.meta.dirname, '../../../shared/data')

/** Whether what real data show is tested: with `npm test -- --full`, where they are there. */
export const hasRealData: boolean = full && existsSync(realData)
