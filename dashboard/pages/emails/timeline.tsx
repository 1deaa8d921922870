/** What became of an email, step by step, with the words of the servers it met. */
import type { Schemas } from '../../api.ts'
import { eventWords, isBad } from '../../parts/event-words.ts'
import { Moment } from '../../parts/moment.tsx'
import { Card } from '../../parts/page.tsx'

/** Of what came with a step, that which explains it. */
const TELLING = ['link', 'bounceType', 'reason', 'error']

type Step = Schemas['EmailWithContent']['timeline'][number]

const explanations = ({ words, data }: Step): string[] => {
  const told = [words, ...TELLING.map((name) => data[name])]
  return [...new Set(told.filter((text) => typeof text === 'string' && text !== ''))] as string[]
}

export function Timeline({ email }: { email: Schemas['EmailWithContent'] }) {
  const steps = email.timeline
  return (
    <Card title="Timeline">
      <ol className="space-y-4">
        {steps.map((step, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end.
          <li key={i} className="relative pl-5 text-sm">
            <span
              aria-hidden
              className={`absolute top-1.5 left-0 size-2 rounded-full ${isBad(step.event) ? 'bg-bad' : 'bg-accent'}`}
            />
            {i < steps.length - 1 && (
              <span aria-hidden className="absolute top-4.5 bottom-[-1rem] left-[3px] w-px bg-line" />
            )}
            <div className="flex justify-between gap-3">
              <span className="font-medium">{eventWords(step.event)}</span>
              <span className="text-soft">
                <Moment at={step.at} relative />
              </span>
            </div>
            {explanations(step).map((words) => (
              <p key={words} className="mt-0.5 text-[0.8125rem] text-soft">
                {words}
              </p>
            ))}
          </li>
        ))}
      </ol>
      {email.error && <p className="mt-4 rounded-part bg-bad-wash px-3 py-2 text-sm text-bad">{email.error}</p>}
      <dl className="mt-5 grid grid-cols-3 gap-3 border-t border-line pt-4 text-sm">
        {Object.entries({ Attempts: email.attempts, Opens: email.opens, Clicks: email.clicks }).map(([name, count]) => (
          <div key={name}>
            <dt className="text-soft">{name}</dt>
            <dd className="figures font-medium">{count}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
