import type { Translate } from '../../kit/ui/language.tsx'
import { type BrowserTrack, labels, trackIdOf } from './browser-config.ts'

/** The hits of a BLAST search in one assembly, as the search gives them: GFF3 match features. */
export const hitsTrack = (
  assembly: string,
  job: string,
  t: Translate<'track.hits' | 'track.hitsAbout' | 'category.search'>,
): { listed: BrowserTrack; configured: object } => {
  const trackId = trackIdOf(assembly, 'hits')
  const name = t('track.hits')
  const category = t('category.search')
  return {
    listed: {
      id: 'hits',
      trackId,
      name,
      description: t('track.hitsAbout', { job: job.slice(0, 8) }),
      category,
      kind: 'hits',
      simulated: false,
    },
    configured: {
      type: 'FeatureTrack',
      trackId,
      name,
      category: [category],
      assemblyNames: [assembly],
      adapter: {
        type: 'Gff3Adapter',
        gffLocation: {
          uri: `/api/tools/blast/jobs/${encodeURIComponent(job)}/hits.gff3?assembly=${encodeURIComponent(assembly)}`,
          locationType: 'UriLocation',
        },
      },
      displays: [
        {
          type: 'LinearBasicDisplay',
          displayId: `${trackId}-LinearBasicDisplay`,
          height: 110,
          renderer: { type: 'SvgFeatureRenderer', color1: '#2f7fb8', height: 12, labels },
        },
      ],
    },
  }
}
