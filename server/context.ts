/** What an action may use. Built once at the start and passed down, never copied; a transaction is an argument of its own. */
import type { Settings } from './config.ts'
import type { Clock } from './kernel/clock.ts'
import type { Database, OpenDatabase } from './platform/database/connect.ts'
import type { Log } from './platform/log.ts'
import type { MessageReader } from './platform/mail/message-reader.ts'
import type { Signer } from './platform/mail/signer.ts'
import type { Transport } from './platform/mail/transport.ts'
import type { Renderer } from './platform/rendering/renderer.ts'
import type { Secrets } from './platform/secrets.ts'

export interface Context {
  db: Database
  /** Calls back for every notification of a channel of the database. */
  listen: OpenDatabase['listen']
  mail: Transport
  signer: Signer
  renderer: Renderer
  messageReader: MessageReader
  clock: Clock
  settings: Settings
  /** The public address of this installation, without a slash at the end. */
  baseUrl: string
  secrets: Secrets
  log: Log
  /** Held while this process runs: by it others know whether to take over what the process has claimed. Absent in tests. */
  workerLock?: number
}
