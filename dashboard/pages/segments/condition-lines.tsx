/** The condition of a segment, one line for each group of filters. */
import type { Condition } from '../../conditions/condition.ts'
import { describeGroups, type Names } from '../../conditions/describe-condition.ts'
import { conditionTexts } from '../../conditions/texts.ts'

const Word = ({ children }: { children: string }) => (
  <span className="text-xs font-semibold tracking-wide text-soft">{children}</span>
)

export function ConditionLines({ condition, names }: { condition: Condition; names: Names }) {
  const groups = describeGroups(condition, names)
  return (
    <span className="mt-1.5 grid gap-1.5">
      {groups.map((parts, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no ID.
        <span key={i} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {i > 0 && <Word>{condition.logic === 'AND' ? conditionTexts.and : conditionTexts.or}</Word>}
          {parts.map((part, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: filters have no ID either.
            <span key={n} className="flex min-w-0 items-center gap-x-2">
              {n > 0 && <Word>{conditionTexts.and}</Word>}
              <span className="rounded-part bg-panel px-2 py-0.5 text-[0.8125rem] text-ink wrap-anywhere">{part}</span>
            </span>
          ))}
        </span>
      ))}
    </span>
  )
}
