/** What a request with a key is: its project, the key itself, and the limits that apply to it. */
import type { Context } from '../../../context.ts'
import type { CallerKey } from '../../../kernel/scopes.ts'
import { getLimits } from './actions.ts'
import { findName } from './queries.ts'

export async function getMe(ctx: Context, projectId: string, key: CallerKey | undefined) {
  const [name, emails] = await Promise.all([findName(ctx.db, projectId), getLimits(ctx, projectId)])
  const { RATE_LIMIT_PER_MINUTE, MESSAGE_MAX_MB, ATTACHMENT_MAX_MB } = ctx.settings
  return {
    project: { id: projectId, name },
    key: key ? { type: key.id === null ? ('secret' as const) : ('scoped' as const), ...shown(key) } : null,
    limits: {
      requestsPerMinute: RATE_LIMIT_PER_MINUTE === 0 ? null : RATE_LIMIT_PER_MINUTE,
      messageMb: MESSAGE_MAX_MB,
      attachmentsMb: ATTACHMENT_MAX_MB,
      emails,
    },
  }
}

const shown = ({ id, name, scopes, expiresAt, allowedIps, test }: CallerKey) => ({
  id,
  name,
  scopes: [...scopes],
  expiresAt,
  allowedIps: [...allowedIps],
  test,
})
