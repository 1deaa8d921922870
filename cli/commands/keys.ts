import { type Body, unwrap } from '../../sdk/index.ts'
import { type Command, numberOf } from '../command.ts'

const OVERLAP_HOURS = 24

export const keys: Record<string, Command> = {
  list: {
    summary: 'List API keys',
    run: async ({ posthorn, output }) => {
      const { data } = await unwrap(posthorn().apiKeys.list({ limit: 100 }))
      output.list(
        data,
        {
          ID: ({ id }) => id,
          NAME: ({ name }) => name,
          PREFIX: ({ prefix }) => prefix,
          SCOPES: ({ scopes }) => scopes.join(','),
          'LAST USED': ({ lastUsedAt }) => lastUsedAt,
          EXPIRES: ({ expiresAt }) => expiresAt,
        },
        'No API keys beside the two of the project. Create one with: posthorn keys create NAME --scope send',
      )
    },
  },
  create: {
    summary: 'Create an API key and print it once',
    args: ['NAME'],
    options: {
      scope: {
        value: 'SCOPE',
        summary: 'Such as send or contacts:read; can be given more than once',
        required: true,
        multiple: true,
      },
      'expires-at': { value: 'TIME', summary: 'When it stops working' },
      'allowed-ip': {
        value: 'ADDRESS',
        summary: 'An address or network it works from; can be given more than once',
        multiple: true,
      },
    },
    run: async ({ args, options, lists, posthorn, output }) => {
      const created = await unwrap(
        posthorn().apiKeys.create({
          name: args[0]!,
          scopes: lists.scope,
          expiresAt: options['expires-at'],
          ...(lists['allowed-ip']!.length === 0 ? {} : { allowedIps: lists['allowed-ip'] }),
        } as Body<'POST /api-keys'>),
      )
      output.item(created, () => created.key)
    },
  },
  rotate: {
    summary: 'Replace an API key and print the new one once',
    args: ['ID'],
    options: {
      'overlap-hours': { value: 'HOURS', summary: `How long the old one still works, ${OVERLAP_HOURS} by default` },
    },
    run: async ({ args, options, posthorn, output }) => {
      const overlapHours = numberOf('overlap-hours', options['overlap-hours'], OVERLAP_HOURS)
      const rotated = await unwrap(posthorn().apiKeys.rotate(args[0]!, { overlapHours }))
      output.item(rotated, () => rotated.key)
    },
  },
  revoke: {
    summary: 'Delete an API key, which stops working at once',
    args: ['ID'],
    run: async ({ args, posthorn, output }) => {
      await unwrap(posthorn().apiKeys.delete(args[0]!))
      output.item({ revoked: args[0] }, () => `The key ${args[0]} no longer works.`)
    },
  },
}
