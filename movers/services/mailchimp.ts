/**
 * Mailchimp: the ZIP archive of an audience, or the CSV files in it. Their names tell what the people in them are: subscribed,
 * unsubscribed, cleaned (bounced) or nonsubscribed. An account export also has templates and campaigns as HTML.
 */
import { csvRows } from '../csv.ts'
import { columnTypes, dataOf, listOf } from '../fields.ts'
import { textOf } from '../files.ts'
import type { MoveFile, MoveInput, MoveRecord, Source } from '../record.ts'

const EMAIL = 'Email Address'
/** What Mailchimp adds, which is no data about the person. */
const OWN = new Set(
  [
    'MEMBER_RATING',
    'OPTIN_TIME',
    'OPTIN_IP',
    'CONFIRM_TIME',
    'CONFIRM_IP',
    'GMTOFF',
    'DSTOFF',
    'LAST_CHANGED',
    'LEID',
    'EUID',
  ].concat([
    ...['UNSUB_TIME', 'UNSUB_CAMPAIGN_TITLE', 'UNSUB_CAMPAIGN_ID', 'UNSUB_REASON', 'UNSUB_REASON_OTHER'],
    ...['CLEAN_TIME', 'CLEAN_CAMPAIGN_TITLE', 'CLEAN_CAMPAIGN_ID', EMAIL, 'TAGS'],
  ]),
)

type Group = 'subscribed' | 'unsubscribed' | 'cleaned' | 'nonsubscribed'

function groupOf(name: string): Group | undefined {
  const file = name.slice(name.lastIndexOf('/') + 1).toLowerCase()
  // "unsubscribed" and "nonsubscribed" contain "subscribed".
  return (['nonsubscribed', 'unsubscribed', 'cleaned', 'subscribed'] as const).find((group) => file.startsWith(group))
}

export const mailchimp: Source = {
  id: 'mailchimp',
  title: 'Mailchimp',
  files: 'The ZIP file of Audience → All contacts → Export audience, or of Account → Settings → Export data',
  async *read(input: MoveInput): AsyncGenerator<MoveRecord> {
    for (const file of input.files) {
      if (/\.csv$/i.test(file.name)) yield* people(file, input)
      else if (/\.html?$/i.test(file.name)) yield* page(file)
    }
  },
}

async function* people(file: MoveFile, { subscribe }: MoveInput): AsyncGenerator<MoveRecord> {
  const group = groupOf(file.name)
  const types = await columnTypes(file, [EMAIL])
  for await (const { line, cells } of csvRows(file, [EMAIL])) {
    const email = cells[EMAIL]!
    const place = { file: file.name, line }
    if (group === 'cleaned') yield { kind: 'suppression', email, reason: 'BOUNCE', place }
    const tags = listOf(cells.TAGS ?? '')
    yield {
      kind: 'contact',
      email,
      // Addresses that bounced may belong to people who agreed, but nothing proves it.
      subscribed:
        group === 'subscribed' || (group === undefined && subscribe)
          ? true
          : group === 'unsubscribed'
            ? false
            : undefined,
      data: { ...dataOf(cells, types, (column) => !OWN.has(column)), ...(tags.length > 0 ? { tags } : {}) },
      consent: consentOf(group, cells),
      place,
    }
  }
}

function consentOf(group: Group | undefined, cells: Record<string, string>) {
  if (group === 'unsubscribed') {
    const reason = cells.UNSUB_REASON_OTHER || cells.UNSUB_REASON
    return { at: cells.UNSUB_TIME || cells.LAST_CHANGED, text: reason ? `Reason: ${reason}` : undefined }
  }
  return {
    at: cells.CONFIRM_TIME || cells.OPTIN_TIME || undefined,
    ip: cells.CONFIRM_IP || cells.OPTIN_IP || undefined,
  }
}

async function* page(file: MoveFile): AsyncGenerator<MoveRecord> {
  let html = ''
  for await (const part of textOf(file)) html += part
  const name = file.name.slice(file.name.lastIndexOf('/') + 1).replace(/\.html?$/i, '')
  const title = /<title>([^<]*)<\/title>/i.exec(html)?.[1]?.trim()
  const kind = /(^|\/)campaigns?\//i.test(file.name) ? 'campaign' : 'template'
  const subject = !title || /^\*\|/.test(title) ? name : title
  yield { kind, name, body: { name, subject: convert(subject), body: convert(html) }, place: { file: file.name } }
}

const TAGS: Record<string, string> = {
  EMAIL: '{{ email }}',
  UNSUB: '{{ unsubscribeUrl }}',
  UPDATE_PROFILE: '{{ manageUrl }}',
  ARCHIVE: '{{ viewInBrowserUrl }}',
  FNAME: '{{ firstName }}',
  LNAME: '{{ lastName }}',
  'MC:SUBJECT': '',
  MC_PREVIEW_TEXT: '',
  CURRENT_YEAR: '{{ "now" | date: "%Y" }}',
}

/** Merge tags that have a counterpart. The others stay, so that they are seen before the next sending. */
const convert = (text: string) =>
  text.replace(/\*\|([A-Z0-9_:]+)\|\*/gi, (whole, tag: string) => TAGS[tag.toUpperCase()] ?? whole)
