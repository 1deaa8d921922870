/** Texts of the settings pages about the account of the signed-in user. */

import { formatCount } from '../../../figures/format.ts'
import { translated } from '../../../languages/language.ts'

export const accountTexts = translated('account', {
  account: {
    email: 'Email address',
    confirmed: 'Confirmed',
    unconfirmed: 'Unconfirmed',
    unverifiedLead:
      'Confirm that this is your address. We’ll send you a link that expires in one hour and can be used once.',
    unverifiedCaptured:
      'Test mode: the confirmation link isn’t sent by email. The operator of this installation finds it under <link>System mail</link>.',
    sendLink: 'Send confirmation link',
    createLink: 'Create confirmation link',
    linkSent: 'Confirmation link sent.',
    linkCaptured: 'Confirmation link created. It’s under System mail.',
    password: 'Password',
    currentPassword: 'Current password',
    newPassword: 'New password',
    changePassword: 'Change password',
    passwordChanged: 'Password changed. Your other sessions were signed out.',
  },
  language: {
    title: 'Language',
    lead: 'The dashboard reloads in this language, in every browser in which you sign in.',
    label: 'Language of the dashboard',
    browser: 'As in the browser',
  },
  twoFactor: {
    title: 'Two-factor authentication',
    on: 'On',
    off: 'Off',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    onLead: (codes: number) =>
      `Signing in requires a code from your authenticator app. You have ${formatCount(codes, { one: 'recovery code', other: 'recovery codes' })} left.`,
    offLead: 'Require a code from an authenticator app when you sign in, so a stolen password alone isn’t enough.',
    turnOnTitle: 'Turn on two-factor authentication',
    password: 'Password',
    continue: 'Continue',
    scanStep: '1. Add Posthorn to your authenticator app',
    scan: 'Scan the QR code with the app.',
    scanElsewhere: 'Or scan this QR code with another device:',
    onThisDevice: 'Set it up on this device',
    setupKey: 'Or enter this setup key in the app:',
    codeStep: '2. Enter the code from the app',
    codeHint: 'Six digits. Then you’ll get recovery codes to save.',
    qrCode: 'QR code for your authenticator app',
    copySecret: 'Copy setup key',
    code: 'Authentication code',
    doneTitle: 'Two-factor authentication is on',
    doneLead:
      'Save these recovery codes now. Each code works once if you lose your authenticator app. They won’t be shown again.',
    recoveryCodes: 'Recovery codes',
    codesSaved: 'I’ve saved the codes',
    download: 'Download codes',
    done: 'Done',
    turnOffTitle: 'Turn off two-factor authentication',
    codeOrRecovery: 'Authentication code or recovery code',
    keepOn: 'Keep it on',
  },
  sessions: {
    title: 'Sessions',
    lead: 'The browsers where you’re signed in. If you don’t recognize a session, sign it out and change your password.',
    column: { browser: 'Browser', address: 'IP address', lastActive: 'Last active' },
    current: 'This session',
    signOut: 'Sign out',
    signOutLabel: (browser: string) => `Sign out of ${browser}`,
    signOutOthers: 'Sign out other sessions',
    signedOut: 'Session signed out.',
    othersSignedOut: 'All other sessions were signed out.',
  },
})
