/** One form: its numbers, how to put it on a website, and what was refused as spam. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink, Pencil, Power, ShieldCheck } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useApi, useId, useSearchState } from '../../data/project.ts'
import { Figure, Figures } from '../../figures/figures.tsx'
import { formatNumber, formatShare } from '../../figures/format.ts'
import { useNavigate } from '../../links.tsx'
import { Empty } from '../../lists/empty-state.tsx'
import { List } from '../../lists/list.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Resource } from '../../lists/resource.tsx'
import { Cell, MomentCell, Row } from '../../lists/table.tsx'
import { Card, Loading, Page } from '../../shell/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { CodeBlock, CopyValue } from '../../ui/copy.tsx'
import { MoreActions } from '../../ui/more-actions.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Form } from './draft.ts'
import { texts } from './texts.ts'

const Chart = lazy(() => import('../../figures/chart.tsx').then((module) => ({ default: module.Chart })))

export function FormPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const [{ tab }, setSearch] = useSearchState<'tab'>()
  const query = useQuery({ queryKey: [projectId, 'forms', id], queryFn: () => unwrap(api.forms.get(id)) })
  const back = { to: projectPage(projectId, 'forms'), label: texts.title }
  return (
    <Resource query={query} title={texts.one.title} back={back}>
      {(form) => {
        const tabs = [
          { name: 'numbers', label: texts.one.numbers, content: <Numbers form={form} /> },
          { name: 'embed', label: texts.one.embed, content: <Embed form={form} /> },
          { name: 'spam', label: texts.one.spam, content: <Spam form={form} /> },
        ]
        const open = tabs.find(({ name }) => name === tab)?.name ?? 'numbers'
        return (
          <Page
            title={form.name}
            lead={!form.enabled && <Badge>{texts.disabled}</Badge>}
            back={back}
            actions={<Actions form={form} />}
          >
            <Tabs
              label={texts.one.tabs}
              tabs={tabs.map((each) => ({ ...each, content: <div className="space-y-6 pt-6">{each.content}</div> }))}
              open={open}
              onOpen={(name) => setSearch({ tab: name === 'numbers' ? undefined : name })}
            />
          </Page>
        )
      }}
    </Resource>
  )
}

function Actions({ form: { id, name, enabled, links } }: { form: Form }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'forms'] })
  const toggleForm = async () => {
    const { error } = await api.forms.update(id, { enabled: !enabled })
    if (error) return toast.failed(error)
    toast.done(enabled ? texts.one.disabled : texts.one.enabled)
    void reload()
  }
  return (
    <>
      <LinkButton kind="primary" to={projectPage(projectId, 'forms/$id/edit', { id })}>
        <Pencil aria-hidden /> {texts.one.edit}
      </LinkButton>
      <MoreActions
        actions={[
          {
            icon: ExternalLink,
            label: texts.one.open,
            onSelect: () => void window.open(links.page, '_blank', 'noopener'),
          },
          { icon: Power, label: enabled ? texts.one.disable : texts.one.enable, onSelect: () => void toggleForm() },
        ]}
        deleteTexts={{ title: texts.one.deleteTitle, action: texts.one.deleteAction }}
        name={name}
        onDelete={async () => {
          await unwrap(api.forms.delete(id))
          toast.done(texts.one.deleted)
          await navigate(projectPage(projectId, 'forms'))
          void reload()
        }}
      >
        {texts.one.deleteEffect}
      </MoreActions>
    </>
  )
}

function Numbers({ form }: { form: Form }) {
  const { projectId, api } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'forms', form.id, 'stats'],
    queryFn: () => unwrap(api.forms.stats(form.id)),
    refetchInterval: 60_000,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  const { numbers } = texts
  const totals = data?.totals
  const shown = (name: keyof Form['totals']) => totals && formatNumber(totals[name])
  const values = (name: 'submitted' | 'confirmed') => data?.data.map((day) => day[name]) ?? []
  const rate = totals && totals.shown > 0 ? { more: numbers.rate(formatShare(totals.submitted, totals.shown)) } : {}
  return (
    <>
      <Figures>
        <Figure name={numbers.shown} value={shown('shown')} />
        <Figure name={numbers.submitted} value={shown('submitted')} {...rate} />
        <Figure name={numbers.confirmed} value={shown('confirmed')} />
        <Figure name={numbers.spam} value={shown('spam')} />
      </Figures>
      <Card title={numbers.chart} lead={numbers.lead}>
        {data ? (
          <Suspense fallback={<Loading />}>
            <Chart
              label={numbers.chart}
              days={data.data.map(({ day }) => day)}
              lines={[
                { label: numbers.submitted, color: '--accent', values: values('submitted') },
                { label: numbers.confirmed, color: '--good', values: values('confirmed') },
              ]}
            />
          </Suspense>
        ) : (
          <Loading />
        )}
      </Card>
    </>
  )
}

function Embed({ form: { id, links, updatedAt } }: { form: Form }) {
  const { projectId, api } = useApi()
  const html = useQuery({
    queryKey: [projectId, 'forms', id, 'html', updatedAt],
    queryFn: () => unwrap(api.forms.html(id)),
  })
  const { embed } = texts
  return (
    <>
      <Card title={embed.script} lead={embed.scriptLead}>
        <CodeBlock label={embed.script} text={`<script src="${links.script}" async></script>`} />
      </Card>
      <Card title={embed.link} lead={embed.linkLead}>
        <CopyValue label={embed.copyLink} text={links.page} />
      </Card>
      <Card title={embed.html} lead={embed.htmlLead}>
        {html.error && <Problem error={html.error} retry={() => void html.refetch()} />}
        {html.data && <CodeBlock label={embed.html} text={html.data.html.trimEnd()} />}
      </Card>
    </>
  )
}

function Spam({ form: { id } }: { form: Form }) {
  const { projectId, api } = useApi()
  const [{ cursor }] = useSearchState<'cursor'>()
  const query = { limit: 50, cursor }
  const list = useQuery({
    queryKey: [projectId, 'forms', id, 'spam', query],
    queryFn: () => unwrap(api.forms.spam(id, query)),
    placeholderData: keepPreviousData,
  })
  const { spam } = texts
  return (
    <>
      <p className="max-w-2xl text-sm text-soft">{spam.lead}</p>
      <List
        list={list}
        label={texts.one.spam}
        head={[spam.column.at, spam.column.reason, { wide: spam.column.email }, { wide: spam.column.ip }]}
        row={({ at, reason, email, ip }) => (
          <Row>
            <MomentCell at={at} />
            <Cell>{spam.reasons[reason]}</Cell>
            <Cell wide>{email}</Cell>
            <Cell wide>{ip}</Cell>
          </Row>
        )}
        filtered={false}
        empty={
          <Empty icon={ShieldCheck} title={spam.emptyTitle}>
            {spam.empty}
          </Empty>
        }
      />
    </>
  )
}
