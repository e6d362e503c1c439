import type { ReactNode } from 'react'
import { portalTitle } from '../portal-settings.ts'

/** The document's title: what the page shows, then the portal. */
export const PageTitle = ({ children }: { children: string }): ReactNode => (
  <title>{`${children} · ${portalTitle()}`}</title>
)
