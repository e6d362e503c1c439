/** Bins from `from` to before `to` of a chromosome, counted from 0 within it. */
export interface BinRange {
  /** Number of the chromosome in the map's own list, without juicer's "All". */
  chromosome: number
  from: number
  to: number
}

/** A contact map whose parts are read as they are asked for. */
export interface ContactReader {
  /** Names of the weights that a resolution was balanced with; none for plain counts. */
  listNormalizations(binBp: number): Promise<string[]>
  /**
   * Calls `visit` for each cell with a contact in the rectangle of two ranges: x of the first, y of the second, both counted within their
   * chromosomes. Of a symmetric map both halves are there. Rejects with WindowTooLarge when more than `maxPixels` stored contacts would
   * have to be read.
   */
  readWindow(
    binBp: number,
    x: BinRange,
    y: BinRange,
    visit: (x: number, y: number, count: number) => void,
    options?: { maxPixels?: number; signal?: AbortSignal },
  ): Promise<void>
  /**
   * Calls `visit` for each contact of these bins with a bin of one of the other chromosomes. Rejects as `readWindow` does: of a cooler
   * everything that stands before the bins has to be looked through.
   */
  readPartners(
    binBp: number,
    x: BinRange,
    chromosomes: readonly number[],
    visit: (chromosome: number, x: number, y: number, count: number) => void,
    options?: { maxPixels?: number; signal?: AbortSignal },
  ): Promise<void>
  /** Only contacts of bins at most `farthest` bins apart within one chromosome, each pair once with x <= y. */
  readBand(
    binBp: number,
    range: BinRange,
    farthest: number,
    visit: (x: number, y: number, count: number) => void,
    options?: { maxPixels?: number; signal?: AbortSignal },
  ): Promise<void>
  /** Factors of these bins, NaN for those that were left out; null where the chromosome has none of that name. */
  readWeights(binBp: number, range: BinRange, normalization: string): Promise<Float64Array | null>
  /**
   * Mean contact by distance in bins as the file itself tells (juicer); null where it tells none.
   */
  readExpected(binBp: number, chromosome: number, normalization: string): Promise<Float64Array | null>
  close(): Promise<void>
}

/** A window holds more than may be read at once. */
export class WindowTooLarge extends Error {
  readonly pixels: number
  constructor(pixels: number) {
    super(`${pixels} contacts`)
    this.pixels = pixels
  }
}
