const secretKinds = ['password', 'session', 'API token', 'code', 'mailed link', 'service key'] as const
export type SecretKind = (typeof secretKinds)[number]

/** Secrets that a run of tests has made, by kind; `places` is searched for all of them in the end. */
export interface SecretLedger {
  note(kind: SecretKind, secret: string): void
  /** How many different ones of a kind there are: a search for none proves nothing. */
  count(kind: SecretKind): number
  /** The last noted of a kind; throws when there is none. */
  newest(kind: SecretKind): string
  /** Where secrets stand that must not, as `place: kind`, without the secret; empty when they stand nowhere. */
  find(places: Record<string, string>): string[]
}

/** Six digits come up by chance in times and hashes: a code counts where it stands as a number of its own. */
const codePattern = (code: string): RegExp => new RegExp(`(?<![\\da-f.])${code}(?![\\da-f]|\\.\\d)`)

/** As it is, as an address writes it, as JSON writes it, and as the Authorization header of HTTP basic would. */
const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  secret.replaceAll(' ', '+'),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
]

export const createSecretLedger = (): SecretLedger => {
  const noted = new Map<string, SecretKind>()
  return {
    note: (kind, secret) => {
      // Something shorter would be found everywhere, and something empty nowhere is a mistake of the test.
      if (secret.length < 6) throw new Error(`this is no ${kind}: ${secret.length} characters`)
      if (kind === 'code' && !/^\d{6}$/.test(secret)) throw new Error('a code has six digits')
      noted.set(secret, kind)
    },
    count: (kind) => [...noted.values()].filter((one) => one === kind).length,
    newest: (kind) => {
      const found = [...noted].filter(([, one]) => one === kind).at(-1)
      if (found === undefined) throw new Error(`there is no ${kind}`)
      return found[0]
    },
    find: (places) => {
      const found = new Set<string>()
      for (const [secret, kind] of noted) {
        const pattern = kind === 'code' ? codePattern(secret) : null
        for (const [place, text] of Object.entries(places)) {
          if (pattern === null ? spellings(secret).some((one) => text.includes(one)) : pattern.test(text))
            found.add(`${place}: ${kind}`)
        }
      }
      return [...found].sort()
    },
  }
}
