import { Download } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { isAbsent, isBroken, isWhole, presenceStates } from '../../bio/comparative/gene-presence.ts'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { PresenceMark } from '../../kit/ui/gene/presence-mark.tsx'
import { messages as presenceMessages } from '../../kit/ui/gene/presence-messages.ts'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { downloadToolRoute } from '../../kit/ui/tool/tool-route.ts'
import { PresenceForm } from './form.tsx'
import { GrowthFigure } from './growth-figure.tsx'
import { presenceInWords } from './in-words.ts'
import { MatrixFigure } from './matrix-figure.tsx'
import messages from './messages.ts'
import tool, { type ComparedGenome, type LostRegion, type Presence, stateOfLetter } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>
type Props = ResultProps<Input, Presence>

/** How many genes are in which state, genome by genome. */
const SummaryTable = ({ result, receipt }: Pick<Props, 'result' | 'receipt'>): ReactNode => {
  const t = useText(messages)
  const words = useText(presenceMessages)
  const nameOf = useAssemblyNames()
  const columns: TableColumn<ComparedGenome>[] = [
    { key: 'genome', title: t('column.genome'), value: ({ id }) => id, render: ({ id }) => nameOf(id) },
    ...presenceStates.map(
      (state, at): TableColumn<ComparedGenome> => ({
        key: state,
        // What no genome has is a column of zeros.
        hidden: result.genomes.every(({ counts }) => counts[at] === 0),
        main: state === 'gone' || state === 'disrupted',
        title: words(`state.${state}`),
        help: words(`lead.${state}`),
        kind: 'number',
        value: ({ counts }) => counts[at]!,
      }),
    ),
  ]
  return (
    <Card title={t('summary.title')} flush>
      <ResultTable
        columns={columns}
        rows={result.genomes}
        rowKey={({ id }) => id}
        name="presence-genomes"
        receipt={receipt}
        label={t('summary.title')}
      />
    </Card>
  )
}

const RegionTable = ({ result, receipt }: Pick<Props, 'result' | 'receipt'>): ReactNode => {
  const t = useText(messages)
  const listOf = useAssemblyList()
  const format = useFormat()
  const [withMobile, setWithMobile] = useState(false)
  const { assembly, genomes, regions } = result
  const mobile = regions.filter((one) => one.mobile).length
  const primers = useOpenings('distinctRegion')
  const rows = useMemo(() => (withMobile ? regions : regions.filter((one) => !one.mobile)), [regions, withMobile])
  const namesOf = ({ genomes: numbers }: LostRegion): string => listOf(numbers.map((number) => genomes[number]!.id))
  const gene = (id: string, symbol: string | null): ReactNode => (
    <GeneLink id={id} assembly={assembly} symbol={symbol} />
  )
  const endsOf = ({ firstGene, lastGene, firstSymbol, lastSymbol }: LostRegion): string =>
    firstGene === lastGene ? (firstSymbol ?? firstGene) : `${firstSymbol ?? firstGene}–${lastSymbol ?? lastGene}`
  return (
    <Card title={t('regions.title')} flush>
      <p className="nv-quiet presence-note">{t('regions.method')}</p>
      <ResultTable
        rows={rows}
        rowKey={({ first, last, start }) => `${first}-${last}-${start}`}
        name="presence-regions"
        receipt={receipt}
        label={t('regions.title')}
        pageSize={25}
        empty={<EmptyState title={t('regions.none')} why={t('regions.noneWhy')} />}
        columns={[
          {
            key: 'name',
            title: t('column.name'),
            help: t('help.name'),
            main: true,
            value: (one) => (one.names.length === 0 ? endsOf(one) : format.series(one.names)),
          },
          {
            key: 'first',
            title: t('column.first'),
            kind: 'id',
            value: ({ firstGene }) => firstGene,
            render: ({ firstGene, firstSymbol }) => gene(firstGene, firstSymbol),
          },
          {
            key: 'last',
            title: t('column.last'),
            kind: 'id',
            value: ({ lastGene }) => lastGene,
            render: ({ lastGene, lastSymbol }) => gene(lastGene, lastSymbol),
          },
          {
            key: 'genes',
            title: t('column.lost'),
            help: t('help.lost'),
            kind: 'number',
            main: true,
            value: ({ genes }) => genes,
          },
          {
            key: 'overlapping',
            title: t('column.overlapping'),
            help: t('help.overlapping'),
            kind: 'number',
            value: ({ overlapping }) => overlapping,
          },
          {
            key: 'size',
            title: t('column.size'),
            help: t('help.size'),
            kind: 'number',
            main: true,
            value: ({ sizeBp }) => sizeBp,
          },
          {
            key: 'locus',
            title: t('column.locus'),
            kind: 'region',
            value: ({ sequence, start, end }) => `${sequence}:${start}..${end}`,
            on: ({ sequence }) => ({ assembly, sequence }),
          },
          { key: 'genomes', title: t('column.genomes'), main: true, value: namesOf },
          ...primers.map(
            (opening): TableColumn<LostRegion> => ({
              key: opening.tool.id,
              title: opening.label,
              value: () => null,
              render: ({ sequence, start, end, genomes: lacking }) => (
                <ButtonLink
                  size="small"
                  to={opening.address({
                    assembly,
                    sequence,
                    start,
                    end,
                    genomes: assembly,
                    otherGenomes: lacking.map((number) => genomes[number]!.id).join(','),
                  })}
                >
                  {t('regions.primers')}
                </ButtonLink>
              ),
            }),
          ),
          {
            key: 'mobile',
            title: t('column.mobile'),
            hidden: true,
            value: (one) => (one.mobile ? t('mobile.yes') : null),
          },
        ]}
      />
      {mobile === 0 ? null : (
        <div className="presence-note">
          <Checkbox checked={withMobile} onCheck={setWithMobile}>
            {t('regions.mobile', { count: mobile })}
          </Checkbox>
        </div>
      )}
    </Card>
  )
}

