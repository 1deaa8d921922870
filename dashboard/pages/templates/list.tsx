/** Templates: found by name or subject, sorted, opened, copied. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Copy, Ellipsis, LayoutTemplate, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge, inWords } from '../../parts/badge.tsx'
import { IconButton, LinkButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Select } from '../../parts/field.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { PageNumbers } from '../../parts/page-numbers.tsx'
import { Problem } from '../../parts/problem.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { TYPES } from './draft.ts'

type Template = Schemas['Template']

export function TemplatesPage() {
  const { projectId, api } = useApi()
  const [{ search = '', type = '', page = '1' }, change] = useSearchState<'search' | 'type' | 'page'>()
  const query = {
    page: Number(page) || 1,
    search: search || undefined,
    type: (type || undefined) as Template['type'] | undefined,
    sort: 'updatedAt' as const,
  }
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'templates', query],
    queryFn: () => unwrap(api.templates.list(query)),
    placeholderData: keepPreviousData,
  })
  const filtered = search !== '' || type !== ''
  const newButton = (
    <LinkButton kind="primary" to={inProjectPath(projectId, 'templates/new')}>
      <Plus aria-hidden /> New template
    </LinkButton>
  )
  return (
    <Page title="Templates" lead="Written once, rendered for each contact." actions={newButton}>
      <Card flush>
        <div className="flex flex-wrap items-center gap-2 px-5 pt-2 pb-3">
          <SearchBox
            label="Search templates"
            value={search}
            onSearch={(text) => change({ search: text, page: undefined }, { replace: true })}
          />
          <div className="w-44">
            <Select
              label="Type"
              hideLabel
              value={type}
              options={{ '': 'All types', ...TYPES }}
              onChange={(event) => change({ type: event.target.value, page: undefined })}
            />
          </div>
        </div>
        {error && (
          <div className="p-5">
            <Problem error={error} retry={() => void refetch()} />
          </div>
        )}
        {!data && !error && <Loading />}
        {data?.data.length === 0 && (
          <Empty
            icon={LayoutTemplate}
            title={filtered ? 'No template matches' : 'No template yet'}
            actions={!filtered && newButton}
          >
            {!filtered &&
              'A template holds subject, body and sender. Send it with its id, use it in campaigns and workflows.'}
          </Empty>
        )}
        {data && data.data.length > 0 && (
          <Table
            label="Templates"
            head={[
              'Name',
              'Type',
              'From',
              'Changed',
              <span key="x" className="sr-only">
                Acts
              </span>,
            ]}
          >
            {data.data.map((template) => (
              <TemplateRow key={template.id} template={template} />
            ))}
          </Table>
        )}
        {data && (
          <PageNumbers page={data.page} totalPages={data.totalPages} onGo={(to) => change({ page: String(to) })} />
        )}
      </Card>
    </Page>
  )
}

function TemplateRow({ template }: { template: Template }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [deleting, setDeleting] = useState(false)
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'templates'] })
  const duplicate = async () => {
    const { data, error } = await api.templates.duplicate(template.id)
    if (error) return toast.failed(error)
    void reload()
    await navigate({ to: inProjectPath(projectId, `templates/${data.id}`) })
  }
  return (
    <Row>
      <Cell className="w-full">
        <Link to={inProjectPath(projectId, `templates/${template.id}`)} className="font-medium hover:underline">
          {template.name}
        </Link>
        <p className="truncate text-soft">{template.subject}</p>
        <Confirm
          open={deleting}
          onClose={() => setDeleting(false)}
          title="Delete this template?"
          name={template.name}
          act="Delete the template"
          onAct={async () => {
            await unwrap(api.templates.delete(template.id))
            toast.done('Template deleted.')
            void reload()
          }}
        >
          <p>Whoever sends with its id will be refused. One that campaigns or workflows use cannot be deleted.</p>
        </Confirm>
      </Cell>
      <Cell>
        <Badge>{inWords(template.type)}</Badge>
      </Cell>
      <Cell className="text-soft">{template.from}</Cell>
      <Cell className="text-soft">
        <Moment at={template.updatedAt} relative />
      </Cell>
      <Cell>
        <Menu
          trigger={
            <IconButton label={`Acts on ${template.name}`}>
              <Ellipsis />
            </IconButton>
          }
          groups={[
            [
              {
                words: (
                  <>
                    <Copy aria-hidden /> Duplicate
                  </>
                ),
                onPick: () => void duplicate(),
              },
            ],
            [
              {
                words: (
                  <>
                    <Trash2 aria-hidden /> Delete
                  </>
                ),
                danger: true,
                onPick: () => setDeleting(true),
              },
            ],
          ]}
        />
      </Cell>
    </Row>
  )
}
