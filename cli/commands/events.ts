import { eventOnly, unwrap } from '../../sdk/index.ts'
import { type Command, jsonOf } from '../command.ts'
import { tail } from './emails.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const events: Record<string, Command> = {
  track: {
    summary: 'Track an event of a contact',
    args: ['EVENT'],
    options: {
      email: { value: 'ADDRESS', summary: 'The address of the contact', required: true },
      data: { value: 'JSON', summary: 'The properties of the event' },
      'save-to-contact': { summary: 'Store the properties as fields of the contact too' },
    },
    run: async ({ args, options, has, posthorn, output }) => {
      const given = jsonOf('data', options.data)
      const data = isObject(given) && !has('save-to-contact') ? eventOnly(given) : given
      const event = { event: args[0]!, email: options.email!, data: data as never }
      const tracked = await unwrap(posthorn().events.track(event))
      output.item(tracked, () => `Tracked ${args[0]} of ${options.email}.`)
    },
  },
  tail: {
    summary: 'Print events as they are recorded',
    options: { name: { value: 'EVENT', summary: 'Only this event; can be given more than once', multiple: true } },
    run: (input) => {
      const names = input.lists.name!
      return tail(input, ({ type }) => names.length === 0 || names.includes(type))
    },
  },
}
