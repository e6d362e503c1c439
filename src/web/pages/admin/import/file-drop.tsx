import { FolderUp, Upload } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../../../../kit/ui/controls/button.tsx'
import { useText } from '../../../../kit/ui/language.tsx'
import { messages } from '../../../messages/import.ts'
import { chosenFiles, type DroppedFile, droppedFiles } from './dropped-files.ts'

/** A place for files to be dropped on, with buttons for whoever does not drop. */
export const FileDrop = ({
  text,
  onFiles,
  busy = false,
  isFirst = true,
}: {
  text: string
  onFiles: (files: DroppedFile[]) => void
  busy?: boolean
  /** Nothing was dropped before: it is the next step. */
  isFirst?: boolean
}): ReactNode => {
  const t = useText(messages)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (found: DroppedFile[]): void => {
    if (found.length > 0 && !busy) onFiles(found)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be chosen by the buttons within.
    <div
      className={`import-drop${over ? ' import-drop-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void droppedFiles(event.dataTransfer).then(take)
      }}
    >
      <p>{text}</p>
      <div className="account-actions">
        <Button
          look={isFirst ? 'primary' : 'default'}
          busy={busy}
          icon={<Upload size={16} aria-hidden />}
          onClick={() => files.current?.click()}
        >
          {t('import.chooseFiles')}
        </Button>
        <Button busy={busy} icon={<FolderUp size={16} aria-hidden />} onClick={() => folder.current?.click()}>
          {t('import.chooseFolder')}
        </Button>
      </div>
      {[files, folder].map((input) => (
        <input
          key={input === files ? 'files' : 'folder'}
          ref={input}
          type="file"
          hidden
          multiple
          {...(input === folder ? { webkitdirectory: '' } : {})}
          onChange={(event) => {
            const found = chosenFiles(event.target.files)
            event.target.value = ''
            take(found)
          }}
        />
      ))}
    </div>
  )
}
