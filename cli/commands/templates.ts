import { unwrap } from '../../sdk/index.ts'
import type { Command, Input } from '../command.ts'
import { diff, type Kind, pull, push } from '../files/sync.ts'
import { templateKind } from '../files/template-files.ts'

const DIR = { value: 'FOLDER', summary: 'The folder of the files' }
const SYNC_OPTIONS = {
  dir: DIR,
  force: { summary: 'Overwrite what has changed on the other side' },
  'dry-run': { summary: 'Only print what would change' },
}

/** `pull`, `push` and `diff` of what a kind keeps as files. */
export const syncCommands = (folder: string, kindOf: (input: Input) => Kind): Record<string, Command> => {
  const optionsOf = ({ options, has, output }: Input) => ({
    folder: options.dir ?? folder,
    force: has('force'),
    dryRun: has('dry-run'),
    output,
  })
  return {
    pull: {
      summary: `Write the ${folder} of the project as files`,
      options: SYNC_OPTIONS,
      run: (input) => pull(kindOf(input), optionsOf(input)),
    },
    push: {
      summary: `Create and change ${folder} from files`,
      options: SYNC_OPTIONS,
      run: (input) => push(kindOf(input), optionsOf(input)),
    },
    diff: {
      summary: 'Show what a push would change',
      options: { dir: DIR },
      run: (input) => diff(kindOf(input), optionsOf(input)),
    },
  }
}

export const templates: Record<string, Command> = {
  list: {
    summary: 'List templates',
    run: async ({ posthorn, output }) => {
      const { data } = await unwrap(posthorn().templates.list({ pageSize: 100 }))
      output.list(
        data,
        {
          ID: ({ id }) => id,
          NAME: ({ name }) => name,
          TYPE: ({ type }) => type,
          SUBJECT: ({ subject }) => subject,
          CHANGED: ({ updatedAt }) => updatedAt,
        },
        'No templates. Push files with: posthorn templates push',
      )
    },
  },
  ...syncCommands('templates', ({ posthorn }) => templateKind(posthorn())),
}
