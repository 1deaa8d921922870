import { type Posthorn, unwrap } from '../../sdk/index.ts'
import type { Command } from '../command.ts'
import { CommandError } from '../errors.ts'
import { table } from '../output.ts'

export async function listDomains(posthorn: Posthorn) {
  const { project } = await unwrap(posthorn.request('GET /me'))
  return unwrap(posthorn.domains.list(project.id))
}

export const domains: Record<string, Command> = {
  list: {
    summary: 'List sender domains',
    run: async ({ posthorn, output }) =>
      output.list(
        await listDomains(posthorn()),
        {
          ID: ({ id }) => id,
          DOMAIN: ({ domain }) => domain,
          STATUS: ({ status }) => status,
          CHECKED: ({ lastCheckedAt }) => lastCheckedAt,
        },
        'No domains. Add one in the dashboard.',
      ),
  },
  check: {
    summary: 'Check the DNS records of a domain now; ends with 1 if one is missing',
    args: ['DOMAIN'],
    run: async ({ args, posthorn, output }) => {
      const client = posthorn()
      const found = (await listDomains(client)).find(({ id, domain }) => [id, domain].includes(args[0]!.toLowerCase()))
      if (!found) throw new CommandError(`There is no domain ${args[0]}.`, 4)
      const domain = await unwrap(client.domains.verify(found.id))
      output.item(domain, () =>
        table(domain.records, {
          RECORD: ({ purpose }) => purpose,
          TYPE: ({ type }) => type,
          NAME: ({ name }) => name,
          VALUE: ({ value }) => value,
          FOUND: ({ verified }) => (verified ? 'yes' : 'no'),
        }),
      )
      if (!domain.verified) process.exitCode = 1
    },
  },
}
