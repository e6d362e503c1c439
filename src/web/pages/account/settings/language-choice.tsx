import type { ReactNode } from 'react'
import { accountLanguages, updateProfile } from '../../../../contracts/accounts/account.ts'
import { Field, Select } from '../../../../kit/ui/controls/field.tsx'
import { chooseLocale, useLocale, useText } from '../../../../kit/ui/language.tsx'
import { call } from '../../../../kit/ui/request.ts'
import { attempt } from '../../../attempt.ts'
import { messages } from '../../../messages/account.ts'
import { listLocaleRecords } from '../../../shell/locale-records.ts'

export const LanguageChoice = (): ReactNode => {
  const t = useText(messages)
  const locale = useLocale()
  return (
    <Field label={t('settings.language')} help={t('settings.languageHelp')}>
      {(ids) => (
        <Select
          {...ids}
          name="language"
          value={locale}
          options={listLocaleRecords([...accountLanguages], []).map((one) => ({ value: one.lang, label: one.label }))}
          onChoose={(language) =>
            void attempt(async () => {
              await call(updateProfile, { language: accountLanguages.find((one) => one === language) })
              chooseLocale(language)
            })
          }
        />
      )}
    </Field>
  )
}
