import { createNotebook } from '../../../contracts/notebooks.ts'
import { call } from '../request.ts'
import { type KnownNotebook, keepNotebook } from './notebooks.ts'

/** A new notebook without a title, which this browser knows from then on. Throws RequestError, which has then been shown. */
export const startNotebook = async (): Promise<KnownNotebook> => {
  const { notebook, key } = await call(createNotebook, { title: '' })
  const made = { id: notebook.id, title: notebook.title, key }
  keepNotebook(made)
  return made
}
