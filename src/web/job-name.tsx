import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Job } from '../contracts/tools/jobs.ts'
import { useLanguage, useText } from '../kit/ui/language.tsx'
import { messages as kit } from '../kit/ui/messages.ts'
import { useToolList } from '../kit/ui/tool/tool-list.ts'

/**
 * A job by its tool and what was asked about, as a reader knows it; it leads to its result. Its id is for whoever reads logs, and tells jobs of one
 * tool apart that name nothing they were asked about.
 */
export const JobName = ({ job, withId = false }: { job: Job; withId?: boolean }): ReactNode => {
  const k = useText(kit)
  const language = useLanguage()
  const tool = useToolList().find((one) => one.id === job.tool)
  const title = tool?.title[language] ?? job.tool
  const name = job.subject === '' ? title : k('question.field', { label: title, value: job.subject })
  return (
    <>
      {tool === undefined ? name : <Link to={`${tool.route}?job=${job.id}`}>{name}</Link>}
      {withId || job.subject === '' ? <code className="shell-job-id">{job.id.slice(0, 8)}</code> : null}
    </>
  )
}
