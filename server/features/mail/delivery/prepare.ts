/** Renders, composes and signs an email that was claimed. */
import type { Context } from '../../../context.ts'
import type { LaneTurn } from '../../../kernel/flow/lane.ts'
import { CannotDecrypt } from '../../../platform/content-encryption.ts'
import { createEmailReader } from '../../../platform/mime/stored-text.ts'
import { TemplateError } from '../../../platform/rendering/template-error.ts'
import type { OutgoingMail } from '../../../platform/transports/transport.ts'
import { composeEmail, renderEmail } from '../../content/composing/compose.ts'
import type { ClaimedEmail } from './claim-queries.ts'
import { copiesLeft, mailTo } from './copies/copies.ts'
import type { Lanes } from './lanes.ts'
import type { Recorder } from './record-result.ts'
import type { DeliveryResult } from './result.ts'
import type { Signatures } from './signing.ts'

const DOMAIN_DELETED = 'The domain of the sender was deleted before this email was sent.'

/** Ready to be sent. */
export interface Message {
  /** The rendered subject. */
  subject: string
  mail: OutgoingMail
}

export function createPreparation(ctx: Context, lanes: Lanes, recorder: Recorder, signatures: Signatures) {
  const readEmail = createEmailReader(ctx)

  async function prepareReadable(email: ClaimedEmail, turn: LaneTurn): Promise<Message | DeliveryResult> {
    const readKey = await signatures.findKey(email)
    if (!readKey) return recorder.fail(email, DOMAIN_DELETED)
    const { subject, raw } = await lanes.render(turn, async () => {
      const rendered = await renderEmail(ctx, email)
      return { subject: rendered.subject, raw: await composeEmail(ctx, email, rendered) }
    })
    const isSigned = ctx.mail.capabilities.signing === 'on-send'
    const signed = isSigned ? await signatures.signWith(readKey, email, raw, turn.priority) : raw
    const recipients = [email.to_email, ...copiesLeft(email)]
    return {
      subject,
      mail: mailTo(ctx, email, signed, { recipients, attempt: email.attempts, priority: turn.priority }),
    }
  }

  /** A result if the email won't be sent after all. */
  return async function prepare(claimed: ClaimedEmail, turn: LaneTurn): Promise<Message | DeliveryResult> {
    try {
      return await prepareReadable(readEmail(claimed), turn)
    } catch (error) {
      if (error instanceof CannotDecrypt) return recorder.waitForSecret(claimed, error.message)
      if (error instanceof TemplateError) return recorder.fail(claimed, error.message)
      throw error
    }
  }
}
