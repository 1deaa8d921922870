/** All commands, by noun and verb. */
import type { Commands } from './command.ts'
import { campaigns } from './commands/campaigns.ts'
import { completion } from './commands/completion.ts'
import { contacts } from './commands/contacts.ts'
import { doctor } from './commands/doctor.ts'
import { domains } from './commands/domains.ts'
import { emails, send } from './commands/emails.ts'
import { events } from './commands/events.ts'
import { exportProject } from './commands/export.ts'
import { imports } from './commands/import.ts'
import { keys } from './commands/keys.ts'
import { login } from './commands/login.ts'
import { mcp } from './commands/mcp.ts'
import { templates } from './commands/templates.ts'
import { webhooks } from './commands/webhooks.ts'
import { workflows } from './commands/workflows.ts'

export const COMMANDS: Commands = {
  login: { '': login },
  send: { '': send },
  emails,
  contacts,
  templates,
  workflows,
  campaigns,
  events,
  domains,
  keys,
  webhooks,
  import: imports,
  export: { '': exportProject },
  doctor: { '': doctor },
  mcp: { '': mcp },
  completion: { '': completion },
}
