import { describe, expect, it } from 'vitest'
import { accountMessages } from '../../contracts/accounts/account-messages.ts'
import { messages as kit } from '../../kit/ui/messages.ts'
import { messages as account } from './account.ts'
import { messages as shell } from './shell.ts'

describe('the messages that the specification names', () => {
  it('are in the exact words of the specification, each with its Chinese', () => {
    const specified: [{ en: Record<string, string>; zh: Record<string, string> }, string, string][] = [
      [accountMessages, 'account.needUsername', 'Please input your username!'],
      [accountMessages, 'account.needPassword', 'Please input your password!'],
      [accountMessages, 'account.needPhone', 'Please input your phone number!'],
      [accountMessages, 'account.phoneForm', 'Phone number is invalid!'],
      [accountMessages, 'account.needCode', 'Please input verification code!'],
      [account, 'login.failed', 'Login failed, please try again!'],
      [account, 'login.success', 'Login successful!'],
      [account, 'login.wrong', 'Incorrect username/password'],
      [account, 'login.codeWrong', 'Verification Code Error'],
      [accountMessages, 'account.needEmail', 'Please input your email!'],
      [accountMessages, 'account.needNickname', 'Please input your Nickname!'],
      [accountMessages, 'account.needProfile', 'Please input your personal profile!'],
      [accountMessages, 'account.needCountry', 'Please input your country!'],
      [accountMessages, 'account.needProvince', 'Please input your geographic info!'],
      [accountMessages, 'account.needAddress', 'Please input your address!'],
      [account, 'settings.needPhone', 'Please input your phone!'],
      [shell, 'notice.offline', 'You are offline now'],
      [shell, 'notice.update', 'New content is available'],
      [shell, 'notice.refresh', 'Refresh'],
      [kit, 'request.default', 'Request error, please retry.'],
    ]
    for (const [table, key, text] of specified) {
      expect(table.en[key]).toBe(text)
      expect(table.zh[key], key).toMatch(/[\u4e00-\u9fff]/)
    }
  })
})
