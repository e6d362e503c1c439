import { defineEngine } from '../../kit/engine.ts'
import { findLocus } from './find-locus.ts'
import { routes } from './routes.ts'
import tool from './tool.ts'

export default defineEngine({
  tool,
  // For the loader: it makes the index of an alignment file that comes without one.
  programs: [
    {
      program: 'samtools',
      package: 'samtools',
      bioconda: 'samtools',
      versionArguments: ['--version'],
      versionPattern: /samtools (\S+)/,
    },
  ],
  run: async (input, { data, receipt }) => {
    const locus = await findLocus(input, data)
    receipt.addData(locus.assembly)
    receipt.addStep({ program: 'NovoDB genome browser', version: String(tool.version) })
    receipt.cite({
      text: 'Diesh C, Stevens GJ, Xie P, et al. JBrowse 2: a modular genome browser with views of synteny and structural variation. Genome Biol 24:74 (2023)',
      doi: '10.1186/s13059-023-02914-z',
    })
    return locus
  },
  routes,
})
