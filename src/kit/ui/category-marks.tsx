import type { ReactNode } from 'react'
import { categoryColour, distinctColours, inkOn } from './palette.ts'

/** Categories before a texture comes in: eyes tell a dozen colours apart with ease. */
const perTexture = distinctColours / 2
const textures = [
  null,
  'M-1,1l2,-2M0,6l6,-6M5,7l2,-2',
  'M1.5,1.5h0M4.5,4.5h0',
  'M0,3h6',
  'M-1,5l2,2M0,0l6,6M5,-1l2,2',
  'M3,0v6',
  'M0,0l6,6M0,6l6,-6',
] as const
const cell = 6

/** Texture of the n-th category, 0 being none: with its colour another mark than every other's. */
export const categoryTexture = (index: number): number => Math.floor(Math.max(0, index) / perTexture) % textures.length

/** What to fill the n-th category with; `figure` is the id that `CategoryTextures` of the same drawing has. */
export const categoryFill = (figure: string, index: number): string =>
  categoryTexture(index) === 0 ? categoryColour(index) : `url(#${figure}-${index})`

/** Textures of the first `count` categories, to stand once within the `svg` that uses them: a saved file has them too. */
export const CategoryTextures = ({ figure, count }: { figure: string; count: number }): ReactNode => (
  <defs>
    {Array.from({ length: Math.max(0, count - perTexture) }, (_, at) => {
      const index = at + perTexture
      const path = textures[categoryTexture(index)]
      if (path === null || path === undefined) return null
      const colour = categoryColour(index)
      return (
        <pattern key={index} id={`${figure}-${index}`} width={cell} height={cell} patternUnits="userSpaceOnUse">
          <rect width={cell} height={cell} fill={colour} />
          <path
            d={path}
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
