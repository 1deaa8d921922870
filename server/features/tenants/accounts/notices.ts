/** Texts of the emails about an account: what happened, what to do, and what to do if it wasn't you. */

interface MailText {
  to: string
  link: string
}

export const verificationNotice = ({ to, link }: MailText) => ({
  to,
  toAnyone: true,
  subject: 'Confirm your email address',
  action: 'Confirm email address',
  text: `Confirm that ${to} is your email address:

${link}

This link expires in one hour and can be used once. If you didn’t create an account, you can ignore this email.`,
})

export const passwordResetNotice = ({ to, link }: MailText) => ({
  to,
  toAnyone: true,
  subject: 'Reset your password',
  action: 'Choose a new password',
  text: `We received a request to reset the password for your account. To choose a new password, follow this link:

${link}

This link expires in one hour and can be used once. If you didn’t request it, you can ignore this email. Your password won’t change.`,
})

export const passwordChangedNotice = ({ to, link }: MailText) => ({
  to,
  subject: 'Your password was changed',
  action: 'Reset password',
  text: `The password for your account ${to} was changed, and all other sessions were signed out.

If you didn’t make this change, reset your password now:

${link}`,
})

export const twoFactorNotice = ({ to, link, enabled }: MailText & { enabled: boolean }) => ({
  to,
  subject: `Two-factor authentication was turned ${enabled ? 'on' : 'off'}`,
  action: 'Reset password',
  text: `Two-factor authentication was turned ${enabled ? 'on' : 'off'} for your account ${to}. ${
    enabled
      ? 'From now on, you also need a code from your authenticator app to sign in.'
      : 'From now on, you can sign in with your password alone.'
  }

If you didn’t make this change, reset your password now:

${link}`,
})
