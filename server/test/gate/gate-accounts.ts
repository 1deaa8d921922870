/**
 * Prerequisites of valid requests about accounts: a member, a person who isn't one yet, tokens of emailed links, and an
 * authenticator app. They are written to the database, because only the recipient of an email has its token.
 */

import { hashKey } from '../../platform/secrets.ts'
import { codeAt } from '../accounts/authenticator.ts'
import { type createProject, signUp, type TestApp } from '../harness.ts'

const TOKENS = { VERIFY_EMAIL: 'a token to confirm an address', RESET_PASSWORD: 'a token to set a password' }
const INVITATION = 'a token to accept an invitation'

export async function createAccounts(app: TestApp, project: Awaited<ReturnType<typeof createProject>>) {
  const [member, guest] = [await signUp(app), await signUp(app)]
  await app.request('POST', `/projects/${project.id}/members`, {
    key: project.secretKey,
    body: { email: member.email, role: 'MEMBER' },
  })
  for (const [purpose, token] of Object.entries(TOKENS)) {
    await app.pool.query(
      `insert into account_tokens (hash, user_id, purpose, created_at, expires_at)
       values ($1, $2, $3, now(), now() + interval '1 hour')`,
      [hashKey(token), guest.id, purpose],
    )
  }
  await app.pool.query(
    `insert into invitations (project_id, id, email, role, token_hash, created_at, expires_at)
     values ($1, gen_random_uuid(), $2, 'MEMBER', $3, now(), now() + interval '7 days')`,
    [project.id, project.owner.email, hashKey(INVITATION)],
  )

  /** The newest code of the owner's app; a new one for each call, because each works once. */
  async function ownersCode(): Promise<string> {
    const { rows } = await app.pool.query('select two_factor_secret from users where id = $1', [project.owner.id])
    app.clock.forward(30_000)
    const sealed = rows[0].two_factor_secret
    return sealed ? codeAt(app.ctx.secrets.decrypt(sealed), app.clock.now()) : '000000'
  }

  return {
    memberId: member.id,
    async fill(text: string): Promise<string> {
      const filled = text
        .replaceAll('{guest}', guest.email)
        .replaceAll('{verification}', TOKENS.VERIFY_EMAIL)
        .replaceAll('{reset}', TOKENS.RESET_PASSWORD)
        .replaceAll('{invitation}', INVITATION)
      return filled.includes('{code}') ? filled.replaceAll('{code}', await ownersCode()) : filled
    },
  }
}
