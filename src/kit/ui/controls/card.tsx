import type { ReactNode } from 'react'
import { useFold } from './folding-card.tsx'

/** A card of a page: a title with its actions at the right, always in the same place, and the content. */
export const Card = ({
  title,
  aside,
  actions,
  id,
  children,
  foot,
  flush = false,
}: {
  title?: ReactNode
  aside?: ReactNode
  actions?: ReactNode
  id?: string
  children: ReactNode
  foot?: ReactNode
  /** Content goes to the card's edge (tables, maps). */
  flush?: boolean
}): ReactNode => {
  const Heading = useFold() === null ? 'h2' : 'h3'
  return (
    <section className="nv-card" id={id}>
      {title === undefined && actions === undefined ? null : (
        <header className="nv-card-head">
          {title === undefined ? null : <Heading>{title}</Heading>}
          {aside === undefined ? null : <span className="nv-card-aside">{aside}</span>}
          {actions === undefined ? null : <div className="nv-card-actions">{actions}</div>}
        </header>
      )}
      <div className={flush ? 'nv-card-flush' : 'nv-card-body'}>{children}</div>
      {foot === undefined ? null : <footer className="nv-card-foot">{foot}</footer>}
    </section>
  )
}

/** A short word about a thing; `simulated` data always wears the amber one. */
export const Tag = ({
  tone = 'green',
  children,
  title,
}: {
  tone?: 'green' | 'amber' | 'grey' | 'red' | 'blue'
  children: ReactNode
  title?: string
}): ReactNode => (
  <span className={`nv-tag nv-tag-${tone}`} title={title}>
    {children}
  </span>
)

/** Names and values of a record, in two columns where there is room. */
export const Facts = ({ facts }: { facts: { name: ReactNode; value: ReactNode; wide?: boolean }[] }): ReactNode => (
  <dl className="nv-facts">
    {facts.map((fact, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a record keep their order.
      <div key={index} className={fact.wide === true ? 'nv-fact-wide' : ''}>
        <dt>{fact.name}</dt>
        <dd>{fact.value}</dd>
      </div>
    ))}
  </dl>
)
