import { hmmerProgram } from '../../../kit/programs.ts'
import type { ProfileSet } from '../stored.ts'
import type { HmmProfile } from './hmm-profiles.ts'

export const profilesOf = <Profile extends Pick<HmmProfile, 'gathering'>>(
  profiles: readonly Profile[],
  set: ProfileSet,
): Profile[] => profiles.filter(({ gathering }) => (gathering !== null) === (set === 'gathering'))

/** E-value of sequence and domain for profiles without gathering thresholds, unless the manifest sets another. */
export const defaultEvalue = 1e-5

/** HMMER takes no longer protein (p7_pipeline.c, "over comparison pipeline limit"). */
export const longestProtein = 100_000

export const requirements = ['hmmscan', 'hmmsearch', 'hmmpress'].map(hmmerProgram)

/**
 * Arguments of hmmscan and hmmsearch alike. The number of comparisons is set to that of all profiles, for the sequence and its domains:
 * so both programs, and searches of one protein and of thousands, give the same e-values.
 */
export const searchArguments = (options: {
  set: ProfileSet
  profileCount: number
  evalue: number
  threads: number
  table: string
  profiles: string
  proteins: string
}): string[] => {
  const count = String(options.profileCount)
  const limit = String(options.evalue)
  return [
    ...(options.set === 'gathering' ? ['--cut_ga'] : ['-E', limit, '--domE', limit]),
    ...['-Z', count, '--domZ', count, '--cpu', String(options.threads), '--noali'],
    ...['-o', '/dev/null', '--domtblout', options.table, options.profiles, options.proteins],
  ]
}

export const citations = {
  hmmer: { text: 'Eddy SR. PLoS Computational Biology 7, e1002195 (2011).', doi: '10.1371/journal.pcbi.1002195' },
  rules: { text: 'Zheng Y et al. Molecular Plant 9, 1667-1670 (2016).', doi: '10.1016/j.molp.2016.09.014' },
}
