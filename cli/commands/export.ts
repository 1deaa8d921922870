import type { Command } from '../command.ts'
import { download } from '../download.ts'

export const exportProject: Command = {
  summary: 'Write everything of the project to a ZIP file',
  args: ['FILE'],
  run: async ({ args, connection, output }) => {
    await download(connection(), '/export', args[0])
    output.item({ file: args[0] }, () => `Written to ${args[0]}. It has personal data: keep it safe.`)
  },
}
