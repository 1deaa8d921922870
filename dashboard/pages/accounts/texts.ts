/** Texts of the pages for signing in, signing up and joining a project. */
import { translated } from '../../languages/language.ts'

export const texts = translated('accounts', {
  signIn: {
    title: 'Sign in',
    password: 'Password',
    code: 'Authentication code',
    codeHint: 'Enter the code from your authenticator app, or a recovery code.',
    submit: 'Sign in',
    forgotPassword: 'Forgot your password?',
    continueWith: (provider: string) => `Continue with ${provider}`,
    signUp: 'Don’t have an account? <link>Sign up</link>',
  },
  signUp: {
    title: 'Create your account',
    password: 'Password',
    submit: 'Create account',
    signIn: 'Already have an account? <link>Sign in</link>',
    closedTitle: 'Sign-up is disabled',
    closed: 'You need an invitation to create an account. Ask your administrator to invite you.',
  },
  forgotPassword: {
    title: 'Reset your password',
    lead: 'Enter your email address and we’ll send you a link to set a new password.',
    submit: 'Send reset link',
    back: 'Back to sign in',
    sentTitle: 'Check your inbox',
    sent: (email: string) =>
      `If ${email} has an account, you’ll receive a reset link shortly. It expires in one hour and can be used once.`,
  },
  resetPassword: {
    title: 'Set a new password',
    password: 'New password',
    submit: 'Set password',
    signIn: 'Sign in',
    doneTitle: 'Password updated',
    done: 'You were signed out on all devices. Sign in with your new password.',
  },
  verifyEmail: {
    title: 'Confirm your email address',
    lead: 'Confirm that this address belongs to you, so that you can receive account emails.',
    submit: 'Confirm email address',
    doneTitle: 'Email address confirmed',
    done: 'You can close this page or go to the dashboard.',
    home: 'Go to the dashboard',
  },
  invitation: {
    title: (project: string) => `Join ${project}`,
    lead: (email: string, invitedBy: string | null) =>
      invitedBy ? `${invitedBy} invited ${email} to join this project.` : `${email} was invited to join this project.`,
    signUp: 'Don’t have an account yet? <link>Create account</link>',
    accept: 'Accept invitation',
    signInFirst: (email: string) => `<link>Sign in</link> as ${email} to accept the invitation.`,
    toDashboard: 'Go to the dashboard',
    invalidTitle: 'This invitation is no longer valid',
    invalid:
      'It may have expired or been revoked. Ask the person who invited you for a new one. If you’ve already accepted it, go to the dashboard.',
  },
})
