import { openAsBlob } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Posthorn, unwrap } from '../../sdk/index.ts'
import { type Command, numberOf } from '../command.ts'
import { download } from '../download.ts'
import { CommandError, UsageError } from '../errors.ts'

const POLL_MS = 500
const UUID = /^[0-9a-f-]{36}$/i

/** Accepts an ID or an address. */
async function idOf(posthorn: Posthorn, idOrAddress: string): Promise<string> {
  if (UUID.test(idOrAddress)) return idOrAddress
  const { data } = await unwrap(posthorn.contacts.list({ email: idOrAddress }))
  if (!data[0]) throw new CommandError(`There is no contact ${idOrAddress}.`, 4)
  return data[0].id
}

export const contacts: Record<string, Command> = {
  list: {
    summary: 'List contacts, newest first',
    options: {
      search: { value: 'TEXT', summary: 'Part of the address' },
      limit: { value: 'NUMBER', summary: 'How many, 20 by default and at most 100' },
    },
    run: async ({ options, posthorn, output }) => {
      const { data } = await unwrap(
        posthorn().contacts.list({ limit: numberOf('limit', options.limit, 20), search: options.search }),
      )
      output.list(
        data,
        {
          ID: ({ id }) => id,
          EMAIL: ({ email }) => email,
          SUBSCRIBED: ({ subscribed }) => (subscribed ? 'yes' : 'no'),
          CREATED: ({ createdAt }) => createdAt,
        },
        'No contacts. Import a file with: posthorn contacts import FILE',
      )
    },
  },
  get: {
    summary: 'Show a contact',
    args: ['ID_OR_ADDRESS'],
    run: async ({ args, posthorn, output }) => {
      const client = posthorn()
      output.item(await unwrap(client.contacts.get(await idOf(client, args[0]!))))
    },
  },
  import: {
    summary: 'Import a CSV file and wait for the result',
    args: ['FILE'],
    run: async ({ args, posthorn, output }) => {
      const client = posthorn()
      const file = await openAsBlob(args[0]!, { type: 'text/csv' }).catch((error: Error) => {
        throw new UsageError(`${args[0]} can't be read: ${error.message}`)
      })
      const { jobId, warnings } = await unwrap(client.contacts.import(file, path.basename(args[0]!)))
      for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`)
      for (;;) {
        const job = await unwrap(client.contacts.getImport(jobId))
        if (job.status === 'FAILED') throw new CommandError(job.error ?? 'The import failed.')
        if (job.status === 'COMPLETED') return output.item(job.result)
        if (process.stderr.isTTY) process.stderr.write(`\r${job.progress} %`)
        await wait(POLL_MS)
      }
    },
  },
  export: {
    summary: 'Write all contacts as CSV',
    args: ['FILE?'],
    run: async ({ args, connection, output }) => {
      await download(connection(), '/contacts/export', args[0])
      if (args[0]) output.item({ file: args[0] }, () => `Written to ${args[0]}.`)
    },
  },
  delete: {
    summary: 'Delete a contact',
    args: ['ID_OR_ADDRESS'],
    options: { yes: { summary: 'Do it without asking' } },
    run: async ({ args, has, posthorn, output }) => {
      if (!has('yes')) throw new UsageError('Deleting a contact is final. Repeat the command with --yes.')
      const client = posthorn()
      await unwrap(client.contacts.delete(await idOf(client, args[0]!)))
      output.item({ deleted: args[0] }, () => `Deleted ${args[0]}.`)
    },
  },
}
