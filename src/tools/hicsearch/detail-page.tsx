import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, FlaskConical, Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { runTool } from '../../contracts/tools/jobs.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { AssemblyPicker } from '../../kit/ui/controls/assembly-picker.tsx'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState, NoDataState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox, Field, NumberInput, Segmented, SelectField, TextInput } from '../../kit/ui/controls/field.tsx'
import { useSequenceLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies, useSpecies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { definePage } from '../../kit/ui/tool/define-screen.ts'
import { phone, useMedia } from '../../kit/ui/use-media.ts'
import { locusText } from './map/map-address.ts'
import { MapFields } from './map/map-fields.tsx'
import { type Look, MapFigure, moveWindow, type Target } from './map/map-figure.tsx'
import messages from './messages.ts'
import { NamesNote } from './names-note.tsx'
import { contactsData } from './stored.ts'
import tool, { type DomainsResult, type HicResult, type MapResult, type Place, usualWindow } from './tool.ts'
import { useBinSize, useMaps } from './use-maps.ts'
import './screen.css'

/** An answer of the tool with its receipt; undefined while it is on its way. */
const useAnswer = (input: Record<string, unknown>, enabled: boolean) =>
  useQuery({
    queryKey: ['hic-answer', JSON.stringify(input)],
    enabled,
    queryFn: async (context) => {
      const got = await call(runTool, { tool: tool.id, ...input }, context)
      if (!('result' in got)) throw new Error('no answer at once')
      return { result: got.result as HicResult, receipt: got.receipt }
    },
    staleTime: 5 * 60_000,
    retry: false,
    // The window before stays until the next has come; a change of the assembly or map is another matter.
    placeholderData: (previous) => previous,
  })

/** A box whose text goes to the address with Enter or when it is left. */
const LocusField = ({
  label,
  value,
  placeholder,
  onValue,
}: {
  label: string
  value: string
  placeholder: string
  onValue: (value: string) => void
}): ReactNode => {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  return (
    <Field label={label}>
      {(control) => (
        <TextInput
          {...control}
          className="nv-mono"
          placeholder={placeholder}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => {
            if (typed.trim() !== value) onValue(typed.trim())
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onValue(typed.trim())
          }}
        />
      )}
    </Field>
  )
}

