/** The endpoints for clients of SendGrid and Mailgun, called by their own packages over real sockets. */
import sendgrid from '@sendgrid/mail'
import Mailgun from 'mailgun.js'
import { describe, expect, it } from 'vitest'
import { addressesOf, PDF, PIXEL, useListeningApp } from './listening-app.ts'

const use = useListeningApp()

describe('the package of SendGrid', () => {
  const EMAIL = {
    from: 'hello@example.com',
    to: 'ada@example.org',
    subject: 'Hi -name-',
    html: '<p>{{ x }} -name-</p>',
  }
  const send = (mail: object, key = use.key) => {
    const client = sendgrid as typeof sendgrid & { client: { setDefaultRequest(name: string, value: string): void } }
    client.setApiKey(key)
    client.client.setDefaultRequest('baseUrl', `${use.baseUrl}/compat/sendgrid/`)
    return client.send(mail as never)
  }
  const errorsOf = async (mail: object, key?: string) => {
    const error = await send(mail, key).then(
      () => undefined,
      (reason: { code: number; response: { body: { errors: unknown[] } } }) => reason,
    )
    return [error?.code, error?.response.body.errors] as const
  }

  it('sends a message for each personalization', async () => {
    const [reply] = await send({
      ...EMAIL,
      to: undefined,
      text: 'plain -name-',
      replyTo: { email: 'support@example.org', name: 'Support' },
      headers: { 'X-Order': '7' },
      categories: ['welcome', 'new'],
      customArgs: { order: '7' },
      substitutionWrappers: ['-', '-'],
      attachments: [
        { content: PDF, filename: 'a.pdf', type: 'application/pdf', disposition: 'attachment' },
        { content: PIXEL, filename: 'logo.png', type: 'image/png', disposition: 'inline', content_id: 'logo' },
      ],
      trackingSettings: { clickTracking: { enable: false } },
      personalizations: [
        {
          to: [{ email: 'ada@example.org' }, { email: 'bob@example.org' }],
          cc: ['carol@example.org'],
          substitutions: { name: 'Ada' },
        },
        { to: 'dan@example.org', subject: 'Own -name-', substitutions: { name: 'Dan' }, customArgs: { order: '8' } },
      ],
    })
    expect([reply.statusCode, reply.body]).toEqual([202, ''])
    const { email, recipients, message } = await use.sent(reply.headers['x-message-id'])
    expect(recipients).toEqual(['ada@example.org', 'bob@example.org', 'carol@example.org'])
    expect([message.subject, message.html?.trim(), message.text?.trim()]).toEqual([
      'Hi Ada',
      '<p>{{ x }} Ada</p>',
      'plain Ada',
    ])
    expect(email.tags).toEqual({ category: 'welcome', category_2: 'new', order: '7' })
    const { body } = await use.call('GET', '/emails?tag=order:8')
    expect((await use.sent(body.data[0].id)).message.subject).toBe('Own Dan')
  })

  it('sends many personalizations of one content', async () => {
    const people = Array.from({ length: 60 }, (_, i) => ({ to: `person-${i}@example.org` }))
    await send({ ...EMAIL, to: undefined, subject: 'Many', customArgs: { many: 'yes' }, personalizations: people })
    expect((await use.call('GET', '/emails?tag=many:yes')).body.total).toBe(60)
  })

  it('sends a template, later', async () => {
    const sendAt = Math.floor(use.app.clock.now().getTime() / 1000) + 3_600
    const mail = {
      from: EMAIL.from,
      to: EMAIL.to,
      templateId: `d-${use.templateId}`,
      dynamicTemplateData: { name: 'Ada', total: '5' },
      sendAt,
    }
    const [reply] = await send(mail)
    const { body } = await use.call('GET', `/emails/${reply.headers['x-message-id']}`)
    expect(body).toMatchObject({
      status: 'SCHEDULED',
      scheduledFor: new Date(sendAt * 1000).toISOString(),
      subject: 'Receipt for Ada',
    })
    const [now] = await send({ ...EMAIL, sendAt: sendAt - 4_000 })
    expect((await use.sent(now.headers['x-message-id'])).email.status).toBe('DELIVERED')
  })

  it('sends nothing in the sandbox', async () => {
    const before = await use.countEmails()
    const [reply] = await send({ ...EMAIL, mailSettings: { sandboxMode: { enable: true } } })
    expect(reply.statusCode).toBe(200)
    const [code] = await errorsOf({
      ...EMAIL,
      from: 'a@elsewhere.example',
      mailSettings: { sandboxMode: { enable: true } },
    })
    expect(code).toBe(403)
    expect(await use.countEmails()).toBe(before)
  })

  it('gets errors in their own form', async () => {
    expect(await errorsOf(EMAIL, 'SG.wrong')).toEqual([401, [{ message: expect.any(String), field: null, help: null }]])
    expect((await errorsOf(EMAIL, await use.keyWith(['events:read'])))[0]).toBe(403)
    expect(await errorsOf({ ...EMAIL, from: 'a@elsewhere.example' })).toEqual([
      403,
      [expect.objectContaining({ field: 'from' })],
    ])
    expect(await errorsOf({ ...EMAIL, to: 'nobody' })).toEqual([
      400,
      [{ message: 'Must be an email address.', field: 'personalizations.0.to.0.email', help: null }],
    ])
    expect(await errorsOf({ ...EMAIL, html: undefined, templateId: 'None' })).toEqual([
      400,
      [expect.objectContaining({ field: 'template_id' })],
    ])
    expect(await errorsOf({ ...EMAIL, asm: { groupId: 1 } })).toEqual([
      400,
      [expect.objectContaining({ field: 'asm' })],
    ])
    expect(await errorsOf({ ...EMAIL, trackingSettings: { openTracking: { enable: true } } })).toEqual([
      400,
      [expect.objectContaining({ field: 'tracking_settings.open_tracking.enable' })],
    ])
    const unknown = await use.app.request('POST', '/compat/sendgrid/v3/mail/send', {
      key: use.key,
      body: { x: 1 },
    })
    expect([unknown.status, unknown.body.errors.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ['personalizations', 'from', 'x'],
    ])
  })
})

