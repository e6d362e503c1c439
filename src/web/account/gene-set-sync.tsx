import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  createAccountGeneSet,
  deleteAccountGeneSet,
  getAccountGeneSet,
  listAccountGeneSets,
  updateAccountGeneSet,
} from '../../contracts/accounts/account.ts'
import { type GeneSet, listGeneSets, replaceGeneSets, subscribeGeneSets } from '../../kit/ui/gene/gene-sets.ts'
import { call, RequestError } from '../../kit/ui/request.ts'
import { useSession } from './session.tsx'

const settleMs = 400
/** Whose sets this browser holds: a session may end without signing out, and the next to sign in is not given them. */
const ownerKey = 'novodb_gene_sets_of'
const fetchedAtOnce = 6

const same = (a: GeneSet, b: GeneSet): boolean =>
  a === b || (a.name === b.name && a.assembly === b.assembly && a.genes.join('\n') === b.genes.join('\n'))

/** What has to be told to the account so that it holds what this browser holds: `before` is what it is known to hold. */
export const geneSetChanges = (
  before: GeneSet[],
  now: GeneSet[],
): { created: GeneSet[]; changed: GeneSet[]; deleted: string[] } => {
  const known = new Map(before.map((set) => [set.id, set]))
  return {
    created: now.filter((set) => !known.has(set.id)),
    changed: now.filter((set) => {
      const old = known.get(set.id)
      return old !== undefined && !same(old, set)
    }),
    deleted: before.filter((set) => !now.some((one) => one.id === set.id)).map((set) => set.id),
  }
}

/** The gene sets that the account of whoever is signed in held when this page was opened. */
export const useAccountGeneSets = () => {
  const { user } = useSession()
  const name = user === null || user.access === 'visitor' ? null : user.username
  const answer = useQuery({
    queryKey: ['account-gene-sets', name],
    enabled: name !== null,
    queryFn: async (context): Promise<GeneSet[]> => {
      const { sets } = await call(listAccountGeneSets, {}, context)
      const held: GeneSet[] = []
      for (let at = 0; at < sets.length; at += fetchedAtOnce) {
        const some = sets.slice(at, at + fetchedAtOnce)
        const whole = await Promise.all(some.map(({ id }) => call(getAccountGeneSet, { id }, context)))
        held.push(...whole.map(({ id, name, assembly, genes, created }) => ({ id, name, assembly, genes, created })))
      }
      return held
    },
    // Asked once: what changes afterwards changes here, and is told to the account.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return { name, answer }
}

/**
 * Keeps the gene sets of this browser and of the account the same while somebody is signed in: at first each gets what
 * the other has, then every change made here goes to the account. Signing out empties the browser, not the account.
 */
export const GeneSetSync = (): null => {
  const { name, answer } = useAccountGeneSets()
  const held = answer.data

  useEffect(() => {
    // Without the account's sets nothing is told to it either: what is missing here would be deleted there.
    if (name === null || held === undefined) return
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let kept: GeneSet[] = held
    let busy = false

    // Whoever has signed out meanwhile need not be told.
    const quiet = { skipErrorHandler: () => over }
    const push = async (): Promise<void> => {
      if (over || busy) return
      busy = true
      const now = listGeneSets()
      const { created, changed, deleted } = geneSetChanges(kept, now)
      try {
        for (const set of [...created].reverse())
          await call(
            createAccountGeneSet,
            { id: set.id, name: set.name, assembly: set.assembly, genes: set.genes },
            quiet,
          )
        for (const set of changed)
          await call(
            updateAccountGeneSet,
            { id: set.id, name: set.name, assembly: set.assembly, genes: set.genes },
            quiet,
          )
        for (const id of deleted) await call(deleteAccountGeneSet, { id }, quiet)
        kept = now
      } catch (error) {
        // Shown; the sets remain in this browser, and are told to the account again with the next change or visit.
        if (!(error instanceof RequestError)) throw error
      } finally {
        busy = false
      }
      if (listGeneSets() !== now) later()
    }
    const later = (): void => {
      clearTimeout(timer)
      if (!over) timer = setTimeout(() => void push(), settleMs)
    }

    const owner = localStorage.getItem(ownerKey)
    const here = new Map(owner === null || owner === name ? listGeneSets().map((set) => [set.id, set]) : [])
    // The account's word counts for sets that both have.
    for (const set of kept) here.delete(set.id)
    replaceGeneSets([...here.values(), ...kept].sort((a, b) => b.created.localeCompare(a.created)))
    localStorage.setItem(ownerKey, name)
    const stop = subscribeGeneSets(later)
    later()
    return () => {
      over = true
      clearTimeout(timer)
      stop()
    }
  }, [name, held])
  return null
}
