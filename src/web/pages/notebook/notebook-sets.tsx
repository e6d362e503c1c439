import { type ReactNode, useMemo, useState } from 'react'
import { type Notebook, notebookLimits, type SetOperation, setOperations } from '../../../contracts/notebooks.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { CheckGroup } from '../../../kit/ui/controls/check-group.tsx'
import { Checkbox, Field, Select } from '../../../kit/ui/controls/field.tsx'
import { Menu } from '../../../kit/ui/controls/menu.tsx'
import { IntersectionFigure } from '../../../kit/ui/figures/intersection-figure.tsx'
import { useGeneSets } from '../../../kit/ui/gene/gene-sets.ts'
import { useText } from '../../../kit/ui/language.tsx'
import { messages } from '../../messages/notebook.ts'
import { combineGenes, type LiveSet } from './combine-sets.ts'
import type { AddStep } from './run-again.tsx'

/** Adds sets to a notebook: saved ones, and combinations of those that it has. */
export const SetTools = ({
  notebook,
  sets,
  onAdd,
}: {
  notebook: Notebook
  sets: readonly LiveSet[]
  onAdd: AddStep
}): ReactNode => {
  const t = useText(messages)
  const saved = useGeneSets()
  const [operation, setOperation] = useState<SetOperation>('and')
  // Of a notebook that was made to combine them, all; of one that has a combination the next is the reader's to say.
  const [chosen, setChosen] = useState<string[]>(() =>
    sets.some(({ made }) => made !== null) ? [] : sets.map(({ step }) => step),
  )
  const titleOf = (id: string): string => notebook.steps.find((step) => step.id === id)?.title ?? ''
  const parts = chosen.filter((id) => sets.some((set) => set.step === id))
  const add = async (title: string, set: Omit<LiveSet, 'step' | 'broken'>): Promise<void> => {
    await onAdd({
      title: title.slice(0, notebookLimits.titleCharacters),
      set: { assembly: set.assembly, genes: set.genes.slice(0, notebookLimits.genes), made: set.made },
    })
    setChosen([])
  }
  return (
    <Card title={t('sets.title')}>
      <div className="note-stack">
        {saved.length === 0 ? (
          <p className="note-quiet">{t('sets.noneSaved')}</p>
        ) : (
          <div>
            <Menu
              label={t('sets.add')}
              items={saved.map((set) => ({
                key: set.id,
                label: set.name,
                hint: t('sets.genes', { count: set.genes.length }),
                run: () => void add(set.name, { assembly: set.assembly, genes: set.genes, made: null }),
              }))}
            />
          </div>
        )}
        {sets.length < 2 ? null : (
          <>
            <Field label={t('sets.of')}>
              {(control) => (
                <CheckGroup id={control.id} label={t('sets.of')} describedBy={control['aria-describedby']}>
                  {sets.map((set) => (
                    <Checkbox
                      key={set.step}
                      checked={parts.includes(set.step)}
                      onCheck={(on) => setChosen(on ? [...parts, set.step] : parts.filter((one) => one !== set.step))}
                    >
                      {`${parts.includes(set.step) ? `${parts.indexOf(set.step) + 1}. ` : ''}${titleOf(set.step)} (${set.genes.length})`}
                    </Checkbox>
                  ))}
                </CheckGroup>
              )}
            </Field>
            <Field label={t('sets.operation')}>
              {(control) => (
                <Select
                  {...control}
                  value={operation}
                  options={setOperations.map((one) => ({ value: one, label: t(`sets.${one}`) }))}
                  onChoose={(one) => setOperation(one as SetOperation)}
                />
              )}
            </Field>
            <div>
              <Button
                disabled={parts.length < 2}
                onClick={() => {
                  const lists = parts.map((id) => sets.find((set) => set.step === id)!)
                  const genes = combineGenes(
                    operation,
                    lists.map((set) => set.genes),
                  )
                  void add(parts.map(titleOf).join(` ${t(`sets.word.${operation}`)} `), {
                    assembly: lists.every(({ assembly }) => assembly === lists[0]!.assembly)
                      ? lists[0]!.assembly
                      : null,
                    genes,
                    made: { operation, of: parts },
                  })
                }}
              >
                {t('sets.make')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

/** How the sets of a notebook overlap; those made of others say nothing new and are left out. */
export const SetFigure = ({ notebook, sets }: { notebook: Notebook; sets: readonly LiveSet[] }): ReactNode => {
  const t = useText(messages)
  const given = useMemo(() => sets.filter(({ made, genes }) => made === null && genes.length > 0).slice(0, 12), [sets])
  const genes = useMemo(() => [...new Set(given.flatMap((set) => set.genes))], [given])
  const drawn = useMemo(() => {
    const placeOf = new Map(genes.map((gene, at) => [gene, at]))
    return given.map((set) => ({
      key: set.step,
      name: notebook.steps.find((step) => step.id === set.step)?.title ?? '',
      members: set.genes.map((gene) => placeOf.get(gene)!),
    }))
  }, [given, genes, notebook])
  const isApart = given.reduce((sum, set) => sum + new Set(set.genes).size, 0) === genes.length
  return given.length < 2 ? null : (
    <>
      {isApart ? <p>{t('sets.apart')}</p> : null}
      <IntersectionFigure
        sets={drawn}
        members={genes}
        title={t('sets.figure')}
        name={`notebook-${notebook.id.slice(0, 8)}-sets`}
        method={t('sets.figureMethod')}
        setsTitle={t('sets.column')}
      />
    </>
  )
}
