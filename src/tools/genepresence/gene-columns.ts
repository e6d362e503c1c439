import { isAbsent, isBroken, isWhole, type PresenceState } from '../../bio/comparative/gene-presence.ts'
import { columnText, defineGeneColumns, type GeneColumn } from '../../kit/gene-columns.ts'
import messages from './messages.ts'

/** Genomes with a column of their own. */
const maxGenomes = 60
/** So few are shown one by one, of more their counts. */
const shownGenomes = 4

/** What each gene is in every other genome of its species by its DNA. */
export default defineGeneColumns(async ({ data, assembly, genes, signal }) => {
  const state = await data.presence.getState(assembly)
  const all = state === null ? null : await data.presence.genes(assembly)
  if (state === null || all === null) return { columns: [] }
  const numbers = new Map(all.id.map((id, number) => [id, number]))
  const names = new Map((await data.listAssemblies()).map(({ id, name }) => [id, name]))
  const others = state.assemblies.filter((id) => id !== assembly)
  const found: { id: string; states: (PresenceState | null)[] }[] = []
  for (const id of others) {
    signal.throwIfAborted()
    const pair = await data.presence.states(assembly, id)
    if (pair === null) continue
    found.push({
      id,
      states: genes.map((gene) => {
        const number = numbers.get(gene.id)
        return number === undefined ? null : (pair.states[number] ?? null)
      }),
    })
  }
  if (found.length === 0) return { columns: [] }
  const count = (
    key: 'columns.whole' | 'columns.broken' | 'columns.absent',
    is: (state: PresenceState) => boolean,
  ): GeneColumn => ({
    key: key.slice('columns.'.length),
    title: columnText(messages, key, { total: found.length }),
    kind: 'number',
    hidden: found.length <= shownGenomes,
    main: key === 'columns.absent',
    values: genes.map(({ id }, at) =>
      numbers.has(id)
        ? found.filter(({ states }) => {
            const one = states[at]
            return one !== null && one !== undefined && is(one)
          }).length
        : null,
    ),
  })
  return {
    columns: [
      count('columns.whole', isWhole),
      count('columns.broken', isBroken),
      count('columns.absent', isAbsent),
      ...found.slice(0, maxGenomes).map(
        ({ id, states }): GeneColumn => ({
          key: `in.${id}`,
          title: columnText(messages, 'columns.in', { assembly: names.get(id) ?? id }),
          kind: 'presence',
          // A genome that has them all needs no column to be seen.
          hidden: found.length > shownGenomes || states.every((state) => state === 'intact'),
          values: states,
        }),
      ),
    ],
  }
})
