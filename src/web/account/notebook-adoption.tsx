import { useEffect } from 'react'
import { adoptNotebooks } from '../../contracts/notebooks.ts'
import { call, RequestError } from '../../kit/ui/request.ts'
import { dropNotebookKeys, listKnownNotebooks } from '../../kit/ui/tool/notebooks.ts'
import { useSession } from './session.tsx'

/** Hands the notebooks that this browser made as a visitor to the account that is signed in: signing out forgets their keys. */
export const NotebookAdoption = (): null => {
  const { user } = useSession()
  const name = user === null || user.access === 'visitor' ? null : user.username
  useEffect(() => {
    if (name === null) return
    const notebooks = listKnownNotebooks().flatMap(({ id, key }) => (key === null ? [] : [{ id, key }]))
    if (notebooks.length === 0) return
    call(adoptNotebooks, { notebooks }).then(
      ({ adopted }) => dropNotebookKeys(adopted),
      (error: unknown) => {
        // Tried again with the next page; the keys stay.
        if (!(error instanceof RequestError)) throw error
      },
    )
  }, [name])
  return null
}
