import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createApiToken, deleteApiToken, listApiTokens } from '../../../../contracts/accounts/account.ts'
import { Button } from '../../../../kit/ui/controls/button.tsx'
import { CopyButton } from '../../../../kit/ui/controls/copy-button.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../../kit/ui/controls/empty-state.tsx'
import { Field, Select } from '../../../../kit/ui/controls/field.tsx'
import { TextField } from '../../../../kit/ui/controls/text-field.tsx'
import { useFormat, useText } from '../../../../kit/ui/language.tsx'
import { call } from '../../../../kit/ui/request.ts'
import { attempt, notifySuccess } from '../../../attempt.ts'
import { FormFailure } from '../../../form-failure.tsx'
import { messages } from '../../../messages/account.ts'
import { PagedTable } from '../../../paged-table.tsx'
import { SubmitForm } from '../../../submit-form.tsx'
import { useForm } from '../../../use-form.ts'

const tokenDays = [30, 90, 365, null] as const

export const Tokens = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [made, setMade] = useState<string | null>(null)
  const [days, setDays] = useState<number | null>(365)
  const answer = useQuery({
    queryKey: ['api-tokens'],
    queryFn: (context) => call(listApiTokens, {}, context),
  })
  const form = useForm(
    createApiToken,
    { name: '' },
    {
      onDone: async ({ token }) => {
        setMade(token)
        form.reset()
        await answer.refetch()
      },
    },
  )
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  return (
    <div className="account-stack">
      <p className="nv-quiet">{t('settings.tokensLead')}</p>
      {made === null ? null : (
        <div className="nv-banner" role="status">
          <p>{t('settings.tokenOnce')}</p>
          <p className="account-token">
            <code data-token>{made}</code>
            <CopyButton textOf={() => made} reported={t('settings.copied')}>
              {t('settings.copy')}
            </CopyButton>
          </p>
        </div>
      )}
      <PagedTable
        label={t('settings.tokens')}
        rows={answer.data.tokens}
        rowKey={(token) => String(token.id)}
        none={<EmptyState title={t('settings.noTokens')} />}
        columns={[
          { key: 'name', title: t('settings.tokenName'), value: (token) => token.name },
          { key: 'start', title: t('settings.tokenStart'), kind: 'id', value: (token) => token.start },
          {
            key: 'created',
            title: t('settings.tokenCreated'),
            value: (token) => token.createdAt,
            render: (token) => format.date(token.createdAt),
          },
          {
            key: 'used',
            title: t('settings.tokenUsed'),
            value: (token) => token.lastUsedAt,
            render: (token) => (token.lastUsedAt === null ? t('settings.never') : format.dateTime(token.lastUsedAt)),
          },
          {
            key: 'expires',
            title: t('settings.tokenExpires'),
            value: (token) => token.expiresAt,
            render: (token) => (token.expiresAt === null ? t('settings.never') : format.date(token.expiresAt)),
          },
          {
            key: 'revoke',
            title: '',
            value: () => null,
            render: (token) => (
              <Button
                size="small"
                look="quiet"
                onClick={() =>
                  void attempt(async () => {
                    await call(deleteApiToken, { id: token.id })
                    notifySuccess(t('settings.revoked', { name: token.name }))
                    await answer.refetch()
                  })
                }
              >
                {t('settings.revoke')}
              </Button>
            ),
          },
        ]}
      />
      <SubmitForm columns onSubmit={() => void form.submit({ expiresDays: days })}>
        <TextField {...form.field('name')} label={t('settings.tokenName')} name="tokenName" maxLength={60} />
        <Field label={t('settings.tokenExpiry')} problems={form.problems.expiresDays ?? []}>
          {(ids) => (
            <Select
              {...ids}
              value={String(days)}
              options={tokenDays.map((one) => ({
                value: String(one),
                label: one === null ? t('settings.forever') : t('settings.days', { count: one }),
              }))}
              onChoose={(one) => setDays(one === 'null' ? null : Number(one))}
            />
          )}
        </Field>
        <div className="account-wide account-stack">
          <FormFailure failure={form.failure} />
          <div className="account-actions">
            <Button type="submit" look="primary" busy={form.busy}>
              {t('settings.createToken')}
            </Button>
          </div>
        </div>
      </SubmitForm>
    </div>
  )
}
