import type { NotebookSet, NotebookStep, SetOperation } from '../../../contracts/notebooks.ts'

/** Genes of several lists by an operation; of `minus` those of the first that no other has. Order is that of the first that has them. */
export const combineGenes = (operation: SetOperation, lists: readonly (readonly string[])[]): string[] => {
  const [first = [], ...others] = lists
  if (operation === 'or') return [...new Set(lists.flat())]
  const sets = others.map((list) => new Set(list))
  return [...new Set(first)].filter((gene) =>
    operation === 'and' ? sets.every((set) => set.has(gene)) : !sets.some((set) => set.has(gene)),
  )
}

export interface LiveSet extends NotebookSet {
  step: string
  /** A set that it is made of is no longer there: its genes are those of before. */
  broken: boolean
}

/** The sets of a notebook in its order, those made of others with the genes that these have now. */
export const liveSets = (steps: readonly NotebookStep[]): LiveSet[] => {
  const given = new Map(steps.flatMap((step) => (step.set === null ? [] : [[step.id, step.set] as const])))
  const known = new Map<string, LiveSet>()
  const resolve = (id: string, above: readonly string[]): LiveSet | null => {
    const ready = known.get(id)
    if (ready !== undefined) return ready
    const set = given.get(id)
    // A ring cannot be made by the page; by the API it could, and is read as its genes of before.
    if (set === undefined || above.includes(id)) return null
    const parts = set.made?.of.map((part) => resolve(part, [...above, id])) ?? []
    const whole = parts.every((part) => part !== null)
    const live: LiveSet = {
      ...set,
      step: id,
      broken: !whole,
      genes:
        set.made === null || !whole
          ? set.genes
          : combineGenes(
              set.made.operation,
              parts.map((part) => part!.genes),
            ),
      assembly:
        set.made === null || !whole
          ? set.assembly
          : parts.every((part) => part!.assembly === parts[0]!.assembly)
            ? parts[0]!.assembly
            : null,
    }
    known.set(id, live)
    return live
  }
  return [...given.keys()].flatMap((id) => resolve(id, []) ?? [])
}
