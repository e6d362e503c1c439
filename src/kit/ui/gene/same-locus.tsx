import { useQuery } from '@tanstack/react-query'
import { MapPinned } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import {
  type AssemblyLift,
  type AssemblyLocus,
  type LiftedRegion,
  liftLimitBp,
  liftRegion,
} from '../../../contracts/lift.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { Unanswered, Waiting } from '../controls/empty-state.tsx'
import { useFormat, useText } from '../language.tsx'
import { useAssemblies } from '../portal-data.ts'
import { call } from '../request.ts'
import { fileName } from '../table/export.ts'
import { ResultTable } from '../table/result-table.tsx'
import { useCatalogueReceipt } from '../tool/catalogue-receipt.ts'
import { useOpenings } from '../tool/tool-openings.ts'
import { RegionText } from './region-text.tsx'
import { messages } from './same-locus-messages.ts'
import { useLocusLabel } from './sequence-name.tsx'
import { useAssemblyNames } from './species-names.tsx'

/** Bases from 1, both included. */
export interface RegionOfAssembly {
  assembly: string
  sequence: string
  start: number
  end: number
  /** `-` where the reverse strand is meant. */
  strand?: '+' | '-'
}

interface Row {
  lift: AssemblyLift
  locus: AssemblyLocus | null
}

/** Whether there is another assembly of the species in which the region could be looked up. */
const useHasOthers = (assembly: string): boolean => {
  const assemblies = useAssemblies()
  const species = assemblies.find(({ id }) => id === assembly)?.species
  return assemblies.some((one) => one.species === species && one.id !== assembly)
}

const useLift = (region: RegionOfAssembly, enabled: boolean) =>
  useQuery({
    queryKey: ['lift', region.assembly, region.sequence, region.start, region.end, region.strand],
    enabled,
    queryFn: (context) => {
      const { assembly, sequence, strand } = region
      // Start above end is the reverse strand.
      const [start, end] = strand === '-' ? [region.end, region.start] : [region.start, region.end]
      return call(liftRegion, { assembly, sequence, start, end }, context)
    },
    staleTime: 300_000,
    retry: false,
  })

const rowsOf = (answer: LiftedRegion): Row[] =>
  answer.lifts.flatMap((lift): Row[] =>
    lift.loci.length === 0 ? [{ lift, locus: null }] : lift.loci.map((locus) => ({ lift, locus })),
  )

