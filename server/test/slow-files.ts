/** Ends a run with its slowest test files, and names those that take too long to wait for. */
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10
const SLOW_SECONDS = 20

export class SlowFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({ name: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
      .sort((a, b) => b.seconds - a.seconds)
    if (files.length <= SHOWN) return
    const rows = files.slice(0, SHOWN).map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`)
    console.log(`\nThe ${SHOWN} slowest files:\n${rows.join('\n')}`)
    const slow = files.filter(({ seconds }) => seconds > SLOW_SECONDS).map(({ name }) => name)
    if (slow.length > 0) console.log(`Slower than ${SLOW_SECONDS} s: ${slow.join(', ')}`)
  }
}
