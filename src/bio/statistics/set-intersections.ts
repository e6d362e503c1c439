/**
 * Members by exactly which of the sets they are in, the largest group first: `at` are positions of sets, ascending (Lex et al. 2014,
 * doi:10.1109/TVCG.2014.2346248).
 *
 * Example: the sets [1, 2] and [2] give `{at: [0], members: [1]}` and `{at: [0, 1], members: [2]}`.
 */
export const listIntersections = <Member>(sets: readonly Iterable<Member>[]): { at: number[]; members: Member[] }[] => {
  const membership = new Map<Member, number[]>()
  for (const [at, members] of sets.entries())
    for (const member of new Set(members)) {
      const own = membership.get(member)
      if (own === undefined) membership.set(member, [at])
      else own.push(at)
    }
  const groups = new Map<string, { at: number[]; members: Member[] }>()
  for (const [member, at] of membership) {
    const key = at.join(' ')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { at, members: [member] })
    else group.members.push(member)
  }
  return [...groups.values()].sort((a, b) => b.members.length - a.members.length || a.at.length - b.at.length)
}
