/** Runs in the thread of the composer. */
import { serveJobs } from '../threads.ts'
import { composeMessage, type Message } from './mime.ts'

serveJobs<Message, Uint8Array>(
  (message) => new Uint8Array(composeMessage(message)), // a copy, because a Buffer can share its memory with others
  ({ buffer }) => [buffer as ArrayBuffer],
)
