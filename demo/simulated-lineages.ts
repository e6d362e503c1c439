import type { SeededRandom } from './seeded-random.ts'
import type { Genotypes, Site } from './simulated-genotypes.ts'

export interface LineagePlan {
  name: string
  size: number
  /** Chance that an accession of the lineage has acquired each of the repeated variants. */
  repeated: number
}

export interface ClonalPlan {
  lineages: readonly LineagePlan[]
  /** The lineage that the reference genome belongs to: where a branch leads to it, the alternative is what it has left behind. */
  referenceLineage: string
  /** Length of the branch that leads to a lineage, in units of the mean time in which two accessions of one lineage meet. */
  stem: number
}

/** A branch of a genealogy: the accessions below it, and its length. */
interface Branch {
  below: readonly number[]
  length: number
}

/**
 * Genotypes of accessions that never exchange genes: each of `sites` changed once, on one branch of a genealogy of lineages; each of
 * `repeated` again and again, at the tips, as resistance to a drug arises. Sites of both are returned in order of position, `repeated`
 * with the index that each has there. `nameOf` names an accession by lineage and number, from 1.
 */
export function evolveClonally(
  sites: readonly Site[],
  repeated: readonly Site[],
  plan: ClonalPlan,
  nameOf: (lineage: LineagePlan, number: number) => string,
  random: SeededRandom,
): { genotypes: Genotypes; repeated: number[] } {
  const accessions = plan.lineages.flatMap((lineage) =>
    Array.from({ length: lineage.size }, (_, at) => nameOf(lineage, at + 1)),
  )
  // The reference stands for one more accession, that has no column.
  const reference = accessions.length
  const branches: Branch[] = []
  let first = 0
  for (const { name, size } of plan.lineages) {
    const members = Array.from({ length: size }, (_, at) => first + at)
    first += size
    if (name === plan.referenceLineage) members.push(reference)
    branches.push(...drawGenealogy(members, random), { below: members, length: plan.stem })
  }
  const lengths = branches.map(({ length }) => length)
  const rows = new Map<Site, Uint8Array>()
  for (const site of sites) {
    const { below } = random.pickWeighted(branches, lengths)
    const row = new Uint8Array(accessions.length + 1)
    for (const member of below) row[member] = 1
    if (row[reference] === 1) for (const at of row.keys()) row[at] = 1 - row[at]!
    rows.set(site, row)
  }
  for (const site of repeated) {
    const chances = plan.lineages.flatMap((lineage) => Array.from({ length: lineage.size }, () => lineage.repeated))
    rows.set(
      site,
      Uint8Array.from(chances, (chance) => Number(random.chance(chance))),
    )
  }
  const ordered = [...rows.keys()].sort((a, b) => a.position1 - b.position1)
  const alleles = new Uint8Array(ordered.length * accessions.length)
  for (const [at, site] of ordered.entries())
    alleles.set(rows.get(site)!.subarray(0, accessions.length), at * accessions.length)
  return {
    genotypes: { accessions, sites: ordered, alleles },
    repeated: repeated.map((site) => ordered.indexOf(site)),
  }
}

/** Branches of a coalescent tree of the members, without the root's (J. F. C. Kingman, J. Appl. Probab. 19A:27, 1982). */
function drawGenealogy(members: readonly number[], random: SeededRandom): Branch[] {
  const branches: Branch[] = []
  let alive = members.map((member) => ({ below: [member], since: 0 }))
  let time = 0
  while (alive.length > 1) {
    time += -Math.log(1 - random.fraction()) / ((alive.length * (alive.length - 1)) / 2)
    const one = random.pick(alive)
    const other = random.pick(alive.filter((lineage) => lineage !== one))
    for (const { below, since } of [one, other]) branches.push({ below, length: time - since })
    alive = [
      ...alive.filter((lineage) => lineage !== one && lineage !== other),
      { below: [...one.below, ...other.below], since: time },
    ]
  }
  return branches
}
