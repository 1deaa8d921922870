import { readFileSync } from 'node:fs'
import { type Body, unwrap } from '../../sdk/index.ts'
import { type Command, type Input, jsonOf, numberOf } from '../command.ts'
import { UsageError } from '../errors.ts'
import { type Activity, followActivity, untilInterrupted } from '../live-stream.ts'
import { describe, printable } from '../output.ts'

/** A text, or the content of a file if it begins with @. */
function textOrFile(value: string): string {
  if (!value.startsWith('@')) return value
  try {
    return readFileSync(value.slice(1), 'utf8')
  } catch (error) {
    throw new UsageError(`${value.slice(1)} can't be read: ${(error as Error).message}`)
  }
}

export const send: Command = {
  summary: 'Send an email',
  options: {
    to: { value: 'ADDRESS', summary: 'The recipient; can be given more than once', required: true, multiple: true },
    from: { value: 'ADDRESS', summary: 'The sender; a template has its own' },
    subject: { value: 'TEXT', summary: 'The subject; a template has its own' },
    body: { value: 'HTML', summary: 'The content, or @FILE' },
    text: { value: 'TEXT', summary: 'The plain-text part, or @FILE' },
    template: { value: 'NAME', summary: 'The name or the ID of a template, instead of --body' },
    data: { value: 'JSON', summary: 'Values for the variables' },
    'reply-to': { value: 'ADDRESS', summary: 'Where replies go' },
    'send-at': { value: 'TIME', summary: 'When to send, such as 2027-01-31T09:00:00+01:00' },
    tag: { value: 'NAME=VALUE', summary: 'A tag; can be given more than once', multiple: true },
    'idempotency-key': { value: 'KEY', summary: 'Repeating the command with the same key sends once' },
  },
  run: async ({ options, lists, posthorn, output }) => {
    if ((options.body === undefined) === (options.template === undefined)) {
      throw new UsageError('Use either --body with --subject and --from, or --template.')
    }
    const to = lists.to!
    const email = {
      to: to.length === 1 ? to[0]! : to,
      ...(options.from === undefined ? {} : { from: options.from }),
      ...(options.subject === undefined ? {} : { subject: options.subject }),
      ...(options.body === undefined ? {} : { body: textOrFile(options.body) }),
      ...(options.text === undefined ? {} : { text: textOrFile(options.text) }),
      ...(options.template === undefined ? {} : { template: templateOf(options.template) }),
      ...(options.data === undefined ? {} : { data: jsonOf('data', options.data) }),
      ...(options['reply-to'] === undefined ? {} : { replyTo: options['reply-to'] }),
      ...(options['send-at'] === undefined ? {} : { sendAt: options['send-at'] }),
      ...(lists.tag!.length === 0 ? {} : { tags: tagsOf(lists.tag!) }),
    } as Body<'POST /v1/send'>
    const sent = await unwrap(posthorn().emails.send(email, { idempotencyKey: options['idempotency-key'] }))
    output.item(sent, () => sent.emails.map(({ contact, email }) => `${email}  ${printable(contact.email)}`).join('\n'))
  },
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const templateOf = (text: string) => (UUID.test(text) ? text : { name: text })

function tagsOf(words: string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=')
      if (at < 1) throw new UsageError('--tag must be NAME=VALUE.')
      return [word.slice(0, at), word.slice(at + 1)]
    }),
  )
}

/** For each activity whose type the filter accepts, until Ctrl+C. */
export async function tail({ connection, output }: Input, isWanted: (activity: Activity) => boolean): Promise<void> {
  for await (const activity of followActivity(connection(), untilInterrupted())) {
    if (!isWanted(activity)) continue
    output.event(activity, () =>
      [activity.timestamp, activity.type, activity.contact?.email ?? '', activity.email?.id ?? '']
        .map(printable)
        .join('  '),
    )
  }
}

export const emails: Record<string, Command> = {
  list: {
    summary: 'List emails, newest first',
    options: {
      status: { value: 'STATUS', summary: 'Such as DELIVERED, BOUNCED or SCHEDULED' },
      tag: { value: 'NAME:VALUE', summary: 'Only emails with this tag' },
      search: { value: 'TEXT', summary: 'Part of the recipient or the subject' },
      limit: { value: 'NUMBER', summary: 'How many, 20 by default and at most 100' },
    },
    run: async ({ options, posthorn, output }) => {
      const { data } = await unwrap(
        posthorn().emails.list({
          limit: numberOf('limit', options.limit, 20),
          status: options.status as never,
          tag: options.tag,
          search: options.search,
        }),
      )
      output.list(
        data,
        {
          ID: ({ id }) => id,
          STATUS: ({ status }) => status,
          TO: ({ to }) => to,
          SUBJECT: ({ subject }) => subject,
          CREATED: ({ createdAt }) => createdAt,
        },
        'No emails. Send one with: posthorn send --to ADDRESS --from ADDRESS --subject TEXT --body TEXT',
      )
    },
  },
  get: {
    summary: 'Show an email with its timeline',
    args: ['ID'],
    run: async ({ args, posthorn, output }) => {
      const email = await unwrap(posthorn().emails.get(args[0]!))
      const { body: _body, text: _text, timeline, ...fields } = email as typeof email & Record<string, unknown>
      output.item(email, () =>
        [
          describe(fields),
          '',
          ...(timeline as Record<string, unknown>[]).map((entry) => Object.values(entry).map(printable).join('  ')),
        ].join('\n'),
      )
    },
  },
  cancel: {
    summary: 'Cancel a scheduled email',
    args: ['ID'],
    run: async ({ args, posthorn, output }) => {
      const email = await unwrap(posthorn().emails.cancel(args[0]!))
      output.item(email, () => `Email ${args[0]} is canceled.`)
    },
  },
  tail: {
    summary: 'Print what happens to emails, as it happens',
    run: (input) => tail(input, ({ type }) => type.startsWith('email.')),
  },
}
