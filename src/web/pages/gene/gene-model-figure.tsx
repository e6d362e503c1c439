import type { ReactNode } from 'react'
import type { Gene } from '../../../contracts/genes.ts'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { GeneStructure } from '../../../kit/ui/figures/gene-structure.tsx'
import { useBiotypeName } from '../../../kit/ui/gene/biology-names.ts'
import { useText } from '../../../kit/ui/language.tsx'
import { messages } from '../../messages/pages.ts'
import { useCircularLength, useGeneReceipt } from './gene-files.ts'

/** The gene's transcripts to scale. */
export const GeneModelFigure = ({ gene }: { gene: Gene }): ReactNode => {
  const receipt = useGeneReceipt(gene)
  const t = useText(messages)
  const biotypeName = useBiotypeName()
  const circularBp = useCircularLength(gene)
  return (
    <FigureFrame
      title={t('gene.structure')}
      name={`structure-${gene.id}`}
      method={t('gene.method')}
      receipt={receipt}
      numbers={{
        rows: gene.transcripts,
        rowKey: (one) => one.id,
        columns: [
          { key: 'id', title: t('gene.transcript'), kind: 'id', value: (one) => one.id },
          {
            key: 'biotype',
            title: t('gene.type'),
            value: (one) => one.biotype,
            render: (one) => biotypeName(one.biotype),
          },
          { key: 'start', title: t('gene.start'), kind: 'number', value: (one) => one.start },
          { key: 'end', title: t('gene.end'), kind: 'number', value: (one) => one.end },
          { key: 'exons', title: t('gene.exons'), kind: 'number', value: (one) => one.exons.length },
          { key: 'cdna', title: t('gene.cdna'), kind: 'number', value: (one) => one.cdnaLengthBp },
          { key: 'cds', title: t('gene.cds'), kind: 'number', value: (one) => one.cdsLengthBp },
          { key: 'residues', title: t('gene.residues'), kind: 'number', value: (one) => one.proteinLength },
          { key: 'protein', title: t('gene.proteinId'), kind: 'id', value: (one) => one.proteinId },
        ],
      }}
    >
      <GeneStructure gene={gene} circularBp={circularBp} />
    </FigureFrame>
  )
}
