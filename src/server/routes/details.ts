import type { FastifyInstance } from 'fastify'
import type { Reference } from '../../bio/literature/references.ts'
import { type Detail, getDetail } from '../../contracts/details.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { getRecord } from '../../database/records.ts'
import { findSequenceRow } from '../../database/sequences.ts'
import { findGenesOfTerm, getTerm, listChildTerms, nameTerms } from '../../database/terms.ts'
import { implement } from '../answers/implement.ts'
import type { Portal } from '../portal.ts'

const geneLimit = 100
const childLimit = 200

/** Records of what is not a gene. */
export const mountDetails = (app: FastifyInstance, portal: Portal): void => {
  const { data } = portal

  const transcript = async (id: string, assembly?: string): Promise<Detail | null> => {
    const found = await data.getGene(id, assembly)
    const own = found?.gene.transcripts.find((one) => one.id === id || one.proteinId === id)
    if (found === null || own === undefined) return null
    const { gene } = found
    const summary: GeneSummary = {
      assembly: gene.assembly,
      id: gene.id,
      symbol: gene.symbol,
      description: gene.description,
      biotype: gene.biotype,
      sequence: gene.sequence,
      start: gene.start,
      end: gene.end,
      strand: gene.strand,
    }
    return { type: 'transcript', assembly: gene.assembly, gene: summary, transcript: own }
  }

  const term = async (id: string, species?: string): Promise<Detail | null> => {
    const { active, assemblies, filled } = await data.snapshot()
    for (const entry of active) {
      if (species !== undefined && entry.id !== species) continue
      const row = await getTerm(
        data.sql,
        entry.bundles.map((bundle) => bundle.bundle).filter((bundle) => filled.terms.has(bundle)),
        id,
      )
      if (row === null) continue
      const parts: Extract<Detail, { type: 'term' }>['assemblies'] = []
      for (const { summary, bundle } of assemblies.values()) {
        if (!entry.bundles.some((one) => one.bundle === bundle.bundle)) continue
        const { count, ids } = await findGenesOfTerm(data.sql, bundle.bundle, row.bundle, row.term, geneLimit)
        if (count === 0) continue
        const { found } = await data.resolveGenes(ids, summary.id)
        parts.push({ assembly: summary.id, geneCount: count, genes: found.map((one) => one.gene) })
      }
      return {
        type: 'term',
        species: entry.id,
        source: row.source,
        id: row.term,
        name: row.name,
        namespace: row.namespace,
        definition: row.definition,
        obsolete: row.obsolete,
        replacedBy: row.replacedBy,
        synonyms: row.synonyms,
        alternativeIds: row.alternativeIds,
        parents: await nameTerms(data.sql, row.bundle, row.parents),
        children: await listChildTerms(data.sql, row.bundle, row.term, childLimit),
        assemblies: parts,
      }
    }
    return null
  }

  const reference = async (id: string, species?: string): Promise<Detail | null> => {
    const { active, filled } = await data.snapshot()
    for (const entry of active) {
      if (species !== undefined && entry.id !== species) continue
      const bundles = entry.bundles.map((bundle) => bundle.bundle).filter((bundle) => filled.records.has(bundle))
      const found = await getRecord<Reference>(data.sql, bundles, 'reference', id)
      if (found !== null) return { ...found, type: 'reference', species: entry.id, id }
    }
    return null
  }

  const sequence = async (id: string, assembly?: string): Promise<Detail | null> => {
    for (const known of (await data.snapshot()).assemblies.keys()) {
      if (assembly !== undefined && known !== assembly) continue
      const row = await findSequenceRow(data.sql, await data.bundleNumber(known), id)
      if (row !== null) {
        const { position: _, ...rest } = row
        return { type: 'sequence', assembly: known, ...rest }
      }
    }
    return null
  }

  implement(app, getDetail, async ({ type, id, assembly, species }) => {
    const found =
      type === 'transcript'
        ? await transcript(id, assembly)
        : type === 'term'
          ? await term(id, species)
          : type === 'reference'
            ? await reference(id, species)
            : await sequence(id, assembly)
    if (found === null) throw new PortalError('NOT_FOUND')
    return found
  })
}
