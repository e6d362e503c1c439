import { Fragment, type ReactNode } from 'react'

/** Where a place may be parted: behind its sequence's name, behind the two dots, and between places. */
const joints = /(?<=:(?=[\d])|\.\.|\s)/

/**
 * A place, as `format.region` and its like write it, that is broken over lines behind `:` and `..` and never within a number; what is
 * copied is the text alone.
 */
export const RegionText = ({ children }: { children: string }): ReactNode => (
  <span className="nv-place">
    {children.split(joints).map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text in their order.
      <Fragment key={at}>
        {at === 0 ? null : <wbr />}
        <span>{part}</span>
      </Fragment>
    ))}
  </span>
)
