/**
 * The order of test files: those that take long begin first, so that the end of a run does not wait for one of them. Browser
 * tests, which compute, alternate with tests that mostly wait for their processes.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const BROWSER = /^e2e\//
/** Files with processes or servers of their own, or with thousands of requests or emails. */
const LONG =
  /^server\/test\/(service|faults|database|delivery|retention|queue|gate|attackers|telemetry|http|project|campaigns)\//

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const nameOf = ({ moduleId, project }: TestSpecification) =>
      moduleId.slice(project.config.root.length + 1).replaceAll('\\', '/')
    const browser = sorted.filter((file) => BROWSER.test(nameOf(file)))
    const long = sorted.filter((file) => LONG.test(nameOf(file)))
    const rest = sorted.filter((file) => !browser.includes(file) && !long.includes(file))
    const pairs = Array.from({ length: Math.max(browser.length, long.length) }, (_, i) => [browser[i], long[i]])
    return [...pairs.flat().filter((file) => file !== undefined), ...rest]
  }
}
