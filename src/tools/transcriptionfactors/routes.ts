import { readFile } from 'node:fs/promises'
import { PortalError } from '../../contracts/errors.ts'
import type { ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { getGeneDomains, getRuleFile, listFamilies, listFamilyGenes, type Provenance } from './endpoints.ts'
import { aboutId, aboutKind, geneKind, getAbout, rulesPath, type StoredAbout, type StoredGene } from './stored.ts'

const provenanceOf = ({
  source,
  commands,
  evalue,
  searched,
  withDomains,
  labels,
  profiles,
}: StoredAbout): Provenance => ({
  source,
  commands,
  evalue,
  searched,
  withDomains,
  labels,
  profiles,
})

export const routes: ToolRoute[] = [
  answerEndpoint(listFamilies, async ({ assembly }, { data }) => {
    const found = new Map<string, StoredAbout>()
    const summaries = await data.listAssemblies()
    await Promise.all(
      summaries.map(async ({ id }) => {
        const about = await getAbout(data, id)
        if (about !== null) found.set(id, about)
      }),
    )
    const loaded = summaries.filter(({ id }) => found.has(id))
    const first =
      (assembly === undefined ? undefined : loaded.find(({ id }) => id === assembly)) ??
      loaded.find(({ id, reference }) => reference && Object.keys(found.get(id)!.counts).length > 0) ??
      loaded.find(({ id }) => Object.keys(found.get(id)!.counts).length > 0) ??
      loaded[0]
    const about = first === undefined ? null : found.get(first.id)!
    return {
      assembly: first?.id ?? null,
      about: about === null ? null : provenanceOf(about),
      rules: about?.rules ?? [],
      assemblies: loaded.map(({ id, name, species, speciesName, partial }) => {
        const { source, searched, counts } = found.get(id)!
        const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
        return { assembly: id, name, species, speciesName, partial: partial !== null, source, searched, total, counts }
      }),
    }
  }),

  answerEndpoint(listFamilyGenes, async ({ assembly, family }, { data }) => {
    await data.getAssembly(assembly)
    const about = await getAbout(data, assembly)
    if (about === null) throw new PortalError('NOT_FOUND')
    const records = (await data.listRecords<StoredGene>(geneKind, { assembly })).filter(({ data: stored }) =>
      family === undefined ? stored.family !== null : stored.family === family,
    )
    const genes = await data.getGenes(
      assembly,
      records.map(({ id }) => id),
    )
    const byId = new Map(genes.map((gene) => [gene.id, gene]))
    return {
      assembly,
      family: family ?? null,
      about: provenanceOf(about),
      rules: about.rules,
      genes: records.flatMap(({ id, data: stored }) => {
        const gene = byId.get(id)
        if (gene === undefined) return []
        const { symbol, description, biotype, sequence, start, end, strand } = gene
        return [{ ...stored, gene: { assembly, id, symbol, description, biotype, sequence, start, end, strand } }]
      }),
    }
  }),

  answerEndpoint(getGeneDomains, async ({ assembly, gene }, { data }) => {
    await data.getAssembly(assembly)
    const about = await data.getRecord<StoredAbout>(aboutKind, aboutId, { assembly })
    const found = about === null ? null : await data.getRecord<StoredGene>(geneKind, gene, { assembly })
    return { about: about === null ? null : provenanceOf(about), found, rules: about?.rules ?? [] }
  }),

  answerEndpoint(getRuleFile, async ({ assembly }, { data }) => {
    await data.getAssembly(assembly)
    const path = await data.bundleFile(assembly, rulesPath)
    if (path === null) throw new PortalError('NOT_FOUND')
    return { text: await readFile(path, 'utf8') }
  }),
]
