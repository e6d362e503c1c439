import { join } from 'node:path'
import type { ReportedDefect } from '../kit/loader.ts'
import { type EmptyPortal, openEmptyPortal } from './empty-portal.ts'
import { makeProtein, mutate, type TestGenome, writeSpecies } from './protein-genomes.ts'
import { loadTestSpecies } from './species.ts'

const proteins = Array.from({ length: 14 }, (_, number) => makeProtein(number + 300))

/** Fourteen genes in a row; turned, the whole chromosome reads backwards. */
const genome = (assembly: string, change: number, turned = false): TestGenome => {
  const genes = proteins.map((protein, number) => ({
    id: `${assembly}_${number}`,
    protein: mutate(protein, change, number + 1),
    ...(number === 5 ? { symbol: `mid${assembly}` } : {}),
  }))
  return { assembly, genes: turned ? genes.reverse().map((gene) => ({ ...gene, strand: '-' as const })) : genes }
}

/**
 * A portal with three genomes of the same genes, the second turned round, of which the first and third bring blocks of their own; and
 * what the load reported. Throws when it fails.
 */
export const openSyntenyPortal = async (): Promise<EmptyPortal & { defects: readonly ReportedDefect[] }> => {
  const portal = await openEmptyPortal('synteny')
  const { database, root, dataDir } = portal
  const anchors = ['###', ...[0, 1, 2, 3].map((at) => `S1_${at}\tS3_${at}\t500`), 'S1_9\tS3_none\t90'].join('\n')
  const folder = writeSpecies(
    join(root, 'species'),
    'alpha',
    [genome('S1', 0), genome('S2', 0.05, true), genome('S3', 0.05)],
    { 'S1.S3.anchors': `${anchors}\n` },
    'synteny:\n  - { file: S1.S3.anchors }\n',
  )
  const report = await loadTestSpecies(database, dataDir, folder, { engines: ['homologs', 'genomesyntenyviewer'] })
  if (!report.ok) {
    await portal.close()
    throw new Error(JSON.stringify(report.failure ?? report.defects))
  }
  return { ...portal, defects: report.defects }
}
