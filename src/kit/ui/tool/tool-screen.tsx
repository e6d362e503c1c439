import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BookOpen, FlaskConical, Link2, Play, RotateCcw } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { remedyOf } from '../../../contracts/errors.ts'
import { runTool } from '../../../contracts/tools/jobs.ts'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { useIsLeft, viewPrefix } from '../address-values.ts'
import { Button } from '../controls/button.tsx'
import { copyText } from '../controls/copy-text.ts'
import { Answered, EmptyState, FailureState, Unanswered, Waiting } from '../controls/empty-state.tsx'
import {
  addressLimit,
  defaultValues,
  identifierLines,
  problemOf,
  readQuery,
  schemaFields,
  type Values,
  writeQuery,
} from '../controls/schema-fields.ts'
import { SchemaForm, useToolText } from '../controls/schema-form.tsx'
import { findGeneSet } from '../gene/gene-sets.ts'
import { useAssemblyNames } from '../gene/species-names.tsx'
import { type Translate, useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { useAssemblies, useSpecies, useToolStatuses } from '../portal-data.ts'
import { useReported } from '../reported-failures.ts'
import { call, displayOf, failureText, RequestError, type RequestProblem, shownBesideFields } from '../request.ts'
import { downloadJson, fileName } from '../table/export.ts'
import { tablePrefix } from '../table/table-address.ts'
import { AddToNotebook } from './add-to-notebook.tsx'
import type { Screen } from './define-screen.ts'
import { findDraft, keepDraft } from './drafts.ts'
import { FormLine } from './form-line.tsx'
import { JobView, keepJob, useJob, useJobResult } from './job-view.tsx'
import { placedProblems } from './placed-problems.ts'
import { questionParts } from './question.ts'
import { ReceiptBelow, ReceiptView } from './receipt.tsx'
import { ToolPreview } from './tool-preview.tsx'
import { type Outcome, useOutcomeFocus } from './use-outcome-focus.ts'

/** An address without how its results are looked at, which changes nothing in the form. */
const formPart = (query: URLSearchParams): string =>
  new URLSearchParams([...query].filter(([name]) => !name.startsWith(viewPrefix))).toString()

/** Empty boxes are "not given" to the schema, not empty texts. */
const clean = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )

/** Whether two inputs ask for the same answer, whatever part of it. */
const sameBut = (paging: readonly string[], before: string, now: Values): boolean => {
  if (paging.length === 0) return false
  const part = (values: Values): string =>
    JSON.stringify(Object.fromEntries(Object.entries(values).filter(([name]) => !paging.includes(name))))
  return part(JSON.parse(before) as Values) === part(now)
}

const groupProblems = (problems: RequestProblem[]): Record<string, string[]> => {
  const groups: Record<string, string[]> = {}
  for (const { path, message } of problems) {
    const name = String(path[0] ?? '')
    groups[name] = [...new Set([...(groups[name] ?? []), message])]
  }
  return groups
}

/** What the outcome or a field says of a refused input, or of what is not there to be run with, needs no notice besides. */
const isShownHere = (error: RequestError): boolean => {
  const [display, remedy] = [displayOf(error), remedyOf(error.errorCode)]
  return (
    shownBesideFields(error) ||
    (display === 'error' && remedy === 'input') ||
    (display === 'warning' && remedy === 'nothing')
  )
}

/** What is wrong in a form: what takes the focus there. */
const wrongField = '[aria-invalid=true], .nv-field-wrong :is(input, select, textarea, button)'

/**
 * The page of every tool. The address holds the state: the form's values in the query, `run=1` for an answer given at
 * once, `job` for a job. So reload, back, forward and a copied link show what was there. Input too long for an address is
 * kept in this browser session under `draft`.
 */
