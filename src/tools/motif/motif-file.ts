import type { MotifSearchResult } from './tool.ts'

/** The motifs of a run as a file for the MEME Suite: minimal motif format, version 4, with the background of the run. */
export const renderMotifFile = ({ motifs, background }: Pick<MotifSearchResult, 'motifs' | 'background'>): string => {
  const [a, c, g, t] = background.bases.map((value) => value.toFixed(6))
  const blocks = motifs.map(({ id, name, width, siteCount, frequencies }) =>
    [
      `MOTIF ${id.replace(/\s+/g, '_')}${name === null ? '' : ` ${name.replace(/\s+/g, '_')}`}`,
      `letter-probability matrix: alength= 4 w= ${width} nsites= ${siteCount}`,
      ...frequencies.map((row) => row.map((value) => value.toFixed(6)).join(' ')),
      '',
    ].join('\n'),
  )
  return `MEME version 4\n\nALPHABET= ACGT\n\nstrands: + -\n\nBackground letter frequencies\nA ${a} C ${c} G ${g} T ${t}\n\n${blocks.join('\n')}`
}
