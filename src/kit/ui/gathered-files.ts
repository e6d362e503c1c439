import { createContext, useContext, useEffect, useRef } from 'react'

/** A figure as a file: its drawing, or where it is only painted on a canvas, the picture of that. */
export type FigureFile = { name: string; svg: string } | { name: string; png: Blob }

/**
 * A table as a file: tab-separated text with `rows` rows of the `of` that there are, null where that is not known. Text is null where it
 * cannot be had: then the rows are those that the result holds.
 */
export interface TableFile {
  name: string
  table: string | null
  rows: number
  of: number | null
}

/** Makes the file of a figure or a table that is on the page; null while there is none. */
export type GatherFile = () => Promise<FigureFile | TableFile | null>

/** Figures and tables below put themselves in here, for whoever saves all of them at once; null where nobody does. */
export const FileGathering = createContext<Set<GatherFile> | null>(null)

/** Puts a figure or a table among those that are saved together, as long as it is on the page. */
export const useGathered = (gather: GatherFile): void => {
  const gathered = useContext(FileGathering)
  const latest = useRef(gather)
  latest.current = gather
  useEffect(() => {
    if (gathered === null) return
    const own: GatherFile = () => latest.current()
    gathered.add(own)
    return () => {
      gathered.delete(own)
    }
  }, [gathered])
}
