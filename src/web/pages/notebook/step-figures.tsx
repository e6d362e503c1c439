import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { NotebookStep } from '../../../contracts/notebooks.ts'
import { FileGathering, type GatherFile } from '../../../kit/ui/gathered-files.ts'
import type { StepFile } from './notebook-files.ts'
import { StepResultView } from './step-result.tsx'

/** How often is looked whether a result is drawn, how often it must be found unchanged, and how long is waited at most. */
const lookMs = 200
const restingLooks = 3
const longestMs = 20_000

/** Names of files that differ: those of one name are numbered. */
const uniquePaths = (files: readonly StepFile[]): StepFile[] => {
  const taken = new Set<string>()
  return files.map((file) => {
    let own = file.path
    for (let count = 2; taken.has(own); count += 1) own = file.path.replace(/(\.\w+)$/, `-${count}$1`)
    taken.add(own)
    return { ...file, path: own }
  })
}

/** Draws the result of a step beside the page, where nobody sees it, and hands its figures and tables over once it has come to rest. */
export const StepFigures = ({
  notebook,
  step,
  run,
  onDrawn,
}: {
  notebook: string
  step: string
  run: NonNullable<NotebookStep['run']>
  onDrawn: (files: StepFile[]) => void
}): ReactNode => {
  const [gathered] = useState(() => new Set<GatherFile>())
  const host = useRef<HTMLDivElement>(null)
  const hand = useRef(onDrawn)
  hand.current = onDrawn
  useEffect(() => {
    let looks = 0
    let seen = ''
    const begun = performance.now()
    const timer = setInterval(() => {
      const element = host.current
      if (element === null) return
      const now = element.innerHTML
      const isWaiting = element.querySelector('.nv-waiting, [aria-busy="true"]') !== null
      looks = now === seen && !isWaiting ? looks + 1 : 0
      seen = now
      if (looks < restingLooks && performance.now() - begun < longestMs) return
      clearInterval(timer)
      void (async () => {
        const files: StepFile[] = []
        for (const gather of gathered) {
          // A figure that the browser cannot draw is not worth losing the others.
          const file = await gather().catch(() => null)
          if (file === null) continue
          if ('svg' in file) files.push({ path: `${file.name}.svg`, content: file.svg })
          else if ('png' in file)
            files.push({ path: `${file.name}.png`, content: new Uint8Array(await file.png.arrayBuffer()) })
          else files.push({ path: `${file.name}.tsv`, content: file.table, rows: file.rows, of: file.of })
        }
        hand.current(uniquePaths(files))
      })()
    }, lookMs)
    return () => clearInterval(timer)
  }, [gathered])
  return (
    <div ref={host} className="note-drawn" aria-hidden inert>
      <FileGathering value={gathered}>
        <StepResultView notebook={notebook} step={step} run={run} />
      </FileGathering>
    </div>
  )
}
