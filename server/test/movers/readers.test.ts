/** Readers of other services' exports: files in each documented format become records, and a broken file names its line. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { csvRows } from '../../../movers/csv.ts'
import { filesIn, jsonLines, textOf } from '../../../movers/files.ts'
import { openFiles } from '../../../movers/move.ts'
import type { Api, MoveRecord } from '../../../movers/record.ts'
import { SOURCES } from '../../../movers/sources.ts'
import { zipStream } from '../../platform/zip-stream.ts'

type Files = Record<string, string>

const blobs = (files: Files) => Object.entries(files).map(([name, text]) => ({ name, blob: new Blob([text]) }))

async function read(
  service: string,
  files: Files,
  { subscribe = false, api }: { subscribe?: boolean; api?: Api } = {},
) {
  const records: MoveRecord[] = []
  const source = SOURCES.find(({ id }) => id === service)!
  const input = { files: await openFiles(blobs(files)), subscribe, api }
  for await (const record of source.read(input)) records.push(record)
  return records
}

const contactsIn = (records: MoveRecord[]) =>
  Object.fromEntries(records.flatMap((record) => (record.kind === 'contact' ? [[record.email, record]] : [])))
const suppressionsIn = (records: MoveRecord[]) =>
  records.flatMap((record) => (record.kind === 'suppression' ? [`${record.email} ${record.reason}`] : []))

const archiveOf = async (files: Files) =>
  new Blob([
    new Uint8Array(
      await buffer(
        Readable.from(
          zipStream(
            Object.entries(files).map(([name, text]) => ({
              name,
              content: Readable.from([text]) as AsyncIterable<string>,
            })),
          ),
        ),
      ),
    ),
  ])

describe('a CSV file', () => {
  const rows = async (text: string, required = ['email']) => {
    const [file] = await filesIn('a.csv', new Blob([text]))
    const found: unknown[] = []
    for await (const row of csvRows(file!, required)) found.push(row)
    return found
  }

  it.each([
    [
      'with quotes, line breaks and commas in a cell',
      'email,note\r\na@b.c,"x, ""y""\r\nz"\r\nd@e.f,1',
      [
        { line: 2, cells: { email: 'a@b.c', note: 'x, "y"\r\nz' } },
        { line: 4, cells: { email: 'd@e.f', note: '1' } },
      ],
    ],
    [
      'separated by semicolons, with a byte order mark',
      '\uFEFFemail;note\na@b.c;x\n',
      [{ line: 2, cells: { email: 'a@b.c', note: 'x' } }],
    ],
    ['with missing cells and empty lines', 'email,note\n\na@b.c\n', [{ line: 3, cells: { email: 'a@b.c', note: '' } }]],
  ])('is read %s', async (_, text, expected) => {
    expect(await rows(text)).toEqual(expected)
  })

  it.each([
    ['email,note\na@b.c,"x\n', 'line 2: A quotation mark in this row is never closed.'],
    ['email,note\na@b.c,x\nd@e.f,y,z\n', 'line 3: The row has 3 cells, but the header has 2.'],
    ['name\nAda\n', 'line 1: The header has no column "email", but "name".'],
    ['', 'line 1: The file is empty.'],
  ])('%j names its broken line', async (text, message) => {
    await expect(rows(text)).rejects.toThrow(message)
  })
})

describe('a ZIP archive', () => {
  it('is read file by file', async () => {
    const archive = await archiveOf({ 'b/x.jsonl': '{"n":1}\n{"n":2}\n', 'a.txt': 'ä'.repeat(200_000) })
    const [text, lines] = await filesIn('x.zip', archive)
    expect([text!.name, lines!.name]).toEqual(['a.txt', 'b/x.jsonl'])
    let characters = 0
    for await (const part of textOf(text!)) characters += part.length
    expect(characters).toBe(200_000)
    const values: unknown[] = []
    for await (const { line, value } of jsonLines(lines!)) values.push([line, value])
    expect(values).toEqual([
      [1, { n: 1 }],
      [2, { n: 2 }],
    ])
  })

  it('is refused if it is cut off, or its content is damaged', async () => {
    const archive = await archiveOf({ 'a.txt': 'text '.repeat(1_000) })
    await expect(filesIn('x.zip', archive.slice(0, archive.size - 30))).rejects.toThrow(
      'x.zip: The archive is incomplete.',
    )
    const bytes = new Uint8Array(await archive.arrayBuffer())
    bytes.fill(255, 60, 80)
    const [file] = await filesIn('x.zip', new Blob([bytes]))
    await expect(async () => {
      for await (const _ of textOf(file!));
    }).rejects.toThrow('The file is damaged.')
  })
})

describe('Mailchimp', () => {
  const HEADER =
    'Email Address,First Name,Zip,Orders,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,UNSUB_TIME,UNSUB_REASON,LEID,TAGS'
  it('reads the files of an audience by their names', async () => {
    const records = await read('mailchimp', {
      'subscribed_email_audience_export_1.csv': `${HEADER}\nada@example.org,Ada,01234,3,2024-03-01 10:00:00,,2024-03-01 10:05:00,192.0.2.1,,,7,"""news"",""beta"""\n`,
      'unsubscribed_email_audience_export_1.csv': `${HEADER}\nbob@example.org,Bob,9999,1,,,,,2024-05-01 09:00:00,NORMAL,8,\n`,
      'cleaned_email_audience_export_1.csv': `${HEADER}\ngone@example.org,,,,,,,,,,9,\n`,
      'nonsubscribed_email_audience_export_1.csv': `${HEADER}\nbuyer@example.org,,,,,,,,,,9,\n`,
    })
    expect(contactsIn(records)).toMatchObject({
      'ada@example.org': {
        subscribed: true,
        data: { firstName: 'Ada', zip: '01234', orders: 3, tags: ['news', 'beta'] },
        consent: { at: '2024-03-01 10:05:00', ip: '192.0.2.1' },
      },
      'bob@example.org': { subscribed: false, consent: { at: '2024-05-01 09:00:00', text: 'Reason: NORMAL' } },
      'gone@example.org': { subscribed: undefined },
      'buyer@example.org': { subscribed: undefined },
    })
    expect(suppressionsIn(records)).toEqual(['gone@example.org BOUNCE'])
  })

  it('converts merge tags of templates', async () => {
    const [record] = await read('mailchimp', {
      'templates/News.html': '<title>Hi *|FNAME|*</title><a href="*|UNSUB|*">bye</a> *|IF:X|*',
    })
    expect(record).toMatchObject({
      kind: 'template',
      name: 'News',
      body: {
        subject: 'Hi {{ firstName }}',
        body: expect.stringContaining('href="{{ unsubscribeUrl }}">bye</a> *|IF:X|*'),
      },
    })
  })
})

describe('listmonk', () => {
  const row = (...cells: (string | number)[]) => cells.join('\t')
  const table = (name: string, columns: string, ...rows: string[]) =>
    `COPY public.${name} (${columns}) FROM stdin;\n${rows.map((line) => `${line}\n`).join('')}\\.\n\n`
  const DUMP = `--\n-- PostgreSQL database dump\n--\n\nSET client_encoding = 'UTF8';\n${[
    table(
      'bounces',
      'id, subscriber_id, campaign_id, type, source, meta, created_at',
      row(1, 5, '\\N', 'hard', 'smtp', '{}', 'x'),
      row(2, 1, '\\N', 'soft', 'smtp', '{}', 'x'),
    ),
    table(
      'campaigns',
      'id, name, subject, from_email, body, content_type, type',
      row(
        1,
        'March',
        'Hi {{ .Subscriber.Name }}',
        'News <news@example.com>',
        '<p>1\\n{{ UnsubscribeURL }}</p>',
        'html',
        'regular',
      ),
      row(2, 'Confirm', 'x', '', 'x', 'html', 'optin'),
    ),
    table(
      'lists',
      'id, uuid, name, type, optin, description',
      row(1, 'u', 'Product news', 'public', 'single', ''),
      row(2, 'u', 'Beta', 'private', 'double', 'For testers'),
    ),
    table(
      'subscriber_lists',
      'subscriber_id, list_id, meta, status, created_at, updated_at',
      row(1, 1, '{}', 'unconfirmed', 'x', 'x'),
      row(1, 2, '{}', 'unsubscribed', 'x', 'x'),
      row(2, 1, '{}', 'unsubscribed', 'x', 'x'),
      row(3, 2, '{}', 'unconfirmed', 'x', 'x'),
      row(4, 1, '{}', 'confirmed', 'x', 'x'),
    ),
    table(
      'subscribers',
      'id, uuid, email, name, attribs, status, created_at, updated_at',
      row(
        1,
        'u',
        'ada@example.org',
        'Ada',
        '{"city": "Turin", "n": 3, "note": "a\\\\nb"}',
        'enabled',
        '2024-03-01 10:00:00+00',
        'x',
      ),
      row(2, 'u', 'left@example.org', '', '{}', 'enabled', 'x', 'x'),
      row(3, 'u', 'pending@example.org', '', '{}', 'enabled', 'x', 'x'),
      row(4, 'u', 'blocked@example.org', '', '{}', 'blocklisted', 'x', 'x'),
      row(5, 'u', 'bounced@example.org', '', '{}', 'enabled', 'x', 'x'),
    ),
    table(
      'templates',
      'id, name, type, subject, body',
      row(1, 'Default', 'campaign', '', '<p>{{ template "content" . }}</p>'),
    ),
  ].join('')}`

  it('reads a dump with lists, choices, bounces and campaigns', async () => {
    const records = await read('listmonk', { 'listmonk.sql': DUMP })
    expect(records.filter(({ kind }) => kind === 'topic')).toMatchObject([
      { key: 'product-news', isPublic: true, defaultSubscribed: false },
      { key: 'beta', isPublic: false, description: 'For testers' },
    ])
    expect(contactsIn(records)).toMatchObject({
      'ada@example.org': {
        subscribed: true,
        data: { name: 'Ada', city: 'Turin', n: 3, note: 'a\nb' },
        topics: { 'product-news': true, beta: false },
        consent: { at: '2024-03-01 10:00:00+00' },
      },
      'left@example.org': { subscribed: false, topics: { 'product-news': false } },
      'pending@example.org': { subscribed: undefined, topics: undefined },
      'blocked@example.org': { subscribed: false },
      'bounced@example.org': { subscribed: undefined },
    })
    expect(suppressionsIn(records)).toEqual(['blocked@example.org MANUAL', 'bounced@example.org BOUNCE'])
    expect(records.filter(({ kind }) => ['campaign', 'left'].includes(kind))).toMatchObject([
      {
        kind: 'campaign',
        body: { subject: 'Hi {{ name }}', from: 'news@example.com', body: '<p>1\n{{ unsubscribeUrl }}</p>' },
      },
      { kind: 'left', what: 'campaign "Confirm"' },
    ])
  })

  it.each([
    [DUMP.replace('left@example.org\t', 'left@example.org'), 'The row of subscribers has 7 values instead of 8.'],
    [DUMP.slice(0, DUMP.lastIndexOf('\\.')), 'The dump ends within the table templates.'],
    [`-- x\nINSERT INTO public.subscribers VALUES (1);\n`, 'line 2: The dump was written with --inserts.'],
    ['PGDMP\u0001', 'This is neither a CSV file nor a dump in plain text.'],
  ])('refuses a dump that is incomplete or in another format', async (dump, message) => {
    await expect(read('listmonk', { 'listmonk.sql': dump })).rejects.toThrow(message)
  })

  it('subscribes nobody from a CSV file, which does not tell who unsubscribed from a list', async () => {
    const csv =
      'uuid,email,name,attributes,status,created_at,updated_at\nu,ada@example.org,Ada,"{""n"": 1}",enabled,x,x\nu,b@example.org,B,{},blocklisted,x,x\n'
    const records = await read('listmonk', { 'subscribers.csv': csv })
    expect(contactsIn(records)).toMatchObject({
      'ada@example.org': { subscribed: undefined, data: { name: 'Ada', n: 1 } },
      'b@example.org': { subscribed: false },
    })
    expect(suppressionsIn(records)).toEqual(['b@example.org MANUAL'])
    expect(contactsIn(await read('listmonk', { 'subscribers.csv': csv }, { subscribe: true }))).toMatchObject({
      'ada@example.org': { subscribed: true },
      'b@example.org': { subscribed: false },
    })
    await expect(read('listmonk', { 's.csv': csv.replace('"{""n"": 1}"', 'x') })).rejects.toThrow(
      's.csv, line 2: The attributes are not a JSON object.',
    )
  })
})

describe('other services', () => {
  it('Brevo is read from CSV files and from its API', async () => {
    const csv =
      'CONTACT ID;EMAIL;FIRSTNAME;SMS;Email blocklisted\n1;ada@example.org;Ada;39123;No\n2;bob@example.org;Bob;;Yes\n3;;Phone;39;No\n'
    expect(contactsIn(await read('brevo', { 'c.csv': csv }))).toMatchObject({
      'ada@example.org': { subscribed: true, data: { firstName: 'Ada', sms: '39123' } },
      'bob@example.org': { subscribed: false },
    })
    const api: Api = async (path) =>
      path.startsWith('/v3/contacts/lists')
        ? { lists: [{ id: 4, name: 'VIP Kunden' }] }
        : path.startsWith('/v3/smtp/blocked')
          ? {
              contacts: [
                { email: 'x@example.org', reason: { code: 'hardBounce' } },
                { email: 'y@example.org', reason: { code: 'unsubscribedViaEmail' }, blockedAt: '2024-01-01' },
              ],
            }
          : path.startsWith('/v3/contacts')
            ? {
                contacts: [
                  {
                    email: 'ada@example.org',
                    emailBlacklisted: false,
                    listIds: [4, 9],
                    attributes: { FIRSTNAME: 'Ada', N: 2 },
                  },
                  { email: 'bob@example.org', emailBlacklisted: true },
                ],
              }
            : {
                templates: [
                  {
                    name: 'Welcome',
                    subject: 'Hi {{contact.FIRSTNAME}}',
                    htmlContent: '{{ params.link }}',
                    sender: { email: 'a@example.com' },
                  },
                ],
              }
    const records = await read('brevo', {}, { api })
    expect(contactsIn(records)).toMatchObject({
      'ada@example.org': { subscribed: true, topics: { 'vip-kunden': true }, data: { firstName: 'Ada', n: 2 } },
      'bob@example.org': { subscribed: false },
      'y@example.org': { subscribed: false, consent: { at: '2024-01-01' } },
    })
    expect(suppressionsIn(records)).toEqual(['x@example.org BOUNCE', 'y@example.org MANUAL'])
    expect(records.at(-1)).toMatchObject({
      kind: 'template',
      body: { subject: 'Hi {{ firstName}}', body: '{{ link }}', from: 'a@example.com' },
    })
  })

  it('SendGrid is read from its lists of suppressions, contacts, and its API', async () => {
    const records = await read('sendgrid', {
      'suppression_bounces.csv': 'status,reason,email,created\n5.1.1,no such user,x@example.org,1700000000\n',
      'suppression_spam_reports.csv': 'email,ip,created\ny@example.org,192.0.2.1,1700000000\n',
      'suppression_unsubscribes.csv': 'email,created\nz@example.org,1700000000\n',
      'contacts.csv': 'EMAIL,FIRST_NAME,CREATED_AT\nada@example.org,Ada,2024-01-01\n',
    })
    expect(suppressionsIn(records)).toEqual(['x@example.org BOUNCE', 'y@example.org COMPLAINT'])
    expect(contactsIn(records)).toMatchObject({
      'y@example.org': { subscribed: false },
      'z@example.org': { subscribed: false, consent: { at: '2023-11-14T22:13:20.000Z' } },
      'ada@example.org': { subscribed: undefined, data: { firstName: 'Ada' } },
    })
    const api: Api = async (path) =>
      path.startsWith('/v3/suppression')
        ? []
        : path === '/v3/asm/groups'
          ? [{ id: 1, name: 'Weekly' }]
          : path.startsWith('/v3/asm/groups/1')
            ? ['w@example.org']
            : path === '/v3/templates/t'
              ? { versions: [{ active: 1, subject: 'S', html_content: '{{#if a}}{{{a}}}{{else}}-{{/if}}' }] }
              : { result: [{ id: 't', name: 'T' }] }
    const fromApi = await read('sendgrid', {}, { api })
    expect(contactsIn(fromApi)['w@example.org']).not.toHaveProperty('subscribed')
    expect(contactsIn(fromApi)['w@example.org']).toMatchObject({ topics: { weekly: false } })
    expect(fromApi.find(({ kind }) => kind === 'template')).toMatchObject({
      body: { body: '{% if a %}{{ a }}{% else %}-{% endif %}' },
    })
  })

  it('Resend, Plunk and Customer.io keep who unsubscribed', async () => {
    expect(
      contactsIn(
        await read('resend', {
          'a.csv':
            'id,email,first_name,unsubscribed,created_at\n1,ada@example.org,Ada,false,2024\n2,b@example.org,B,true,2024\n',
        }),
      ),
    ).toMatchObject({
      'ada@example.org': { subscribed: true, data: { firstName: 'Ada' } },
      'b@example.org': { subscribed: false },
    })
    const api: Api = async (path) =>
      path === '/audiences'
        ? { data: [{ id: 'x', name: 'All' }] }
        : { data: [{ id: '1', email: 'b@example.org', unsubscribed: true }], has_more: false }
    expect(contactsIn(await read('resend', {}, { api }))).toMatchObject({ 'b@example.org': { subscribed: false } })
    expect(
      contactsIn(
        await read('plunk', {
          'contacts.json': JSON.stringify([
            { email: 'a@example.org', subscribed: true, data: '{"plan":"pro"}' },
            { email: 'b@example.org', subscribed: false, data: null },
          ]),
        }),
      ),
    ).toMatchObject({
      'a@example.org': { subscribed: true, data: { plan: 'pro' } },
      'b@example.org': { subscribed: false },
    })
    const csv =
      'id,email,unsubscribed,plan,cio_subscription_preferences\n1,a@example.org,false,pro,"{""topics"":{""topic_1"":true,""topic_2"":false}}"\n2,b@example.org,true,,\n'
    const people = await read('customerio', { 'people.csv': csv, 'suppressed.csv': 'email\nc@example.org\n' })
    expect(contactsIn(people)).toMatchObject({
      'a@example.org': { subscribed: true, topics: { 'topic-1': true, 'topic-2': false } },
      'b@example.org': { subscribed: false },
      'c@example.org': { subscribed: false },
    })
    expect(suppressionsIn(people)).toEqual(['c@example.org MANUAL'])
    await expect(read('plunk', { 'c.json': '{"data": [\n{]' })).rejects.toThrow('c.json, line 2: The file is not JSON')
  })
})
