import { PortalError } from '../../contracts/errors.ts'
import { proteinFeatureData } from '../../kit/data/feature-data.ts'
import { listVariantSets } from '../../kit/data/variant-data.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { getGeneProteins, structureInput } from './endpoints.ts'
import { readProteins } from './read-proteins.ts'
import { type StoredStructures, structureData, structureKind } from './stored.ts'

export const routes: ToolRoute[] = [
  answerEndpoint(getGeneProteins, async ({ assembly, gene: id }, { data, signal }) => {
    const { dataTypes } = await data.getAssembly(assembly)
    const [gene] = await data.getGenes(assembly, [id])
    if (gene === undefined) throw new PortalError('NOT_FOUND')
    const sets = await listVariantSets(data, assembly)
    const { proteins, beyond } = await readProteins(data, assembly, [gene], { sets, longest: false, signal })
    const hasStructures = (dataTypes[structureData] ?? 0) > 0
    const stored = hasStructures ? await data.getRecord<StoredStructures>(structureKind, gene.id, { assembly }) : null
    return {
      proteins,
      structures: (stored?.structures ?? []).map(({ file: _, ...shown }) => shown),
      loaded: { features: (dataTypes[proteinFeatureData] ?? 0) > 0, structures: hasStructures },
      beyond,
      sets: sets.map(({ id: set, name, simulated }) => ({ id: set, name, simulated })),
    }
  }),
  defineRoute({
    path: 'structure',
    summary: 'The file of a structure, PDB or mmCIF, as the lab loaded it',
    input: structureInput,
    handle: async ({ assembly, gene, name }, { data }) => {
      await data.getAssembly(assembly)
      const stored = await data.getRecord<StoredStructures>(structureKind, gene, { assembly })
      const structure = stored?.structures.find((one) => one.name === name)
      const path = structure === undefined ? null : await data.bundleFile(assembly, structure.file)
      if (structure === undefined || path === null) throw new PortalError('NOT_FOUND')
      return {
        body: readDecompressed(path),
        contentType: structure.format === 'mmcif' ? 'chemical/x-mmcif' : 'chemical/x-pdb',
        fileName: structure.name,
      }
    },
  }),
]
