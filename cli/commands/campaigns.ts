import { unwrap } from '../../sdk/index.ts'
import { type Command, numberOf } from '../command.ts'
import { UsageError } from '../errors.ts'

export const campaigns: Record<string, Command> = {
  list: {
    summary: 'List campaigns',
    options: {
      status: { value: 'STATUS', summary: 'Such as DRAFT, SCHEDULED or SENT' },
      limit: { value: 'NUMBER', summary: 'How many, 20 by default and at most 100' },
    },
    run: async ({ options, posthorn, output }) => {
      const { data } = await unwrap(
        posthorn().campaigns.list({ pageSize: numberOf('limit', options.limit, 20), status: options.status as never }),
      )
      output.list(
        data,
        {
          ID: ({ id }) => id,
          STATUS: ({ status }) => status,
          NAME: ({ name }) => name,
          RECIPIENTS: ({ totalRecipients }) => totalRecipients,
          SENT: ({ sentCount }) => sentCount,
          SCHEDULED: ({ scheduledFor }) => scheduledFor,
        },
        'No campaigns.',
      )
    },
  },
  send: {
    summary: 'Send a campaign now or at a time',
    args: ['ID'],
    options: {
      at: { value: 'TIME', summary: 'When, such as 2027-01-31T09:00:00Z' },
      yes: { summary: 'Send it without asking' },
    },
    run: async ({ args, options, has, posthorn, output }) => {
      const client = posthorn()
      const campaign = await unwrap(client.campaigns.get(args[0]!))
      if (!has('yes')) {
        throw new UsageError(`This sends "${campaign.name}" to its whole audience. Repeat the command with --yes.`)
      }
      const when = options.at === undefined ? undefined : { scheduledFor: options.at }
      const sent = await unwrap(client.campaigns.send(args[0]!, when))
      output.item(
        sent,
        () => `Campaign "${campaign.name}" is ${options.at ? `scheduled for ${options.at}` : 'being sent'}.`,
      )
    },
  },
  cancel: {
    summary: 'Cancel a campaign',
    args: ['ID'],
    run: async ({ args, posthorn, output }) => {
      const campaign = await unwrap(posthorn().campaigns.cancel(args[0]!))
      output.item(campaign, () => `Campaign ${args[0]} is canceled.`)
    },
  },
  stats: {
    summary: 'Show the results of a campaign',
    args: ['ID'],
    run: async ({ args, posthorn, output }) => output.item(await unwrap(posthorn().campaigns.stats(args[0]!))),
  },
}
