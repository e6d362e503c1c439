import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { useIsAdministrator } from '../../kit/ui/administrator.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { type GeneProteins, getGeneProteins, type ShownStructure } from './endpoints.ts'
import { summarizeFeatures } from './lay-features.ts'
import messages from './messages.ts'
import { ProteinFigure, type Selection } from './protein-figure.tsx'
import { StructureView } from './structure-view.tsx'
import tool, { type Protein } from './tool.ts'
import './screen.css'

const useProteins = (gene: Gene) =>
  useQuery({
    queryKey: ['gene-proteins', gene.assembly, gene.id],
    queryFn: (context) => call(getGeneProteins, { assembly: gene.assembly, gene: gene.id }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })

const structuresOf = ({ structures }: GeneProteins, protein: Protein): ShownStructure[] =>
  structures.filter(({ chains }) => chains.some(({ transcript }) => transcript === protein.transcript))

const ProteinPart = ({ gene, protein, found }: { gene: Gene; protein: Protein; found: GeneProteins }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const isAdministrator = useIsAdministrator()
  const [selection, setSelection] = useState<Selection | null>(null)
  const structures = structuresOf(found, protein)
  const [name, setName] = useState<string | null>(null)
  const chosen = structures.find((one) => one.name === name) ?? structures[0]
  const { assembly, id } = gene
  const receipt = useCatalogueReceipt(
    tool.id,
    t('figure.method'),
    useMemo(() => ({ assembly, gene: id }), [assembly, id]),
    [assembly],
  )
  const runs = chosen?.chains.find(({ transcript }) => transcript === protein.transcript)?.runs
  return (
    <>
      <ProteinFigure
        protein={protein}
        selection={selection}
        onSelect={setSelection}
        {...(chosen === undefined || runs === undefined ? {} : { structure: { name: chosen.name, runs } })}
        {...(receipt === undefined ? {} : { receipt })}
      />
      {protein.features.length > 0 ? null : (
        <p className="nv-quiet">
          {t(found.loaded.features ? 'panel.noFeatures' : 'panel.noneLoaded')}{' '}
          {isAdministrator && !found.loaded.features ? t('panel.add') : ''}
        </p>
      )}
      {found.beyond === 0 || !isAdministrator ? null : (
        <p className="nv-warn">{t('panel.beyond', { count: found.beyond })}</p>
      )}
      {found.sets.length === 0 || protein.variants.length === 0 ? null : (
        <p className="nv-quiet">
          {t('panel.sets', {
            sets: found.sets
              .map(({ name: set, simulated }) => `${format.text(set)}${simulated ? ` (${t('panel.simulated')})` : ''}`)
              .join('; '),
          })}
        </p>
      )}
      {chosen === undefined ? null : (
        <StructureView
          key={`${protein.transcript} ${chosen.name}`}
          gene={gene}
          protein={protein}
          structures={structures}
          chosen={chosen}
          onChoose={setName}
          selection={selection}
          onSelect={setSelection}
        />
      )}
    </>
  )
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const answer = useProteins(gene)
  const [transcript, setTranscript] = useState<string | null>(null)
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  const { proteins } = answer.data
  const protein = proteins.find((one) => one.transcript === transcript) ?? proteins[0]
  if (protein === undefined) return <p className="nv-quiet">{t('panel.noProtein')}</p>
  const address = new URLSearchParams({ assembly: gene.assembly, genes: gene.id, family: 'true', run: '1' })
  return (
    <div className="protein-panel">
      {proteins.length < 2 ? null : (
        <SelectField
          label={t('panel.transcript')}
          value={protein.transcript}
          onChoose={setTranscript}
          options={proteins.map((one) => ({
            value: one.transcript,
            label: `${one.transcript} (${t('figure.length', { length: one.length })})`,
          }))}
        />
      )}
      <ProteinPart key={protein.transcript} gene={gene} protein={protein} found={answer.data} />
      {/* The domains of a family, where there are any. */}
      {answer.data.loaded.features ? (
        <FoldActions>
          <ButtonLink size="small" look="quiet" to={`${tool.route}?${address}`}>
            {t('panel.open')}
          </ButtonLink>
        </FoldActions>
      ) : null}
    </div>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const answer = useProteins(gene).data
  if (answer === undefined) return undefined
  const [protein] = answer.proteins
  if (protein === undefined) return { count: 0, text: t('panel.noProtein') }
  const domains = summarizeFeatures(protein.features).filter(
    ({ kind }) => kind !== 'signal' && kind !== 'transmembrane',
  )
  return {
    count: protein.features.length,
    text: t('panel.gist', {
      length: protein.length,
      // Of an assembly without such annotation nobody knows.
      loaded: String(answer.loaded.features),
      domains: domains.length,
      structures: structuresOf(answer, protein).length,
    }),
  }
}

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: 'proteins',
  section: { topic: 'function', order: 15, heightPx: 600, useGist, Panel },
})
