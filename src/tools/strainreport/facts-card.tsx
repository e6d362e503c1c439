import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { AssemblyFacts, StrainReport } from './tool.ts'

const facts = ['length', 'sequences', 'n50', 'gc', 'gaps', 'genes', 'coding', 'busco'] as const

const readFact = (of: AssemblyFacts, fact: (typeof facts)[number]): number | null => {
  switch (fact) {
    case 'length':
      return of.lengthBp
    case 'sequences':
      return of.sequenceCount
    case 'n50':
      return of.n50Bp
    case 'gc':
      return Number((100 * of.gcFraction).toFixed(2))
    case 'gaps':
      return of.gapBp
    case 'genes':
      return of.geneCount
    case 'coding':
      return of.codingGeneCount
    case 'busco':
      return of.busco?.complete ?? null
  }
}

/** The two assemblies beside each other. */
export const FactsCard = ({ report, receipt }: { report: StrainReport; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const { strain, reference, alignment } = report
  const shown = (of: AssemblyFacts, fact: (typeof facts)[number]): ReactNode => {
    const value = readFact(of, fact)
    return value === null ? null : fact === 'gc' ? format.fixed(value, 2) : format.number(value, 1)
  }
  const apart = strain.lengthBp - reference.lengthBp
  const named = { strain: nameOf(strain.id), reference: nameOf(reference.id) }
  return (
    <Card title={t('facts.title')} flush>
      <div className="strain-lead">
        <p className="strain-head">
          {t(strain.geneCount === 0 ? 'facts.headBare' : 'facts.head', {
            ...named,
            size: format.basePairs(strain.lengthBp),
            more: apart > 0 ? 'more' : apart < 0 ? 'less' : 'same',
            difference: format.basePairs(Math.abs(apart)),
            sequences: strain.sequenceCount,
            genes: strain.geneCount,
          })}
        </p>
        {alignment === null ? null : (
          <p className="nv-quiet">
            {t('facts.aligned', {
              program: alignment.program,
              share: format.percent(alignment.alignedBp / reference.lengthBp, 2),
              own: format.percent(alignment.ownAlignedBp / strain.lengthBp, 2),
            })}
          </p>
        )}
      </div>
      <ResultTable
        label={t('facts.title')}
        name="strain-assemblies"
        receipt={receipt}
        plain
        rows={facts.filter((fact) => readFact(strain, fact) !== null || readFact(reference, fact) !== null)}
        rowKey={(fact) => fact}
        columns={[
          { key: 'fact', title: t('column.fact'), value: (fact) => t(`fact.${fact}`) },
          {
            key: 'strain',
            title: named.strain,
            kind: 'number',
            value: (fact) => readFact(strain, fact),
            render: (fact) => shown(strain, fact),
          },
          {
            key: 'reference',
            title: named.reference,
            kind: 'number',
            value: (fact) => readFact(reference, fact),
            render: (fact) => shown(reference, fact),
          },
        ]}
      />
    </Card>
  )
}
