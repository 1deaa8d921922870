/** The terminal output once the service runs: its URL, and after a first start, how to send an email. */
import path from 'node:path'
import type { Context } from './context.ts'
import type { FirstRun } from './first-run.ts'
import { VERSION } from './platform/version.ts'

export function startScreen({ baseUrl, mail, settings }: Context, firstRun?: FirstRun): string {
  const { DATABASE_URL, DATA_DIR } = settings
  const rows = [
    ['Dashboard', baseUrl],
    ['API reference', `${baseUrl}/docs`],
    [
      'Email',
      mail.name === 'capture' ? 'captured; nothing is sent until you set MAIL_URL' : `sent through ${mail.name}`,
    ],
    ['Data', `${shortPath(DATA_DIR)} ${DATABASE_URL ? 'and the database at DATABASE_URL' : '(embedded PostgreSQL)'}`],
  ]
  const table = rows.map(([name, value]) => `    ${name!.padEnd(20)}${value}`).join('\n')
  return `\n  Posthorn ${VERSION} is running. Press Ctrl-C to stop.\n\n${table}\n${firstRun ? firstRunText(firstRun) : ''}\n`
}

const shortPath = (folder: string): string => {
  const relative = path.relative(process.cwd(), folder)
  return relative.startsWith('..') || path.isAbsolute(relative) ? folder : `./${relative}`
}

/** Printed once, because the password is only available here; `first-run.json` in DATA_DIR keeps it. */
export const firstRunText = (run: FirstRun): string => `
  Welcome to Posthorn. Your first account and project are ready:

    dashboard account   ${run.email}  /  ${run.password}
    public key          ${run.publicKey}
    secret key          ${run.secretKey}
    sender domain       ${run.domain} (verified without DNS, because email is captured)

  Send your first email:

    curl -X POST ${run.baseUrl}/v1/send \\
      -H 'Authorization: Bearer ${run.secretKey}' \\
      -H 'Content-Type: application/json' \\
      -d '{"to": "ada@example.org", "from": "hello@${run.domain}", "subject": "Hello {{name}}", "body": "<p>It works, {{name}}.</p>", "data": {"name": "Ada"}}'

  See it in the dashboard under Emails, or list your emails:

    curl ${run.baseUrl}/emails -H 'Authorization: Bearer ${run.secretKey}'
`
