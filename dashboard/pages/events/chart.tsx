/** How often an event was recorded in the last weeks, or in the last year. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { formatNumber } from '../../figures/format.ts'
import { Card, Loading } from '../../shell/page.tsx'
import { Select } from '../../ui/field.tsx'
import { useEventLabel } from './segment-labels.ts'
import { texts } from './texts.ts'

const Chart = lazy(() => import('../../figures/chart.tsx').then((module) => ({ default: module.Chart })))

const DAY_MS = 86_400_000
const T = texts.chart

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

export function EventChart({ name }: { name: string }) {
  const { projectId, api } = useApi()
  const [days, setDays] = useState('30')
  const { data } = useQuery({
    queryKey: [projectId, 'events', name, 'days', days],
    queryFn: () => unwrap(api.events.days(name, { from: dayBefore(Number(days) - 1) })),
  })
  const labelOf = useEventLabel()
  const counts = data?.data ?? []
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card
      title={T.title(labelOf(name))}
      lead={data && T.lead(total)}
      actions={
        <Select
          label={T.period}
          hideLabel
          value={days}
          options={T.periods}
          onChange={(event) => setDays(event.target.value)}
        />
      }
    >
      <div className="h-45">
        {data && (
          <Suspense fallback={<Loading />}>
            <Chart
              label={T.title(labelOf(name))}
              days={counts.map(({ day }) => day)}
              lines={[
                { label: T.events, color: '--accent', values: counts.map(({ count }) => count), kind: 'bars' as const },
              ]}
              height={180}
              format={formatNumber}
            />
          </Suspense>
        )}
      </div>
    </Card>
  )
}
