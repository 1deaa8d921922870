/** What an action may touch. Built once at the start and passed down; inside a transaction, the transaction takes the place of `db`. */
import type { Settings } from './config.ts'
import type { Providers } from './features/oauth/providers.ts'
import type { Clock } from './kernel/clock.ts'
import type { Database, OpenDatabase } from './platform/database/connect.ts'
import type { Log } from './platform/log.ts'
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
  clock: Clock
  settings: Settings
  /** The public address of this installation, without a slash at the end. */
  baseUrl: string
  secrets: Secrets
  /** GitHub, Google and OpenID Connect, as far as the settings configure them. */
  signInProviders: Providers
  log: Log
  /** By this lock others know whether the worker in this process still lives; absent where none runs. */
  workerLock?: number
}
