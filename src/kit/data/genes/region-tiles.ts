/** Genes that start within one segment of a sequence, in order of start and end; `texts` are their summaries as JSON. */
export interface GeneTile {
  starts1: number[]
  ends1: number[]
  texts: string[]
}

/** A segment of a linear sequence of one bundle whose genes are asked for; 1-based, inclusive. */
export interface TiledRegion {
  bundle: number
  assembly: string
  sequence: string
  longestGeneBp: number
  start1: number
  end1: number
}

/** Reads the genes of a bundle's sequence that start within start1..end1, in order of start and end. */
export type ReadTile = (region: TiledRegion, start1: number, end1: number) => Promise<GeneTile>

/** Some hundred genes of a plant, some dozen of a vertebrate: about what a screen shows. */
const tileBp = 2 ** 16
/** A region over more tiles is a list rather than a view, and is not worth keeping. */
const maxTiles = 64

/**
 * Genes of regions, kept by segments of the sequence: neighbouring and overlapping regions, as a browser asks for, share them. Bundles
 * never change, so what is kept stays true; at most `maxBytes` are kept, what was not asked for longest goes first.
 */
export const createRegionTiles = (read: ReadTile, maxBytes: number) => {
  const tiles = new Map<string, { tile: Promise<GeneTile>; bytes: number }>()
  let bytes = 0

  const keep = (key: string, start: () => Promise<GeneTile>): Promise<GeneTile> => {
    const kept = tiles.get(key)
    if (kept !== undefined) {
      tiles.delete(key)
      tiles.set(key, kept)
      return kept.tile
    }
    const entry = { tile: start(), bytes: 0 }
    tiles.set(key, entry)
    entry.tile.then(
      ({ texts }) => {
        if (tiles.get(key) !== entry) return
        // A JSON text and its two numbers; a character is a byte but for those beyond Latin-1.
        entry.bytes = texts.reduce((sum, text) => sum + text.length + 48, 200)
        bytes += entry.bytes
        for (const [oldest, { bytes: its }] of tiles) {
          if (bytes <= maxBytes) break
          tiles.delete(oldest)
          bytes -= its
        }
      },
      () => {
        if (tiles.get(key) === entry) tiles.delete(key)
      },
    )
    return entry.tile
  }

  return {
    bytes: (): number => bytes,

    /** Texts of the genes that overlap the region, at most `limit` of them; null when it is too long for tiles. */
    find: async (region: TiledRegion, limit: number): Promise<string[] | null> => {
      const { bundle, sequence, longestGeneBp, start1, end1 } = region
      const first = Math.floor(Math.max(0, start1 - longestGeneBp) / tileBp)
      const last = Math.floor(end1 / tileBp)
      if (last - first >= maxTiles) return null
      const wanted: Promise<GeneTile>[] = []
      for (let tile = first; tile <= last; tile += 1)
        wanted.push(keep(`${bundle} ${tile} ${sequence}`, () => read(region, tile * tileBp, (tile + 1) * tileBp - 1)))
      const found: string[] = []
      for (const { starts1, ends1, texts } of await Promise.all(wanted)) {
        for (const [number, text] of texts.entries()) {
          if (starts1[number]! > end1 || found.length === limit) return found
          if (ends1[number]! >= start1) found.push(text)
        }
      }
      return found
    },
  }
}
