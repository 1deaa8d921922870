import { unwrap } from '../../sdk/index.ts'
import type { Command } from '../command.ts'
import { workflowKind } from '../files/workflow-files.ts'
import { syncCommands } from './templates.ts'

export const workflows: Record<string, Command> = {
  list: {
    summary: 'List workflows',
    run: async ({ posthorn, output }) => {
      const { data } = await unwrap(posthorn().workflows.list({ pageSize: 100 }))
      output.list(
        data,
        {
          ID: ({ id }) => id,
          NAME: ({ name }) => name,
          EVENT: ({ triggerConfig }) => triggerConfig?.eventName,
          ENABLED: ({ enabled }) => (enabled ? 'yes' : 'no'),
        },
        'No workflows. Push files with: posthorn workflows push',
      )
    },
  },
  ...syncCommands('workflows', ({ posthorn }) => workflowKind(posthorn())),
}
