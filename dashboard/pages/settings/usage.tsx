/** What the project sent this month, by where it came from, and how much it may send; and what that costs. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { person, type Schemas, unwrap } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Input, wrongAt } from '../../parts/field.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useManages, useProject } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { Billing } from './invoices.tsx'

const SOURCES = {
  transactional: 'Transactional',
  campaigns: 'Campaigns',
  workflows: 'Workflows',
  inbound: 'Inbound',
} as const

type Source = keyof typeof SOURCES
const NAMES = Object.keys(SOURCES) as Source[]

export function UsageTab() {
  const project = useProject()
  const limits = useQuery({
    queryKey: [project.id, 'billing', 'limits'],
    queryFn: () => unwrap(person.projects.billing.limits(project.id)),
  })
  const consumption = useQuery({
    queryKey: [project.id, 'billing', 'consumption'],
    queryFn: () => unwrap(person.projects.billing.consumption(project.id)),
  })
  const error = limits.error ?? consumption.error
  if (error) return <Problem error={error} />
  if (!limits.data || !consumption.data) return <Loading />
  return (
    <>
      <LimitsForm key={JSON.stringify(limits.data)} limits={limits.data} />
      <Card title="By month" lead="Emails, by where they came from. Months in UTC." flush>
        <Table label="Emails by month" head={['Month', ...Object.values(SOURCES).map((wide) => ({ wide })), 'Total']}>
          {consumption.data.history.map((month) => (
            <Row key={month.month}>
              <Cell className="w-full">{month.month}</Cell>
              {NAMES.map((name) => (
                <Cell wide key={name}>
                  {month[name].toLocaleString()}
                </Cell>
              ))}
              <Cell className="font-medium">{month.total.toLocaleString()}</Cell>
            </Row>
          ))}
        </Table>
      </Card>
      <Billing subscription={consumption.data.subscription} />
    </>
  )
}

function LimitsForm({ limits }: { limits: Schemas['BillingLimits'] }) {
  const project = useProject()
  const manages = useManages()
  const queries = useQueryClient()
  const toast = useToast()
  const { act, busy, error, problem } = useAct()
  const [draft, setDraft] = useState(() => Object.fromEntries(NAMES.map((name) => [name, limits[name].limit ?? ''])))
  const saves = async (event: FormEvent) => {
    event.preventDefault()
    const given = Object.fromEntries(NAMES.map((name) => [name, draft[name] === '' ? null : Number(draft[name])]))
    if (!(await act(person.projects.billing.setLimits(project.id, given)))) return
    toast.done('Limits saved.')
    void queries.invalidateQueries({ queryKey: [project.id, 'billing'] })
  }
  return (
    <Card title="Monthly limits" lead="What goes over a limit is refused. Empty: no limit.">
      <form onSubmit={saves} className="space-y-4">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {NAMES.map((name) => (
            <Input
              key={name}
              label={SOURCES[name]}
              type="number"
              min={0}
              step={1}
              placeholder="No limit"
              disabled={!manages}
              hint={`${limits[name].used.toLocaleString()} used this month`}
              value={draft[name]}
              wrong={wrongAt(error, name)}
              onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
            />
          ))}
        </div>
        {problem && !error?.errors && <Problem error={problem} />}
        {manages && (
          <Button kind="primary" type="submit" busy={busy}>
            Save limits
          </Button>
        )}
      </form>
    </Card>
  )
}
