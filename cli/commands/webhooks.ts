import { createHmac, randomBytes } from 'node:crypto'
import { unwrap } from '../../sdk/index.ts'
import { type Command, oneOf } from '../command.ts'
import { UsageError } from '../errors.ts'
import { type Activity, followActivity, untilInterrupted } from '../live-stream.ts'

const FORWARD_WITHIN_MS = 15_000

/** The body of a webhook for this activity. */
export const bodyOf = (activity: Activity, project: string): string =>
  JSON.stringify({
    type: activity.type,
    timestamp: activity.timestamp,
    data: {
      id: activity.id,
      project,
      contact: activity.contact,
      email: activity.email,
      data: activity.metadata,
    },
  })

/** As standardwebhooks.com describes it; `secret` begins with whsec_. */
export function signedHeaders(id: string, seconds: number, body: string, secret: string): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  }
}

function localAddress(text: string): URL {
  const url = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(url)) throw new UsageError('--forward-to must be an address such as localhost:3001/webhooks.')
  return new URL(url)
}

export const webhooks: Record<string, Command> = {
  list: {
    summary: 'List webhook endpoints',
    run: async ({ posthorn, output }) => {
      const { data } = await unwrap(posthorn().webhookEndpoints.list({ limit: 100 }))
      output.list(
        data,
        {
          ID: ({ id }) => id,
          URL: ({ url }) => url,
          EVENTS: ({ eventTypes }) => eventTypes.join(','),
          ENABLED: ({ enabled, disabledReason }) => (enabled ? 'yes' : (disabledReason ?? 'no')),
          'FAILING SINCE': ({ failingSince }) => failingSince,
        },
        'No webhook endpoints. To try webhooks on your machine: posthorn webhooks listen --forward-to localhost:3001',
      )
    },
  },
  listen: {
    summary: 'Forward the events of the project to a local address, signed like webhooks',
    options: {
      'forward-to': { value: 'ADDRESS', summary: 'Such as localhost:3001/webhooks', required: true },
      events: { value: 'NAMES', summary: 'Only these, separated by commas; a star stands for the rest of a name' },
      secret: { value: 'SECRET', summary: 'The secret to sign with; a new one is printed otherwise' },
    },
    run: async ({ options, connection, posthorn, output }) => {
      const target = localAddress(options['forward-to']!)
      const secret = options.secret ?? `whsec_${randomBytes(24).toString('base64')}`
      const { project } = await unwrap(posthorn().request('GET /me'))
      const patterns = options.events?.split(',').map((name) => name.trim())
      const isWanted = (type: string) =>
        patterns?.some((name) => (name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : name === type)) ?? true
      output.event(
        { listening: true, secret, forwardTo: target.href },
        () => `Forwarding to ${target.href}. Secret: ${secret}`,
      )
      for await (const activity of followActivity(connection(), untilInterrupted())) {
        if (!isWanted(activity.type)) continue
        const body = bodyOf(activity, project.id)
        const headers = signedHeaders(activity.id, Math.floor(Date.now() / 1_000), body, secret)
        const result = await fetch(target, {
          method: 'POST',
          headers,
          body,
          signal: AbortSignal.timeout(FORWARD_WITHIN_MS),
        }).then(
          (response) => String(response.status),
          () => 'no response',
        )
        output.event(
          { id: activity.id, type: activity.type, result },
          () => `${activity.timestamp}  ${activity.type}  ${result}`,
        )
      }
    },
  },
  replay: {
    summary: 'Send the deliveries of a time again',
    args: ['ENDPOINT_ID'],
    options: {
      since: { value: 'TIME', summary: 'Such as 2027-01-31T09:00:00Z', required: true },
      until: { value: 'TIME', summary: 'Exclusive; now by default' },
      status: { value: 'STATUS', summary: 'failed (by default) or all' },
      'event-type': { value: 'TYPE', summary: 'Only this type' },
    },
    run: async ({ args, options, posthorn, output }) => {
      const replayed = await unwrap(
        posthorn().webhookEndpoints.replay(args[0]!, {
          since: options.since!,
          until: options.until,
          status: oneOf('status', options.status, ['failed', 'all']),
          eventType: options['event-type'],
        }),
      )
      output.item(replayed, () => `${replayed.count} deliveries are sent again.`)
    },
  },
}
