/** Monthly limits, usage by source, and billing. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Schemas, unwrap, userApi } from '../../data/api.ts'
import { useCanManage, useProject } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { formatMonth, formatNumber } from '../../figures/format.ts'
import { Problem } from '../../lists/problem.tsx'
import { Cell, NumberCell, OnPhone, Row, Table } from '../../lists/table.tsx'
import { Card, Loading } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldError, Input } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Billing } from './invoices.tsx'
import { texts } from './texts.ts'

const { sources } = texts.usage
const NAMES = Object.keys(sources) as (keyof typeof sources)[]

export function UsageTab() {
  const project = useProject()
  const limits = useQuery({
    queryKey: [project.id, 'billing', 'limits'],
    queryFn: () => unwrap(userApi.projects.billing.limits(project.id)),
  })
  const consumption = useQuery({
    queryKey: [project.id, 'billing', 'consumption'],
    queryFn: () => unwrap(userApi.projects.billing.consumption(project.id)),
  })
  const error = limits.error ?? consumption.error
  if (error) return <Problem error={error} />
  if (!limits.data || !consumption.data) return <Loading />
  return (
    <>
      <Card title={texts.usage.historyTitle} lead={texts.usage.historyLead} flush>
        <Table
          label={texts.usage.historyTitle}
          head={[
            texts.usage.month,
            ...Object.values(sources).map((number) => ({ number, onlyWide: true })),
            { number: texts.usage.total },
          ]}
        >
          {sinceFirstEmail(consumption.data.history).map((month) => (
            <Row key={month.month}>
              <Cell className="w-full">
                {formatMonth(month.month)}
                <OnPhone>
                  {NAMES.filter((name) => month[name] > 0)
                    .map((name) => texts.usage.ofSource(month[name], sources[name]))
                    .join(', ')}
                </OnPhone>
              </Cell>
              {NAMES.map((name) => (
                <NumberCell wide key={name}>
                  {formatNumber(month[name])}
                </NumberCell>
              ))}
              <NumberCell>{formatNumber(month.total)}</NumberCell>
            </Row>
          ))}
        </Table>
      </Card>
      <LimitsForm key={JSON.stringify(limits.data)} limits={limits.data} />
      <Billing subscription={consumption.data.subscription} />
    </>
  )
}

/** Newest first, without the months before the first email. The current month is always shown. */
const sinceFirstEmail = <T extends { total: number }>(months: readonly T[]): T[] =>
  months.slice(0, Math.max(months.findLastIndex(({ total }) => total > 0) + 1, 1))

function LimitsForm({ limits }: { limits: Schemas['BillingLimits'] }) {
  const project = useProject()
  const canManage = useCanManage()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [draft, setDraft] = useState(() => Object.fromEntries(NAMES.map((name) => [name, limits[name].limit ?? ''])))
  const isChanged = NAMES.some((name) => String(draft[name]) !== String(limits[name].limit ?? ''))
  const saveLimits = async (event: FormEvent) => {
    event.preventDefault()
    const given = Object.fromEntries(NAMES.map((name) => [name, draft[name] === '' ? null : Number(draft[name])]))
    if (!(await run(userApi.projects.billing.setLimits(project.id, given)))) return
    toast.done(texts.usage.limitsSaved)
    void queries.invalidateQueries({ queryKey: [project.id, 'billing'] })
  }
  return (
    <Card title={texts.usage.limitsTitle} lead={texts.usage.limitsLead}>
      <form onSubmit={saveLimits} className="space-y-4">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {NAMES.map((name) => (
            <Input
              key={name}
              label={sources[name]}
              type="number"
              min={0}
              step={1}
              placeholder={texts.usage.noLimit}
              disabled={!canManage}
              hint={texts.usage.used(limits[name].used)}
              value={draft[name]}
              error={fieldError(error, name)}
              onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
            />
          ))}
        </div>
        {problem && <Problem error={problem} shown={NAMES} />}
        {canManage && (
          <Button kind="primary" type="submit" busy={busy} saved={!isChanged}>
            {texts.usage.saveLimits}
          </Button>
        )}
      </form>
    </Card>
  )
}
