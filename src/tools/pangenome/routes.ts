import { countFrequencies, countGenomes, familyClass } from '../../bio/comparative/pan-genome.ts'
import { listOrthogroupGenes, listOrthogroupIds, listRepresentatives } from '../../database/homologs.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { tableHead, tsvLine } from '../../kit/write-table.ts'
import { chooseAssemblies, citations, countsOf, requireHomology } from './choose-assemblies.ts'
import { fileInput, getGeneFamily, listFamilies, listFamilyGenes, maxNamed } from './endpoints.ts'
import tool from './tool.ts'

export const routes: ToolRoute[] = [
  answerEndpoint(listFamilies, async ({ assemblies: asked }, { data }) => {
    const { state, assemblies } = await chooseAssemblies(data, asked)
    const counts = await countsOf(data, assemblies)
    const named: { family: number; genes: number; max: number; present: number }[] = []
    const wanted: number[][] = assemblies.map(() => [])
    let total = 0
    for (let family = 0; family < counts.families; family += 1) {
      let [genes, max, present, first] = [0, 0, 0, -1]
      for (let genome = 0; genome < counts.genomes; genome += 1) {
        const own = counts.counts[family * counts.genomes + genome]!
        if (own === 0) continue
        if (first < 0) first = genome
        genes += own
        present += 1
        if (own > max) max = own
      }
      if (present === 0) continue
      total += 1
      if (named.length >= maxNamed) continue
      named.push({ family, genes, max, present })
      wanted[first]!.push(family)
    }
    const ids = await listOrthogroupIds(
      data.sql,
      state.bundle,
      named.map(({ family }) => family),
    )
    const about = new Map<string, { at: number; gene: string; symbol: string | null; description: string | null }>()
    for (const [at, groups] of wanted.entries()) {
      if (groups.length === 0) continue
      const bundle = await data.bundleNumber(assemblies[at]!.id)
      const own = groups.map((family) => ids.get(family)!)
      for (const row of await listRepresentatives(data.sql, state.bundle, bundle, own))
        about.set(row.orthogroup, { at, ...row })
    }
    const aboutOf = ({ family }: { family: number }) => about.get(ids.get(family) ?? '')
    return {
      total,
      families: named.map(({ family }) => family),
      ids: named.map(({ family }) => ids.get(family) ?? ''),
      genes: named.map(({ genes }) => genes),
      max: named.map(({ max }) => max),
      present: named.map(({ present }) => present),
      assembly: named.map((one) => aboutOf(one)?.at ?? 0),
      gene: named.map((one) => aboutOf(one)?.gene ?? ''),
      symbol: named.map((one) => aboutOf(one)?.symbol ?? null),
      description: named.map((one) => aboutOf(one)?.description ?? null),
    }
  }),
  answerEndpoint(listFamilyGenes, async ({ assembly, families }, { data }) => {
    const state = await requireHomology(data)
    const { id } = await data.getAssembly(assembly)
    if (!state.covered.includes(id)) return { genes: [] }
    const wanted = families === undefined ? null : new Set(families)
    const rows = await listOrthogroupGenes(data.sql, state.bundle, await data.bundleNumber(id))
    return {
      genes: rows
        .filter(({ orthogroup }) => wanted === null || wanted.has(orthogroup))
        .map(({ gene, orthogroup, position }) => ({ id: gene, family: orthogroup, number: position }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    }
  }),
  answerEndpoint(getGeneFamily, async ({ assembly, gene }, { data }) => {
    const around = (await data.getAssembly(assembly)).id
    const { state, assemblies, outgroups } = await chooseAssemblies(data, [], around)
    const group = (await data.listOrthogroups(around, [gene])).get(gene)
    const counts = await countsOf(data, assemblies)
    const members = group === undefined ? null : (await data.getOrthogroup(group))?.members
    return {
      known: !state.missing.includes(around),
      family: group ?? null,
      current: state.current,
      assemblies: assemblies.map(({ id, partial }) => ({
        id,
        partial: partial !== null,
        genes: members?.get(id) ?? [],
      })),
      outgroups: outgroups
        .filter((id) => !assemblies.some((one) => one.id === id))
        .map((id) => ({ id, genes: members?.get(id) ?? [] })),
      frequencies: countFrequencies(countGenomes(counts), counts.genomes),
    }
  }),
  defineRoute({
    path: 'file',
    summary: 'Table of all gene families: class, and their genes in each assembly',
    method: 'POST',
    input: fileInput,
    handle: async (input, { data, describeReceipt, signal }) => {
      const { assemblies } = await chooseAssemblies(data, input.assemblies)
      const ids = assemblies.map(({ id }) => id)
      const head = await describeReceipt({
        parameters: { ...input, assemblies: ids },
        assemblies: ids,
        steps: [
          {
            program: 'NovoDB pan-genome',
            version: String(tool.version),
            formula: `core in >= ${input.core} of the assemblies, soft core >= ${input.softCore}, private in <= ${input.private}, shell the rest; a family counts as present where any of its genes is annotated, which tells nothing of the DNA of one gene`,
          },
        ],
        citations: [citations.mcl],
      })
      const body = async function* (): AsyncGenerator<string> {
        yield tableHead(head, ['family', 'class', 'assemblies', 'genes', ...ids], 'tsv')
        for await (const groups of data.streamOrthogroups()) {
          signal.throwIfAborted()
          const lines: string[] = []
          for (const { id, members } of groups) {
            const own = ids.map((assembly) => members.get(assembly) ?? [])
            const present = own.filter((genes) => genes.length > 0).length
            if (present === 0) continue
            const kind = familyClass(present, ids.length, input)
            const genes = own.reduce((sum, one) => sum + one.length, 0)
            const cells = own.map((one) => (input.cells === 'counts' ? one.length : one.join(',')))
            lines.push(tsvLine([id, kind, present, genes, ...cells]))
          }
          yield lines.join('')
        }
      }
      return {
        body: body(),
        contentType: 'text/tab-separated-values; charset=utf-8',
        fileName: `gene-families-${input.cells}.tsv`,
      }
    },
  }),
]
