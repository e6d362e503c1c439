import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { type ErrorCode, errorKinds } from '../../../contracts/errors.ts'
import { Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { ScrollBox } from '../../../kit/ui/controls/scroll-box.tsx'
import { useLanguage, useText } from '../../../kit/ui/language.tsx'
import { useToolStatuses } from '../../../kit/ui/portal-data.ts'
import { addressOf, requestAnswer } from '../../../kit/ui/request.ts'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'
import { messages } from '../../messages/document.ts'
import { type ApiEndpoint, type ApiField, curlOf, type OpenApi, outlineApi } from './api-outline.ts'

const Fields = ({
  fields,
  label,
}: {
  fields: (Omit<ApiField, 'place'> & { place?: string })[]
  label: string
}): ReactNode => {
  const t = useText(messages)
  const placed = fields.some((field) => field.place !== undefined)
  return (
    <ScrollBox className="document-table" label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('api.field')}</th>
            {placed ? <th scope="col">{t('api.place')}</th> : null}
            <th scope="col">{t('api.type')}</th>
            {placed ? <th scope="col">{t('api.bounds')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={`${field.place} ${field.name}`}>
              <td>
                <code>{field.name}</code>
                {placed && field.required ? <strong title={t('api.required')}> *</strong> : null}
              </td>
              {placed ? <td>{field.place}</td> : null}
              <td>{field.type}</td>
              {placed ? <td>{field.bounds}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** Where this portal answers: origin and the path it is served under. */
const portalOrigin = (): string => new URL(addressOf('/'), location.origin).href.replace(/\/$/, '')

const EndpointEntry = ({
  endpoint,
  open,
  name,
}: {
  endpoint: ApiEndpoint
  open: boolean
  name: string | undefined
}): ReactNode => {
  const t = useText(messages)
  const [shown, setShown] = useState(open)
  useEffect(() => {
    if (open) setShown(true)
  }, [open])
  const tool = /^\/api\/tools\/([a-z]+)\/$/.exec(endpoint.path)?.[1]
  const example = useToolStatuses().data?.find(({ id }) => id === tool)?.example ?? undefined
  return (
    <details
      id={endpoint.id}
      className="document-endpoint"
      open={shown}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary>
        <code className={`document-method document-method-${endpoint.method.toLowerCase()}`}>{endpoint.method}</code>{' '}
        <code>{endpoint.path}</code> <span>{name ?? endpoint.summary}</span>
      </summary>
      {shown ? (
        <div>
          {name === undefined ? null : <p>{endpoint.summary}</p>}
          {endpoint.signedIn ? <p>{t('api.signedIn')}</p> : null}
          <h3>{t('api.input')}</h3>
          {endpoint.input.length === 0 ? (
            <p>{t('api.noInput')}</p>
          ) : (
            <Fields fields={endpoint.input} label={t('api.input')} />
          )}
          <h3>{t('api.example')}</h3>
          <pre>
            <code>{curlOf(endpoint, portalOrigin(), example)}</code>
          </pre>
          <h3>{t('api.output')}</h3>
          {endpoint.statuses.some(({ status }) => status === '202') ? <p>{t('api.orJob')}</p> : null}
          {endpoint.output.length === 0 ? (
            <p>{t('api.orFile')}</p>
          ) : (
            <Fields fields={endpoint.output} label={t('api.output')} />
          )}
        </div>
      ) : null}
    </details>
  )
}

export const useApiOutline = () => {
  const t = useText(messages)
  const units = { characters: t('api.characters'), items: t('api.items') }
  const answer = useQuery({
    queryKey: ['openapi'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (context): Promise<OpenApi> => {
      const response = await requestAnswer(addressOf('/api/openapi.json'), {}, context)
      return (await response.json()) as OpenApi
    },
  })
  return { answer, groups: answer.data === undefined ? [] : outlineApi(answer.data, units) }
}

/** Every endpoint of this very portal, drawn from its OpenAPI document: what goes in, what comes out, errors, a command to try. */
export const ApiReference = ({ chosen }: { chosen: string }): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const tools = useToolList()
  const { answer, groups } = useApiOutline()
  const nameOf = (path: string): string | undefined => {
    const id = /^\/api\/tools\/([a-z]+)\/$/.exec(path)?.[1]
    return tools.find((tool) => tool.id === id)?.title[language]
  }
  const groupName = (name: string): string =>
    ['account', 'admin', 'contact', 'data', 'genes', 'jobs', 'search', 'tools'].includes(name)
      ? t(`api.group.${name}` as 'api.group.data')
      : name
  return (
    <>
      <p>{t('api.lead')}</p>
      <pre>
        <code>{`curl '${portalOrigin()}/api/species/'`}</code>
      </pre>
      <ul>
        <li>{t('api.envelope')}</li>
        <li>{t('api.language')}</li>
        <li>{t('api.token')}</li>
        <li>{t('api.begin')}</li>
        <li>{t('api.jobs')}</li>
        <li>{t('api.files')}</li>
        <li>
          <a href={addressOf('/api/openapi.json')}>{t('api.openapi')}</a>
        </li>
      </ul>
      {answer.isPending ? <Waiting /> : null}
      {answer.isError ? <Unanswered of={answer} /> : null}
      {groups.map((group) => (
        <section key={group.name} id={`api-${group.name}`}>
          <h2>{groupName(group.name)}</h2>
          {group.endpoints.map((endpoint) => (
            <EndpointEntry
              key={endpoint.id}
              endpoint={endpoint}
              open={chosen === endpoint.id}
              name={nameOf(endpoint.path)}
            />
          ))}
        </section>
      ))}
      {/* Below the endpoints from the first, which else push it down. */}
      <section id="api-errors" hidden={answer.isPending}>
        <h2>{t('api.errors')}</h2>
        <p>{t('api.errorsLead')}</p>
        <div className="document-table">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('api.code')}</th>
                <th scope="col">{t('api.status')}</th>
                <th scope="col">{t('api.fixableBy')}</th>
              </tr>
            </thead>
            <tbody>
              {(Object.keys(errorKinds) as ErrorCode[]).map((code) => (
                <tr key={code}>
                  <td>
                    <code>{code}</code>
                  </td>
                  <td>{errorKinds[code].status}</td>
                  <td>{t(`api.fixableBy.${errorKinds[code].fixableBy}`)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  )
}
