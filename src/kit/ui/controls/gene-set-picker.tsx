import { ArrowRight, Check, Plus, Star } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  type ChosenGenes,
  countGenes,
  type GeneChoice,
  genesOfMost,
  idsOf,
  sharedAssembly,
} from '../gene/chosen-genes.ts'
import { addToGeneSet, createGeneSet, type GeneSet, geneSetsAddress, useGeneSets } from '../gene/gene-sets.ts'
import { useAssemblyNames } from '../gene/species-names.tsx'
import { useFormat, useLanguage, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { showNotice } from '../notices.ts'
import { RequestError } from '../request.ts'
import { type ListedTool, useGeneTools } from '../tool/tool-list.ts'
import { Button, type ButtonVariant } from './button.tsx'
import { TextInput } from './field.tsx'
import { Menu, MenuChoices, type MenuItem } from './menu.tsx'

/** Most characters that a set's name has. */
const maxSetName = 200

/** Most characters of genes that go into an address; above, a set is made and its id goes instead. */
const addressLimit = 1500

/** Address of a tool with these genes filled in. */
export const toolAddressWithGenes = (
  route: string,
  ids: string[],
  assembly: string | null,
  setName: string,
  /** Whether the tool is to answer at once, where it has all that it needs. */
  ready = false,
): string => {
  const text = ids.join(',')
  const query = new URLSearchParams()
  if (text.length <= addressLimit) query.set('genes', text)
  else query.set('set', createGeneSet({ name: setName, assembly, genes: ids }).id)
  if (assembly !== null) query.set('assembly', assembly)
  if (ready) query.set('run', 'ready')
  return `${route}?${query}`
}

/** What can be done with chosen genes, as parts of a menu: add them to a set, send them to a tool, or save them as a set, a form. */
export const useGeneSetActions = (
  genes: ChosenGenes,
  /** What a set of them is called unless the reader calls it otherwise: where they come from. */
  origin?: string,
): { add: MenuItem[]; send: MenuItem[]; form: () => ReactNode } => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const navigate = useNavigate()
  const sets = useGeneSets()
  const tools = useGeneTools()
  const [name, setName] = useState('')
  const [saved, setSaved] = useState<{ genes: string; text: string; whole: boolean } | null>(null)
  const fallbackName =
    origin?.slice(0, maxSetName) ?? t('sets.defaultName', { date: format.dateTime(new Date().toISOString()) })
  const assembly = sharedAssembly(genes)
  const count = countGenes(genes)
  const sent = genesOfMost(genes)
  const leftOut = count - countGenes(sent)
  const assemblyName = useAssemblyNames()
  const total = Array.isArray(genes) ? count : genes.total
  /** What was saved is told while the same genes are chosen. */
  const chosenNow = Array.isArray(genes)
    ? [count, genes[0]?.id, genes.at(-1)?.id, assembly].join(' ')
    : [count, total, genes.assembly].join(' ')

  /** Does it with the ids, once they are there; a failure to get them has been told. */
  const withIds = (chosen: ChosenGenes, act: (ids: string[]) => void): void =>
    void idsOf(chosen).then(act, (error: unknown) => {
      if (!(error instanceof RequestError)) throw error
    })
  /** Says what became of a set, and where it is. */
  const tell = (text: string, whole: boolean): void =>
    void showNotice({
      kind: 'message',
      level: whole ? 'success' : 'warning',
      text,
      action: { label: t('sets.show'), run: () => void navigate(geneSetsAddress) },
    })

  const send = ({ route, mode }: ListedTool): void =>
    withIds(sent, (ids) => {
      navigate(toolAddressWithGenes(route, ids, sharedAssembly(sent), fallbackName, mode === 'answer'))
      if (leftOut > 0) showNotice({ kind: 'message', level: 'info', text: t('sets.leftOut', { count: leftOut }) })
      if (ids.length < total - leftOut)
        showNotice({ kind: 'message', level: 'warning', text: t('sets.cut', { count: ids.length, total }) })
    })

  // The menu stays open: what a set is saved for is mostly the next tool, and that stands below.
  const save = (): void => {
    const given = name.trim() === '' ? fallbackName : name.trim()
    setName('')
    withIds(genes, (ids) => {
      const set = createGeneSet({ name: given, assembly, genes: ids })
      const whole = ids.length >= total
      const text = whole
        ? t('sets.saved', { name: set.name, count: set.genes.length })
        : t('sets.savedPart', { name: set.name, count: ids.length, total })
      setSaved({ genes: chosenNow, text, whole })
    })
  }

  return {
    add: [
      ...(sets.length === 0 ? [] : [{ key: 'add', heading: true, label: t('sets.addTo') }]),
      ...sets.slice(0, 8).map((set) => ({
        key: set.id,
        icon: <Plus size={14} aria-hidden />,
        label: set.name,
        hint: format.number(set.genes.length),
        run: () =>
          withIds(genes, (ids) => {
            const added = addToGeneSet(set.id, ids, assembly)
            tell(t('sets.added', { count: added, name: set.name }), ids.length >= total)
          }),
      })),
    ],
    send: [
      ...(tools.length === 0
        ? []
        : [
            {
              key: 'send',
              heading: true,
              label:
                leftOut === 0
                  ? t('sets.send')
                  : t('sets.sendOf', { count: countGenes(sent), assembly: assemblyName(sharedAssembly(sent) ?? '') }),
            },
          ]),
      ...tools.map((tool) => ({
        key: tool.id,
        icon: <ArrowRight size={14} aria-hidden />,
        label: tool.title[language],
        run: () => send(tool),
      })),
    ],
    form: () => (
      <form
        className="nv-set-form"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div className="nv-menu-heading">
          {count < total ? t('sets.saveFirst', { count, total }) : t('sets.saveSelection', { count })}
        </div>
        <div className="nv-set-row">
          <TextInput
            value={name}
            placeholder={fallbackName}
            aria-label={t('sets.name')}
            maxLength={maxSetName}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" look="primary" size="small" icon={<Check size={14} aria-hidden />}>
            {t('sets.create')}
          </Button>
        </div>
        {saved?.genes === chosenNow ? (
          <p className={`nv-menu-note${saved.whole ? '' : ' nv-warn'}`} role="status">
            {saved.text}{' '}
            <Button type="button" size="small" look="quiet" onClick={() => void navigate(geneSetsAddress)}>
              {t('sets.show')}
            </Button>
          </p>
        ) : null}
      </form>
    ),
  }
}

