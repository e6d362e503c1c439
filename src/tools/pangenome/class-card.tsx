import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { familyClasses, usualBounds } from '../../bio/comparative/pan-genome.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Field, NumberInput, SelectField } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { inkOn } from '../../kit/ui/figures/palette.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { classColour, classesByCount, type Matrix, useClassBounds, useFamilyGenes, useGenesOf } from './families.ts'
import messages from './messages.ts'
import type { PanGenome } from './tool.ts'

const barHeight = 34
const narrowestLabelPx = 46

/** How many families each class has under the bounds chosen, and their genes to go on with. */
export const ClassCard = ({
  result,
  matrix,
  receipt,
}: {
  result: PanGenome
  matrix: Matrix
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const assemblyName = useAssemblyNames()
  const [root, width] = useWidth<HTMLDivElement>()
  const [bounds, setBounds] = useClassBounds()
  const [genesOf, setGenesOf] = useGenesOf(result)
  const familyGenes = useFamilyGenes(genesOf)
  const genomes = result.assemblies.length
  const classes = classesByCount(genomes, bounds)
  const rows = familyClasses.map((kind) => {
    const counts = classes.flatMap((one, present) => (present > 0 && one === kind ? [present] : []))
    const sumOf = (frequencies: readonly number[]): number =>
      counts.reduce((sum, present) => sum + frequencies[present]!, 0)
    return {
      kind,
      families: sumOf(result.frequencies),
      // Parts of genes: genomes that have a gene need not all agree on how many do.
      dna: result.genes === null ? null : Math.round(sumOf(result.genes.dna)),
      annotated: result.genes === null ? null : Math.round(sumOf(result.genes.annotated)),
      range: counts.length === 0 ? null : ([counts[0]!, counts.at(-1)!] as const),
    }
  })
  const total = rows.reduce((sum, { families }) => sum + families, 0)
  const genes = new Map(familyClasses.map((kind) => [kind, [] as string[]]))
  if (familyGenes !== undefined)
    for (const [family, own] of familyGenes) {
      const index = matrix.placeOf.get(family)
      // What is not drawn is in one assembly alone.
      const present = index === undefined ? 1 : matrix.present[index]!
      genes.get(classes[present]!)!.push(...own)
    }
  const rangeText = (range: (typeof rows)[number]['range']): string =>
    range === null
      ? t('classes.empty')
      : range[0] === range[1]
        ? t('classes.one', { min: range[0] })
        : t('classes.range', { min: range[0], max: range[1] })
  let left = 0
  const usual = (Object.keys(usualBounds) as (keyof typeof usualBounds)[]).every(
    (name) => bounds[name] === usualBounds[name],
  )
  return (
    <FigureFrame
      title={t('classes.title')}
      name="pan-genome-classes"
      receipt={receipt}
      method={t('classes.method')}
      numbers={{
        rows,
        rowKey: ({ kind }) => kind,
        columns: [
          { key: 'class', title: t('column.class'), value: ({ kind }) => t(`class.${kind}`) },
          { key: 'range', title: t('column.range'), value: ({ range }) => rangeText(range) },
          { key: 'families', title: t('column.families'), kind: 'number', value: ({ families }) => families },
          {
            key: 'share',
            title: t('column.share'),
            kind: 'number',
            digits: 2,
            value: ({ families }) => (total === 0 ? 0 : (100 * families) / total),
          },
          ...(result.genes === null
            ? []
            : (['dna', 'annotated'] as const).map((key) => ({
                key,
                title: t(`column.${key}`),
                kind: 'number' as const,
                value: (row: (typeof rows)[number]) => row[key],
              }))),
        ],
      }}
    >
      <div className="pan-bar">
        {(['core', 'softCore'] as const).map((name) => (
          <Field key={name} label={t(`classes.${name}`)}>
            {(control) => (
              <NumberInput
                {...control}
                value={Number((100 * bounds[name]).toFixed(2))}
                min={1}
                max={100}
                step={1}
                onNumber={(value) => {
                  if (value !== undefined && value >= 1 && value <= 100) setBounds({ [name]: value / 100 })
                }}
              />
            )}
          </Field>
        ))}
        <Field label={t('classes.private')}>
          {(control) => (
            <NumberInput
              {...control}
              value={bounds.private}
              min={1}
              max={genomes}
              step={1}
              onNumber={(value) => {
                if (value !== undefined && value >= 1 && value <= genomes) setBounds({ private: Math.round(value) })
              }}
            />
          )}
        </Field>
        {usual ? null : (
          <Button size="small" look="quiet" icon={<RotateCcw size={14} aria-hidden />} onClick={() => setBounds(null)}>
            {t('classes.reset')}
          </Button>
        )}
      </div>
      <div ref={root} className="pan-figure">
        <svg width={width} height={barHeight} role="img" aria-label={t('classes.title')}>
          {rows.map(({ kind, families }) => {
            const wide = total === 0 ? 0 : (families / total) * width
            const x = left
            left += wide
            const colour = classColour[kind]
            return wide <= 0 ? null : (
              <g key={kind}>
                <title>{`${t(`class.${kind}`)}: ${format.number(families)}`}</title>
                <rect x={x} width={wide} height={barHeight} fill={colour} />
                {wide < narrowestLabelPx ? null : (
                  <text
                    x={x + wide / 2}
                    y={barHeight / 2}
                    textAnchor="middle"
                    dominantBaseline="central"
                    fontSize={12}
                    fontWeight={600}
                    style={{ fill: inkOn(colour) }}
                  >
                    {format.number(families)}
                  </text>
                )}
              </g>
            )
          })}
        </svg>
      </div>
      <ScrollBox className="pan-scroll nv-table nv-table-scroll" label={t('classes.title')}>
        <table className="pan-classes">
          <thead>
            <tr>
              <th scope="col">{t('column.class')}</th>
              <th scope="col">{t('column.range')}</th>
              <th scope="col" className="pan-number">
                {t('column.families')}
              </th>
              <th scope="col" className="pan-number">
                {t('column.share')}
              </th>
              {result.genes === null
                ? null
                : (['dna', 'annotated'] as const).map((key) => (
                    <th key={key} scope="col" className="pan-number">
                      {t(`column.${key}`)}
                    </th>
                  ))}
              <th scope="col" className="pan-number">
                {t('column.genesOf', { assembly: assemblyName(genesOf) })}
              </th>
              <th scope="col">{t('column.send')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ kind, families, range, dna, annotated }) => {
              const own = genes.get(kind)!
              return (
                <tr key={kind} data-class={kind}>
                  <th scope="row">
                    <i className="pan-swatch" style={{ background: classColour[kind] }} /> {t(`class.${kind}`)}
                  </th>
                  <td>{rangeText(range)}</td>
                  <td className="pan-number">{format.number(families)}</td>
                  <td className="pan-number">{format.fixed(total === 0 ? 0 : (100 * families) / total, 1)}</td>
                  {dna === null ? null : <td className="pan-number">{format.number(dna)}</td>}
                  {annotated === null ? null : <td className="pan-number">{format.number(annotated)}</td>}
                  <td className="pan-number">{familyGenes === undefined ? '…' : format.number(own.length)}</td>
                  <td>
                    {own.length === 0 ? null : (
                      <GeneSetMenu
                        genes={own.map((id) => ({ id, assembly: genesOf }))}
                        name={t('classes.set', { class: t(`class.${kind}`), assembly: assemblyName(genesOf) })}
                        look="quiet"
                      />
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollBox>
      {result.genes === null ? null : <p className="nv-quiet">{t('classes.dnaNote')}</p>}
      <div className="pan-bar">
        <SelectField
          label={t('classes.genesOf')}
          help={t('classes.genesHelp')}
          value={genesOf}
          onChoose={setGenesOf}
          options={result.assemblies.map(({ id }) => ({ value: id, label: assemblyName(id) }))}
        />
      </div>
    </FigureFrame>
  )
}
