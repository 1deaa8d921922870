/** The timeline of an email, with the responses of the servers involved. */

import { eventLabel, isFailure } from '../../conditions/event-labels.ts'
import type { Schemas } from '../../data/api.ts'
import { formatNumber } from '../../figures/format.ts'
import { Moment } from '../../figures/moment.tsx'
import { Card } from '../../shell/page.tsx'
import { texts } from './texts.ts'

/** The data that explains a step. */
const EXPLAINING = ['link', 'bounceType', 'reason', 'error']

type Step = Schemas['EmailWithContent']['timeline'][number]

const explanations = ({ words: response, data }: Step): string[] => {
  const candidates = [response, ...EXPLAINING.map((name) => data[name])]
  return [...new Set(candidates.filter((text) => typeof text === 'string' && text !== ''))] as string[]
}

export function Timeline({ email }: { email: Schemas['EmailWithContent'] }) {
  const steps = email.timeline
  const isExplained = steps.some((step) => explanations(step).includes(email.error ?? ''))
  const counts: [string, number][] = [
    [texts.timeline.attempts, email.attempts],
    [texts.timeline.opens, email.opens],
    [texts.timeline.clicks, email.clicks],
  ]
  return (
    <Card title={texts.timeline.title}>
      <ol className="space-y-4">
        {steps.map((step, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added at the end.
          <li key={i} className="relative ps-5 text-sm">
            <span
              aria-hidden
              className={`absolute top-1.5 start-0 size-2 rounded-full ${isFailure(step.event) ? 'bg-bad' : 'bg-accent'}`}
            />
            {i < steps.length - 1 && (
              <span aria-hidden className="absolute top-4.5 bottom-[-1rem] start-[3px] w-px bg-line" />
            )}
            <div className="flex justify-between gap-3">
              <span className="font-medium">{eventLabel(step.event)}</span>
              <span className="text-soft">
                <Moment at={step.at} relative />
              </span>
            </div>
            {explanations(step).map((explanation) => (
              <p key={explanation} className="mt-0.5 text-[0.8125rem] text-soft">
                {explanation}
              </p>
            ))}
          </li>
        ))}
      </ol>
      {email.error && !isExplained && (
        <p className="mt-4 rounded-part bg-bad-wash px-3 py-2 text-sm text-bad">{email.error}</p>
      )}
      <dl className="mt-5 grid grid-cols-3 gap-3 border-t border-line pt-4 text-sm">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt className="text-soft">{name}</dt>
            <dd className="figures font-medium">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