const Places = ({ answer, region }: { answer: LiftedRegion; region: RegionOfAssembly }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const openings = [...useOpenings('region'), ...useOpenings('genesInRegion')]
  const receipt = useCatalogueReceipt(
    'lift',
    `places by alignments of whole genomes (${answer.alignment?.program ?? ''}, computed ${answer.alignment?.computedAt ?? ''}; reference ${answer.alignment?.reference ?? ''}); coordinates 1-based, inclusive`,
    { assembly: region.assembly, sequence: region.sequence, start: region.start, end: region.end },
    [region.assembly, ...answer.lifts.map(({ assembly }) => assembly)],
  )
  const lengthBp = region.end - region.start + 1
  const rows = rowsOf(answer)
  const where = ({ lift, locus }: Row): string | null => {
    if (locus !== null) return `${locus.sequence}:${locus.start}..${locus.end}`
    if (lift.deletedAt === null) return null
    const { sequence, start, end } = lift.deletedAt
    return `${sequence}:${start}..${end}`
  }
  const finding = ({ lift, locus }: Row): string => {
    if (locus?.role === 'copy') return t('lift.copy')
    if (locus?.role === 'rest') return t('lift.rest')
    if (locus !== null && lift.deletedAt !== null) return t('lift.elsewhere')
    return t(`lift.${lift.outcome}`, { reference: nameOf(answer.alignment?.reference ?? '') })
  }
  return (
    <>
      <ResultTable
        plain
        label={t('lift.title')}
        name={fileName('same-locus', region.assembly, region.sequence, String(region.start), String(region.end))}
        receipt={receipt}
        rows={rows}
        rowKey={({ lift, locus }) => `${lift.assembly}|${locus?.sequence}|${locus?.start}|${locus?.end}|${locus?.role}`}
        pageSize={50}
        columns={[
          {
            key: 'assembly',
            title: t('lift.assembly'),
            value: ({ lift }) => lift.assembly,
            render: ({ lift }) => nameOf(lift.assembly),
          },
          {
            key: 'locus',
            title: t('lift.locus'),
            kind: 'region',
            value: where,
            on: ({ lift, locus }) => {
              const sequence = locus?.sequence ?? lift.deletedAt?.sequence
              return sequence === undefined ? null : { assembly: lift.assembly, sequence }
            },
            render: ({ lift, locus }) => {
              if (locus !== null) return <RegionText>{format.locus(locus)}</RegionText>
              if (lift.deletedAt === null) return '–'
              const { sequence, start, end } = lift.deletedAt
              const beside = format.region(sequence, start, end)
              if (lift.outcome === 'replaced')
                return (
                  <span className="nv-quiet">
                    <RegionText>{beside}</RegionText>
                  </span>
                )
              return <span className="nv-quiet">{t('lift.beside', { locus: beside })}</span>
            },
          },
          {
            key: 'open',
            title: t('lift.open'),
            value: () => null,
            render: ({ lift, locus }) =>
              locus === null ? null : (
                <span className="nv-links">
                  {openings.map(({ tool, label, address }) => (
                    <Link
                      key={`${tool.id}${label}`}
                      title={label}
                      aria-label={label}
                      to={address(
                        {
                          assembly: lift.assembly,
                          sequence: locus.sequence,
                          start: locus.start,
                          end: locus.end,
                          strand: locus.strand,
                        },
                        { run: true },
                      )}
                    >
                      <tool.icon size={15} aria-hidden />
                    </Link>
                  ))}
                </span>
              ),
          },
          { key: 'finding', title: t('lift.finding'), value: finding },
          {
            key: 'strand',
            title: t('lift.strand'),
            value: ({ lift, locus }) => (locus ?? lift.deletedAt)?.strand ?? null,
          },
          {
            key: 'aligned',
            title: t('lift.aligned'),
            kind: 'number',
            digits: 1,
            help: t('lift.alignedHelp'),
            value: ({ locus }) => (locus === null ? null : (100 * locus.alignedBp) / lengthBp),
          },
          {
            key: 'identity',
            title: t('lift.identity'),
            kind: 'number',
            digits: 2,
            help: t('lift.identityHelp'),
            value: ({ locus }) => (locus === null || locus.identity === null ? null : 100 * locus.identity),
          },
          {
            key: 'change',
            title: t('lift.change'),
            kind: 'number',
            help: t('lift.changeHelp'),
            value: ({ locus }) => (locus === null ? null : locus.insertedBp - locus.missingBp),
          },
          {
            key: 'part',
            title: t('lift.part'),
            kind: 'region',
            value: ({ locus }) => (locus === null ? null : `${locus.regionStart}..${locus.regionEnd}`),
            hidden: !rows.some(({ locus }) => locus !== null && locus.role !== 'best'),
          },
          {
            key: 'mapq',
            title: t('lift.mapq'),
            kind: 'number',
            help: t('lift.mapqHelp'),
            // PAF's 255 says that the program gave none.
            value: ({ locus }) => (locus === null || locus.mapq === 255 ? null : locus.mapq),
            hidden: true,
          },
          { key: 'through', title: t('lift.through'), value: ({ lift }) => lift.through, hidden: true },
        ]}
      />
      <p className="nv-quiet">
        {t('lift.how', {
          program: answer.alignment?.program ?? '',
          reference: nameOf(answer.alignment?.reference ?? ''),
        })}
        {answer.lifts.some(({ through }) => through !== null) ? ` ${t('lift.howThrough')}` : null}
        {(answer.alignment?.missing.length ?? 0) > 0
          ? ` ${t('lift.missing', { assemblies: format.names(answer.alignment!.missing.map(nameOf)) })}`
          : null}
      </p>
    </>
  )
}

/**
 * The same place in every other assembly of the species, with what is there; nothing where the species has one assembly, and a word
 * why where the assemblies are not aligned.
 */
export const SameLocus = ({ region }: { region: RegionOfAssembly }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const hasOthers = useHasOthers(region.assembly)
  const tooLong = region.end - region.start + 1 > liftLimitBp
  const answer = useLift(region, hasOthers && !tooLong)
  if (!hasOthers) return <p className="nv-quiet">{t('lift.single')}</p>
  if (tooLong) return <p className="nv-quiet">{t('lift.tooLong', { limit: format.number(liftLimitBp) })}</p>
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  if (answer.data.alignment === null) return <p className="nv-quiet">{t('lift.notAligned')}</p>
  return <Places answer={answer.data} region={region} />
}

/** A button that opens the same in a dialog; nothing where the species has one assembly. */
export const SameLocusButton = ({
  region,
  size = 'small',
  label,
}: {
  region: RegionOfAssembly
  size?: 'small' | 'normal'
  /** Instead of "Same place in …". */
  label?: string
}): ReactNode => {
  const t = useText(messages)
  const placeOf = useLocusLabel()
  const nameOf = useAssemblyNames()
  const hasOthers = useHasOthers(region.assembly)
  const [open, setOpen] = useState(false)
  if (!hasOthers) return null
  return (
    <Fragment>
      <Button size={size} icon={<MapPinned size={14} aria-hidden />} onClick={() => setOpen(true)}>
        {label ?? t('lift.button')}
      </Button>
      <Dialog
        wide
        open={open}
        onClose={() => setOpen(false)}
        title={t('lift.of', {
          locus: placeOf(region.assembly, region),
          assembly: nameOf(region.assembly),
        })}
      >
        <SameLocus region={region} />
      </Dialog>
    </Fragment>
  )
}
