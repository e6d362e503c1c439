import { currentLocale, translator } from '../language.tsx'
import { messages } from '../messages.ts'
import { showNotice } from '../notices.ts'

/**
 * By the browser's older way, which works where there is no Clipboard API: browsers give it to pages over HTTPS and on the reader's own
 * machine alone (https://www.w3.org/TR/clipboard-apis/#async-clipboard-api), and many portals are reached by a plain intranet address.
 */
const copyBySelection = (text: string): boolean => {
  const before = document.activeElement
  const box = document.createElement('textarea')
  box.value = text
  box.readOnly = true
  box.setAttribute('aria-hidden', 'true')
  // In sight for the browser, out of sight for the reader; in place, so that the page does not scroll to it.
  box.style.cssText = 'position:fixed;inset-block-start:0;inset-inline-start:0;inline-size:1px;block-size:1px;opacity:0'
  // What stands outside an open dialog cannot take the focus.
  ;(before?.closest('dialog') ?? document.body).append(box)
  box.select()
  box.setSelectionRange(0, text.length)
  let copied = false
  try {
    copied = document.execCommand('copy')
  } catch {
    // Switched off in this browser: the reader is told.
  }
  box.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return copied
}

/** Copies a text and says so in the words of `reported`, or that the browser refused; called in answer to the reader's click. Never throws. */
export const copyText = async (text: string, reported: string): Promise<void> => {
  const copied = await (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
    () => true,
    () => copyBySelection(text),
  )
  if (copied) showNotice({ kind: 'message', level: 'success', text: reported })
  else
    showNotice({
      kind: 'message',
      level: 'error',
      text: translator(messages, currentLocale())('copy.failed'),
      stayMs: 10_000,
    })
}
