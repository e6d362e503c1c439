import { join } from 'node:path'
import { type AssemblyFolder, writeLines } from './species-folder.ts'

/**
 * Deletions of BCG Pasteur relative to H37Rv (NC_000962.2), 1-based inclusive. Names: Gordon et al. 1999 (RD1 to RD10), Brosch et al.
 * 2002. Ends: the alignment of the two sequences; those of RD1, RD4, RD7 to RD10, RD12 and RD13 are those of Bespiatykh et al. 2021 but
 * for 1 to 3 bases, where a repeat at the ends leaves several places. RD5 and RD14 end in PPE39 and Rv1765c, of which BCG has a part (nucmer,
 * blastn): the alignment of the whole genomes takes that part and the copy of IS6110 beside it with the deletion.
 */
export const regionsOfDifference: readonly [name: string, start1: number, end1: number][] = [
  ['RD10', 264_755, 266_656],
  ['RD13', 1_402_931, 1_405_937],
  ['RD4', 1_696_017, 1_708_748],
  ['RD3', 1_779_267, 1_788_513],
  ['RD14', 1_998_228, 2_007_293],
  ['RD7', 2_208_006, 2_220_724],
  ['RD2', 2_221_059, 2_231_845],
  ['RD9', 2_330_073, 2_332_101],
  ['RD5', 2_626_070, 2_635_030],
  ['RD11', 2_969_989, 2_980_970],
  ['RD12', 3_484_740, 3_487_514],
  ['RD6', 3_842_568, 3_847_493],
  ['RD8', 4_056_840, 4_062_733],
  ['RD1', 4_350_266, 4_359_722],
]

/** Writes the regions as a track of H37Rv, by which differences of its genomes are named. */
export async function addRegionsOfDifference(assembly: AssemblyFolder, outDir: string): Promise<void> {
  const file = `${assembly.id}/tracks/regions-of-difference.bed`
  const { name } = assembly.sequences![0]!
  await writeLines(
    join(outDir, file),
    regionsOfDifference.map(([region, start1, end1]) => [name, start1 - 1, end1, region, 0, '.'].join('\t')),
  )
  assembly.tracks ??= []
  assembly.tracks.push({
    id: 'regions-of-difference',
    name: { en: 'Regions of difference', zh: '差异区域（RD）' },
    file,
    type: 'bed',
    category: { en: 'Comparison', zh: '比较' },
    description: {
      en: 'RD1 to RD14, the published deletions of BCG Pasteur (Gordon et al. 1999, Brosch et al. 2002).',
      zh: 'RD1–RD14：已发表的卡介苗 Pasteur 株缺失区域（Gordon 等，1999；Brosch 等，2002）。',
    },
  })
}
