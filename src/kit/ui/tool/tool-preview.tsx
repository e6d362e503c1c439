import { Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { useLanguage, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { useTheme } from '../theme.ts'

/** Pixels of the pictures, as scripts/document-pictures.mjs takes them: their place is held until they come. */
const pictureSize = { width: 880, height: 550 }

/** Before anything is run: what the tool answers, what the result of its example looks like, and one press that runs it. */
export const ToolPreview = ({
  title,
  answers,
  pictures,
  onRun,
  busy,
  isSmall,
  isElsewhere,
}: {
  title: string
  /** Questions, one a line; null where the tool names none. */
  answers: string | null
  /** Addresses of the pictures by `./preview.<language>.<theme>.webp`. */
  pictures: Readonly<Record<string, string>> | undefined
  /** Null where there is no example, or the tool cannot be run. */
  onRun: (() => void) | null
  busy: boolean
  /** Something of the tool's own follows: the picture then stands beside the words. */
  isSmall: boolean
  /** The tool lacks data here: those of the picture are of another portal. */
  isElsewhere: boolean
}): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const theme = useTheme()
  const picture = pictures?.[`./preview.${language}.${theme}.webp`]
  if (answers === null && onRun === null) return null
  return (
    <section className={`nv-card nv-preview${isSmall ? ' nv-preview-small' : ''}`} aria-label={t('preview.title')}>
      <div className="nv-preview-parts">
        <div className="nv-preview-words">
          {answers === null ? null : (
            <>
              <h2>{t('preview.title')}</h2>
              <ul>
                {answers.split('\n').map((question) => (
                  <li key={question}>{question}</li>
                ))}
              </ul>
            </>
          )}
          {onRun === null ? null : (
            <Button icon={<Play size={14} aria-hidden />} busy={busy} onClick={onRun}>
              {t('preview.run')}
            </Button>
          )}
        </div>
        {picture === undefined ? null : (
          <figure>
            <img src={picture} alt={t('preview.picture', { tool: title })} {...pictureSize} decoding="async" />
            <figcaption>{t(isElsewhere ? 'preview.captionElsewhere' : 'preview.caption')}</figcaption>
          </figure>
        )}
      </div>
    </section>
  )
}
