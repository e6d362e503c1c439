import { ArrowRight, Check, Plus, Star } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { addToGeneSet, createGeneSet, type GeneSet, useGeneSets } from '../gene/gene-sets.ts'
import { useAssemblyNames } from '../gene/species-names.tsx'
import { useFormat, useLanguage, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { showNotice } from '../notices.ts'
import { useGeneTools } from '../tool/tool-list.ts'
import { Button, type ButtonVariant } from './button.tsx'
import { TextInput } from './field.tsx'
import { Menu, type MenuItem } from './menu.tsx'

export interface GeneReference {
  id: string
  assembly: string
}

/** The assembly that all genes share, or null. */
const sharedAssembly = (genes: GeneReference[]): string | null => {
  const first = genes[0]?.assembly ?? null
  return genes.every((gene) => gene.assembly === first) ? first : null
}

/** The genes of the assembly that most are of: tools work on one at a time, and a name may be a gene of several. */
const genesOfMost = (genes: GeneReference[]): GeneReference[] => {
  const byAssembly = new Map<string, GeneReference[]>()
  for (const gene of genes) byAssembly.set(gene.assembly, [...(byAssembly.get(gene.assembly) ?? []), gene])
  return [...byAssembly.values()].reduce((max, one) => (one.length > max.length ? one : max), [])
}

/** Most characters that a set's name has. */
const maxSetName = 200

/** Most characters of genes that go into an address; above, a set is made and its id goes instead. */
const addressLimit = 1500

/** Address of a tool with these genes filled in. */
const toolAddressWithGenes = (route: string, genes: GeneReference[], setName: string): string => {
  const ids = genes.map((gene) => gene.id)
  const assembly = sharedAssembly(genes)
  const text = ids.join(',')
  const query = new URLSearchParams()
  if (text.length <= addressLimit) query.set('genes', text)
  else query.set('set', createGeneSet({ name: setName, assembly, genes: ids }).id)
  if (assembly !== null) query.set('assembly', assembly)
  return `${route}?${query}`
}

/** What can be done with chosen genes, as parts of a menu: add them to a set, send them to a tool, or save them as a set, a form. */
export const useGeneSetActions = (
  genes: GeneReference[],
  /** What a set of them is called unless the reader calls it otherwise: where they come from. */
  origin?: string,
): { add: MenuItem[]; send: MenuItem[]; form: (close: () => void) => ReactNode } => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const navigate = useNavigate()
  const sets = useGeneSets()
  const tools = useGeneTools()
  const [name, setName] = useState('')
  const fallbackName =
    origin?.slice(0, maxSetName) ?? t('sets.defaultName', { date: format.dateTime(new Date().toISOString()) })
  const assembly = sharedAssembly(genes)
  const ids = genes.map((gene) => gene.id)
  const sent = genesOfMost(genes)
  const leftOut = genes.length - sent.length
  const assemblyName = useAssemblyNames()

  const send = (route: string): void => {
    navigate(toolAddressWithGenes(route, sent, fallbackName))
    if (leftOut > 0) showNotice({ kind: 'message', level: 'info', text: t('sets.leftOut', { count: leftOut }) })
  }

  const save = (close: () => void): void => {
    const set = createGeneSet({ name: name.trim() === '' ? fallbackName : name.trim(), assembly, genes: ids })
    setName('')
    close()
    showNotice({
      kind: 'message',
      level: 'success',
      text: t('sets.saved', { name: set.name, count: set.genes.length }),
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
        run: () => {
          const count = addToGeneSet(set.id, ids, assembly)
          showNotice({ kind: 'message', level: 'success', text: t('sets.added', { count, name: set.name }) })
        },
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
                  : t('sets.sendOf', { count: sent.length, assembly: assemblyName(sent[0]!.assembly) }),
            },
          ]),
      ...tools.map((tool) => ({
        key: tool.id,
        icon: <ArrowRight size={14} aria-hidden />,
        label: tool.title[language],
        run: () => send(tool.route),
      })),
    ],
    form: (close) => (
      <form
        className="nv-set-form"
        onSubmit={(event) => {
          event.preventDefault()
          save(close)
        }}
      >
        <div className="nv-menu-heading">{t('sets.saveSelection', { count: ids.length })}</div>
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
      </form>
    ),
  }
}

/**
 * What can be done with chosen genes: save them as a set, add them to one, or send them to a tool. Two clicks each.
 */
export const GeneSetMenu = ({
  genes,
  look = 'default',
  size = 'small',
  send = true,
  name,
}: {
  genes: GeneReference[]
  /** Where they come from; what a set of them is called unless the reader calls it otherwise. */
  name?: string
  look?: ButtonVariant
  size?: 'small' | 'normal'
  /** Without where the tools are offered beside it. */
  send?: boolean
}): ReactNode => {
  const t = useText(messages)
  const actions = useGeneSetActions(genes, name)
  return (
    <Menu
      look={look}
      size={size}
      icon={<Star size={15} aria-hidden />}
      label={t('sets.save')}
      className="nv-set-menu"
      // Saving is what the button says: it stands over the list of all tools.
      top={actions.form}
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
