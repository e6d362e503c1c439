import { basename } from 'node:path'
import { z } from 'zod'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { renderBrowserConfig } from './browser-config.ts'
import { renderPairs } from './gene-pairs.ts'
import { listSequenceAliases, maxSequences } from './sequence-aliases.ts'
import type { BakedTrack, ContactMapRecord } from './stored.ts'

/** The gene models that a look-up by region finds whole: with genes cut at the origins of circular sequences where there are such. */
const genesFileOf = async (data: PortalData, assembly: string): Promise<string | null> => {
  const file = (await data.bundleFile(assembly, 'genes-browser')) ?? (await data.bundleFile(assembly, 'genes.gff3.gz'))
  return file && basename(file)
}

export const routes: ToolRoute[] = [
  defineRoute({
    path: 'config/',
    summary: 'Configuration of JBrowse 2: assemblies, genes and every loaded track of one assembly',
    input: z.object({ assembly: z.string().max(64).optional() }),
    handle: async (input, { data, language }) => {
      const wanted = input.assembly ?? (await data.defaultAssembly())?.id ?? ''
      const { id } = await data.getAssembly(wanted)
      const assemblies = await data.listAssemblies()
      const configured = await Promise.all(
        assemblies.map(async (summary) => ({
          summary,
          genesFile: await genesFileOf(data, summary.id),
          tracks:
            summary.id === id
              ? (await data.listRecords<BakedTrack>('track', { assembly: id })).map((record) => record.data)
              : [],
          contacts:
            summary.id === id
              ? (await data.listRecords<ContactMapRecord>('contacts', { assembly: id })).map((record) => record.data)
              : [],
        })),
      )
      return { json: renderBrowserConfig(id, configured, language) }
    },
  }),
  defineRoute({
    path: 'pairs.paf',
    summary: 'Pairs of genes in collinear blocks of two assemblies as PAF, the first as query',
    input: z.object({ first: z.string().max(64), second: z.string().max(64) }),
    handle: async ({ first, second }, { data }) => ({
      body: await renderPairs(data, first, second),
      contentType: 'text/plain; charset=utf-8',
    }),
  }),
  defineRoute({
    path: 'names',
    summary: 'Other names of the sequences of an assembly, tab-separated, the own name first',
    // `bundle` only makes the address new when the assembly is loaded anew.
    input: z.object({ assembly: z.string().max(64), bundle: z.string().max(200).optional() }),
    handle: async (input, { data }) => {
      const { id, sequenceCount } = await data.getAssembly(input.assembly)
      // Scaffolds have no usual other names: of a draft only those that the lab gave.
      const isDraft = sequenceCount > maxSequences
      const known = isDraft ? await data.listAliasedSequences(id) : await data.listSequences(id)
      const names = listSequenceAliases(known, isDraft)
      return {
        body: names.map(({ name, aliases }) => `${[name, ...aliases].join('\t')}\n`).join(''),
        contentType: 'text/tab-separated-values; charset=utf-8',
      }
    },
  }),
]
