import type { PortalData } from '../../kit/data/portal-data.ts'
import type { StatedRule, Verdict } from './tool.ts'

/** What a load found in an assembly; the one record of kind `tf-about`. */
export interface StoredAbout {
  source: 'profiles' | 'annotation'
  /** hmmsearch as it was run; empty for annotation. */
  commands: string[][]
  evalue: number
  profiles: StoredProfile[]
  rules: StatedRule[]
  /** Short names of the domains that rules name. */
  labels: Record<string, string>
  /** Names of the lab's own for profiles, as the manifest gives them. */
  domains: Record<string, string>
  /** Coding genes that were looked at. */
  searched: number
  /** Genes with at least one domain. */
  withDomains: number
  counts: Record<string, number>
  /** One gene of each family, for examples. */
  examples: string[]
}

export interface StoredProfile {
  name: string
  accession: string | null
  description: string | null
  domain: string
  length: number
  gathering: [sequence: number, domain: number] | null
}

/** A gene with at least one domain; record of kind `tf-gene`, by the gene's id. */
export interface StoredGene extends Verdict {
  transcript: string | null
  length: number
}

export const aboutKind = 'tf-about'
export const aboutId = 'about'
export const geneKind = 'tf-gene'
/** Vocabulary under which families are given to genes, as annotation gives terms. */
export const familySource = 'TF family'

/** Null where neither profiles nor annotation told of any domain. */
export const getAbout = (data: PortalData, assembly: string): Promise<StoredAbout | null> =>
  data.getRecord<StoredAbout>(aboutKind, aboutId, { assembly })

/** Folder of the bundle that holds the profiles and the rules. */
export const bakedFolder = 'transcription-factors'
export const rulesPath = `${bakedFolder}/rules.txt`

/** Profiles with gathering thresholds are searched by these, all others by the e-value: hmmscan cannot mix the two. */
export type ProfileSet = 'gathering' | 'evalue'
export const profileSets: readonly ProfileSet[] = ['gathering', 'evalue']
export const profilesPath = (set: ProfileSet): string => `${bakedFolder}/${set}.hmm`
