import { useQuery } from '@tanstack/react-query'
import { rgb } from 'd3'
import { Camera, Download, Minus, Plus, RotateCcw, RotateCw, Scan } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { residueOfNumber } from '../../bio/structure/structure-places.ts'
import { impactOf, impacts } from '../../bio/variation/consequences.ts'
import type { Gene } from '../../contracts/genes.ts'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Segmented, Select } from '../../kit/ui/controls/field.tsx'
import { tokenColour } from '../../kit/ui/figures/palette.ts'
import { consequenceColour } from '../../kit/ui/gene/consequence-mark.tsx'
import { messages as consequenceMessages } from '../../kit/ui/gene/consequence-messages.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { addressOf, queryOf, requestAnswer } from '../../kit/ui/request.ts'
import { downloadBlob, fileName } from '../../kit/ui/table/export.ts'
import { useTheme } from '../../kit/ui/theme.ts'
import type { ShownStructure } from './endpoints.ts'
import messages from './messages.ts'
import type { Selection } from './protein-figure.tsx'
import type { StructureCanvas } from './structure-canvas.ts'
import { type Colouring, chainRanges, colourings, colourResidues, confidenceSteps } from './structure-colours.ts'
import tool, { type Protein } from './tool.ts'

/** A token may be a short form (#fff) or the name of a colour once the build has made it smaller. */
const groundColour = (): string => rgb(tokenColour('surface')).formatHex()

