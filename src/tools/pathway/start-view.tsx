import type { ReactNode } from 'react'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Answered } from '../../kit/ui/controls/empty-state.tsx'
import { usePathways } from './form.tsx'
import { PathwayTable } from './pathway-table.tsx'

/** Before anything is run: all pathways of the form's assembly. */
export const StartView = (): ReactNode => {
  const [query] = useAddressValues()
  const answer = usePathways(query.get('assembly') ?? undefined)
  return (
    <Answered of={answer}>
      {({ list, receipt }) => <PathwayTable list={list} genes={[]} source="" receipt={receipt} />}
    </Answered>
  )
}
