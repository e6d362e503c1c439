import { type ReactNode, useMemo } from 'react'
import type { Gene } from '../../../contracts/genes.ts'
import type { GeneSection } from '../../../kit/ui/gene/define-gene-panel.ts'
import { SameLocus } from '../../../kit/ui/gene/same-locus.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { useAssemblies } from '../../../kit/ui/portal-data.ts'
import { messages } from '../../messages/pages.ts'
import { GeneModelFigure } from './gene-model-figure.tsx'
import { GeneNeighbourhood } from './gene-neighbourhood.tsx'
import { GeneSequences } from './gene-sequences.tsx'
import { firstRows, GeneTerms } from './gene-terms.tsx'

/** A section as the page draws it. */
export interface OwnSection extends Omit<GeneSection, 'opened' | 'Panel' | 'heightPx'> {
  id: string
  title: string
  opened: boolean
  heightPx: number
  /** On a phone, where it is not half as high again. */
  narrowPx?: number
  /** All data of it are simulated. */
  simulated: boolean
  flush?: boolean
  content: ReactNode
}

/** A line of what stood beside the title or the figure, on a phone. */
const besideLinePx = 48
/** Lines of a sequence that are seen before it scrolls. */
const shownLines = 9

/** Sections that are no tool's: what every loaded gene has. */
export const useOwnSections = (gene: Gene): OwnSection[] => {
  const t = useText(messages)
  const format = useFormat()
  const titles = useAssemblies().find((one) => one.id === gene.assembly)?.termTitles
  const hasOthers = useAssemblies().filter(({ species }) => species === gene.species).length > 1
  return useMemo((): OwnSection[] => {
    const longest = [...gene.transcripts].sort((a, b) => b.cdnaLengthBp - a.cdnaLengthBp)[0]
    const protein = Math.max(0, ...gene.transcripts.map(({ proteinLength }) => proteinLength ?? 0))
    const sources = [...new Set(gene.terms.map(({ source }) => source))]
    const usual = { opened: true, simulated: false }
    const modelPx = 170 + 34 * gene.transcripts.length
    const lines = Math.ceil((protein > 0 ? protein : (longest?.cdnaLengthBp ?? 0)) / 60)
    const sequencePx = 185 + 20 * Math.min(shownLines, lines)
    return [
      {
        ...usual,
        id: 'structure',
        title: t('gene.structure'),
        topic: 'structure',
        order: 10,
        heightPx: modelPx,
        narrowPx: modelPx + besideLinePx,
        useGist: () => ({
          count: gene.transcripts.length,
          ...(longest === undefined
            ? {}
            : { text: t('gene.transcriptsValue', { count: gene.transcripts.length, exons: longest.exons.length }) }),
        }),
        content: <GeneModelFigure gene={gene} />,
      },
      {
        ...usual,
        id: 'neighbourhood',
        title: t('gene.neighbourhood'),
        topic: 'neighbours',
        order: 10,
        heightPx: 250,
        content: <GeneNeighbourhood gene={gene} />,
      },
      {
        ...usual,
        id: 'function',
        title: t('gene.function'),
        topic: 'function',
        order: 10,
        heightPx: gene.terms.length === 0 ? 155 : 130 + 34 * Math.min(gene.terms.length, firstRows + 1),
        flush: gene.terms.length > 0,
        useGist: () => ({
          count: gene.terms.length,
          text: format.list(sources.map((source) => format.text(titles?.[source] ?? source))),
        }),
        content: <GeneTerms gene={gene} />,
      },
      {
        ...usual,
        id: 'sequences',
        title: t('gene.sequences'),
        topic: 'sequence',
        order: 10,
        heightPx: sequencePx,
        narrowPx: sequencePx + besideLinePx,
        useGist: () =>
          protein > 0
            ? { text: t('gene.proteinLength', { count: protein }) }
            : longest === undefined
              ? {}
              : { text: `${format.number(longest.cdnaLengthBp)} bp` },
        content: <GeneSequences gene={gene} />,
      },
      ...(hasOthers
        ? [
            {
              id: 'samelocus',
              title: t('gene.alignment'),
              topic: 'homology' as const,
              order: 90,
              opened: false,
              simulated: false,
              heightPx: 260,
              content: (
                <SameLocus
                  region={{
                    assembly: gene.assembly,
                    sequence: gene.sequence,
                    start: gene.start,
                    end: gene.end,
                    strand: gene.strand === '-' ? '-' : '+',
                  }}
                />
              ),
            },
          ]
        : []),
    ]
  }, [gene, t, format, titles, hasOthers])
}
