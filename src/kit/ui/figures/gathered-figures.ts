import { createContext, useContext, useEffect, useRef } from 'react'

/** A figure as a file: its drawing, or where it is only painted on a canvas, the picture of that. */
export type FigureFile = { name: string; svg: string } | { name: string; png: Blob }

/** Draws the file of a figure that is on the page; null while it cannot be drawn. */
export type DrawFigure = () => Promise<FigureFile | null>

/** Figures below put themselves in here, for whoever saves all of them at once; null where nobody does. */
export const FigureGathering = createContext<Set<DrawFigure> | null>(null)

/** Puts a figure among those that are saved together, as long as it is on the page. */
export const useGathered = (draw: DrawFigure): void => {
  const gathered = useContext(FigureGathering)
  const latest = useRef(draw)
  latest.current = draw
  useEffect(() => {
    if (gathered === null) return
    const own: DrawFigure = () => latest.current()
    gathered.add(own)
    return () => {
      gathered.delete(own)
    }
  }, [gathered])
}
