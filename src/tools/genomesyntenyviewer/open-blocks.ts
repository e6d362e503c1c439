import { fieldError, PortalError } from '../../contracts/errors.ts'
import { type GeneTable, type OpenBlocks, openCollinearBlocks } from '../../kit/data/collinear-blocks.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'

export const openBlocks = async (data: PortalData): Promise<OpenBlocks> => {
  const blocks = await openCollinearBlocks(data)
  if (blocks === null) throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.notComputed' })
  return blocks
}

export const readGenes = async (blocks: OpenBlocks, assembly: string): Promise<GeneTable> => {
  const genes = await blocks.genes(assembly)
  if (genes === null) throw fieldError(['assemblies'], 'problem.notCovered', { assembly })
  return genes
}
