import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'

/** A family by its id, with what a family can be opened in: its tree, say. */
export const FamilyLinks = ({
  family,
  gene,
  assembly,
}: {
  family: string
  gene: string
  assembly: string
}): ReactNode => {
  const openings = useOpenings('geneFamily')
  const [first] = openings
  if (first === undefined) return <code>{family}</code>
  return (
    <Link to={first.address({ gene, assembly }, { run: true })} title={first.label} className="pan-family">
      <code>{family}</code>
      <first.tool.icon size={13} aria-hidden />
    </Link>
  )
}
