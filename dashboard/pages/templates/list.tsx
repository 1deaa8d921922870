/** Templates: found by name or subject, opened, copied. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, LayoutTemplate, Plus } from 'lucide-react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge, inWords } from '../../parts/badge.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { List, ListFilter, ListSearch } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { MoreActs } from '../../parts/more-acts.tsx'
import { Page } from '../../parts/page.tsx'
import { ACTS, Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { TYPES } from './draft.ts'

type Template = Schemas['Template']

export function TemplatesPage() {
  const { projectId, api } = useApi()
  const [{ search = '', type = '', page = '1' }] = useSearchState<'search' | 'type' | 'page'>()
  const query = {
    page: Number(page) || 1,
    search: search || undefined,
    type: (type || undefined) as Template['type'] | undefined,
    sort: 'updatedAt' as const,
  }
  const list = useQuery({
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
      <List
        list={list}
        label="Templates"
        head={['Name', { wide: 'Type' }, { wide: 'From' }, { wide: 'Changed' }, ACTS]}
        row={(template) => <TemplateRow template={template} />}
        tools={
          <>
            <ListSearch label="Search templates" />
            <ListFilter label="Type" name="type" options={{ '': 'All types', ...TYPES }} />
          </>
        }
        empty={
          <Empty
            icon={LayoutTemplate}
            title={filtered ? 'No template matches' : 'No template yet'}
            actions={!filtered && newButton}
          >
            {!filtered &&
              'A template holds subject, body and sender. Send it with its id, use it in campaigns and workflows.'}
          </Empty>
        }
      />
    </Page>
  )
}

function TemplateRow({ template }: { template: Template }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'templates'] })
  const duplicate = async () => {
    const { data, error } = await api.templates.duplicate(template.id)
    if (error) return toast.failed(error)
    void reload()
    await navigate({ to: inProjectPath(projectId, `templates/${data.id}`) })
  }
  const deletes = async () => {
    await unwrap(api.templates.delete(template.id))
    toast.done('Template deleted.')
    void reload()
  }
  return (
    <Row>
      <NameCell
        to={inProjectPath(projectId, `templates/${template.id}`)}
        more={template.subject}
        onPhone={<Moment at={template.updatedAt} relative />}
      >
        {template.name}
      </NameCell>
      <Cell wide>
        <Badge>{inWords(template.type)}</Badge>
      </Cell>
      <Cell wide className="text-soft">
        {template.from}
      </Cell>
      <MomentCell wide at={template.updatedAt} />
      <Cell>
        <MoreActs
          label={`Acts on ${template.name}`}
          acts={[{ icon: Copy, words: 'Duplicate', onPick: () => void duplicate() }]}
          noun="template"
          name={template.name}
          onDelete={deletes}
        >
          Whoever sends with its id will be refused. One that campaigns or workflows use cannot be deleted.
        </MoreActs>
      </Cell>
    </Row>
  )
}
