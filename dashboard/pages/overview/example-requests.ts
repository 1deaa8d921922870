/** Example requests with the project's own keys, if they are known in this window. */
import { texts } from './texts.ts'

interface ExampleValues {
  baseUrl: string
  /** Known only in the window that created it. */
  secret: string | undefined
  publicKey: string
  domain: string
}

export function exampleRequests({
  baseUrl,
  secret,
  publicKey,
  domain,
}: ExampleValues): { name: string; text: string }[] {
  const key = secret ?? 'sk_…'
  return [
    {
      name: texts.examples.curl,
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
      name: texts.examples.node,
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
      name: texts.examples.track,
      text: `curl -X POST ${baseUrl}/v1/track \\
  -H 'Authorization: Bearer ${publicKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@example.org", "event": "signed-up" }'`,
    },
  ]
}
