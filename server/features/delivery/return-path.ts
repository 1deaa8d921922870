/**
 * The envelope sender, to which other servers report failed deliveries. If we receive email ourselves, it contains the
 * signed id of the email, so that a report is matched whatever it quotes; otherwise it is the sender's address.
 */
import { timingSafeEqual } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { base32nopad } from '@scure/base'
import type { Context } from '../../context.ts'
import { domainOf } from '../../kernel/email-address.ts'

const PURPOSE = 'return-path'
const PREFIX = 'b-'
const UUID_BYTES = 16
/** 48 bits: the maximum that fits into a local part of 64 characters with two ids. */
const TAG_BYTES = 6
/** In base32, because servers change the case of local parts. Its last character has only four bits. */
const TOKEN = /^b-([a-z2-7]{60}[acegikmoqsuwy246])@bounces\.[^@]+$/i

type SigningContext = Pick<Context, 'secrets'>

/** Otherwise nobody would receive the reports. */
const takesMail = ({ settings }: Pick<Context, 'settings'>) => settings.INBOUND_SMTP_PORT > 0

export function returnPathOf(
  ctx: SigningContext & Pick<Context, 'settings'>,
  email: { id: string; project_id: string; from_email: string },
  isHeard = takesMail(ctx),
): string {
  if (!isHeard) return email.from_email
  const ids = Buffer.concat([bytesOf(email.project_id), bytesOf(email.id)])
  const token = base32nopad.encode(Buffer.concat([ids, tagsOf(ctx, ids)[0]!])).toLowerCase()
  return `${PREFIX}${token}@bounces.${domainToASCII(domainOf(email.from_email))}`
}

/** The email of a return path; undefined for any other address. */
export function emailOfReturnPath(
  ctx: SigningContext,
  address: string,
): { projectId: string; emailId: string } | undefined {
  const token = TOKEN.exec(address.trim())?.[1]
  if (!token) return undefined
  const bytes = Buffer.from(base32nopad.decode(token.toUpperCase()))
  const ids = bytes.subarray(0, 2 * UUID_BYTES)
  const given = bytes.subarray(2 * UUID_BYTES)
  if (!tagsOf(ctx, ids).some((tag) => timingSafeEqual(given, tag))) return undefined
  return { projectId: uuidOf(ids.subarray(0, UUID_BYTES)), emailId: uuidOf(ids.subarray(UUID_BYTES)) }
}

/** The first is of the current secret. */
const tagsOf = ({ secrets }: SigningContext, ids: Buffer): Buffer[] =>
  secrets.validTags(PURPOSE, ids.toString('hex')).map((tag) => Buffer.from(tag, 'base64url').subarray(0, TAG_BYTES))

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

const uuidOf = (bytes: Buffer): string => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
