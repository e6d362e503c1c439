import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import messages from '../messages.ts'
import type { BlastResult } from '../tool.ts'
import { fileAddress } from './job-addresses.ts'

const formatsShown = [
  'pairwise',
  'anchored',
  'tabular',
  'commented',
  'csv',
  'json',
  'xml',
  'xml2',
  'sam',
  'archive',
] as const

/** Files of a whole search: the formats of BLAST+ and the hits of all queries. */
export const Downloads = ({ job, result }: { job: string; result: BlastResult }): ReactNode => {
  const t = useText(messages)
  const genomes = result.databases.flatMap(({ kind, assembly }) =>
    kind === 'genome' && assembly !== null ? [assembly] : [],
  )
  const icon = <Download size={14} aria-hidden />
  return (
    <Card title={t('downloads.formats')}>
      <p className="nv-quiet">{t('downloads.formatsWhy')}</p>
      <div className="blast-files">
        {formatsShown
          .filter((format) => format !== 'sam' || result.program === 'blastn')
          .map((format) => (
            <ButtonLink key={format} external size="small" icon={icon} to={fileAddress(job, `formats/${format}`)}>
              {t(`downloads.${format}`)}
            </ButtonLink>
          ))}
      </div>
      <h3>{t('downloads.hits')}</h3>
      <div className="blast-files">
        <ButtonLink external size="small" icon={icon} to={fileAddress(job, 'hits.tsv')}>
          {t('downloads.tsv')}
        </ButtonLink>
        {/* A file for each assembly: chromosomes of several go by the same names, and a genome browser would draw all on one. */}
        {genomes.map((assembly) => (
          <ButtonLink key={assembly} external size="small" icon={icon} to={fileAddress(job, 'hits.gff3', { assembly })}>
            {genomes.length === 1 ? t('downloads.gff3') : t('downloads.gff3Of', { assembly })}
          </ButtonLink>
        ))}
        <ButtonLink external size="small" icon={icon} to={fileAddress(job, 'sequences', { what: 'aligned' })}>
          {t('downloads.fasta')}
        </ButtonLink>
      </div>
    </Card>
  )
}
