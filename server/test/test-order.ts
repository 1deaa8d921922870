/** The order of test files: those that take long begin first, so that the end of a run does not wait for one of them. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files with browsers, processes or servers of their own. */
const LONG = /^(e2e\/|server\/test\/(service|faults|database|delivery|retention|queue|gate|telemetry)\/)/

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId, project }: TestSpecification) =>
      LONG.test(moduleId.slice(project.config.root.length + 1).replaceAll('\\', '/'))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
