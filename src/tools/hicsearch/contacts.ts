import type { ContactMap } from '../../bio/contact-map.ts'
import type { LocalizedText } from '../../contracts/text.ts'

/** A contact map as the loader bakes it: record of kind `contacts`. */
export interface BakedContacts {
  id: string
  name: LocalizedText
  description: LocalizedText | null
  format: ContactMap['format']
  /** Within the bundle: the lab's own file, unchanged. */
  file: string
  genome: string | null
  resolutions: ContactMap['resolutions']
  /** Chromosomes in the file's order, each with the sequence of the assembly that it is, if any. */
  chromosomes: { name: string; sequence: string | null; lengthBp: number }[]
  simulated: boolean
}
