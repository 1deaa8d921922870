/**
 * What the service prints once it runs: its URL, and after a first start, how to send an email. With LOG_FORMAT=json, passwords and
 * keys are not printed: such logs are collected, and other people read them.
 */
import path from 'node:path'
import type { Context } from '../context.ts'
import { settingsWarnings } from '../features/operations/service/installation.ts'
import { hasAccounts } from '../features/tenants/accounts/actions.ts'
import { type FirstRun, firstRunFile } from '../platform/first-run-file.ts'
import { isTextLog } from '../platform/log.ts'
import { IS_CLONE } from '../platform/root.ts'
import { VERSION } from '../platform/version.ts'

export async function announceStart(ctx: Context, firstRun?: FirstRun): Promise<void> {
  const { DATA_DIR, LOG_FORMAT, ROLE } = ctx.settings
  const hint = firstRun || (await hasAccounts(ctx)) ? undefined : noAccountHint(ctx)
  if (isTextLog(LOG_FORMAT) && ROLE !== 'worker') {
    process.stdout.write(startScreen(ctx, firstRun ? firstRunText(firstRun) : hint && `\n  ${hint}\n`))
  } else if (firstRun && LOG_FORMAT !== 'json') {
    process.stdout.write(firstRunText(firstRun))
  } else if (firstRun) {
    const file = firstRunFile(DATA_DIR)
    ctx.log.info({ file }, 'created an account, a project and its keys; the file contains them and the password')
  } else if (hint) {
    ctx.log.warn(hint)
  }
  if (ROLE !== 'worker') for (const warning of settingsWarnings(ctx)) ctx.log.warn(warning)
}

const SETUP = IS_CLONE ? 'npm run setup --' : 'posthorn setup'

/** Undefined for a worker while email is captured: the first API process then creates an account. */
export function noAccountHint({ baseUrl, mail, settings }: Pick<Context, 'baseUrl' | 'mail' | 'settings'>) {
  const { DISABLE_SIGNUPS, OPERATOR_EMAILS, ROLE } = settings
  if (mail.capabilities.captures) return undefined
  const command = `run \`${SETUP} --email you@example.com --project "My project"\` with the same settings`
  const canSignUp = !DISABLE_SIGNUPS && ROLE !== 'worker'
  const operator =
    OPERATOR_EMAILS.length > 0 ? 'OPERATOR_EMAILS lists the operators' : 'the first account is the operator'
  const signUp = `Sign up at ${baseUrl}/app/sign-up (${operator}), or ${command}.`
  return `There is no account yet. ${canSignUp ? signUp : `To create one, ${command}.`}`
}

function startScreen({ baseUrl, mail, settings }: Context, nextSteps = ''): string {
  const { DATABASE_URL, DATA_DIR } = settings
  const rows = [
    ['Dashboard', baseUrl],
    ['API reference', `${baseUrl}/docs`],
    [
      'Email',
      mail.capabilities.captures ? 'captured; nothing is sent until you set MAIL_URL' : `sent through ${mail.kind}`,
    ],
    ['Data', `${shortPath(DATA_DIR)} ${DATABASE_URL ? 'and the database at DATABASE_URL' : '(embedded PostgreSQL)'}`],
  ]
  const table = rows.map(([name, value]) => `    ${name!.padEnd(20)}${value}`).join('\n')
  return `\n  Posthorn ${VERSION} is running. Press Ctrl-C to stop.\n\n${table}\n${nextSteps}\n`
}

const shortPath = (folder: string): string => {
  const relative = path.relative(process.cwd(), folder)
  return relative.startsWith('..') || path.isAbsolute(relative) ? folder : `./${relative}`
}

/** Printed once, because the password is only available here; `first-run.json` in DATA_DIR keeps it. */
const firstRunText = (run: FirstRun): string => `
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
