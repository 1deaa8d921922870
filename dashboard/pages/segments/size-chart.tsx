/** The size of a segment by day: a chart, and the numbers behind it as a table. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { formatDay, formatNumber, formatShare } from '../../figures/format.ts'
import { Problem } from '../../lists/problem.tsx'
import { Card, Loading } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { texts } from './texts.ts'

const Chart = lazy(() => import('../../figures/chart.tsx').then((module) => ({ default: module.Chart })))

type Size = Schemas['SegmentHistory']['data'][number]
type Range = keyof typeof texts.size.ranges

const DAY_MS = 86_400_000

const dayBefore = (days: number) => new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)

export function SizeChart({ segmentId }: { segmentId: string }) {
  const { projectId, api } = useApi()
  const [range, setRange] = useState<Range>('90')
  const [asTable, setAsTable] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'segments', segmentId, 'history', range],
    queryFn: async () => (await unwrap(api.segments.history(segmentId, { from: dayBefore(Number(range)) }))).data,
  })
  const { size } = texts
  return (
    <Card
      title={size.title}
      lead={size.lead}
      actions={
        <div className="flex items-center gap-2">
          <Select
            label={size.range}
            hideLabel
            value={range}
            options={size.ranges}
            onChange={(event) => setRange(event.target.value as Range)}
          />
          {data && data.length > 1 && (
            <Button kind="quiet" onClick={() => setAsTable(!asTable)}>
              {asTable ? size.showChart : size.showTable}
            </Button>
          )}
        </div>
      }
    >
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {data && data.length < 2 && <p className="text-sm text-soft">{size.empty}</p>}
      {data && data.length > 1 && (asTable ? <SizeTable sizes={data} /> : <SizeLine sizes={data} />)}
    </Card>
  )
}

function SizeLine({ sizes }: { sizes: Size[] }) {
  const days = useMemo(() => sizes.map(({ day }) => day), [sizes])
  const lines = useMemo(
    () => [{ label: texts.size.contacts, color: '--accent', values: sizes.map(({ contacts }) => contacts) }],
    [sizes],
  )
  return (
    <Suspense fallback={<Loading />}>
      <Chart label={texts.size.title} days={days} lines={lines} />
    </Suspense>
  )
}

const SizeTable = ({ sizes }: { sizes: Size[] }) => (
  <div className="max-h-80 overflow-y-auto">
    <table className="w-full text-sm">
      <caption className="sr-only">{texts.size.title}</caption>
      <thead>
        <tr className="text-soft">
          <th scope="col" className="py-1 font-medium">
            {texts.size.day}
          </th>
          <th scope="col" className="py-1 text-end font-medium">
            {texts.size.contacts}
          </th>
          <th scope="col" className="py-1 text-end font-medium">
            {texts.size.share}
          </th>
        </tr>
      </thead>
      <tbody>
        {[...sizes].reverse().map(({ day, contacts, total }) => (
          <tr key={day} className="border-t border-line tabular-nums">
            <th scope="row" className="py-1 font-normal">
              {formatDay(day)}
            </th>
            <td className="py-1 text-end">{formatNumber(contacts)}</td>
            <td className="py-1 text-end">{formatShare(contacts, total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
