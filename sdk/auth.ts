/** The signed-in user: signing in and out, sessions and two-factor authentication. For pages on the same origin. */
import type { Call } from './call.ts'
import { withoutEnvelope } from './pages.ts'
import type { Body, Query } from './shapes.ts'

export const auth = (call: Call) => ({
  signup: (account: Body<'POST /auth/signup'>) => withoutEnvelope(call('POST /auth/signup', { body: account })),
  login: (account: Body<'POST /auth/login'>) => withoutEnvelope(call('POST /auth/login', { body: account })),
  logout: () => call('GET /auth/logout'),
  me: () => call('GET /users/@me'),
  updateMe: (changes: Body<'PATCH /users/@me'>) => call('PATCH /users/@me', { body: changes }),
  oauthConfig: () => call('GET /auth/oauth-config'),
  verifyEmail: (token: string) => call('POST /auth/verify-email', { body: { token } }),
  requestVerification: (email?: string) => call('POST /auth/request-verification', { body: email ? { email } : {} }),
  requestPasswordReset: (email: string) => call('POST /auth/request-password-reset', { body: { email } }),
  resetPassword: (token: string, password: string) => call('POST /auth/reset-password', { body: { token, password } }),
  sessions: {
    list: () => call('GET /auth/sessions'),
    revoke: (id: string) => call('DELETE /auth/sessions/{id}', { path: { id } }),
    /** Ends all sessions except the current one. */
    revokeOthers: () => call('DELETE /auth/sessions'),
  },
  changePassword: (password: string, newPassword: string) =>
    withoutEnvelope(call('POST /auth/change-password', { body: { password, newPassword } })),
  twoFactor: {
    get: () => call('GET /auth/two-factor'),
    /** Returns a secret for an authenticator app. `confirm` with a code from the app turns it on. */
    start: (password: string) => call('POST /auth/two-factor', { body: { password } }),
    confirm: (code: string) => call('POST /auth/two-factor/confirm', { body: { code } }),
    renewRecoveryCodes: (proof: Body<'POST /auth/two-factor/recovery-codes'>) =>
      call('POST /auth/two-factor/recovery-codes', { body: proof }),
    disable: (proof: Body<'POST /auth/two-factor/disable'>) => call('POST /auth/two-factor/disable', { body: proof }),
  },
})

export const service = (call: Call) => ({
  /** The version and the enabled features of the installation. */
  config: () => call('GET /config'),
  health: () => call('GET /health'),
  ready: () => call('GET /ready'),
  /** For the operator: version, queue, database and mail transport. */
  installation: () => call('GET /installation'),
  /** For the operator: ends the pause after sending has failed, so that waiting emails are sent now. */
  resumeTransport: () => call('POST /installation/transport/resume'),
  /** For the operator: account and notification emails that were captured instead of sent. */
  systemMail: {
    list: (query?: Query<'GET /installation/mail'>) => call('GET /installation/mail', { query }),
    get: (id: string) => call('GET /installation/mail/{id}', { path: { id } }),
  },
})
