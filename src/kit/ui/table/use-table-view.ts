import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useAddressValues } from '../address-values.ts'
import { readTableView, type TableView, tableKey, tablePrefix, writeTableView } from './table-address.ts'

/** Typing reaches the address after this pause: each key would else draw the whole page anew. */
const typingPauseMs = 350

const ownPart = (query: URLSearchParams, key: string): string =>
  new URLSearchParams([...query].filter(([name]) => name.startsWith(`${tablePrefix}${key}.`))).toString()

/**
 * How a table is looked at, kept in the address under the table's own key, so that a link, a reload, Back and Forward show the same
 * rows. Typing is one step of the history, every other change is a step of its own. With `apart` nothing is kept in the address: for
 * tables that a link cannot open.
 */
export const useTableView = (
  name: string,
  columns: readonly { key: string }[],
  usual: TableView,
  apart = false,
): [TableView, (part: Partial<TableView>, typed?: boolean) => void] => {
  const [query, change] = useAddressValues()
  const key = useMemo(() => tableKey(name), [name])
  const [view, setView] = useState<TableView>(() => (apart ? usual : readTableView(query, key, columns, usual)))
  const latest = useRef(view)
  const seen = useRef(`${key}?${ownPart(query, key)}`)
  /** What was written and has not come back yet: the address follows a moment later, and an earlier one must not undo a later one. */
  const underWay = useRef<string[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const typing = useRef(false)
  const now = useRef({ query, columns, usual, change })
  now.current = { query, columns, usual, change }
  useEffect(() => () => clearTimeout(timer.current), [])

  const own = `${key}?${ownPart(query, key)}`
  useEffect(() => {
    if (apart || own === seen.current) return
    seen.current = own
    const at = underWay.current.indexOf(own)
    if (at >= 0) {
      underWay.current.splice(0, at + 1)
      return
    }
    // Back, Forward, a link, or another table in the same place.
    underWay.current = []
    clearTimeout(timer.current)
    typing.current = false
    latest.current = readTableView(now.current.query, key, now.current.columns, now.current.usual)
    setView(latest.current)
  }, [own, key, apart])

  const set = useCallback(
    (part: Partial<TableView>, typed = false): void => {
      latest.current = { ...latest.current, ...part }
      setView(latest.current)
      if (apart) return
      clearTimeout(timer.current)
      const write = (): void => {
        const { query: before, columns: all, usual: begin, change: put } = now.current
        const values = writeTableView(before, key, all, latest.current, begin)
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(values)) {
          if (value === null) next.delete(name)
          else next.set(name, value)
        }
        if (ownPart(next, key) === ownPart(before, key) && underWay.current.length === 0) return
        underWay.current.push(`${key}?${ownPart(next, key)}`)
        put(values, typed && typing.current)
        typing.current = typed
      }
      if (typed) timer.current = setTimeout(write, typingPauseMs)
      else write()
    },
    [key, apart],
  )
  return [view, set]
}
