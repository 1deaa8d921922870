/** Valid bodies for the endpoints that clients of other services call. */

const RESEND = {
  from: 'Acme <hello@example.com>',
  to: ['a@example.org', 'B <b@example.org>'],
  cc: 'c@example.org',
  bcc: ['d@example.org'],
  reply_to: 'reply@example.org',
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: { 'X-One': 'two' },
  tags: [{ name: 'category', value: 'welcome' }],
  attachments: [{ filename: 'a.png', content: 'aGk=', content_type: 'image/png', content_id: 'a' }],
}
const POSTMARK_FIELDS = {
  From: 'Acme <hello@example.com>',
  To: 'a@example.org, B <b@example.org>',
  Cc: 'c@example.org',
  Bcc: 'd@example.org',
  ReplyTo: 'reply@example.org',
  Tag: 'welcome',
  Metadata: { order: '7' },
  Headers: [{ Name: 'X-One', Value: 'two' }],
  Attachments: [{ Name: 'a.png', Content: 'aGk=', ContentType: 'image/png', ContentID: 'cid:a' }],
}
const POSTMARK = { ...POSTMARK_FIELDS, Subject: 'Hello', HtmlBody: '<p>Hello</p>', TextBody: 'Hello' }
const POSTMARK_TEMPLATE = { ...POSTMARK_FIELDS, TemplateAlias: '{template}', TemplateModel: { name: 'Ada' } }

export const COMPAT_EXAMPLES = {
  'POST /compat/resend/emails': RESEND,
  'POST /compat/resend/emails/batch': [RESEND],
  'PATCH /compat/resend/emails/{id}': { scheduled_at: 'in 1 hour' },
  'POST /compat/postmark/email': POSTMARK,
  'POST /compat/postmark/email/batch': [POSTMARK],
  'POST /compat/postmark/email/withTemplate': POSTMARK_TEMPLATE,
  'POST /compat/postmark/email/batchWithTemplates': { Messages: [POSTMARK_TEMPLATE] },
  'POST /compat/sendgrid/v3/mail/send': {
    personalizations: [
      {
        to: [{ email: 'a@example.org', name: 'A' }],
        cc: [{ email: 'c@example.org' }],
        substitutions: { '-name-': 'Ada' },
        custom_args: { order: '7' },
      },
    ],
    from: { email: 'hello@example.com', name: 'Acme' },
    reply_to: { email: 'reply@example.org' },
    subject: 'Hello',
    content: [{ type: 'text/html', value: '<p>Hello -name-</p>' }],
    attachments: [{ filename: 'a.png', content: 'aGk=', type: 'image/png' }],
    headers: { 'X-One': 'two' },
    categories: ['welcome'],
  },
}