const useStructureText = (gene: Gene, structure: ShownStructure) =>
  useQuery({
    queryKey: ['protein-structure', gene.assembly, gene.id, structure.name],
    queryFn: async ({ signal }) => {
      const response = await requestAnswer(structureAddress(gene, structure), {}, { signal })
      return response.text()
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

const structureAddress = (gene: Gene, { name }: ShownStructure): string =>
  addressOf(`/api/tools/${tool.id}/structure${queryOf({ assembly: gene.assembly, gene: gene.id, name })}`)

/** A structure in Mol*, coloured by what the figure of its protein shows; what is chosen in one is chosen in the other. */
export const StructureView = ({
  gene,
  protein,
  structures,
  chosen,
  onChoose,
  selection,
  onSelect,
}: {
  gene: Gene
  protein: Protein
  structures: readonly ShownStructure[]
  chosen: ShownStructure
  onChoose: (name: string) => void
  selection: Selection | null
  onSelect: (selection: Selection | null) => void
}): ReactNode => {
  const t = useText(messages)
  const words = useText(consequenceMessages)
  const format = useFormat()
  const theme = useTheme()
  const host = useRef<HTMLDivElement>(null)
  const [canvas, setCanvas] = useState<StructureCanvas | null>(null)
  const [failed, setFailed] = useState(false)
  const offered = colourings.filter((one) =>
    one === 'domains'
      ? protein.features.length > 0
      : one === 'variants'
        ? protein.variants.length > 0
        : chosen.confidence !== null,
  )
  const [wanted, setWanted] = useState<Colouring | null>(null)
  const by = wanted !== null && offered.includes(wanted) ? wanted : (offered[0] ?? 'domains')
  const answer = useStructureText(gene, chosen)
  const text = answer.data
  const chains = useMemo(
    () =>
      new Map(
        chosen.chains.filter(({ transcript }) => transcript === protein.transcript).map(({ id, runs }) => [id, runs]),
      ),
    [chosen, protein],
  )
  const colour = useMemo(() => colourResidues(chains, protein, by), [chains, protein, by])
  const hear = useEffectEvent((found: { chain: string; number: number } | null, how: 'pointed' | 'pressed') => {
    if (how !== 'pressed') return
    const runs = found === null ? undefined : chains.get(found.chain)
    const residue = found === null || runs === undefined ? null : residueOfNumber(runs, found.number)
    onSelect(residue === null ? null : { start: residue, end: residue })
  })
  const open = useEffectEvent(
    async (module: typeof import('./structure-canvas.ts'), box: HTMLDivElement, content: string) =>
      module.openStructureCanvas(box, {
        text: content,
        format: chosen.format,
        background: groundColour(),
        colour,
        onResidue: (residue, how) => hear(residue, how),
      }),
  )
  useEffect(() => {
    const box = host.current
    if (box === null || text === undefined) return
    let opened: StructureCanvas | null = null
    let gone = false
    setFailed(false)
    import('./structure-canvas.ts')
      .then((module) => (gone ? null : open(module, box, text)))
      .then((made) => {
        if (gone) made?.dispose()
        else if (made !== null) {
          opened = made
          setCanvas(made)
        }
      })
      .catch(() => {
        if (!gone) setFailed(true)
      })
    return () => {
      gone = true
      setCanvas(null)
      opened?.dispose()
    }
  }, [text])
  useEffect(() => {
    void canvas?.colour(colour)
  }, [canvas, colour])
  useEffect(() => {
    // The token is another once the theme stands on the document.
    if (theme !== undefined) canvas?.background(groundColour())
  }, [canvas, theme])
  useEffect(() => {
    canvas?.select(selection === null ? [] : chainRanges(chains, selection.start, selection.end))
  }, [canvas, chains, selection])

  const savePicture = async (): Promise<void> => {
    const address = await canvas?.picture()
    if (address == null) return
    const bytes = Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (letter) => letter.charCodeAt(0))
    downloadBlob(new Blob([bytes], { type: 'image/png' }), `${fileName(chosen.name)}.png`)
  }
  const others = structures.length > 1
  const own = chosen.chains.filter(({ transcript }) => transcript === protein.transcript)
  const identity = Math.min(1, ...own.map((one) => one.identity))
  return (
    <section className="nv-card protein-structure" aria-label={t('structure.title')}>
      <header className="nv-card-head">
        <h3>{t('structure.title')}</h3>
        <span className="nv-card-aside">{chosen.title ?? chosen.name}</span>
        <div className="nv-card-actions">
          <Button
            size="small"
            look="quiet"
            icon={<Camera size={14} aria-hidden />}
            disabled={canvas === null}
            onClick={() => void savePicture()}
          >
            {t('structure.picture')}
          </Button>
          <ButtonLink
            size="small"
            look="quiet"
            icon={<Download size={14} aria-hidden />}
            to={structureAddress(gene, chosen)}
            external
          >
            {t(chosen.format === 'mmcif' ? 'structure.mmcif' : 'structure.pdb')}
          </ButtonLink>
        </div>
      </header>
      <div className="nv-card-body">
        <div className="protein-bar">
          {others ? (
            <Select
              aria-label={t('structure.choose')}
              value={chosen.name}
              onChoose={onChoose}
              options={structures.map(({ name }) => ({ value: name, label: name }))}
            />
          ) : null}
          {offered.length < 2 ? null : (
            <Segmented
              label={t('structure.colour')}
              value={by}
              onChoose={(value) => setWanted(value as Colouring)}
              options={offered.map((value) => ({ value, label: t(`colour.${value}`) }))}
            />
          )}
          <Button
            size="small"
            look="quiet"
            aria-label={t('structure.left')}
            title={t('structure.left')}
            icon={<RotateCcw size={14} aria-hidden />}
            disabled={canvas === null}
            onClick={() => canvas?.turn(-20)}
          />
          <Button
            size="small"
            look="quiet"
            aria-label={t('structure.right')}
            title={t('structure.right')}
            icon={<RotateCw size={14} aria-hidden />}
            disabled={canvas === null}
            onClick={() => canvas?.turn(20)}
          />
          <Button
            size="small"
            look="quiet"
            aria-label={t('structure.nearer')}
            title={t('structure.nearer')}
            icon={<Plus size={14} aria-hidden />}
            disabled={canvas === null}
            onClick={() => canvas?.zoom(0.8)}
          />
          <Button
            size="small"
            look="quiet"
            aria-label={t('structure.farther')}
            title={t('structure.farther')}
            icon={<Minus size={14} aria-hidden />}
            disabled={canvas === null}
            onClick={() => canvas?.zoom(1.25)}
          />
          <Button
            size="small"
            look="quiet"
            aria-label={t('structure.reset')}
            title={t('structure.reset')}
            icon={<Scan size={14} aria-hidden />}
            disabled={canvas === null}
            onClick={() => canvas?.reset()}
          />
        </div>
        <div
          ref={host}
          className="protein-canvas"
          role="img"
          aria-label={t('structure.label', { name: chosen.name, residues: chosen.residues })}
          data-drawn={canvas !== null}
        >
          {answer.isError ? (
            <Unanswered of={answer} />
          ) : failed ? (
            <p>{t('structure.failed')}</p>
          ) : canvas === null ? (
            <Waiting />
          ) : null}
        </div>
        {by === 'confidence' ? (
          <ul className="protein-legend">
            {confidenceSteps.map(({ key, colour: own }) => (
              <li key={key}>
                <span className="protein-swatch" style={{ background: own }} />
                {t(`confidence.${key}`)}
              </li>
            ))}
          </ul>
        ) : by === 'variants' ? (
          <ul className="protein-legend">
            {impacts
              .filter((impact) => protein.variants.some(({ consequence }) => impactOf(consequence) === impact))
              .map((impact) => (
                <li key={impact}>
                  <span
                    className="protein-swatch"
                    style={{
                      background: consequenceColour(
                        protein.variants.find(({ consequence }) => impactOf(consequence) === impact)!.consequence,
                      ),
                    }}
                  />
                  {words(`impact.${impact}`)}
                </li>
              ))}
          </ul>
        ) : null}
        <p className="nv-quiet">
          {chosen.confidence === null
            ? t('structure.experiment', { residues: chosen.residues })
            : t('structure.predicted', {
                residues: chosen.residues,
                confidence: format.number(chosen.confidence, 3),
              })}{' '}
          {identity < 1 ? t('structure.identity', { identity: format.percent(identity) }) : ''}{' '}
          {chosen.source === null ? '' : format.text(chosen.source)} {chosen.licence ?? ''}
        </p>
      </div>
    </section>
  )
}