const GeneTable = ({ input, result, receipt }: Pick<Props, 'input' | 'result' | 'receipt'>): ReactNode => {
  const t = useText(messages)
  const words = useText(presenceMessages)
  const format = useFormat()
  const listOf = useAssemblyList()
  const nameOf = useAssemblyNames()
  const { assembly, genes, genomes, outgroups } = result
  const rows = useMemo(() => [...genes.id.keys()], [genes])
  const references = useMemo(() => genes.id.map((id) => ({ id, assembly })), [genes.id, assembly])
  const asked = (['absent', 'broken', 'intact'] as const).flatMap((state) =>
    input[state].length === 0 ? [] : [t(`set.${state}`, { names: listOf(input[state]) })],
  )
  const save = (path: 'table' | 'fasta', name: string): void =>
    void downloadToolRoute(tool.id, path, { ...input, assembly }, name)
  const columns: TableColumn<number>[] = [
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: (at) => genes.id[at]!,
      render: (at) => <GeneLink id={genes.id[at]!} assembly={assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', main: true, value: (at) => genes.symbol[at]! },
    { key: 'description', title: t('column.description'), long: true, value: (at) => genes.description[at]! },
    ...genomes.map(
      ({ id }, genome): TableColumn<number> => ({
        key: id,
        title: nameOf(id),
        main: genome < 2,
        value: (at) => words(`state.${stateOfLetter(genes.states[at]![genome]!)}`),
        render: (at) => {
          const state = stateOfLetter(genes.states[at]![genome]!)
          return (
            <span className="presence-cell" title={words(`lead.${state}`)}>
              <PresenceMark state={state} /> {words(`state.${state}`)}
            </span>
          )
        },
      }),
    ),
    ...outgroups.flatMap(({ id, counts }): TableColumn<number>[] =>
      counts === null
        ? []
        : [
            {
              key: `family-${id}`,
              title: t('column.family', { name: nameOf(id) }),
              help: t('help.family'),
              kind: 'number',
              value: (at) => counts[at]!,
            },
          ],
    ),
    {
      key: 'locus',
      title: t('column.locus'),
      kind: 'region',
      value: (at) => `${genes.sequence[at]}:${genes.start[at]}..${genes.end[at]}`,
      on: (at) => ({ assembly, sequence: genes.sequence[at]! }),
    },
    { key: 'strand', title: t('column.strand'), hidden: true, value: (at) => genes.strand[at]! },
  ]
  return (
    <Card
      title={t('genes.title')}
      flush
      aside={
        genes.id.length === 0 ? undefined : (
          <span className="presence-actions">
            <GeneSetMenu
              genes={references}
              name={asked.length === 0 ? t('set.all', { name: nameOf(assembly) }) : format.series(asked)}
            />
            <Button
              size="small"
              icon={<Download size={14} aria-hidden />}
              onClick={() => save('table', `gene-presence-${assembly}.tsv`)}
            >
              {t('genes.table')}
            </Button>
            <Button
              size="small"
              icon={<Download size={14} aria-hidden />}
              onClick={() => save('fasta', `gene-presence-${assembly}.fa`)}
            >
              {t('genes.fasta')}
            </Button>
          </span>
        )
      }
    >
      <ResultTable
        columns={columns}
        rows={rows}
        rowKey={(at) => genes.id[at]!}
        gene={(at) => ({ id: genes.id[at]!, assembly })}
        name="presence-genes"
        receipt={receipt}
        label={t('genes.title')}
        empty={<EmptyState title={t('genes.none')} why={t('genes.noneWhy')} />}
      />
    </Card>
  )
}

/** More genes than these are not put into an address. */
const mostInAddress = 200

const ResultView = ({ input, result, receipt }: Props): ReactNode => {
  const t = useText(messages)
  const listOf = useAssemblyList()
  const nameOf = useAssemblyNames()
  const language = useLanguage()
  const asked = input.genes ?? []
  const families = useOpenings('geneFamilies', result.assembly)
  const outgroups = result.outgroups.map(({ id }) => id)
  const compared = result.outgroups.flatMap(({ id, counts }) => (counts === null ? [] : [id]))
  const partial = result.genomes.filter((one) => one.partial).map(({ id }) => id)
  return (
    <>
      {result.missing.length === 0 ? null : (
        <p className="nv-warn">{t('note.missing', { assemblies: listOf(result.missing) })}</p>
      )}
      {outgroups.length === 0 ? null : (
        <p className="nv-quiet">
          {compared.length === 0 ? null : t('note.outgroups', { assemblies: listOf(compared) })}{' '}
          {compared.length === outgroups.length
            ? null
            : t('note.notCompared', { assemblies: listOf(outgroups.filter((id) => !compared.includes(id))) })}{' '}
          {families.map(({ tool: { id, title }, address }) => (
            <Link
              key={id}
              to={address({ genes: asked.length > mostInAddress ? '' : asked.join(','), assembly: result.assembly })}
            >
              {t('note.families', { tool: title[language] })}
            </Link>
          ))}
        </p>
      )}
      {partial.length === 0 ? null : <p className="nv-warn">{t('note.partial', { assemblies: listOf(partial) })}</p>}
      {result.unknown.length === 0 ? null : (
        <p className="nv-warn">
          {t('note.unknown', { assembly: nameOf(result.assembly), names: result.unknown.join(', ') })}
        </p>
      )}
      <MatrixFigure key={result.genes.id.length} result={result} receipt={receipt} />
      <RegionTable result={result} receipt={receipt} />
      <GeneTable {...{ input, result, receipt }} />
      <SummaryTable result={result} receipt={receipt} />
      <GrowthFigure result={result} receipt={receipt} />
    </>
  )
}

const isUnconditional = ({ absent, broken, intact, others, familyAbsent, familyPresent }: Input): boolean =>
  absent.length + broken.length + intact.length + familyAbsent.length + familyPresent.length === 0 && !others

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Result: ResultView,
  layout: 'top',
  Form: PresenceForm,
  fields: {
    absent: { widget: 'assemblies' },
    broken: { widget: 'assemblies' },
    intact: { widget: 'assemblies' },
    familyAbsent: { widget: 'assemblies' },
    familyPresent: { widget: 'assemblies' },
  },
  inWords: ({ result, language }) => presenceInWords(result, (state) => presenceMessages[language][`state.${state}`]),
  headline: ({ input, result, t, format, assemblyName }) => {
    // Of genes that were named, how many they are is known: what became of them is the answer.
    if (input.genes !== undefined && isUnconditional(input)) {
      const states = result.genes.states.map((letters) => [...letters].map(stateOfLetter))
      return t('head.asked', {
        genes: states.length,
        assembly: assemblyName(result.assembly),
        genomes: result.genomes.length,
        intact: states.filter((of) => of.every(isWhole)).length,
        absent: states.filter((of) => of.some(isAbsent)).length,
        broken: states.filter((of) => of.some(isBroken)).length,
      })
    }
    return t('head', {
      // A question of broken or intact genes besides is told by the form.
      absent:
        input.absent.length === 0 || input.broken.length > 0 ? 'none' : format.series(input.absent.map(assemblyName)),
      rest: input.others || input.intact.length > 0 ? result.genomes.length - input.absent.length : 0,
      genes: result.genes.id.length,
      // The figure counts these by themselves.
      paralog: result.genes.states.filter((letters) =>
        result.genomes.some(({ id }, at) => input.absent.includes(id) && stateOfLetter(letters[at]!) === 'paralog'),
      ).length,
      total: result.total,
      assembly: assemblyName(result.assembly),
      genomes: result.genomes.length,
      regions: result.regions.filter((one) => !one.mobile).length,
      mobile: result.regions.filter((one) => one.mobile).length,
      lost: result.lost,
    })
  },
})
