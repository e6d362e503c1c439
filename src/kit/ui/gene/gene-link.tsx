import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** Address of a gene's page. */
export const geneAddress = (id: string, assembly?: string | null, route = '/gene'): string =>
  `${route}?${new URLSearchParams({ id, ...(assembly === null || assembly === undefined ? {} : { assembly }) })}`

/** A gene as a link: its id in the face of ids, its symbol in italics as the field writes it. */
export const GeneLink = ({
  id,
  assembly,
  symbol,
}: {
  id: string
  assembly?: string | null
  symbol?: string | null
}): ReactNode => (
  <Link to={geneAddress(id, assembly)} className="nv-gene-link">
    <code>{id}</code>
    {symbol === null || symbol === undefined || symbol === id ? null : <i>{symbol}</i>}
  </Link>
)
