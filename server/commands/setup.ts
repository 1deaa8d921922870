/**
 * `posthorn setup`: creates the first account, a project with its keys and optionally a sender domain, without a browser.
 * It works once, before the first start or while the service runs; after that it changes nothing.
 */
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { createFirstAccount, type FirstAccount } from '../features/tenants/accounts/actions.ts'
import { Credentials } from '../features/tenants/accounts/schemas.ts'
import { addFirstDomain } from '../features/tenants/domains/actions.ts'
import { NewDomain } from '../features/tenants/domains/schemas.ts'
import { NewProject } from '../features/tenants/projects/schemas.ts'
import { OperatorProblem } from '../kernel/errors.ts'
import { migrate } from '../platform/database/schema/migrate.ts'
import { openLog } from '../platform/log.ts'
import { openPrivateFolder } from '../platform/private-folder.ts'
import { newLockNumber } from '../platform/queue/process-lock.ts'
import { type Closing, open } from '../service.ts'
import type { Settings } from '../settings/config.ts'
import { readEnvironment, readSettings } from '../settings/read-settings.ts'
import { withDatabaseUrl } from './open-database.ts'

const USAGE =
  'Usage: posthorn setup --email ADDRESS --project NAME [--domain DOMAIN] [--password-stdin] [--json] (in a checkout: npm run setup -- …)'
/** Not 1, so that scripts can tell it from a failure. */
const EXIT_ALREADY_SET_UP = 3

interface Choices {
  email: string
  project: string
  domain: string | undefined
  password: string | undefined
  json: boolean
}

interface Created {
  email: string
  /** Absent if it was chosen. */
  password?: string
  projectId: string
  publicKey: string
  secretKey: string
  baseUrl: string
  domain?: string
  domainStatus?: string
  records?: Array<{ purpose: string; type: string; name: string; value: string; priority?: number | undefined }>
}

export async function runSetup(args: string[]): Promise<void> {
  const choices = await readChoices(args)
  const settings = readSettings(readEnvironment())
  const { created, baseUrl } = await withContext(settings, async (ctx) => ({
    created: await setUp(ctx, choices),
    baseUrl: ctx.baseUrl,
  }))
  if (created) return
  process.stderr.write(`This installation already has an account, so nothing was changed. Sign in at ${baseUrl}.\n`)
  process.exitCode = EXIT_ALREADY_SET_UP
}

/**
 * False if there is an account already. Prints before the commit: if the output is lost, so is the account, and the command
 * can be repeated.
 */
async function setUp(ctx: Context, choices: Choices): Promise<boolean> {
  const { email, project, password, domain, json } = choices
  const account = await createFirstAccount(ctx, { email, project, password, verified: true }, async (tx, account) => {
    const added = domain === undefined ? undefined : await addFirstDomain(ctx, tx, account.project.id, domain)
    const created = describe(ctx, account, password === undefined, added)
    await print(json ? `${JSON.stringify(created, null, 2)}\n` : textOf(created))
  })
  return account !== undefined
}

function describe(
  { baseUrl }: Context,
  { email, password, project }: FirstAccount,
  isGenerated: boolean,
  domain: Awaited<ReturnType<typeof addFirstDomain>> | undefined,
): Created {
  const { id: projectId, publicKey, secretKey } = project
  return {
    email,
    ...(isGenerated && { password }),
    projectId,
    publicKey,
    secretKey,
    baseUrl,
    ...(domain && {
      domain: domain.domain,
      domainStatus: domain.status,
      records: domain.records.map(({ verified: _, ...record }) => record),
    }),
  }
}

function textOf(created: Created): string {
  const rows = [
    ['dashboard', created.baseUrl],
    ['account', created.email],
    ...(created.password === undefined ? [] : [['password', created.password]]),
    ['project ID', created.projectId],
    ['public key', created.publicKey],
    ['secret key', created.secretKey],
  ]
  const table = rows.map(([name, value]) => `    ${name!.padEnd(14)}${value}`).join('\n')
  return `
  Your account and project are ready. Store the password and the secret key now: they aren't shown again.

${table}
${created.domain === undefined ? '' : domainText(created)}
`
}

function domainText({ domain, domainStatus, records = [] }: Created): string {
  if (domainStatus === 'VERIFIED') return `\n  ${domain} is verified without DNS records, because email is captured.\n`
  const rows = records.map(({ type, name, value, priority }) =>
    [`    ${type}  ${name}`, `        ${priority === undefined ? '' : `${priority} `}${value}`].join('\n'),
  )
  return `\n  Set these DNS records for ${domain}. They are checked every 5 minutes while the service runs:\n\n${rows.join('\n')}\n`
}

const print = (output: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.once('error', reject)
    process.stdout.write(output, (error) => (error ? reject(error) : resolve()))
  })

async function readChoices(args: string[]): Promise<Choices> {
  const { email, project, domain, json, 'password-stdin': reads } = readOptions(args)
  if (email === undefined || project === undefined) throw new OperatorProblem(USAGE)
  const { shape } = Credentials
  return {
    email: check('--email', email, shape.email),
    project: check('--project', project, NewProject.shape.name),
    domain: domain === undefined ? undefined : check('--domain', domain, NewDomain.shape.domain),
    password: reads
      ? check('The password', (await text(process.stdin)).replace(/\r?\n$/, ''), shape.password)
      : undefined,
    json: json ?? false,
  }
}

function readOptions(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        email: { type: 'string' },
        project: { type: 'string' },
        domain: { type: 'string' },
        json: { type: 'boolean' },
        'password-stdin': { type: 'boolean' },
      },
    })
    return values
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [problem] = error.message.split(/\.(?:\s|$)/)
    throw new OperatorProblem(`${problem}. ${USAGE}`)
  }
}

function check<S extends z.ZodType>(what: string, value: string, schema: S): z.output<S> {
  const { data, error } = schema.safeParse(value)
  if (!error) return data
  const shown = what.startsWith('--') ? ` ("${value}")` : ''
  throw new OperatorProblem(`${what} is invalid${shown}: ${error.issues[0]!.message}`)
}

/** A log would be on the standard output, which is for the result. */
async function withContext<T>(settings: Settings, work: (ctx: Context) => Promise<T>): Promise<T> {
  const log = openLog({ level: 'silent', format: 'json' })
  await openPrivateFolder(settings.DATA_DIR, log)
  return withDatabaseUrl(settings, async (databaseUrl) => {
    await migrate(databaseUrl)
    const stopping: Closing[] = []
    try {
      const lockNumber = newLockNumber()
      const { ctx } = await open({
        settings,
        log,
        databaseUrl,
        baseUrl: '',
        lockNumber,
        stopping,
        runsJobs: false,
        processName: 'setup',
      })
      return await work(ctx)
    } finally {
      for (let close = stopping.pop(); close; close = stopping.pop()) await close()
    }
  })
}
