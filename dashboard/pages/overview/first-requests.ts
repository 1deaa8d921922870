/** The first request of a project, in the ways people write it, with the project's own keys where we know them. */

interface Facts {
  baseUrl: string
  /** Known only in the window that made it. */
  secret: string | undefined
  publicKey: string
  domain: string
}

export function firstRequests({ baseUrl, secret, publicKey, domain }: Facts): { name: string; text: string }[] {
  const key = secret ?? 'sk_…'
  return [
    {
      name: 'curl',
      text: `curl -X POST ${baseUrl}/v1/send \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "to": "ada@example.org",
    "from": "hello@${domain}",
    "subject": "Hello {{name}}",
    "body": "<p>It works, {{name}}.</p>",
    "data": { "name": "Ada" }
  }'`,
    },
    {
      name: 'Node',
      text: `import { Posthorn } from '@posthorn/sdk'

const posthorn = new Posthorn('${key}', { baseUrl: '${baseUrl}' })

const { data, error } = await posthorn.emails.send({
  to: 'ada@example.org',
  from: 'hello@${domain}',
  subject: 'Hello {{name}}',
  body: '<p>It works, {{name}}.</p>',
  data: { name: 'Ada' },
})`,
    },
    {
      name: 'Track an event',
      text: `curl -X POST ${baseUrl}/v1/track \\
  -H 'Authorization: Bearer ${publicKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@example.org", "event": "signed-up" }'`,
    },
  ]
}
