import { ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { formatCitation } from '../../bio/literature/citations.ts'
import { CopyButton } from '../../kit/ui/controls/copy-button.tsx'
import { CitedData } from '../../kit/ui/gene/cited-data.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { FoundPublication } from './tool.ts'

/** Authors on a line: at most this many before "et al." */
const namesShown = 6
const genesShown = 12

/** A link that leaves the portal: it opens beside it, and the other side is told neither where from nor given a handle on this page. */
const Outside = ({ to, children }: { to: string; children: ReactNode }): ReactNode => (
  <a href={to} target="_blank" rel="noopener noreferrer" className="ref-outside">
    {children}
    <ExternalLink size={12} aria-hidden />
  </a>
)

/** DOI, PubMed and other addresses of a publication. Nothing is fetched from there until the reader follows one. */
const PublicationLinks = ({ publication }: { publication: FoundPublication }): ReactNode => {
  const { doi, pubmedId, url } = publication
  const safeUrl = url !== null && /^https?:\/\//i.test(url) && (doi === null || !url.includes(doi)) ? url : null
  return (
    <>
      {doi === null ? null : <Outside to={`https://doi.org/${encodeURI(doi)}`}>doi:{doi}</Outside>}
      {pubmedId === null ? null : (
        <Outside to={`https://pubmed.ncbi.nlm.nih.gov/${pubmedId}/`}>{`PMID ${pubmedId}`}</Outside>
      )}
      {safeUrl === null ? null : <Outside to={safeUrl}>{new URL(safeUrl).hostname}</Outside>}
    </>
  )
}

/** "Nature 393 (6685): 537-544". */
const sourceOf = ({ journal, publisher, volume, issue, pages }: FoundPublication): ReactNode => {
  const place = [volume, issue === null ? null : `(${issue})`].filter((part) => part !== null).join(' ')
  const rest = [place, pages].filter((part) => part !== null && part !== '').join(': ')
  return (
    <>
      {journal === null ? null : <i>{journal}</i>} {rest}
      {publisher === null ? null : ` ${publisher}`}
    </>
  )
}

/** First line or two of a publication, alike in the list and on the gene page. */
export const PublicationHead = ({ publication }: { publication: FoundPublication }): ReactNode => {
  const t = useText(messages)
  const named = publication.authors.filter((author) => author !== 'et al.')
  const authors = named.slice(0, namesShown).join('; ')
  return (
    <>
      <h3 className="ref-title">
        <Link
          to={`/detail?${new URLSearchParams({ type: 'reference', id: publication.key, species: publication.species })}`}
        >
          {publication.title ?? t('item.noTitle')}
        </Link>
      </h3>
      <p className="ref-authors">
        {authors}
        {named.length > namesShown || named.length < publication.authors.length ? ' et al.' : ''}
      </p>
      <p className="ref-source">
        {publication.year === null ? null : <strong>{publication.year}</strong>} {sourceOf(publication)}{' '}
        <PublicationLinks publication={publication} />
      </p>
    </>
  )
}

const Citations = ({ publication }: { publication: FoundPublication }): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const reference = { ...publication, genes: [], line: 0 }
  // The reader's own language first.
  return (['en', 'zh'] as const)
    .toSorted((a, b) => Number(b === language) - Number(a === language))
    .map((style) => (
      <div key={style} className="ref-citation">
        <p>
          <span className="nv-quiet">{t(style === 'en' ? 'item.english' : 'item.chinese')}</span>
          <CopyButton look="quiet" textOf={() => formatCitation(reference, style)} reported={t('item.copied')}>
            {t('item.copy')}
          </CopyButton>
        </p>
        <blockquote>{formatCitation(reference, style)}</blockquote>
      </div>
    ))
}

const Genes = ({ publication }: { publication: FoundPublication }): ReactNode => {
  const t = useText(messages)
  const [all, setAll] = useState(false)
  const shown = all ? publication.genes : publication.genes.slice(0, genesShown)
  const more = publication.genes.length - shown.length
  return (
    <>
      {shown.map(({ name, by, genes }) => (
        <span key={name} className="nv-cited" title={`${name}: ${t(`by.${by}`)}`}>
          {genes.length === 0 ? (
            <code title={t('item.notLoaded')}>{name}</code>
          ) : (
            genes.map((gene) => (
              <GeneLink
                key={`${gene.assembly}/${gene.id}`}
                id={gene.id}
                assembly={gene.assembly}
                symbol={gene.symbol}
              />
            ))
          )}
        </span>
      ))}
      {more > 0 || all ? (
        <button type="button" className="ref-more" onClick={() => setAll(!all)}>
          {all ? t('item.fewer') : t('item.moreGenes', { count: more })}
        </button>
      ) : null}
    </>
  )
}

/** A publication in the list: what it is, what it touches, its abstract and how to cite it. */
export const PublicationItem = ({
  publication,
  chosen,
  onChoose,
  onKeyword,
}: {
  publication: FoundPublication
  chosen: boolean
  onChoose: (chosen: boolean) => void
  onKeyword: (keyword: string) => void
}): ReactNode => {
  const t = useText(messages)
  const geneNames = new Set(
    publication.genes.flatMap(({ name, genes }) => [name, ...genes.flatMap((gene) => [gene.id, gene.symbol])]),
  )
  const keywords = publication.keywords.filter((keyword) => !geneNames.has(keyword))
  return (
    <li className={chosen ? 'ref-item ref-chosen' : 'ref-item'}>
      <input
        type="checkbox"
        checked={chosen}
        aria-label={t('item.select', { title: publication.title ?? publication.key })}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <div>
        <PublicationHead publication={publication} />
        <dl className="ref-facts">
          {publication.dataSets.length === 0 ? null : (
            <div>
              <dt>{t('item.data')}</dt>
              <dd>
                <CitedData sets={publication.dataSets} />
              </dd>
            </div>
          )}
          {publication.genes.length === 0 ? null : (
            <div>
              <dt>{t('item.genes')}</dt>
              <dd>
                <Genes publication={publication} />
              </dd>
            </div>
          )}
          {keywords.length === 0 ? null : (
            <div>
              <dt>{t('item.keywords')}</dt>
              <dd>
                {keywords.map((keyword) => (
                  <button key={keyword} type="button" className="nv-chip" onClick={() => onKeyword(keyword)}>
                    {keyword}
                  </button>
                ))}
              </dd>
            </div>
          )}
        </dl>
        {publication.abstract === null ? null : (
          <details className="ref-fold">
            <summary>{t('item.abstract')}</summary>
            <p>{publication.abstract}</p>
          </details>
        )}
        <details className="ref-fold">
          <summary>{t('item.cite')}</summary>
          <Citations publication={publication} />
        </details>
      </div>
    </li>
  )
}
