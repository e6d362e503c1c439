import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ClassBounds, type FamilyClass, familyClass, usualBounds } from '../../bio/comparative/pan-genome.ts'
import { useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { call } from '../../kit/ui/request.ts'
import { listFamilies, listFamilyGenes } from './endpoints.ts'
import type { PanGenome } from './tool.ts'

export const classColour: Record<FamilyClass, string> = {
  core: categoryColour(0),
  softCore: categoryColour(4),
  // Not the green that present genes have beside it.
  shell: categoryColour(3),
  private: categoryColour(1),
}

const names = { core: `${viewPrefix}core`, softCore: `${viewPrefix}softCore`, private: `${viewPrefix}private` } as const

/** Bounds of the classes as the address has them; shares are there in percent. */
export const useClassBounds = (): [ClassBounds, (change: Partial<ClassBounds> | null) => void] => {
  const [query, change] = useAddressValues()
  const read = (name: keyof ClassBounds, scale: number, max: number): number => {
    const given = query.get(names[name])
    const value = given === null ? Number.NaN : Number(given) / scale
    return value >= 0 && value <= max ? value : usualBounds[name]
  }
  const bounds: ClassBounds = {
    core: read('core', 100, 1),
    softCore: read('softCore', 100, 1),
    private: Math.round(read('private', 1, 10_000)),
  }
  const write = (next: Partial<ClassBounds> | null): void => {
    if (next === null) change({ [names.core]: null, [names.softCore]: null, [names.private]: null }, true)
    else
      change(
        Object.fromEntries(
          Object.entries(next).map(([name, value]) => [
            names[name as keyof ClassBounds],
            String(name === 'private' ? value : Number((100 * value).toFixed(2))),
          ]),
        ),
        true,
      )
  }
  return [bounds, write]
}

/** Class of a family by the number of assemblies it is in; the first entry, 0, has none. */
export const classesByCount = (genomes: number, bounds: ClassBounds): FamilyClass[] =>
  Array.from({ length: genomes + 1 }, (_, present) => familyClass(present, genomes, bounds))

/** The assembly whose genes stand for families when these are sent to another tool. */
export const useGenesOf = (result: PanGenome): [assembly: string, choose: (assembly: string) => void] => {
  const [query, change] = useAddressValues()
  const given = query.get(`${viewPrefix}genesOf`)
  const { assemblies } = result
  const usual = assemblies.find(({ reference }) => reference) ?? assemblies[0]!
  const chosen = assemblies.some(({ id }) => id === given) ? given! : usual.id
  return [chosen, (assembly) => change({ [`${viewPrefix}genesOf`]: assembly }, true)]
}

/** Genes of each family in one assembly; undefined until they are known. */
export const useFamilyGenes = (assembly: string): Map<number, string[]> | undefined => {
  const { data } = useQuery({
    queryKey: ['pangenome-genes', assembly],
    queryFn: (context) => call(listFamilyGenes, { assembly }, context),
    staleTime: 5 * 60_000,
  })
  return useMemo(() => {
    if (data === undefined) return undefined
    const genes = new Map<number, string[]>()
    for (const { id, number } of data.genes) {
      const own = genes.get(number)
      if (own === undefined) genes.set(number, [id])
      else own.push(id)
    }
    return genes
  }, [data])
}

export interface NamedFamily {
  family: number
  id: string
  genes: number
  max: number
  present: number
  assembly: string
  gene: string
  symbol: string | null
  description: string | null
}

export interface NamedFamilies {
  total: number
  list: NamedFamily[]
  byNumber: Map<number, NamedFamily>
}

/** Families with a gene that stands for each, the reference's where it has one; undefined until they are known. */
export const useFamilies = (result: PanGenome): NamedFamilies | undefined => {
  const ids = useMemo(() => {
    const all = result.assemblies.map(({ id }) => id)
    const reference = result.assemblies.find((one) => one.reference)?.id
    return reference === undefined ? all : [reference, ...all.filter((id) => id !== reference)]
  }, [result.assemblies])
  const { data } = useQuery({
    queryKey: ['pangenome-families', result.computedAt, ids.join(' ')],
    queryFn: (context) => call(listFamilies, { assemblies: ids }, context),
    staleTime: 5 * 60_000,
  })
  return useMemo(() => {
    if (data === undefined) return undefined
    const list = data.families.map(
      (family, at): NamedFamily => ({
        family,
        id: data.ids[at]!,
        genes: data.genes[at]!,
        max: data.max[at]!,
        present: data.present[at]!,
        assembly: ids[data.assembly[at]!]!,
        gene: data.gene[at]!,
        symbol: data.symbol[at]!,
        description: data.description[at]!,
      }),
    )
    return { total: data.total, list, byNumber: new Map(list.map((one) => [one.family, one])) }
  }, [data, ids])
}

/** The matrix as the result brings it: families in the order of drawing, and their cells. */
export interface Matrix {
  families: Uint32Array
  genomes: number
  /** Genes of the n-th family drawn in an assembly; 3 stands for more. */
  at: (index: number, genome: number) => number
  /** Number of assemblies that the n-th family drawn is in. */
  present: Uint16Array
  /** Place of a family among those drawn; undefined where it is not. */
  placeOf: Map<number, number>
}

const readBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  const raw = atob(text)
  const bytes = new Uint8Array(raw.length)
  for (let at = 0; at < raw.length; at += 1) bytes[at] = raw.charCodeAt(at)
  return bytes
}

export const readMatrix = ({ matrix, assemblies }: Pick<PanGenome, 'matrix' | 'assemblies'>): Matrix => {
  const bytes = readBase64(matrix.families)
  const view = new DataView(bytes.buffer)
  const families = Uint32Array.from({ length: matrix.count }, (_, at) => view.getUint32(at * 4, true))
  const cells = readBase64(matrix.cells)
  const genomes = assemblies.length
  const at = (index: number, genome: number): number => {
    const cell = index * genomes + genome
    return (cells[cell >>> 2]! >>> ((cell & 3) * 2)) & 3
  }
  const present = new Uint16Array(families.length)
  for (let index = 0; index < families.length; index += 1) {
    let sum = 0
    for (let genome = 0; genome < genomes; genome += 1) if (at(index, genome) > 0) sum += 1
    present[index] = sum
  }
  return { families, genomes, at, present, placeOf: new Map([...families].map((family, index) => [family, index])) }
}
