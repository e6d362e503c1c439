import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where tests keep unpacked packages, so that one run fetches what the next finds. */
export const demoPackageCache = (): string => join(tmpdir(), 'novodb-demo-packages')
