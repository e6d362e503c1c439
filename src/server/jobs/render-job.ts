import type { Language } from '../../contracts/text.ts'
import type { Job } from '../../contracts/tools/jobs.ts'
import { type JobRecord, renderJob } from '../../jobs/job-record.ts'
import { formatText } from '../language.ts'
import type { Portal } from '../portal.ts'

/** A job in its contract's form, its error in the reader's language by its tool's messages. */
export const renderPortalJob = (portal: Pick<Portal, 'tools'>, job: JobRecord, language: Language): Job => {
  const messages = portal.tools.find((entry) => entry.id === job.tool)?.messages
  return renderJob(job, (message, params) =>
    formatText(language, message, { requestId: job.id, near: 'none', ...params }, messages),
  )
}