const DomainsTable = ({ domains, receipt }: { domains: DomainsResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const binSize = useBinSize()
  const labelOf = useSequenceLabel()
  const { assembly } = domains
  const strengthOf = new Map(domains.boundaries.map(({ start, strength }) => [start, strength]))
  const { compartments } = domains
  const title = t('domains.title', { sequence: labelOf(assembly, domains.sequence) })
  return (
    <Card title={title}>
      <p className="nv-quiet">
        {t('domains.method', {
          window: domains.window,
          resolution: binSize(domains.resolution),
          compartments:
            compartments === null
              ? ''
              : t(compartments.oriented ? 'domains.oriented' : 'domains.unoriented', {
                  resolution: binSize(compartments.resolution),
                }),
        })}
      </p>
      <ResultTable<Place>
        label={title}
        name={`${domains.sequence}-domains`}
        receipt={receipt}
        rows={domains.tads}
        rowKey={locusText}
        empty={<EmptyState title={t('domains.none')} />}
        columns={[
          {
            key: 'sequence',
            title: t('column.sequence'),
            value: ({ sequence }) => sequence,
            on: ({ sequence }) => ({ assembly, sequence }),
          },
          { key: 'start', title: t('column.start'), kind: 'number', value: ({ start }) => start },
          { key: 'end', title: t('column.end'), kind: 'number', value: ({ end }) => end },
          { key: 'length', title: t('domains.length'), kind: 'number', value: ({ start, end }) => end - start + 1 },
          {
            key: 'strength',
            title: t('column.strength'),
            kind: 'number',
            digits: 2,
            value: ({ start }) => strengthOf.get(start) ?? null,
          },
          {
            key: 'region',
            title: t('column.bin'),
            hidden: true,
            kind: 'region',
            value: locusText,
            on: ({ sequence }) => ({ assembly, sequence }),
          },
        ]}
      />
    </Card>
  )
}

const contrastSteps = [-3, -2, -1, 0, 1, 2, 3]

const Detail = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query, change] = useAddressValues()
  const isPhone = useMedia(phone)
  const species = useSpecies()
  const first = useAssemblies().find(({ dataTypes }) => (dataTypes[contactsData] ?? 0) > 0)?.id
  const assembly = query.get('assembly') ?? first
  const mapsAnswer = useMaps(assembly)
  const known = mapsAnswer.data
  const asked = (name: string): string | undefined => query.get(name) ?? undefined
  const numberOf = (name: string): number | undefined => {
    const value = Number(query.get(name) ?? Number.NaN)
    return Number.isFinite(value) ? value : undefined
  }
  const locus = asked('locus') ?? ''
  const input = {
    assembly,
    task: 'map',
    locus,
    map: asked('map'),
    otherLocus: asked('otherLocus'),
    resolution: numberOf('resolution'),
    normalization: asked('normalization'),
    values: asked('values') === 'ratio' ? 'ratio' : undefined,
    signal: asked('signal'),
  }
  const ready = locus !== '' && assembly !== undefined && (known?.maps.length ?? 0) > 0
  const answer = useAnswer(input, ready)
  const compared = asked('compare')
  const other = useAnswer(
    { ...input, map: compared, resolution: undefined, normalization: undefined },
    ready && compared !== undefined,
  )
  const withDomains = query.get('domains') === '1'
  const shown = answer.data?.result.task === 'map' ? answer.data.result : null
  const domainsAnswer = useAnswer(
    {
      assembly,
      task: 'domains',
      map: asked('map'),
      normalization: asked('normalization'),
      locus: shown?.x.sequence ?? locus,
      window: numberOf('window'),
    },
    ready && withDomains && shown !== null,
  )
  const domains = withDomains && domainsAnswer.data?.result.task === 'domains' ? domainsAnswer.data.result : null
  const look: Look = query.get('look') === 'square' ? 'square' : 'triangle'
  const contrast = numberOf('contrast') ?? 0
  const viewpoint = numberOf('viewpoint') ?? null
  const set = (values: Record<string, string | number | null | undefined>): void =>
    change(
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          value === undefined || value === null || value === '' ? null : String(value),
        ]),
      ),
    )
  const go = (of: MapResult, { x, y }: Target): void =>
    set({
      locus: locusText({ sequence: of.x.sequence, ...x }),
      otherLocus: y === null ? null : locusText({ sequence: of.y.sequence, ...y }),
      // What was chosen for the wide view does not fit the near one: the resolution follows the window unless it still can be drawn.
      ...(query.get('resolution') !== null && !fits(of, x) ? { resolution: null } : {}),
    })
  const maps = known?.maps ?? []
  const figures = [
    { key: 'own', answer },
    ...(compared === undefined ? [] : [{ key: 'other', answer: other }]),
  ].flatMap((one) => {
    const { data } = one.answer
    return data?.result.task === 'map' ? [{ key: one.key, result: data.result, receipt: data.receipt }] : []
  })
  const signalOf = (id: string | undefined) => known?.signals.find((one) => one.id === id)
  // Without the list of assemblies, no maps can be asked for; without the maps, no window of one.
  const failed = [species, mapsAnswer, answer, ...(compared === undefined ? [] : [other])].find(
    ({ isError }) => isError,
  )
  // On a phone the map comes first: what is changed seldom is folded.
  const others = (
    <>
      <LocusField
        label={t('detail.other')}
        value={query.get('otherLocus') ?? ''}
        placeholder={t('detail.same')}
        onValue={(value) => set({ otherLocus: value, viewpoint: null })}
      />
      <Field label={t('field.assembly')}>
        {(control) => (
          <AssemblyPicker
            id={control.id}
            value={assembly ?? ''}
            needs={contactsData}
            onChoose={(id) =>
              set({
                assembly: id,
                map: null,
                locus: null,
                otherLocus: null,
                resolution: null,
                normalization: null,
                signal: null,
                compare: null,
                viewpoint: null,
              })
            }
          />
        )}
      </Field>
      <MapFields
        maps={maps}
        value={{
          map: asked('map'),
          resolution: input.resolution,
          normalization: input.normalization,
        }}
        onValue={set}
        brief
        {...(shown === null ? {} : { fitting: shown.fitting })}
      />
      <SelectField
        label={t('detail.signal')}
        value={asked('signal') ?? ''}
        onChoose={(id) => set({ signal: id })}
        options={[
          { value: '', label: t('detail.noSignal') },
          ...(known?.signals ?? []).map(({ id, name }) => ({ value: id, label: format.text(name) })),
        ]}
      />
      <SelectField
        label={t('detail.top')}
        value={String(contrast)}
        onChoose={(value) => set({ contrast: value === '0' ? null : value })}
        options={contrastSteps.map((step) => ({
          value: String(step),
          label: step < 0 ? `× 1/${2 ** -step}` : `× ${2 ** step}`,
        }))}
      />
      {withDomains ? (
        <Field label={t('detail.window')}>
          {(control) => (
            <NumberInput
              {...control}
              min={3}
              max={200}
              value={numberOf('window') ?? usualWindow}
              onNumber={(value) => set({ window: value })}
            />
          )}
        </Field>
      ) : null}
      {maps.length < 2 ? null : (
        <SelectField
          label={t('detail.compare')}
          value={compared ?? ''}
          onChoose={(id) => set({ compare: id })}
          options={[
            { value: '', label: t('detail.compareNone') },
            ...maps.map((one) => ({ value: one.id, label: format.text(one.name) })),
          ]}
        />
      )}
    </>
  )
  return (
    <main className="nv-page hic-page">
      <title>{`${t('detail.title')} · NovoDB`}</title>
      <header className="nv-page-head">
        <div>
          <h1>{t('detail.title')}</h1>
          <p className="nv-lead">{t('detail.lead')}</p>
        </div>
        <div className="nv-page-actions">
          {shown === null ? null : (
            <ButtonLink
              to={`${tool.route}?${new URLSearchParams({ assembly: assembly!, map: shown.map.id, locus: locusText(viewpoint === null ? shown.x : { sequence: shown.y.sequence, start: viewpoint, end: viewpoint }), run: '1' })}`}
            >
              {t('detail.search')}
            </ButtonLink>
          )}
        </div>
      </header>
      <Card>
        <div className="hic-controls">
          <LocusField
            label={t('detail.locus')}
            value={locus}
            placeholder={t('placeholder.locus')}
            onValue={(value) => set({ locus: value, viewpoint: null })}
          />
          {isPhone ? (
            <details className="nv-advanced hic-more">
              <summary>{t('detail.more')}</summary>
              <div className="hic-controls">{others}</div>
            </details>
          ) : (
            others
          )}
        </div>
        <div className="nv-figure-bar">
          <Segmented
            label={t('detail.look')}
            value={look}
            onChoose={(value) => set({ look: value === 'square' ? 'square' : null })}
            options={[
              { value: 'triangle', label: t('detail.triangle') },
              { value: 'square', label: t('detail.square') },
            ]}
          />
          <Segmented
            label={t('detail.values')}
            value={input.values ?? 'contacts'}
            onChoose={(value) => set({ values: value === 'ratio' ? 'ratio' : null })}
            options={[
              { value: 'contacts', label: t('detail.contacts') },
              { value: 'ratio', label: t('detail.ratio') },
            ]}
          />
          <Checkbox checked={withDomains} onCheck={(on) => set({ domains: on ? 1 : null })}>
            {t('detail.domains')}
          </Checkbox>
          {shown === null ? null : (
            <>
              <Button
                size="small"
                aria-label={t('detail.zoomIn')}
                icon={<ZoomIn size={15} aria-hidden />}
                onClick={() => go(shown, moveWindow(shown, { factor: 0.5 }))}
              />
              <Button
                size="small"
                aria-label={t('detail.zoomOut')}
                icon={<ZoomOut size={15} aria-hidden />}
                onClick={() => go(shown, moveWindow(shown, { factor: 2 }))}
              />
              <Button
                size="small"
                aria-label={t('detail.left')}
                icon={<ArrowLeft size={15} aria-hidden />}
                onClick={() => go(shown, moveWindow(shown, { by: [-0.5, 0] }))}
              />
              <Button
                size="small"
                aria-label={t('detail.right')}
                icon={<ArrowRight size={15} aria-hidden />}
                onClick={() => go(shown, moveWindow(shown, { by: [0.5, 0] }))}
              />
              <Button
                size="small"
                look="quiet"
                icon={<Maximize size={14} aria-hidden />}
                onClick={() =>
                  set({
                    locus: shown.x.sequence,
                    otherLocus: shown.symmetric ? null : shown.y.sequence,
                    resolution: null,
                  })
                }
              >
                {t('detail.whole')}
              </Button>
            </>
          )}
        </div>
      </Card>
      {failed !== undefined ? (
        <Unanswered of={failed} />
      ) : known !== undefined && maps.length === 0 ? (
        <NoDataState title={t('detail.noMaps')} how={t('detail.noMapsWhy')} />
      ) : locus === '' ? (
        <EmptyState
          title={t('detail.start')}
          why={t('detail.startWhy')}
          action={
            known?.example === undefined || known.example === null ? null : (
              <Button
                icon={<FlaskConical size={15} aria-hidden />}
                onClick={() => set({ locus: exampleWindow(maps, known.example!) })}
              >
                {t('detail.example')}
              </Button>
            )
          }
        />
      ) : shown === null ? (
        <Waiting />
      ) : (
        <>
          <div className={figures.length > 1 ? 'hic-pair' : undefined} aria-busy={answer.isPlaceholderData}>
            {figures.map(({ key, result, receipt }) => (
              <MapFigure
                key={key}
                result={result}
                domains={key === 'own' ? domains : null}
                look={look}
                contrast={contrast}
                viewpoint={viewpoint}
                receipt={receipt}
                signalName={result.signal === null ? null : format.text(signalOf(result.signal.id)?.name)}
                onMove={(target) => go(result, target)}
                onViewpoint={(position) => set({ viewpoint: position })}
              />
            ))}
          </div>
          <NamesNote map={shown.map} assembly={shown.assembly} />
          {withDomains && domainsAnswer.isError ? <Unanswered of={domainsAnswer} /> : null}
          {withDomains && domainsAnswer.isLoading ? <Waiting /> : null}
          {domains !== null && domainsAnswer.data !== undefined ? (
            <DomainsTable domains={domains} receipt={domainsAnswer.data.receipt} />
          ) : null}
        </>
      )}
    </main>
  )
}

/** Whether a window at the resolution that is shown would still have a number of bins that can be drawn. */
const fits = ({ resolution }: MapResult, { start, end }: { start: number; end: number }): boolean => {
  const bins = (end - start + 1) / resolution
  return bins >= 4 && bins <= 1000
}

/** The example's chromosome as a whole where the example is a region, as the map is best met; a gene is shown as it is. */
const exampleWindow = (maps: readonly { chromosomes: { sequence: string | null }[] }[], example: string): string =>
  maps[0]?.chromosomes.find(({ sequence }) => sequence !== null && example.startsWith(`${sequence}:`))?.sequence ??
  maps[0]?.chromosomes.find(({ sequence }) => sequence !== null)?.sequence ??
  example

export default definePage({ Page: Detail })
