import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { areaKey, pictureElements } from '../../bio/expression/tissue-picture.ts'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { useUnitName } from '../../kit/ui/controls/expression-fields.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { unitOnScale } from '../../kit/ui/expression/expression-scale.ts'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { viridis } from '../../kit/ui/figures/palette.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import { groupProfiles } from './profile-groups.ts'
import type { GeneRow } from './tool.ts'

const svgSpace = 'http://www.w3.org/2000/svg'

/** The lab's picture with nothing in it but drawing, as the loader checked it: looked through again, for it joins the page. */
const readPicture = (text: string): SVGSVGElement | null => {
  const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml')
  if (documentElement.nodeName.toLowerCase() !== 'svg') return null
  for (const element of [...documentElement.querySelectorAll('*')])
    if (element.namespaceURI !== svgSpace || !pictureElements.has(element.nodeName.toLowerCase())) element.remove()
  for (const element of [documentElement, ...documentElement.querySelectorAll('*')])
    for (const { name, value } of [...element.attributes])
      if (/^on/i.test(name) || (/href$/i.test(name) && !value.startsWith('#')) || /url\(\s*['"]?(?!#)/i.test(value))
        element.removeAttribute(name)
  return document.importNode(documentElement, true) as unknown as SVGSVGElement
}

/** The lab's drawing of the organism, each area in the colour of a gene's mean there. */
export const PictureFigure = ({
  picture,
  genes,
  dataset,
  samples,
  receipt,
}: {
  picture: string
  genes: GeneRow[]
  dataset: ExpressionDataset
  samples: ExpressionDataset['samples']
  receipt?: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const unitName = useUnitName()
  const frame = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(0)
  const gene = genes[Math.min(chosen, genes.length - 1)]!
  const factor = dataset.pictureFactor!
  const { groups } = useMemo(
    () => groupProfiles([gene], dataset, samples, { factor, split: null, scale: 'loaded' }),
    [gene, dataset, samples, factor],
  )
  const low = Math.min(0, ...groups.map(({ figures }) => figures.mean))
  const high = Math.max(low + 1e-9, ...groups.map(({ figures }) => figures.mean))
  const unit = unitOnScale(dataset.unit, 'loaded', unitName)
  useEffect(() => {
    const svg = readPicture(picture)
    const target = frame.current
    if (svg === null || target === null) return
    svg.removeAttribute('style')
    svg.setAttribute('data-figure', '')
    svg.setAttribute('role', 'img')
    svg.setAttribute('aria-label', t('picture.label', { gene: gene.symbol ?? gene.id }))
    const areas = [...svg.querySelectorAll<SVGElement>('[id]')]
    for (const { level, figures } of groups)
      for (const area of areas.filter(({ id }) => areaKey(id) === areaKey(level))) {
        const colour = viridis((figures.mean - low) / (high - low))
        for (const part of [area, ...area.querySelectorAll<SVGElement>('*')]) {
          part.removeAttribute('style')
          part.setAttribute('fill', colour)
        }
        const title = document.createElementNS(svgSpace, 'title')
        title.textContent = `${level}: ${format.number(figures.mean, 2)} ${unit} (n = ${figures.count})`
        area.prepend(title)
      }
    target.replaceChildren(svg)
  }, [picture, groups, low, high, unit, gene, t, format])
  return (
    <FigureFrame
      title={t('picture.title')}
      name={`${gene.id}-${dataset.id}-picture`}
      {...(receipt === undefined ? {} : { receipt })}
      method={t('picture.method', { factor })}
      numbers={{
        rows: groups,
        rowKey: ({ level }) => level,
        columns: [
          { key: 'level', title: factor, value: ({ level }) => level },
          { key: 'mean', title: t('column.mean'), kind: 'number', digits: 3, value: ({ figures }) => figures.mean },
          { key: 'count', title: t('column.count'), kind: 'number', value: ({ figures }) => figures.count },
        ],
      }}
    >
      <div className="nv-figure-bar">
        <div className="nv-figure-fields">
          <SelectField
            label={t('column.gene')}
            value={String(chosen)}
            onChoose={(value) => setChosen(Number(value))}
            options={genes.map(({ id, symbol }, at) => ({ value: String(at), label: symbol ?? id }))}
          />
        </div>
        <span className="exp-scale">
          {format.number(low, 1)}
          <span className="exp-ramp" aria-hidden />
          {format.number(high, 1)} {unit}
        </span>
      </div>
      <div ref={frame} className="exp-picture" />
    </FigureFrame>
  )
}
