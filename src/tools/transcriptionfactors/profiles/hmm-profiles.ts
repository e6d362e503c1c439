/** A profile of a HMMER3 file (HMMER User's Guide 3.4, "HMMER profile HMM files"). */
export interface HmmProfile {
  name: string
  /** As the file has it, with its version: `PF00172.24`. */
  accession: string | null
  description: string | null
  /** Match states. */
  length: number
  alphabet: string
  /** Gathering thresholds in bits: of the whole sequence, and of each domain. Null when the profile has none. */
  gathering: [sequence: number, domain: number] | null
  /** The record as it stands, from `HMMER3/` to `//`, each line with its end. */
  text: string
}

/** What is wrong with a file of profiles; `line` is counted from 1. */
export interface HmmDefect {
  line: number
  reason: 'not-hmmer3' | 'no-name' | 'no-length' | 'cut-off'
}

/** `PF00172.24` is `PF00172`: rules name a family of Pfam, whatever its release. */
export const withoutVersion = (accession: string): string => accession.replace(/\.\d+$/, '')

/**
 * Takes the lines of a HMMER3 ASCII file one by one and gives each profile to `onProfile` as it ends. A record of another kind (HMMER2,
 * text) is told to `onDefect`, and what follows up to the next `//` is passed over.
 *
 * Example: the lines `HMMER3/f [3.3.2]`, `NAME  Zn_clus`, `ACC   PF00172.24`, `LENG  40`, `ALPH  amino`, `GA    19.40 19.40;`, …, `//`
 * give `{name: 'Zn_clus', accession: 'PF00172.24', length: 40, gathering: [19.4, 19.4], …}`.
 */
export const createHmmReader = (options: {
  onProfile(profile: HmmProfile): void
  onDefect(defect: HmmDefect): void
}): { addLine(line: string, lineNumber: number): void; end(): void } => {
  let lines: string[] = []
  let start = 0
  let fields = new Map<string, string>()
  let inHead = false
  let skipping = false
  const reset = (): void => {
    lines = []
    fields = new Map()
    inHead = false
  }
  const finish = (lineNumber: number): void => {
    const name = fields.get('NAME')
    const length = Number(fields.get('LENG'))
    if (name === undefined) options.onDefect({ line: start, reason: 'no-name' })
    else if (!Number.isInteger(length) || length < 1) options.onDefect({ line: lineNumber, reason: 'no-length' })
    else {
      const thresholds = /^(-?[\d.]+)\s+(-?[\d.]+)/.exec(fields.get('GA') ?? '')
      options.onProfile({
        name: name.split(/\s/)[0]!,
        accession: fields.get('ACC')?.split(/\s/)[0] ?? null,
        description: fields.get('DESC') ?? null,
        length,
        alphabet: (fields.get('ALPH') ?? '').toLowerCase(),
        gathering: thresholds === null ? null : [Number(thresholds[1]), Number(thresholds[2])],
        text: `${lines.join('\n')}\n`,
      })
    }
    reset()
  }
  return {
    addLine(line, lineNumber) {
      if (lines.length === 0) {
        if (skipping) {
          if (line.startsWith('//')) skipping = false
          return
        }
        if (line.trim() === '') return
        if (!/^HMMER3\/[a-f]\b/.test(line)) {
          options.onDefect({ line: lineNumber, reason: 'not-hmmer3' })
          skipping = !line.startsWith('//')
          return
        }
        start = lineNumber
        inHead = true
      }
      lines.push(line)
      if (line.startsWith('//')) {
        finish(lineNumber)
        return
      }
      if (!inHead) return
      // The head ends where the model begins; numbers of the model are not looked at.
      if (line.startsWith('HMM ')) {
        inHead = false
        return
      }
      const field = /^([A-Z]{2,5}) +(\S.*)$/.exec(line)
      if (field !== null && !fields.has(field[1]!)) fields.set(field[1]!, field[2]!.trimEnd())
    },
    end() {
      if (lines.length > 0) options.onDefect({ line: start, reason: 'cut-off' })
      reset()
    },
  }
}

/** All profiles of a text, and what is wrong with it. */
export const parseHmmProfiles = (text: string): { profiles: HmmProfile[]; defects: HmmDefect[] } => {
  const profiles: HmmProfile[] = []
  const defects: HmmDefect[] = []
  const reader = createHmmReader({
    onProfile: (profile) => profiles.push(profile),
    onDefect: (defect) => defects.push(defect),
  })
  for (const [at, line] of text.split('\n').entries()) reader.addLine(line, at + 1)
  reader.end()
  return { profiles, defects }
}
