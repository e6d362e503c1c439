import { type ReactNode, useId } from 'react'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { categoryColour, distinctColours, distinctMarks, inkOn } from './palette.ts'

/** Categories before a texture comes in: eyes tell a dozen colours apart with ease. */
const perTexture = distinctColours / 2
/** Of an area, and of a line in its place; `distinctMarks` is what they and the colours make. */
const textures = [
  { area: null, dash: undefined },
  { area: 'M-1,1l2,-2M0,6l6,-6M5,7l2,-2', dash: '10 3' },
  { area: 'M1.5,1.5h0M4.5,4.5h0', dash: '2 3' },
  { area: 'M0,3h6', dash: '16 4' },
  { area: 'M-1,5l2,2M0,0l6,6M5,-1l2,2', dash: '8 3 2 3' },
  { area: 'M3,0v6', dash: '5 5' },
  { area: 'M0,0l6,6M0,6l6,-6', dash: '8 3 2 3 2 3' },
] as const
const cell = 6

/** Edge of a filled mark or a line: colours that are near the ground, light or dark, stand out by it. */
export const categoryEdge = 'var(--figure-axis)'

/** Texture of the n-th category, 0 being none: with its colour another mark than every other's up to `distinctMarks`. */
export const categoryTexture = (index: number): number =>
  index < 0 || index >= distinctMarks ? 0 : Math.floor(index / perTexture)

/** Dashes of the n-th category's line, as its texture is of an area. */
export const categoryDash = (index: number): string | undefined => textures[categoryTexture(index)]!.dash

/** Id for the textures of a drawing, fit for `url(#…)`. */
export const useTextureId = (): string => `groups${useId().replace(/\W/g, '')}`

/** What to fill the n-th category with; `figure` is the id that `CategoryTextures` of the same drawing has. */
export const categoryFill = (figure: string, index: number): string =>
  categoryTexture(index) === 0 ? categoryColour(index) : `url(#${figure}-${index})`

/** Style of letters that stand on the n-th category: on its colour, not on its texture. */
export const categoryInk = (
  index: number,
): { fill: string; paintOrder?: 'stroke'; stroke?: string; strokeWidth?: number } => {
  const colour = categoryColour(index)
  const fill = inkOn(colour)
  return categoryTexture(index) === 0 ? { fill } : { fill, paintOrder: 'stroke', stroke: colour, strokeWidth: 3 }
}

/** Textures of the first `count` categories, to stand once within the `svg` that uses them: a saved file has them too. */
export const CategoryTextures = ({ figure, count }: { figure: string; count: number }): ReactNode => (
  <defs>
    {Array.from({ length: Math.max(0, Math.min(count, distinctMarks) - perTexture) }, (_, at) => {
      const index = at + perTexture
      const colour = categoryColour(index)
      return (
        <pattern key={index} id={`${figure}-${index}`} width={cell} height={cell} patternUnits="userSpaceOnUse">
          <rect width={cell} height={cell} fill={colour} />
          <path
            d={textures[categoryTexture(index)]!.area ?? ''}
            fill="none"
            stroke={inkOn(colour)}
            strokeOpacity={0.6}
            strokeWidth={1.4}
            strokeLinecap="round"
          />
        </pattern>
      )
    })}
  </defs>
)

/** Key of the n-th category for a legend outside the drawing, whose textures it uses; a line's with `line`. */
export const CategorySwatch = ({
  figure,
  index,
  line = false,
}: {
  figure: string
  index: number
  line?: boolean
}): ReactNode => (
  <svg className="nv-category-swatch" width={line ? 26 : 14} height={11} aria-hidden>
    {line ? (
      <g strokeDasharray={categoryDash(index)}>
        <path d="M0,5.5H26" stroke={categoryEdge} strokeWidth={4} />
        <path d="M0,5.5H26" stroke={categoryColour(index)} strokeWidth={3} />
      </g>
    ) : (
      <rect x={0.5} y={0.5} width={13} height={10} rx={2} fill={categoryFill(figure, index)} stroke={categoryEdge} />
    )}
  </svg>
)

/** Last entry of a legend, for the categories that are grey: one for all of them. */
export const CategoryRest = ({ count }: { count: number }): ReactNode => {
  const t = useText(messages)
  return count < 1 ? null : (
    <li>
      <CategorySwatch figure="" index={-1} />
      {t('category.rest', { count })}
    </li>
  )
}