/**
 * What can be done with chosen genes: save them as a set, add them to one, or send them to a tool. Two clicks each.
 */
export const GeneSetMenu = ({
  look = 'default',
  size = 'small',
  send = true,
  ...given
}: (
  | {
      genes: ChosenGenes
      /** Where they come from; what a set of them is called unless the reader calls it otherwise. */
      name?: string | undefined
    }
  /** Several lists, of which the reader takes one; the first unless another is chosen. */
  | { choices: readonly [GeneChoice, ...GeneChoice[]] }
) & {
  look?: ButtonVariant
  size?: 'small' | 'normal'
  /** Without where the tools are offered beside it. */
  send?: boolean
}): ReactNode => {
  const t = useText(messages)
  const choices = 'choices' in given ? given.choices : ([{ key: '', label: '', ...given }] as const)
  const [key, setKey] = useState<string | null>(null)
  const chosen: GeneChoice = choices.find((choice) => choice.key === key) ?? choices[0]
  const actions = useGeneSetActions(chosen.genes, chosen.name)
  return (
    <Menu
      look={look}
      size={size}
      icon={<Star size={15} aria-hidden />}
      label={t(send ? 'sets.save' : 'sets.keep')}
      className="nv-set-menu"
      // Saving stands over the list of all tools, which is long.
      top={
        <>
          {choices.length === 1 ? null : (
            <MenuChoices
              label={t('sets.which')}
              value={chosen.key}
              options={choices.map((choice) => ({ value: choice.key, label: choice.label }))}
              onChoose={setKey}
            />
          )}
          {actions.form()}
        </>
      }
      items={[...actions.add, ...(send ? actions.send : [])]}
    />
  )
}

/** Chooses one of the reader's gene sets. */
export const GeneSetPicker = ({ onPick }: { onPick: (set: GeneSet) => void }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const sets = useGeneSets()
  return (
    <Menu
      look="quiet"
      size="small"
      icon={<Star size={14} aria-hidden />}
      label={t('sets.use')}
      items={sets.map((set) => ({
        key: set.id,
        label: set.name,
        hint: [set.assembly, format.number(set.genes.length)].filter((part) => part !== null).join(' · '),
        run: () => onPick(set),
      }))}
    >
      {sets.length === 0 ? () => <p className="nv-menu-note">{t('sets.none')}</p> : undefined}
    </Menu>
  )
}
