/** Runs in a thread: checks one email at a time, until it is stopped. */
import { serveJobs } from '../../../platform/threads.ts'
import { checkEmail } from './email-rules.ts'

serveJobs(checkEmail)
