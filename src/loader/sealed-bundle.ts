import { createHash } from 'node:crypto'
import type { BundleFileSummary, BundleSummary } from '../database/catalogue.ts'
import type { DownloadAbout } from '../kit/loader.ts'
import type { Bundle } from '../store/bundle.ts'
import { isProductKind } from '../store/kept-inputs.ts'
import { formerGenesKind } from './follow-genes.ts'

/** Summary of a bundle that holds no assembly. */
export const emptySummary = (dataTypes: Record<string, number>): Omit<BundleSummary, 'files'> => ({
  lengthBp: 0,
  gcFraction: 0,
  n50Bp: 0,
  gapBp: 0,
  sequenceCount: 0,
  geneCount: 0,
  codingGeneCount: 0,
  transcriptCount: 0,
  dataTypes,
  longestGeneBp: 0,
  sequences: [],
  exampleGenes: [],
})

/**
 * SHA-256 over the paths and checksums of all products: bundles with equal checksums serve the same. Ids of earlier annotations are those
 * of what was in service here before, not of the data: without them a species has the same checksum in every portal.
 */
export const contentChecksum = (bundle: Bundle): string =>
  createHash('sha256')
    .update(
      bundle.manifest.files
        .filter(({ kind }) => isProductKind(kind) && kind !== formerGenesKind)
        .map((file) => `${file.path}\0${file.sha256}\n`)
        .join(''),
    )
    .digest('hex')

export const fileSummaries = (bundle: Bundle): BundleFileSummary[] =>
  bundle.manifest.files.map((file) => {
    const download = (file.meta as { download?: DownloadAbout }).download
    return {
      path: file.path,
      kind: file.kind,
      bytes: file.bytes,
      sha256: file.sha256,
      download:
        download === undefined
          ? null
          : {
              title: download.title ?? null,
              description: download.description ?? null,
              licence: download.licence ?? null,
              simulated: download.simulated ?? false,
            },
    }
  })