export const ToolScreen = ({ screen, pages }: { screen: Screen; pages?: ReactNode }): ReactNode => {
  const { tool, Result, Form, Start, headline } = screen
  const t = useText(messages)
  const own = useText(screen.messages) as Translate<string>
  const format = useFormat()
  const statuses = useToolStatuses()
  const status = statuses.data?.find(({ id }) => id === tool.id)
  const species = useSpecies()
  const assemblies = useAssemblies()
  const client = useQueryClient()
  const [query, setQuery] = useSearchParams()
  const fields = useMemo(() => schemaFields(tool.input), [tool.input])
  const assemblyName = useAssemblyNames()
  const formId = useId()
  const formTop = useRef<HTMLFormElement>(null)
  const resultLocus = useRef<HTMLDivElement>(null)
  const resultHead = useRef<HTMLDivElement & HTMLParagraphElement>(null)

  const text = useToolText(screen.messages)

  const jobId = query.get('job')
  const running = query.get('run') === '1'

  const valuesOf = useCallback(
    (from: URLSearchParams): Values => {
      const values = defaultValues(fields)
      const draft = from.get('draft')
      if (draft !== null) Object.assign(values, findDraft(tool.id, draft))
      // What stands in the address itself is newer than the draft beside it: the page of a long list, say.
      Object.assign(values, readQuery(fields, from))
      const set = findGeneSet(from.get('set') ?? '')
      if (set !== undefined) {
        values.genes = set.genes.join('\n')
        if (set.assembly !== null && fields.some((field) => field.name === 'assembly')) values.assembly = set.assembly
      }
      return values
    },
    [fields, tool.id],
  )

  const [values, setValues] = useState<Values>(() => valuesOf(query))
  const [problems, setProblems] = useState<Record<string, string[]>>({})
  /** What is wrong with fields that the form does not show, so that it is said beside none. */
  const [unplaced, setUnplaced] = useState<string[]>([])
  // On a phone, and beside a wide result, the form is folded from its run on, until the reader asks for it.
  const [unfolded, setUnfolded] = useState(false)
  /** Once a result has had the page's width the form keeps its place: typing into it must not move it. */
  const [wasWide, setWasWide] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const written = useRef(formPart(query))

  const addressFor = useCallback(
    (next: Values): URLSearchParams => {
      const pairs = writeQuery(fields, next)
      const length = pairs.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
      if (length <= addressLimit) return new URLSearchParams(pairs)
      return new URLSearchParams({ draft: keepDraft(tool.id, clean(next)) })
    },
    [fields, tool.id],
  )

  // A tool that works in one assembly starts with a reference, so that the form can be run without choosing among many.
  const assemblyHint = screen.fields?.assembly
  const startAssembly = fields.some((field) => field.name === 'assembly' && field.required)
    ? assemblies.find((one) => assemblyHint?.needs === undefined || (one.dataTypes[assemblyHint.needs] ?? 0) > 0)?.id
    : undefined
  useEffect(() => {
    if (startAssembly === undefined) return
    setValues((before) => (before.assembly === undefined ? { ...before, assembly: startAssembly } : before))
  }, [startAssembly])

  // Back, forward and links within the page: the form follows the address, unless we wrote that address ourselves.
  useEffect(() => {
    const now = formPart(query)
    if (now === written.current) return
    written.current = now
    // What was typed a moment ago belongs to the form before.
    clearTimeout(timer.current)
    if (query.get('job') === null)
      setValues({ ...(startAssembly === undefined ? {} : { assembly: startAssembly }), ...valuesOf(query) })
    setProblems({})
  }, [query, valuesOf, startAssembly])

  const isLeft = useIsLeft()
  const write = (next: URLSearchParams, replace: boolean): void => {
    if (isLeft()) return
    // How results are looked at outlives a change of the form; a filter of rows belongs to the result it was typed over.
    for (const [name, value] of query)
      if (name.startsWith(viewPrefix) && (replace || !name.startsWith(tablePrefix))) next.set(name, value)
    written.current = formPart(next)
    // At once: the page is put back to where it stood when the address changed, which must not come after a result was scrolled to.
    setQuery(next, { replace, preventScrollReset: true, flushSync: true })
  }

  /** The values as they are now: two changes may come before the form is drawn again, or one late, when a file has been read. */
  const latest = useRef(values)
  useEffect(() => {
    latest.current = values
  }, [values])

  // While a better example is asked for, Run waits: pressed at once after Example it would run what stood there before.
  const [filling, setFilling] = useState(false)
  const filled = useRef(0)
  const stopFilling = (): void => {
    filled.current += 1
    setFilling(false)
  }

  const change = (part: Values): void => {
    stopFilling()
    const next = { ...latest.current, ...part }
    latest.current = next
    setValues(next)
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in part))))
    clearTimeout(timer.current)
    // A result's own history entry is left as it is: the first change after a result makes a new one.
    timer.current = setTimeout(() => write(addressFor(latest.current), !(running || jobId !== null)), 400)
  }

  const adjust = useCallback((part: Values): void => {
    latest.current = { ...latest.current, ...part }
    setValues((before) => ({ ...before, ...part }))
  }, [])

  // An answer given at once, kept by its input: going back to it asks nothing.
  const input = useMemo(() => clean(running ? valuesOf(query) : {}), [running, query, valuesOf])
  const answer = useQuery({
    queryKey: ['run', tool.id, JSON.stringify(input)],
    enabled: running && jobId === null,
    // What the outcome or a field says of a refusal needs no notice besides.
    queryFn: (context) => call(runTool, { ...input, tool: tool.id }, { ...context, skipErrorHandler: isShownHere }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30 * 60_000,
    retry: false,
    // A run is something handed in: without a connection it is tried and refused in words, and not kept waiting unseen.
    networkMode: 'always',
    refetchOnReconnect: true,
    placeholderData: (previous, before) =>
      before !== undefined && sameBut(screen.paging ?? [], String(before.queryKey[2]), input) ? previous : undefined,
  })
  const startedJob = answer.data?.job?.id ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newly started job moves the address.
  useEffect(() => {
    if (startedJob === null || !running || answer.data === undefined) return
    // What the answer tells of the job is shown on under its address, without asking for it anew.
    keepJob(client, input, answer.data)
    // Not within the effect: nothing can be drawn at once there.
    queueMicrotask(() => write(new URLSearchParams({ job: startedJob }), true))
  }, [startedJob])

  const followed = useJob(jobId)
  const jobResult = useJobResult(followed.job)
  const jobInput = useRef<string | null>(null)
  useEffect(() => {
    if (jobId === null || followed.input === undefined || followed.input === null || jobInput.current === jobId) return
    jobInput.current = jobId
    setValues({ ...defaultValues(fields), ...identifierLines(fields, followed.input as Values) })
  }, [jobId, followed.input, fields])
  useEffect(() => {
    if (jobId === null) jobInput.current = null
  }, [jobId])

  // A run that gave no result is not an answer to keep: asked again, it is run again.
  const lost = followed.job?.state === 'failed' || followed.job?.state === 'cancelled' || followed.unknown
  useEffect(() => {
    if (lost && jobId !== null)
      client.removeQueries({
        queryKey: ['run', tool.id],
        predicate: ({ state }) => (state.data as { job?: { id: string } } | undefined)?.job?.id === jobId,
      })
  }, [lost, jobId, client, tool.id])

  const failure = answer.error instanceof RequestError && running ? answer.error : null
  const failureRemedy = failure === null ? null : remedyOf(failure.errorCode)
  const names = useMemo(() => fields.map(({ name }) => name), [fields])
  const failureProblems = useMemo(
    () => (failure === null ? null : placedProblems(failure, failure.message, names)),
    [failure, names],
  )
  useEffect(() => {
    if (failureProblems !== null) setProblems(groupProblems(failureProblems))
  }, [failureProblems])
  const jobError = followed.job?.state === 'failed' ? followed.job.error : null
  const jobRemedy = jobError === null ? null : remedyOf(jobError.errorCode)
  const jobProblems = useMemo(
    () => (jobError === null ? null : placedProblems(jobError, jobError.errorMessage, names)),
    [jobError, names],
  )
  useEffect(() => {
    if (jobProblems !== null) setProblems(groupProblems(jobProblems))
  }, [jobProblems])

  const problemCount = Object.values(problems).filter((list) => list.length > 0).length
  const seeksField = useRef(false)
  const seekField = useCallback(() => {
    seeksField.current = true
  }, [])
  // Once what is wrong is drawn beside the fields.
  useEffect(() => {
    const form = formTop.current
    if (form === null) return
    const messagesShown = form.textContent
    const missing = Object.values(problems)
      .flat()
      .filter((message) => !messagesShown.includes(message))
    setUnplaced((before) => (before.join('\n') === missing.join('\n') ? before : missing))
    if (!seeksField.current || problemCount === 0) return
    seeksField.current = false
    const field = form.querySelector<HTMLElement>(wrongField)
    let fold = field?.closest('details') ?? null
    while (fold !== null) {
      fold.open = true
      fold = fold.parentElement?.closest('details') ?? null
    }
    field?.scrollIntoView({ block: 'center' })
    ;(field ?? resultHead.current)?.focus({ preventScroll: field !== null })
  }, [problems, problemCount])

  const submit = (given: Values): void => {
    clearTimeout(timer.current)
    const cleaned = clean(given)
    const parsed = tool.input.safeParse(cleaned)
    if (!parsed.success) {
      setProblems(
        groupProblems(
          parsed.error.issues.map((issue) => {
            const problem = problemOf(issue, cleaned)
            return {
              path: problem.path,
              message: text(problem.own, problem.parameters) ?? t(problem.key, problem.parameters),
            }
          }),
        ),
      )
      seekField()
      return
    }
    setProblems({})
    setUnfolded(false)
    const next = addressFor(given)
    next.set('run', '1')
    const same = formPart(next) === formPart(query)
    for (const [name, value] of query)
      if (name.startsWith(viewPrefix) && (same || !name.startsWith(tablePrefix))) next.set(name, value)
    const isSame = next.toString() === query.toString()
    follow(isSame ? null : query.toString())
    if (isSame) void answer.refetch()
    else write(next, false)
  }

  // Genes that are sent from a list ask for an answer at once, where nothing else has to be filled in.
  const isSent = query.get('run') === 'ready'
  // biome-ignore lint/correctness/useExhaustiveDependencies: of what came with the address, once.
  useEffect(() => {
    if (!isSent) return
    const next = addressFor(values)
    if (tool.input.safeParse(clean(values)).success) next.set('run', '1')
    write(next, true)
  }, [isSent])

  const facts = { assemblies }
  const exampleWith = (told: typeof status): Values | null =>
    assemblies.length === 0
      ? null
      : ((screen.example?.(facts, values) ??
          (told?.example as Values | null | undefined) ??
          tool.example(facts)) as Values | null)
  const example = exampleWith(status)
  const answered: { input: unknown; result: unknown; receipt: Receipt } | null =
    jobId !== null
      ? jobResult.data === undefined
        ? null
        : { input: followed.input, result: jobResult.data.result, receipt: jobResult.data.receipt }
      : running && answer.data !== undefined && 'result' in answer.data
        ? { input, result: answer.data.result, receipt: answer.data.receipt }
        : null
  // Kept results outlive the release that computed them: what was added since has its default, and what cannot be read is run again.
  const given = answered?.result
  const read = useMemo(() => (given === undefined ? null : tool.result.safeParse(given)), [given, tool])
  const shown = answered !== null && read?.success === true ? { ...answered, result: read.data } : null
  const isOutdated = read?.success === false

  const isShown = shown !== null
  useReported(failure)
  // Told of, and asked again, together with what the form rests on.
  useReported(species.error === null ? null : statuses.error)
  const isAsking = running && jobId === null && answer.isFetching
  const stage = (): Outcome['stage'] => {
    if (isOutdated && !isAsking) return 'failure'
    if (isShown && !isAsking) return 'result'
    if (jobId !== null) {
      if (jobRemedy === 'input' && (jobProblems?.length ?? 0) > 0) return 'refused'
      return lost || jobResult.error !== null ? 'failure' : 'progress'
    }
    if (!running) return 'nothing'
    if (failure === null || isAsking) return 'progress'
    return failureRemedy === 'input' && (failureProblems?.length ?? 0) > 0 ? 'refused' : 'failure'
  }
  const { follow, announcement } = useOutcomeFocus(
    { address: query.toString(), stage: stage() },
    resultLocus,
    resultHead,
    seekField,
  )
  const shownInput = shown?.input
  const parsedInput = useMemo(() => {
    if (!isShown) return null
    const parsed = tool.input.safeParse(clean((shownInput ?? {}) as Values))
    return parsed.success ? parsed.data : shownInput
  }, [isShown, shownInput, tool.input])

  const limits = Object.entries(tool.limits)
  // Nothing can be run: a form would only be filled in to be refused.
  const isOff = status?.available === false
  const isAnswered = isShown || ((running || jobId !== null) && failure === null && !lost)
  const isKept = isShown || (jobId !== null && isAnswered)
  useEffect(() => {
    if (isKept) setWasWide(true)
  }, [isKept])
  const layout = isOff ? 'top' : isAnswered || wasWide ? (screen.layout ?? 'side') : 'side'
  const isFolded = isAnswered && problemCount === 0
  const question = (): string => {
    const parts = [
      ...(shown === null ? [] : (screen.asked?.({ input: parsedInput, result: shown.result, format }) ?? [])),
      ...questionParts(fields, screen.fields ?? {}, values, { text, t, format, assemblyName }),
    ]
    return parts.length === 0 ? t('tool.input') : parts.join(' · ')
  }

  /** The example, in the form; null where the reader did something else meanwhile. */
  const fillExample = async (): Promise<Values | null> => {
    if (example === null) return null
    stopFilling()
    const mine = filled.current
    setFilling(screen.loadExample !== undefined || statuses.isPending)
    // Pressed before the server has told its own example, which has what only the data tell, such as the name of a trait.
    const whole = statuses.isPending
      ? (exampleWith((await statuses.refetch()).data?.find(({ id }) => id === tool.id)) ?? example)
      : example
    const better = await screen.loadExample?.(whole).catch(() => null)
    // What the reader did meanwhile is newer than what was asked for.
    if (mine !== filled.current) return null
    stopFilling()
    clearTimeout(timer.current)
    const next = { ...defaultValues(fields), ...((better ?? whole) as Values) }
    setValues(next)
    setProblems({})
    return next
  }

  const start = (): ReactNode =>
    // Told of in the form: nothing can be said of what there is to begin with. Nor before it is known whether there is a form: what is
    // drawn beside one would jump below the note that there is none.
    species.data === undefined || statuses.isPending ? null : (
      <>
        <ToolPreview
          title={own('title')}
          answers={text('answers')}
          pictures={screen.pictures}
          onRun={
            example === null || isOff
              ? null
              : async () => {
                  const next = await fillExample()
                  if (next !== null) submit(next)
                }
          }
          busy={filling}
          isSmall={Start !== undefined && !isOff}
          isElsewhere={isOff}
        />
        {Start === undefined || isOff ? null : <Start />}
      </>
    )

  /** What in the input kept it from being run is said by its fields, and here only what none of them says. */
  const refusal = (message: string, isOfFields: boolean): ReactNode => {
    const unsaid = isOfFields ? unplaced : [message]
    if (unsaid.length === 0) return start()
    return (
      <FailureState
        title={t('refusal.title')}
        why={
          <>
            {unsaid.map((one) => (
              <p key={one}>{one}</p>
            ))}
            <p>{t('refusal.kept')}</p>
          </>
        }
      />
    )
  }

  const outcome = (): ReactNode => {
    if (shown !== null) {
      const found = headline?.({ input: parsedInput, result: shown.result, t: own, shared: t, format, assemblyName })
      return (
        <>
          <div className="nv-result-head">
            <p className="nv-headline" ref={resultHead} tabIndex={-1}>
              {found ?? t('tool.result')}
            </p>
            <div className="nv-card-actions">
              <AddToNotebook
                tool={tool.id}
                job={jobId}
                inputOf={() => (shown.input ?? {}) as Record<string, unknown>}
                titleOf={() => resultHead.current?.textContent ?? own('title')}
              />
              <Button
                size="small"
                look="quiet"
                icon={<Link2 size={14} aria-hidden />}
                onClick={() => void copyText(location.href, t('tool.linked'))}
              >
                {t('tool.link')}
              </Button>
              <Button
                size="small"
                look="quiet"
                onClick={() =>
                  downloadJson(
                    { tool: tool.id, input: shown.input, result: shown.result, receipt: shown.receipt },
                    `${fileName(tool.id, jobId?.slice(0, 8))}.json`,
                  )
                }
              >
                {t('tool.json')}
              </Button>
            </div>
          </div>
          <ReceiptBelow value={shown.receipt}>
            <Result
              input={parsedInput}
              result={shown.result}
              receipt={shown.receipt}
              job={jobId}
              pending={answer.isPlaceholderData}
            />
          </ReceiptBelow>
          <ReceiptView receipt={shown.receipt} />
        </>
      )
    }
    if (isOutdated)
      return (
        <EmptyState
          title={t('job.outdated')}
          why={t('job.outdatedWhy')}
          action={<Button onClick={() => submit(values)}>{t('job.again')}</Button>}
        />
      )
    if (jobId !== null) {
      const { job } = followed
      if (followed.unknown) return <FailureState title={t('job.gone')} why={t('job.unknown')} />
      if (job === undefined) return <Waiting label={followed.retrying ? t('job.retrying') : undefined} />
      if (job.state === 'failed') {
        const message = job.error?.errorMessage ?? t('request.default')
        if (jobRemedy === 'input') return refusal(message, (jobProblems?.length ?? 0) > 0)
        return (
          <FailureState
            title={t('tool.failed')}
            why={message}
            onRetry={jobRemedy === 'nothing' ? undefined : () => submit(values)}
          />
        )
      }
      if (job.state === 'cancelled')
        return (
          <EmptyState
            title={t('job.cancelled')}
            why={t('job.cancelledWhy')}
            action={<Button onClick={() => submit(values)}>{t('job.again')}</Button>}
          />
        )
      if (job.state === 'done')
        return jobResult.error === null ? (
          // Its last line stands until the result is there.
          <JobView job={{ ...job, progress: 1 }} retrying={false} text={text} />
        ) : (
          <Unanswered of={jobResult} />
        )
      return <JobView job={job} retrying={followed.retrying} text={text} />
    }
    if (running) {
      if (failure !== null && !isAsking) {
        if (failureRemedy === 'input') return refusal(failureText(failure, t), (failureProblems?.length ?? 0) > 0)
        return (
          <FailureState
            title={t('tool.failed')}
            why={failureText(failure, t)}
            onRetry={failureRemedy === 'again' ? () => void answer.refetch() : undefined}
          />
        )
      }
      return <Waiting label={t('tool.running')} />
    }
    return start()
  }

  return (
    <main className={`nv-page nv-tool nv-tool-${layout}`}>
      <title>{`${own('title')} · NovoDB`}</title>
      <header className="nv-page-head">
        <div>
          <h1>{own('title')}</h1>
          <p className="nv-lead">{own('summary')}</p>
        </div>
        <div className="nv-page-actions">
          <Link className="nv-button nv-button-quiet nv-button-normal" to={`/document/${tool.id}`}>
            <BookOpen size={15} aria-hidden />
            {t('tool.usage')}
          </Link>
        </div>
      </header>
      {pages}
      <div className="nv-tool-grid">
        {isOff ? (
          <div className="nv-card" role="status">
            <EmptyState
              title={t('tool.unavailable')}
              why={status.unavailable.map((reason) => <p key={reason}>{reason}</p>)}
            />
          </div>
        ) : (
          <form
            ref={formTop}
            id={formId}
            className={`nv-card nv-tool-form ${isFolded && !unfolded ? 'nv-tool-form-folded' : ''}`}
            aria-label={t('tool.input')}
            noValidate
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
              event.preventDefault()
              event.currentTarget.requestSubmit()
            }}
            onSubmit={(event) => {
              event.preventDefault()
              submit(values)
            }}
          >
            {isFolded ? <FormLine question={question()} form={formId} open={unfolded} onOpen={setUnfolded} /> : null}
            <div className="nv-form-example">
              <Button
                icon={<FlaskConical size={15} aria-hidden />}
                disabled={example === null}
                title={example === null ? t('form.noExample') : t('form.exampleHint')}
                onClick={async () => {
                  const next = await fillExample()
                  if (next !== null) write(addressFor(next), !(running || jobId !== null))
                }}
                busy={filling}
              >
                {t('form.example')}
              </Button>
              <span className="nv-quiet">
                {example === null && assemblies.length > 0 ? t('form.noExample') : t('form.exampleHint')}
              </span>
            </div>
            <div className="nv-form">
              {species.data === undefined ? (
                // What the form offers rests on what is loaded: without knowing it, it would offer nothing.
                <Answered
                  of={{
                    ...species,
                    refetch: () => {
                      void species.refetch()
                      if (statuses.isError) void statuses.refetch()
                    },
                  }}
                >
                  {() => null}
                </Answered>
              ) : Form === undefined ? (
                <SchemaForm
                  fields={fields}
                  hints={screen.fields}
                  values={values}
                  onValues={change}
                  problems={problems}
                  text={text}
                />
              ) : (
                <Form values={values} onValues={change} onAdjust={adjust} problems={problems} fields={fields} />
              )}
            </div>
            <div className="nv-form-run">
              <Button
                type="submit"
                look="primary"
                size="large"
                title={t('form.runKeys')}
                aria-keyshortcuts="Control+Enter"
                icon={<Play size={15} aria-hidden />}
                busy={filling || (running && answer.isFetching)}
                disabled={species.data === undefined}
              >
                {t('form.run')}
              </Button>
              <Button
                look="quiet"
                icon={<RotateCcw size={14} aria-hidden />}
                onClick={() => {
                  stopFilling()
                  clearTimeout(timer.current)
                  setValues({
                    ...defaultValues(fields),
                    ...(startAssembly === undefined ? {} : { assembly: startAssembly }),
                  })
                  setProblems({})
                  setWasWide(false)
                  written.current = ''
                  setQuery(new URLSearchParams(), { preventScrollReset: true })
                }}
              >
                {t('form.reset')}
              </Button>
              {problemCount > unplaced.length ? (
                <p className="nv-field-problem" role="alert">
                  {t('refusal.title')}
                </p>
              ) : null}
            </div>
            {limits.length === 0 ? null : (
              <div className="nv-limits">
                <strong>{t('form.limits')}</strong>
                <ul>
                  {limits.map(([name, value]) => (
                    <li key={name}>{text(`limit.${name}`, { value }) ?? `${name}: ${format.number(value)}`}</li>
                  ))}
                </ul>
              </div>
            )}
          </form>
        )}
        <div className="nv-tool-result" ref={resultLocus}>
          <p className="nv-said" role="status">
            {announcement}
          </p>
          {isShown ? (
            outcome()
          ) : (
            <div className="nv-outcome" ref={resultHead} tabIndex={-1}>
              {outcome()}
            </div>
          )}
        </div>
      </div>
    </main>
  )
}
