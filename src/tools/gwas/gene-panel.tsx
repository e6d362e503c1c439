import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { addressWith, scanAddress } from './addresses.ts'
import { findAtLocus } from './endpoints.ts'
import { pColumn, useScans, useTraitName } from './figures/parts.tsx'
import messages from './messages.ts'
import tool, { associationKind } from './tool.ts'
import './screen.css'

/** Bases on each side of the gene within which hits are told. */
const flankBp = 10_000

const useAtLocus = (gene: Gene) => {
  const answer = useQuery({
    queryKey: ['gwas-panel', gene.assembly, gene.id],
    queryFn: (context) => call(findAtLocus, { assembly: gene.assembly, gene: gene.id, flankBp }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })
  return { answer, rows: answer.data?.rows.filter(({ significant }) => significant > 0) }
}

/** Traits that are named one by one where none of them is associated. */
const namedTraits = 3

const useFoundText = (assembly: string): ((count: number, traits: number) => string) => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useTraitName(assembly)
  const { data } = useScans(assembly)
  const flank = format.basePairs(flankBp)
  return (count, traits) => {
    if (count > 0) return t('panel.lead', { flank, count })
    const scanned = data?.sets.flatMap((set) => set.traits.map((trait) => nameOf(set.id, trait.id))) ?? []
    return scanned.length === 0 || scanned.length > namedTraits
      ? t('panel.nothing', { flank, count: traits })
      : t('panel.nothingOf', { flank, names: format.list([...new Set(scanned)]) })
  }
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const foundText = useFoundText(gene.assembly)
  const nameOf = useTraitName(gene.assembly)
  const { answer, rows } = useAtLocus(gene)
  const receipt = useCatalogueReceipt(
    tool.id,
    `significant tests within ${flankBp} bp of the gene`,
    { gene: gene.id, assembly: gene.assembly },
    [gene.assembly],
  )
  if (answer.isError) return <Unanswered of={answer} />
  if (rows === undefined || answer.data === undefined) return <Waiting />
  return (
    <>
      <p className="nv-quiet">{foundText(rows.length, answer.data.traitCount)}</p>
      {rows.length === 0 ? null : (
        <ResultTable
          plain
          label={t('panel.title')}
          name={`${gene.id}-gwas`}
          {...(receipt === undefined ? {} : { receipt })}
          rows={rows}
          rowKey={({ set, trait }) => `${set}|${trait}`}
          pageSize={10}
          columns={[
            {
              key: 'trait',
              title: t('column.trait'),
              value: ({ set, trait }) => nameOf(set, trait),
              render: ({ set, trait, simulated }) => (
                <>
                  <Link to={scanAddress(gene.assembly, set, trait)}>{nameOf(set, trait)}</Link>{' '}
                  <SimulatedTag simulated={simulated} />
                </>
              ),
            },
            { key: 'lead', title: t('column.lead'), kind: 'id', value: ({ best }) => best.id },
            { key: 'position', title: t('column.position'), kind: 'number', value: ({ best }) => best.position },
            pColumn(t('column.p'), ({ best }: { best: { logP: number } }) => best.logP),
            { key: 'hits', title: t('column.hits'), kind: 'number', value: ({ significant }) => significant },
          ]}
        />
      )}
      <FoldActions>
        <ButtonLink
          size="small"
          look="quiet"
          to={`${addressWith({ assembly: gene.assembly, gene: gene.id, flank: flankBp })}`}
        >
          {t('panel.open')}
        </ButtonLink>
      </FoldActions>
    </>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const foundText = useFoundText(gene.assembly)
  const { answer, rows } = useAtLocus(gene)
  return answer.data === undefined || rows === undefined
    ? undefined
    : { count: rows.length, text: foundText(rows.length, answer.data.traitCount) }
}

export default defineGenePanel({
  id: 'gwas',
  messages,
  needs: associationKind,
  section: { topic: 'variants', order: 20, heightPx: 240, useGist, Panel },
})
