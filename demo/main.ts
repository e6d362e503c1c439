import { join } from 'node:path'
import { DemoError } from './demo-error.ts'
import type { ReportDemoStage } from './demo-stage.ts'
import { fetchPackage } from './packages.ts'
import { makeSimulated, simulatedSpecies } from './simulated.ts'
import { makeFolder } from './species-folder.ts'
import { makeTuberculosis, tuberculosisPackage, tuberculosisSpecies } from './tuberculosis.ts'
import { makeUstilago, ustilagoSpecies } from './ustilago.ts'
import { contactsPackage, makeYeastContacts, yeastContactsSpecies } from './yeast-contacts.ts'
import { fungiPackage, makeZymoseptoria, zymoseptoriaSpecies } from './zymoseptoria.ts'

export interface PrepareDemoOptions {
  /** `tb`: the default species; `all`: every species; `none`: nothing. */
  which: 'tb' | 'all' | 'none'
  /** Holds `packages/` (unpacked Debian packages) and `species/` (finished folders). */
  workDir: string
  progress?: ReportDemoStage
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
  partOf: readonly PrepareDemoOptions['which'][]
  /** Raised with every change of what is written. */
  version: string
  neededBytes: number
  make(packagesDir: string, staging: string, progress: ReportDemoStage): Promise<void>
}

const sets: readonly DemoSet[] = [
  {
    species: tuberculosisSpecies,
    partOf: ['tb', 'all'],
    version: '4',
    neededBytes: 200e6,
    make: async (packagesDir, staging, progress) => {
      await makeTuberculosis(await fetchPackage(tuberculosisPackage, packagesDir, progress), staging, progress)
    },
  },
  {
    species: ustilagoSpecies,
    partOf: ['all'],
    version: '2',
    neededBytes: 400e6,
    make: async (packagesDir, staging, progress) => {
      await makeUstilago(await fetchPackage(fungiPackage, packagesDir, progress), staging)
    },
  },
  {
    species: yeastContactsSpecies,
    partOf: ['all'],
    version: '1',
    neededBytes: 60e6,
    make: async (packagesDir, staging, progress) => {
      await makeYeastContacts(await fetchPackage(contactsPackage, packagesDir, progress), staging)
    },
  },
  {
    species: zymoseptoriaSpecies,
    partOf: ['all'],
    version: '5',
    neededBytes: 800e6,
    make: async (packagesDir, staging, progress) => {
      await makeZymoseptoria(await fetchPackage(fungiPackage, packagesDir, progress), staging, progress)
    },
  },
]

/** Made where Debian's packages cannot be had. */
const substitute: Omit<DemoSet, 'partOf'> = {
  species: simulatedSpecies,
  version: '4',
  neededBytes: 20e6,
  make: async (_packagesDir, staging) => {
    await makeSimulated(staging)
  },
}

/** Ids of every species that a demo may bring, the one that stands in for them included. */
export const listDemoSpecies = (which: PrepareDemoOptions['which']): string[] =>
  which === 'none'
    ? []
    : [...sets.filter(({ partOf }) => partOf.includes(which)).map(({ species }) => species), substitute.species]

/**
 * Prepares the demo's species folders one by one and yields each as soon as it is finished, so that it can be loaded while
 * the next is made. What is finished is not made again, whole folders only are ever seen. Where Debian's packages cannot be
 * had, one simulated species is yielded instead of what is missing. Throws DemoError `disk-full`.
 */
export async function* prepareDemo(options: PrepareDemoOptions): AsyncGenerator<DemoSpecies> {
  const { which, workDir, progress = () => {} } = options
  const prepare = async (set: Omit<DemoSet, 'partOf'>): Promise<DemoSpecies> => {
    const directory = join(workDir, 'species', set.species)
    const made = await makeFolder({
      directory,
      version: set.version,
      neededBytes: set.neededBytes,
      make: (staging) => set.make(join(workDir, 'packages'), staging, progress),
    })
    return { species: set.species, directory, simulated: set === substitute, made }
  }
  let missing = false
  let prepared = 0
  for (const set of sets) {
    if (!set.partOf.includes(which)) continue
    const ready = await prepare(set).catch((thrown: unknown) => {
      if (!isUnreachable(thrown)) throw thrown
      missing = true
      progress({
        en: `${set.species} is left out: ${thrown.message}`,
        zh: `无法获取 Debian 软件包，略去物种 ${set.species}`,
      })
      return null
    })
    if (!ready) continue
    prepared++
    yield ready
  }
  if (missing && prepared === 0) {
    progress({
      en: 'real demo data cannot be fetched here: making a simulated species instead',
      zh: '无法获取真实的演示数据，改为生成一个模拟物种',
    })
    yield await prepare(substitute)
  }
}

const isUnreachable = (thrown: unknown): thrown is DemoError =>
  thrown instanceof DemoError &&
  (thrown.code === 'program-missing' || thrown.code === 'packages-unreachable' || thrown.code === 'program-failed')
