/** What the mails about an account say: what happened, what to do, and what to do if it was not you. */

interface Letter {
  to: string
  link: string
}

export const verificationNotice = ({ to, link }: Letter) => ({
  to,
  subject: 'Confirm your email address',
  text: `Please confirm that ${to} is your address. Follow this link:

${link}

It works for one hour, once. If you did not create an account, you can ignore this mail.`,
})

export const passwordResetNotice = ({ to, link }: Letter) => ({
  to,
  subject: 'Set a new password',
  text: `Someone asked for a new password for your account. Set it here:

${link}

The link works for one hour, once. If it was not you, you can ignore this mail: your password stays as it is.`,
})

export const passwordChangedNotice = ({ to, link }: Letter) => ({
  to,
  subject: 'Your password was changed',
  text: `The password of your account ${to} was changed, and all its other sessions were ended.

If it was not you, set a new password now:

${link}`,
})

export const twoFactorNotice = ({ to, link, enabled }: Letter & { enabled: boolean }) => ({
  to,
  subject: `Two-factor sign-in was turned ${enabled ? 'on' : 'off'}`,
  text: `Two-factor sign-in was turned ${enabled ? 'on' : 'off'} for your account ${to}. ${
    enabled
      ? 'From now on, signing in needs a code from your app as well.'
      : 'From now on, the password alone is enough to sign in.'
  }

If it was not you, set a new password now:

${link}`,
})