describe('the package of Mailgun', () => {
  const client = (key = use.key) =>
    new Mailgun(FormData).client({ username: 'api', key, url: `${use.baseUrl}/compat/mailgun` }).messages
  const EMAIL = { from: 'Acme <hello@example.com>', to: 'ada@example.org', subject: 'Hi', html: '<p>{{ x }}</p>' }
  const idOf = (reply: { id?: string }) => /^<(.+)@example\.com>$/.exec(reply.id ?? '')![1]!

  it('sends one message to all recipients, with everything that a message can have', async () => {
    const reply = await client().create('example.com', {
      ...EMAIL,
      to: ['Ada <ada@example.org>', 'bob@example.org'],
      cc: 'carol@example.org',
      bcc: 'dan@example.org',
      text: 'plain',
      'h:Reply-To': 'support@example.org',
      'h:X-Order': '7',
      'v:order': '7',
      'o:tag': ['welcome', 'new'],
      'o:tracking': 'no',
      attachment: { filename: 'a.pdf', data: Buffer.from(PDF, 'base64') },
      inline: { filename: 'logo.png', data: Buffer.from(PIXEL, 'base64') },
    })
    expect(reply).toMatchObject({ message: 'Queued. Thank you.', status: 200 })
    const { email, recipients, message } = await use.sent(idOf(reply))
    expect(message.messageId).toBe(reply.id)
    expect(recipients).toEqual(['ada@example.org', 'bob@example.org', 'carol@example.org', 'dan@example.org'])
    expect(addressesOf(message.to)).toEqual(['ada@example.org', 'bob@example.org'])
    expect(addressesOf(message.replyTo)).toEqual(['support@example.org'])
    expect(message.attachments.map(({ filename, contentId }) => [filename, contentId])).toEqual([
      ['logo.png', '<logo.png>'],
      ['a.pdf', undefined],
    ])
    expect(email.tags).toEqual({ tag: 'welcome', tag_2: 'new', order: '7' })
  })

  it('sends each recipient a message with their variables', async () => {
    const reply = await client().create('example.com', {
      ...EMAIL,
      to: ['ada@example.org', 'bob@example.org'],
      subject: 'Hi %recipient.name%',
      'v:round': '%recipient.name%',
      'recipient-variables': JSON.stringify({ 'ada@example.org': { name: 'Ada' }, 'bob@example.org': { name: 'Bob' } }),
    })
    expect((await use.sent(idOf(reply))).message.subject).toBe('Hi Ada')
    const { body } = await use.call('GET', '/emails?tag=round:Bob')
    const bob = await use.sent(body.data[0].id)
    expect([bob.recipients, bob.message.subject]).toEqual([['bob@example.org'], 'Hi Bob'])
  })

  it('sends a template, later, in an URL-encoded form', async () => {
    const at = new Date(use.app.clock.now().getTime() + 3_600_000)
    const form = new URLSearchParams({
      from: 'hello@example.com',
      to: 'ada@example.org',
      template: 'Receipt',
      't:variables': '{"name": "Ada", "total": "5"}',
      'o:deliverytime': at.toUTCString(),
    })
    const reply = await use.app.server.inject({
      method: 'POST',
      url: '/compat/mailgun/v3/example.com/messages',
      headers: {
        authorization: `Basic ${Buffer.from(`api:${use.key}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: form.toString(),
    })
    expect(reply.statusCode).toBe(200)
    const { body } = await use.call('GET', `/emails/${idOf(reply.json())}`)
    expect(body).toMatchObject({ status: 'SCHEDULED', subject: 'Receipt for Ada' })
  })

  it('sends nothing in test mode', async () => {
    const before = await use.countEmails()
    expect(await client().create('example.com', { ...EMAIL, 'o:testmode': 'yes' })).toMatchObject({ status: 200 })
    await expect(client().create('example.com', { ...EMAIL, to: 'nobody', 'o:testmode': 'yes' })).rejects.toMatchObject(
      { status: 400 },
    )
    expect(await use.countEmails()).toBe(before)
  })

  it('gets errors in their own form', async () => {
    const send = (email: object, key?: string, domain = 'example.com') =>
      client(key).create(domain, { ...EMAIL, ...email } as never)
    await expect(send({}, 'wrong')).rejects.toMatchObject({ status: 401 })
    await expect(send({}, await use.keyWith(['events:read']))).rejects.toMatchObject({ status: 403 })
    await expect(send({}, undefined, 'elsewhere.example')).rejects.toMatchObject({
      status: 404,
      details: 'Domain not found: elsewhere.example',
    })
    await expect(send({ from: 'a@elsewhere.example' })).rejects.toMatchObject({ status: 403 })
    await expect(send({ to: 'nobody' })).rejects.toMatchObject({
      status: 400,
      details: '`to.0`: Must be an email address.',
    })
    await expect(send({ 'o:require-tls': 'yes' })).rejects.toMatchObject({ status: 400 })
    await expect(send({ 'v:not a name': 'x' })).rejects.toMatchObject({ status: 400 })
    await expect(send({ html: undefined, template: 'None' })).rejects.toMatchObject({ status: 400 })
    const json = await use.app.server.inject({
      method: 'POST',
      url: '/compat/mailgun/v3/example.com/messages',
      headers: { authorization: `Bearer ${use.key}`, 'content-type': 'application/json' },
      payload: '{}',
    })
    expect([json.statusCode, Object.keys(json.json())]).toEqual([400, ['message']])
    const missing = await use.app.request('POST', '/compat/mailgun/v3/example.com/messages', { body: {} })
    expect([missing.status, missing.body]).toEqual([
      401,
      { message: 'No API key was provided. Send your key as the password of the user `api`.' },
    ])
  })
})
