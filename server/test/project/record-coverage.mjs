/**
 * Loaded into a service by a test: after SIGUSR2, the functions that run are recorded; the next SIGUSR2 writes them to
 * the file COVERAGE_FILE.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

const file = process.env.COVERAGE_FILE
const session = new Session()
session.connect()
let isRecording = false

function write(content) {
  writeFileSync(`${file}.part`, JSON.stringify(content))
  renameSync(`${file}.part`, file) // so that it is complete when it appears
}

process.on('SIGUSR2', () => {
  if (!isRecording) {
    session.post('Profiler.enable')
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false }, () => write([]))
  } else {
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => write(result))
    session.post('Profiler.stopPreciseCoverage')
  }
  isRecording = !isRecording
})
