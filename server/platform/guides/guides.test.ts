import { describe, expect, it } from 'vitest'
import type { OpenApiDocument } from '../openapi/openapi-shape.ts'
import { llmsFullText, llmsText, readGuide } from './guides.ts'

const GUIDES = [
  readGuide('send', '# Send email\n\nSend it with [the API](api.md):\nnow or later.\n\n```sh\ncurl\n```\n'),
  readGuide('migrate/resend', '# Move from Resend\n\nKeep your <code>.\n'),
  readGuide('backup', '# Backup\n\nBack up everything.\n'),
]
const operation = { operationId: 'a', tags: ['API keys'], summary: 'List API keys', responses: {}, security: [] }
const DOCUMENT = {
  tags: [{ name: 'API keys' }],
  paths: { '/api-keys': { get: operation } },
} as unknown as OpenApiDocument

describe('llms.txt', () => {
  it('has a title, a summary and a link to each guide and each part of OpenAPI, by section', () => {
    const text = llmsText(GUIDES, DOCUMENT, 'https://mail.example.com')
    expect(text).toMatch(/^# Posthorn\n\n> .+\n\n.+\n\n## Guides\n\n/)
    const lines = text.split('\n').filter((line) => /^(##|- )/.test(line))
    expect(lines).toEqual([
      '## Guides',
      '- [Send email](https://mail.example.com/docs/send.md): Send it with the API: now or later.',
      '## Moving from another service',
      '- [Move from Resend](https://mail.example.com/docs/migrate/resend.md): Keep your <code>.',
      '## API reference',
      '- [OpenAPI](https://mail.example.com/openapi.json): All endpoints in one document.',
      '- [All guides in one text](https://mail.example.com/llms-full.txt)',
      '- [API keys](https://mail.example.com/openapi/api-keys.json): List API keys.',
      '## Optional',
      '- [Backup](https://mail.example.com/docs/backup.md): Back up everything.',
    ])
  })
})

it('llms-full.txt contains every guide', () => {
  const text = llmsFullText(GUIDES)
  for (const { title } of GUIDES) expect(text).toContain(`\n# ${title}\n`)
})
