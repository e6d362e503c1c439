/** The part of hic-straw (igv.js's reader of .hic files) that tests compare with; it comes without types. */
declare module 'hic-straw/dist/hic-straw.esm.js' {
  interface Region {
    chr: string
    start: number
    end: number
  }
  export default class Straw {
    constructor(options: { file: { read(position: number, length: number): Promise<ArrayBuffer> } })
    getContactRecords(
      normalization: string,
      region1: Region,
      region2: Region,
      units: 'BP',
      binSize: number,
    ): Promise<{ bin1: number; bin2: number; counts: number }[]>
  }
}
