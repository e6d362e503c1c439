import { alignmentDefects } from '../bio/alignment/alignment-defects.ts'
import { annotationDefects } from '../bio/annotation/annotation-defects.ts'
import { genbankDefects } from '../bio/annotation/genbank-defects.ts'
import { geneMatchDefects } from '../bio/annotation/gene-match-defects.ts'
import { geneModelDefects } from '../bio/annotation/gene-model-defects.ts'
import { gff3Defects } from '../bio/annotation/gff3-defects.ts'
import { oboDefects } from '../bio/annotation/obo-defects.ts'
import { trackDefects } from '../bio/annotation/track-defects.ts'
import { collinearDefects } from '../bio/comparative/collinear-defects.ts'
import { contactDefects } from '../bio/contacts/contact-defects.ts'
import { cellDefects } from '../bio/expression/cell-defects.ts'
import { expressionDefects } from '../bio/expression/expression-defects.ts'
import { graphDefects } from '../bio/graph/graph-defects.ts'
import { referenceDefects } from '../bio/literature/reference-defects.ts'
import { phenotypeDefects } from '../bio/phenotype/phenotype-defects.ts'
import { sweepDefects } from '../bio/population/sweep-defects.ts'
import { fastaDefects } from '../bio/sequence/fasta-defects.ts'
import type { DefectCatalogue } from '../bio/text/defects.ts'
import { textDefects } from '../bio/text/text-defects.ts'
import { variantDefects } from '../bio/variation/variant-defects.ts'
import { findTools } from '../kit/find-tools.ts'
import { inputDefects } from '../kit/input-defects.ts'
import { bakeDefects } from './bake-defects.ts'
import { exportDefects } from './export-defects.ts'
import { importDefects } from './import/import-defects.ts'
import { manifestDefects } from './manifest-defects.ts'

/** Every catalogue that is not a tool's. */
const portalCatalogues: readonly DefectCatalogue[] = [
  textDefects,
  fastaDefects,
  gff3Defects,
  geneModelDefects,
  geneMatchDefects,
  genbankDefects,
  annotationDefects,
  oboDefects,
  trackDefects,
  alignmentDefects,
  graphDefects,
  collinearDefects,
  variantDefects,
  sweepDefects,
  expressionDefects,
  cellDefects,
  contactDefects,
  phenotypeDefects,
  referenceDefects,
  inputDefects,
  manifestDefects,
  importDefects,
  exportDefects,
  bakeDefects,
]

/**
 * Every defect that a load can tell, the tools' found by their folders: for those who put a report into words.
 *
 * @throws RangeError where two catalogues have the same code
 */
export const readDefectCatalogue = async (): Promise<DefectCatalogue> => {
  const tools = await Promise.all((await findTools()).map((tool) => tool.importDefects()))
  const entries = [...portalCatalogues, ...tools].flatMap((catalogue) => Object.entries(catalogue ?? {}))
  const whole = Object.fromEntries(entries)
  if (Object.keys(whole).length < entries.length) {
    const twice = entries.find(([code], number) => entries.findIndex(([other]) => other === code) < number)
    throw new RangeError(`two catalogues have the defect ${twice![0]}`)
  }
  return whole
}
