/** All services that people move from. */

import type { Source } from './record.ts'
import { brevo } from './services/brevo.ts'
import { customerio } from './services/customerio.ts'
import { listmonk } from './services/listmonk.ts'
import { mailchimp } from './services/mailchimp.ts'
import { plunk } from './services/plunk.ts'
import { posthorn } from './services/posthorn.ts'
import { resend } from './services/resend.ts'
import { sendgrid } from './services/sendgrid.ts'

export const SOURCES: Source[] = [brevo, customerio, listmonk, mailchimp, plunk, posthorn, resend, sendgrid]
