/** What actions can use. Built once at startup and never copied; a transaction is a separate argument. */

import type { Clock } from './kernel/clock.ts'
import type { Database, OpenDatabase } from './platform/database/connection/connect.ts'
import type { Replica } from './platform/database/connection/replica.ts'
import type { Log } from './platform/log.ts'
import type { Composer } from './platform/mime/composer.ts'
import type { MessageReader } from './platform/mime/message-reader.ts'
import type { Signer } from './platform/mime/signer.ts'
import type { MjmlCompiler } from './platform/mjml/mjml-compiler.ts'
import type { Renderer } from './platform/rendering/renderer.ts'
import type { Secrets } from './platform/secrets.ts'
import type { Transport } from './platform/transports/transport.ts'
import type { Settings } from './settings/config.ts'

export interface Context {
  db: Database
  /** Set with DATABASE_REPLICA_URL, in processes that serve requests. */
  replica?: Replica
  /** Calls back for every notification of a database channel. */
  listen: OpenDatabase['listen']
  mail: Transport
  composer: Composer
  signer: Signer
  renderer: Renderer
  mjml: MjmlCompiler
  messageReader: MessageReader
  clock: Clock
  settings: Settings
  /** The public URL of this installation, without a trailing slash. */
  baseUrl: string
  secrets: Secrets
  log: Log
  /**
   * The advisory lock of this process: other processes use it to detect whether claims of this process are still valid.
   * Absent in tests.
   */
  workerLock?: number
}
