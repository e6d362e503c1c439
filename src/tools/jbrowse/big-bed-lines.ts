import { BigBed } from '@gmod/bbi'
import { LocalFile } from 'generic-filehandle2'

/** As much of a sequence at once as has some thousands of genes; of the whole, all features would be in memory together. */
const windowBp = 10_000_000

/** The features of a BigBed file as lines of BED, sequence by sequence. */
export async function* readBigBedLines(path: string): AsyncGenerator<string> {
  const file = new BigBed({ filehandle: new LocalFile(path) })
  const { refsByNumber } = await file.getHeader()
  for (const { name, length } of Object.values(refsByNumber))
    for (let start0 = 0; start0 < length; start0 += windowBp)
      // What reaches over several windows is told in that in which it begins.
      for (const { start, end, rest } of await file.getFeatures(name, start0, Math.min(length, start0 + windowBp)))
        if (start >= start0) yield [name, start, end, rest ?? ''].join('\t')
}
