import { showNotice } from '../kit/ui/notices.ts'
import { RequestError } from '../kit/ui/request.ts'

export const notifySuccess = (text: string): void => {
  showNotice({ kind: 'message', level: 'success', text })
}

/** Runs what a button asks for; a failure has been shown by the request layer. */
export const attempt = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
  }
}
