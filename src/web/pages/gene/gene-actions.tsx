import { type QueryFunctionContext, useQueries } from '@tanstack/react-query'
import { Download, EllipsisVertical, FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Gene } from '../../../contracts/genes.ts'
import { ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { GeneSetMenu, useGeneSetActions } from '../../../kit/ui/controls/gene-set-picker.tsx'
import { Menu, type MenuItem } from '../../../kit/ui/controls/menu.tsx'
import type { GenePanel } from '../../../kit/ui/gene/define-gene-panel.ts'
import { translator, useFormat, useLanguage, useLocale, useText } from '../../../kit/ui/language.tsx'
import { useAssemblies } from '../../../kit/ui/portal-data.ts'
import { useAvailableTools } from '../../../kit/ui/tool/tool-list.ts'
import { useOpenings } from '../../../kit/ui/tool/tool-openings.ts'
import { phone, useMedia } from '../../../kit/ui/use-media.ts'
import { messages } from '../../messages/pages.ts'
import { useGeneFiles } from './gene-files.ts'

/** Shown on either side of a gene where its place is opened. */
const aroundBp = 2000

/** What the tools do with the gene, under their names, and after it the tools that only open with it. */
const useAnalyses = (gene: Gene, panels: readonly GenePanel[]): MenuItem[] => {
  const t = useText(messages)
  const locale = useLocale()
  const language = useLanguage()
  const format = useFormat()
  const navigate = useNavigate()
  const tools = useAvailableTools()
  const assemblies = useAssemblies()
  const openings = useOpenings('gene', gene.assembly)
  const able = panels.filter(({ analyses }) => analyses !== undefined)
  const answers = useQueries({
    queries: able.map((panel) => ({
      queryKey: ['gene-analyses', panel.id, gene.assembly, gene.id, locale, assemblies.length],
      queryFn: async ({ signal, queryKey }: QueryFunctionContext) =>
        await panel.analyses!({
          gene,
          assemblies,
          t: translator(panel.messages, locale),
          format,
          request: { signal, queryKey },
        }),
      staleTime: 300_000,
    })),
  })
  const offered = new Map(able.map(({ id }, at) => [id, answers[at]?.data ?? []]))
  const values = valuesOf(gene)
  const own = tools.flatMap((tool) => {
    const analyses = offered.get(tool.id) ?? []
    return analyses.length === 0
      ? []
      : [
          { key: tool.id, heading: true, label: tool.title[language] },
          ...analyses.map(({ key, label, address }) => ({
            key: `${tool.id}-${key}`,
            icon: <tool.icon size={15} aria-hidden />,
            label,
            run: () => void navigate(address),
          })),
        ]
  })
  const others = tools.flatMap((tool) => {
    const opening = openings.find((one) => one.tool.id === tool.id)
    if (opening?.look === 'primary' || (offered.get(tool.id) ?? []).length > 0) return []
    if (opening === undefined && !tool.fields.includes('genes')) return []
    const address =
      opening?.address(values) ?? `${tool.route}?${new URLSearchParams({ genes: gene.id, assembly: gene.assembly })}`
    return [
      {
        key: tool.id,
        icon: <tool.icon size={15} aria-hidden />,
        label: tool.title[language],
        run: () => void navigate(address),
      },
    ]
  })
  return [
    ...own,
    ...(others.length === 0 ? [] : [{ key: 'others', heading: true, label: t('gene.openIn') }, ...others]),
  ]
}

/** A gene as tools take it that open with one. */
const valuesOf = (gene: Gene) => ({
  gene: gene.id,
  assembly: gene.assembly,
  sequence: gene.sequence,
  start: gene.start,
  end: gene.end,
  from: Math.max(1, gene.start - aroundBp),
  to: gene.end + aroundBp,
})

/** What can be done with the gene, beside its name; on a phone one menu of it all. */
export const GeneActions = ({ gene, panels }: { gene: Gene; panels: readonly GenePanel[] }): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const narrow = useMedia(phone)
  const genes = [{ id: gene.id, assembly: gene.assembly }]
  const set = useGeneSetActions(genes)
  const analyses = useAnalyses(gene, panels)
  const values = valuesOf(gene)
  const primary = useOpenings('gene', gene.assembly).filter(({ look }) => look === 'primary')
  const sequences = useOpenings('geneSequences', gene.assembly)
  const files = useGeneFiles(gene)
  const downloads: MenuItem[] = [
    ...sequences.map(({ tool, address }) => ({
      key: `sequences-${tool.id}`,
      label: `${t('gene.sequences')} (FASTA)`,
      run: () => void navigate(address(values)),
    })),
    ...files,
  ]
  if (narrow)
    return (
      <Menu
        label={t('gene.actions')}
        icon={<EllipsisVertical size={15} aria-hidden />}
        className="nv-set-menu"
        items={[
          ...primary.map(({ tool, label, address }) => ({
            key: `open-${tool.id}`,
            icon: <tool.icon size={15} aria-hidden />,
            label,
            run: () => void navigate(address(values)),
          })),
          { key: 'download', heading: true, label: t('gene.download') },
          ...downloads,
          ...analyses,
          ...set.add,
        ]}
      >
        {set.form}
      </Menu>
    )
  return (
    <>
      <GeneSetMenu size="normal" genes={genes} send={false} />
      <Menu
        label={t('gene.analyse')}
        icon={<FlaskConical size={15} aria-hidden />}
        disabled={analyses.length === 0}
        items={analyses}
      />
      <Menu
        label={t('gene.download')}
        icon={<Download size={15} aria-hidden />}
        // A file says which data it is of.
        disabled={files.length === 0}
        items={downloads}
      />
      {primary.map(({ tool, look, label, address }) => (
        <ButtonLink key={tool.id} look={look} to={address(values)}>
          {label}
        </ButtonLink>
      ))}
    </>
  )
}
