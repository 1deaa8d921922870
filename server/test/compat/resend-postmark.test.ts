/** The endpoints for clients of Resend and Postmark, called by their own packages over real sockets. */
import { ServerClient } from 'postmark'
import { describe, expect, it } from 'vitest'
import { addressesOf, PDF, PIXEL, useListeningApp } from './listening-app.ts'

// By a variable, because its types contain those of React, which change the types of elements in all other files.
const RESEND: string = 'resend'
const { Resend } = await import(RESEND)

const use = useListeningApp()

describe('the package of Resend', () => {
  const client = (key = use.key) => new Resend(key, { baseUrl: `${use.baseUrl}/compat/resend` })
  const EMAIL = {
    from: 'Acme <hello@example.com>',
    to: 'ada@example.org',
    subject: 'Hi {{ name }}',
    html: '<p>{{ x }}</p>',
  }

  it('sends one message to all recipients, with everything that a message can have', async () => {
    const { data, error } = await client().emails.send({
      ...EMAIL,
      to: ['Ada <ada@example.org>', 'bob@example.org'],
      cc: 'carol@example.org',
      bcc: ['dan@example.org'],
      replyTo: 'Support <support@example.org>',
      text: 'plain {{ x }}',
      headers: { 'X-Order': '7' },
      tags: [{ name: 'category', value: 'welcome' }],
      attachments: [
        { filename: 'a.pdf', content: PDF },
        { filename: 'logo.png', content: Buffer.from(PIXEL, 'base64'), contentId: 'logo' },
      ],
    })
    expect(error).toBeNull()
    const { email, recipients, message } = await use.sent(data!.id)
    expect(recipients).toEqual(['ada@example.org', 'bob@example.org', 'carol@example.org', 'dan@example.org'])
    expect(addressesOf(message.to)).toEqual(['ada@example.org', 'bob@example.org'])
    expect(addressesOf(message.cc)).toEqual(['carol@example.org'])
    expect(message.replyTo).toEqual([{ address: 'support@example.org', name: 'Support' }])
    expect([message.subject, message.html?.trim(), message.text?.trim()]).toEqual([
      'Hi {{ name }}',
      '<p>{{ x }}</p>',
      'plain {{ x }}',
    ])
    expect(message.headers.find(({ key }) => key === 'x-order')?.value).toBe('7')
    expect(message.attachments.map(({ filename, mimeType, contentId }) => [filename, mimeType, contentId])).toEqual([
      ['logo.png', 'image/png', '<logo>'],
      ['a.pdf', 'application/pdf', undefined],
    ])
    expect(email.tags).toEqual({ category: 'welcome' })
    const { data: shown } = await client().emails.get(data!.id)
    expect(shown).toMatchObject({
      id: data!.id,
      object: 'email',
      from: 'Acme <hello@example.com>',
      to: ['Ada <ada@example.org>', 'bob@example.org'],
      cc: ['carol@example.org'],
      bcc: ['dan@example.org'],
      reply_to: ['Support <support@example.org>'],
      last_event: 'delivered',
      scheduled_at: null,
      tags: [{ name: 'category', value: 'welcome' }],
    })
  })

  it('sends text without HTML as text', async () => {
    const { data } = await client().emails.send({ from: EMAIL.from, to: EMAIL.to, subject: 'Text', text: 'only text' })
    const { message } = await use.sent(data!.id)
    expect([message.text?.trim(), message.html]).toEqual(['only text', undefined])
    expect((await client().emails.get(data!.id)).data).toMatchObject({ text: 'only text', html: null })
  })

  it('sends a template by its name, whose variables are not stored', async () => {
    const { data, error } = await client().emails.send({
      to: 'template@example.org',
      template: { id: 'Receipt', variables: { name: 'Ada', total: '12.00' } },
    } as never)
    expect(error).toBeNull()
    const { email, message } = await use.sent(data!.id)
    expect(message.subject).toBe('Receipt for Ada')
    expect(message.html).toMatch(/^<p>You paid 12\.00\.<\/p>/)
    expect((await use.call('GET', `/contacts/${email.contactId}`)).body.data).toEqual({})
  })

  it('schedules, reschedules and cancels', async () => {
    const { data } = await client().emails.send({ ...EMAIL, scheduledAt: 'in 1 hour' })
    const at = use.app.clock.now().getTime()
    expect((await client().emails.get(data!.id)).data).toMatchObject({
      last_event: 'scheduled',
      scheduled_at: new Date(at + 3_600_000).toISOString(),
    })
    const later = new Date(at + 7_200_000).toISOString()
    expect((await client().emails.update({ id: data!.id, scheduledAt: later })).data).toEqual({
      object: 'email',
      id: data!.id,
    })
    expect((await client().emails.get(data!.id)).data?.scheduled_at).toBe(later)
    expect((await client().emails.cancel(data!.id)).data).toEqual({ object: 'email', id: data!.id })
    expect((await client().emails.get(data!.id)).data?.last_event).toBe('canceled')
    expect((await client().emails.cancel(data!.id)).error).toMatchObject({ statusCode: 422, name: 'validation_error' })
    const past = await client().emails.update({ id: data!.id, scheduledAt: '2001-01-01T00:00:00Z' })
    expect(past.error?.message).toMatch(/^`scheduled_at`: Must not be in the past/)
    expect((await client().emails.send({ ...EMAIL, scheduledAt: 'next blue moon' })).error?.name).toBe(
      'validation_error',
    )
  })

  it('repeats the response to a request with the same key', async () => {
    const options = { idempotencyKey: 'order-1' }
    const first = await client().emails.send(EMAIL, options)
    expect((await client().emails.send(EMAIL, options)).data).toEqual(first.data)
    const other = await client().emails.send({ ...EMAIL, subject: 'Other' }, options)
    expect(other.error).toMatchObject({ statusCode: 409, name: 'invalid_idempotent_request' })
    const batch = await client().batch.send([EMAIL, EMAIL], { idempotencyKey: 'batch-1' })
    expect((await client().batch.send([EMAIL, EMAIL], { idempotencyKey: 'batch-1' })).data).toEqual(batch.data)
  })

  it('sends batches: all or none, or one by one', async () => {
    const wrong = { ...EMAIL, to: 'nobody' }
    const before = await use.countEmails()
    const strict = await client().batch.send([EMAIL, wrong])
    expect(strict.error).toMatchObject({
      statusCode: 422,
      name: 'validation_error',
      message: expect.stringMatching(/^`1\.to/),
    })
    expect(await use.countEmails()).toBe(before)
    const { data } = await client().batch.send(
      [EMAIL, wrong, { ...EMAIL, attachments: [{ path: 'https://example.org/a.pdf' }] }],
      {
        batchValidation: 'permissive',
      },
    )
    expect(data).toEqual({
      data: [{ id: expect.any(String) }],
      errors: [
        { index: 1, message: expect.stringContaining('Must be an email address') },
        { index: 2, message: expect.stringContaining('attachments.0.path') },
      ],
    })
  })

  it('gets errors in their own form', async () => {
    const send = async (email: object, key?: string) => (await client(key).emails.send(email as never)).error
    expect(await send(EMAIL, `sk_${'0'.repeat(48)}`)).toMatchObject({ statusCode: 401, name: 'invalid_api_key' })
    expect(await send(EMAIL, await use.keyWith(['contacts:read']))).toMatchObject({
      statusCode: 401,
      name: 'restricted_api_key',
    })
    expect(await send({ ...EMAIL, from: 'a@elsewhere.example' })).toMatchObject({
      statusCode: 403,
      name: 'validation_error',
    })
    expect(await send({ ...EMAIL, subject: undefined })).toEqual({
      statusCode: 422,
      name: 'missing_required_field',
      message: '`subject`: This field is required.',
    })
    expect(await send({ ...EMAIL, to: ['ada@example.org', 'nobody'] })).toMatchObject({
      message: '`to.1`: Must be an email address.',
    })
    expect(await send({ ...EMAIL, topicId: 'news' })).toMatchObject({ statusCode: 422 })
    const many = (count: number) => Array.from({ length: count }, (_, i) => `many${i}@example.org`)
    expect(await send({ ...EMAIL, to: many(50) })).toBeNull()
    expect(await send({ ...EMAIL, to: many(51) })).toMatchObject({
      statusCode: 422,
      message: '`to`: Must contain at most 50 recipients. Divide them into several emails.',
    })
    expect(await send({ to: EMAIL.to, template: { id: 'None' } })).toMatchObject({ statusCode: 404, name: 'not_found' })
    expect((await client().emails.get('no-id')).error).toMatchObject({ statusCode: 404, name: 'not_found' })
    expect((await client().domains.list()).error).toMatchObject({ statusCode: 404, name: 'not_found' })
    const sender = await use.keyWith(['send'])
    expect(await send(EMAIL, sender)).toBeNull()
    expect((await client(sender).emails.get(use.projectId)).error).toMatchObject({ name: 'restricted_api_key' })
    const unknown = await use.app.request('POST', '/compat/resend/emails', {
      key: use.key,
      body: { ...EMAIL, body: 'x' },
    })
    expect([unknown.status, unknown.headers['posthorn-error-code'], unknown.body.message]).toEqual([
      422,
      'VALIDATION_ERROR',
      '`body`: Unknown field. Remove it.',
    ])
    const missing = await use.app.request('POST', '/compat/resend/emails', { body: EMAIL })
    expect([missing.status, missing.body.name]).toEqual([401, 'missing_api_key'])
  })
})

describe('the package of Postmark', () => {
  const client = (token = use.key) =>
    new ServerClient(token, { requestHost: `${use.baseUrl.slice('http://'.length)}/compat/postmark`, useHttps: false })
  const EMAIL = { From: 'Acme <hello@example.com>', To: 'ada@example.org', Subject: 'Hi', HtmlBody: '<p>{{ x }}</p>' }

  it('sends one message to all recipients, with everything that a message can have', async () => {
    const reply = await client().sendEmail({
      ...EMAIL,
      To: '"Lovelace, Ada" <ada@example.org>, bob@example.org',
      Cc: 'carol@example.org',
      Bcc: 'dan@example.org',
      ReplyTo: 'support@example.org',
      TextBody: 'plain',
      Tag: 'welcome mail',
      Metadata: { order: '7' },
      Headers: [{ Name: 'X-Order', Value: '7' }],
      Attachments: [
        { Name: 'a.pdf', Content: PDF, ContentType: 'application/pdf', ContentID: '' },
        { Name: 'logo.png', Content: PIXEL, ContentType: 'image/png', ContentID: 'cid:logo' },
      ],
      TrackOpens: false,
      TrackLinks: 'None' as never,
      MessageStream: 'outbound',
    })
    expect(reply).toEqual({
      To: '"Lovelace, Ada" <ada@example.org>, bob@example.org',
      Cc: 'carol@example.org',
      Bcc: 'dan@example.org',
      SubmittedAt: expect.any(String),
      MessageID: expect.any(String),
      ErrorCode: 0,
      Message: 'OK',
    })
    const { email, recipients, message } = await use.sent(reply.MessageID)
    expect(recipients).toEqual(['ada@example.org', 'bob@example.org', 'carol@example.org', 'dan@example.org'])
    expect(message.to?.[0]).toEqual({ address: 'ada@example.org', name: 'Lovelace, Ada' })
    expect([message.html?.trim(), message.text?.trim()]).toEqual(['<p>{{ x }}</p>', 'plain'])
    expect(message.attachments.map(({ contentId }) => contentId)).toEqual(['<logo>', undefined])
    expect(email.tags).toEqual({ tag: 'welcome mail', order: '7' })
  })

  it('sends a template by its alias', async () => {
    const reply = await client().sendEmailWithTemplate({
      From: 'hello@example.com',
      To: 'ada@example.org',
      TemplateAlias: 'Receipt',
      TemplateModel: { name: 'Ada', total: '5' },
    })
    expect((await use.sent(reply.MessageID)).message.subject).toBe('Receipt for Ada')
    const wanted = { From: 'hello@example.com', To: 'ada@example.org', TemplateAlias: 'None', TemplateModel: {} }
    await expect(client().sendEmailWithTemplate(wanted)).rejects.toMatchObject({ statusCode: 422, code: 1101 })
  })

  it('sends batches one by one', async () => {
    const replies = await client().sendEmailBatch([
      EMAIL,
      { ...EMAIL, To: 'nobody' },
      { ...EMAIL, From: 'a@elsewhere.example' },
      { ...EMAIL, Body: 'x' } as never,
    ])
    expect(replies.map(({ ErrorCode, Message }) => [ErrorCode, Message])).toEqual([
      [0, 'OK'],
      [300, '`To.0`: Must be an email address.'],
      [400, expect.stringContaining('elsewhere.example is not verified')],
      [300, '`Body`: Unknown field. Remove it.'],
    ])
  })

  it('sends batches of templates one by one', async () => {
    const email = { From: 'hello@example.com', To: 'ada@example.org', TemplateModel: { name: 'Ada', total: '5' } }
    const batch = [
      { ...email, TemplateAlias: 'Receipt' },
      { ...email, TemplateAlias: 'None' },
      { ...email, TemplateAlias: 'Receipt', HtmlBody: 'x' } as never,
    ]
    const replies = await client().sendEmailBatchWithTemplates(batch)
    expect(replies.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 1101, 300])
    expect((await use.sent(replies[0]!.MessageID)).message.subject).toBe('Receipt for Ada')
    const before = await use.countEmails()
    const tested = await client('POSTMARK_API_TEST').sendEmailBatchWithTemplates(batch.slice(0, 1))
    expect(tested).toMatchObject([{ ErrorCode: 0, Message: 'Test job accepted' }])
    expect(await use.countEmails()).toBe(before)
  })

  it('sends nothing with the test token', async () => {
    const before = await use.countEmails()
    expect(await client('POSTMARK_API_TEST').sendEmail(EMAIL)).toMatchObject({
      ErrorCode: 0,
      Message: 'Test job accepted',
    })
    await expect(client('POSTMARK_API_TEST').sendEmail({ ...EMAIL, To: 'nobody' })).rejects.toMatchObject({ code: 300 })
    const [first, second] = await client('POSTMARK_API_TEST').sendEmailBatch([EMAIL, { ...EMAIL, To: 'nobody' }])
    expect([first?.ErrorCode, second?.ErrorCode, second?.Message]).toEqual([
      0,
      300,
      '`To.0`: Must be an email address.',
    ])
    await expect(
      client('POSTMARK_API_TEST').sendEmail({ ...EMAIL, HtmlBody: 'x'.repeat(70_000) }),
    ).rejects.toMatchObject({
      statusCode: 413,
    })
    expect(await use.countEmails()).toBe(before)
  })

  it('gets errors in their own form', async () => {
    const send = (email: object, token?: string) => client(token).sendEmail({ ...EMAIL, ...email })
    await expect(send({}, 'wrong')).rejects.toMatchObject({ name: 'InvalidAPIKeyError', statusCode: 401, code: 10 })
    await expect(send({}, await use.keyWith(['events:read']))).rejects.toMatchObject({ statusCode: 401, code: 10 })
    await expect(send({ From: 'a@elsewhere.example' })).rejects.toMatchObject({ statusCode: 422, code: 400 })
    await expect(send({ TrackOpens: true })).rejects.toMatchObject({ statusCode: 422, code: 300 })
    await expect(send({ MessageStream: 'broadcast' })).rejects.toMatchObject({ statusCode: 422, code: 300 })
    await expect(send({ Metadata: { 'not a name': 'x' } })).rejects.toMatchObject({
      code: 300,
      message: expect.stringContaining('Metadata.not a name'),
    })
    await expect(client().getBounces()).rejects.toMatchObject({ statusCode: 404 })
    const broken = await use.app.request('POST', '/compat/postmark/email', {
      headers: { 'x-postmark-server-token': use.key },
      text: '{',
    })
    expect([broken.status, broken.body.ErrorCode]).toEqual([422, 402])
    const missing = await use.app.request('POST', '/compat/postmark/email', { body: EMAIL })
    expect([missing.status, missing.body]).toEqual([
      401,
      { ErrorCode: 10, Message: 'No API key was provided. Send your key in the header X-Postmark-Server-Token.' },
    ])
  })
})
