/** All services that people move from. */
import { brevo } from './brevo.ts'
import { customerio } from './customerio.ts'
import { listmonk } from './listmonk.ts'
import { mailchimp } from './mailchimp.ts'
import { plunk } from './plunk.ts'
import { posthorn } from './posthorn.ts'
import type { Source } from './record.ts'
import { resend } from './resend.ts'
import { sendgrid } from './sendgrid.ts'

export const SOURCES: Source[] = [brevo, customerio, listmonk, mailchimp, plunk, posthorn, resend, sendgrid]
