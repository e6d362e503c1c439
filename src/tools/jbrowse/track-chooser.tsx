import { type ReactNode, useState } from 'react'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { Dialog } from '../../kit/ui/controls/dialog.tsx'
import { Checkbox } from '../../kit/ui/controls/field.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { messages as kit } from '../../kit/ui/messages.ts'
import { addressOf } from '../../kit/ui/request.ts'
import type { BrowserTrack, UndrawnMap } from './browser-config.ts'
import messages from './messages.ts'

/** The portal's own list of tracks: JBrowse's has no Chinese and does not say what a track is. */
export const TrackChooser = ({
  open,
  onClose,
  assembly,
  tracks,
  undrawn,
  chosen,
  onChosen,
}: {
  open: boolean
  onClose: () => void
  assembly: string
  tracks: BrowserTrack[]
  undrawn: UndrawnMap[]
  /** Ids in the configuration. */
  chosen: string[]
  onChosen: (trackIds: string[]) => void
}): ReactNode => {
  const t = useText(messages)
  const tKit = useText(kit)
  const [text, setText] = useState('')
  const words = text.toLowerCase().split(/\s+/)
  const fitting = tracks.filter((track) => {
    const all = `${track.name} ${track.id} ${track.category} ${track.description ?? ''}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const categories = [...new Set(fitting.map((track) => track.category))]
  return (
    <Dialog open={open} onClose={onClose} title={t('page.tracksTitle', { assembly })}>
      <input
        className="nv-input"
        type="search"
        value={text}
        aria-label={t('page.tracksFilter')}
        placeholder={t('page.tracksFilter')}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="jbrowse-tracks">
        {fitting.length === 0 ? <p className="nv-quiet">{t('page.tracksNone', { text })}</p> : null}
        {categories.map((category) => (
          <fieldset key={category}>
            <legend>{category}</legend>
            {fitting
              .filter((track) => track.category === category)
              .map((track) => (
                <div key={track.trackId} className="jbrowse-track">
                  <Checkbox
                    checked={chosen.includes(track.trackId)}
                    onCheck={(checked) =>
                      onChosen(
                        checked ? [...chosen, track.trackId] : chosen.filter((trackId) => trackId !== track.trackId),
                      )
                    }
                  >
                    {track.name}{' '}
                    {track.simulated ? (
                      <Tag tone="amber" title={tKit('simulated.why')}>
                        {tKit('simulated.tag')}
                      </Tag>
                    ) : null}
                  </Checkbox>
                  {track.description === null ? null : <p className="nv-quiet">{track.description}</p>}
                </div>
              ))}
          </fieldset>
        ))}
      </div>
      {undrawn.length === 0 ? null : (
        <p className="nv-quiet">
          {t('page.undrawn')}{' '}
          {undrawn.map((map, number) => (
            <span key={map.file}>
              {number === 0 ? '' : ', '}
              <a href={addressOf(map.file)} download>
                {map.name}
              </a>{' '}
              ({map.format})
            </span>
          ))}
        </p>
      )}
    </Dialog>
  )
}
