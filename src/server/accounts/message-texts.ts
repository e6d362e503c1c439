import { defineMessages } from '../../contracts/text.ts'

/** Mails and text messages of the portal. */
export const messageTexts = defineMessages({
  en: {
    'mail.greeting': 'Dear {username},',
    'mail.close': 'This e-mail was sent by {title} ({url}). If you did not request it, you can ignore it.',
    'mail.confirm.subject': '{title}: please confirm your e-mail address',
    'mail.confirm.body':
      'an account with the name {username} was created with this address, or its address was changed to it. To confirm that it is yours, open this link within {hours, number} hours:',
    'mail.known.subject': '{title}: your e-mail address was used again',
    'mail.known.body':
      'somebody, perhaps you, has registered another account with your e-mail address. The address already belongs to your account {username} and stays with it; nothing has changed there. If you have forgotten your password, request a new one on the sign-in page.',
    'mail.reset.subject': '{title}: a new password',
    'mail.reset.body':
      'a new password was requested for your account {username}. To set it, open this link within {minutes, number} minutes:',
    'mail.passwordChanged.subject': '{title}: your password was changed',
    'mail.passwordChanged.body':
      'the password of your account {username} was changed. If this was not you, request a new one on the sign-in page at once and tell the administrator of the portal.',
    'mail.passwordReset.subject': '{title}: your password was reset',
    'mail.passwordReset.body':
      'a new password was set for your account {username} via the link that was e-mailed to you. All its sessions have ended and all its API tokens are revoked: create new tokens for your scripts. If this was not you, request a new password on the sign-in page at once and tell the administrator of the portal.',
    'mail.contact.subject': '{title}: {subject}',
    'mail.contact.body': 'A message from {name} ({email}) via the contact page:',
    'sms.code':
      '{title}: your verification code is {code}. It is valid for {minutes, number} minutes. Do not share it.',
  },
  zh: {
    'mail.greeting': '{username}，您好：',
    'mail.close': '本邮件由 {title}（{url}）发送。如非您本人操作，请忽略本邮件。',
    'mail.confirm.subject': '{title}：请确认您的邮箱',
    'mail.confirm.body':
      '有人使用该邮箱注册了账户 {username}，或将其账户邮箱改为该地址。如确为您本人所用，请在 {hours, number} 小时内打开以下链接：',
    'mail.known.subject': '{title}：您的邮箱被再次用于注册',
    'mail.known.body':
      '有人（可能是您本人）使用您的邮箱又注册了一个账户。该邮箱已属于您的账户 {username}，此归属不变，原账户未受任何影响。如您忘记了密码，可在登录页面重新设置。',
    'mail.reset.subject': '{title}：重置密码',
    'mail.reset.body': '您的账户 {username} 申请了重置密码。请在 {minutes, number} 分钟内打开以下链接设置新密码：',
    'mail.passwordChanged.subject': '{title}：您的密码已修改',
    'mail.passwordChanged.body':
      '您的账户 {username} 的密码已被修改。如非您本人操作，请立即在登录页面重置密码，并告知本站管理员。',
    'mail.passwordReset.subject': '{title}：您的密码已重置',
    'mail.passwordReset.body':
      '已通过邮件中的链接为您的账户 {username} 设置新密码。该账户的所有登录均已退出，所有 API 令牌均已撤销，请为脚本重新创建令牌。如非您本人操作，请立即在登录页面重置密码，并告知本站管理员。',
    'mail.contact.subject': '{title}：{subject}',
    'mail.contact.body': '来自联系页面的留言，留言人 {name}（{email}）：',
    'sms.code': '【{title}】您的验证码为 {code}，{minutes, number} 分钟内有效，请勿告知他人。',
  },
})
