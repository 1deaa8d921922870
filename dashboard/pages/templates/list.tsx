/** The template list with search and a type filter. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, LayoutTemplate, PanelTop, Plus } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { useNavigate } from '../../links.tsx'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { List, ListFilter, ListSearch, usePagedQuery } from '../../lists/list.tsx'
import { ACTIONS, Cell, MomentCell, NameCell, Row } from '../../lists/table.tsx'
import { TagFilter, Tags } from '../../lists/tags.tsx'
import { Thumbnail } from '../../mail/thumbnail/thumbnail.tsx'
import { Page, WideActions } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { MoreActions, PhoneActions } from '../../ui/more-actions.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

type Template = Schemas['Template']

/** The last edited first, unless another order is chosen. */
const orderOf = (chosen: string) =>
  chosen === 'name'
    ? ({ sort: 'name', dir: 'asc' } as const)
    : ({ sort: chosen === 'createdAt' || chosen === 'lastUsedAt' ? chosen : 'updatedAt' } as const)

export function TemplatesPage() {
  const { projectId, api } = useApi()
  const [{ type = '', sort = '' }] = useSearchState<'type' | 'sort'>()
  const paged = usePagedQuery()
  const query = { ...paged.query, type: (type || undefined) as Template['type'] | undefined, ...orderOf(sort) }
  const list = useQuery({
    queryKey: [projectId, 'templates', query],
    queryFn: () => unwrap(api.templates.list(query)),
    placeholderData: keepPreviousData,
  })
  const navigate = useNavigate()
  const layouts = projectPage(projectId, 'templates/layouts')
  const gallery = projectPage(projectId, 'templates/gallery')
  const filtered = paged.filtered || type !== ''
  const isEmpty = !filtered && list.data?.data.length === 0 && !list.isPlaceholderData
  const createButton = (
    <LinkButton kind="primary" to={projectPage(projectId, 'templates/new')}>
      <Plus aria-hidden /> {texts.create}
    </LinkButton>
  )
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          <WideActions>
            <LinkButton to={layouts}>{texts.openLayouts}</LinkButton>
          </WideActions>
          {/* An empty list has these buttons itself. */}
          {!isEmpty && (
            <>
              <LinkButton to={gallery}>{texts.openGallery}</LinkButton>
              {createButton}
            </>
          )}
          <PhoneActions
            actions={[{ icon: PanelTop, label: texts.openLayouts, onSelect: () => void navigate(layouts) }]}
          />
        </>
      }
    >
      <List
        list={list}
        label={texts.title}
        head={[
          <span key="preview" className="sr-only">
            {texts.column.preview}
          </span>,
          texts.column.name,
          { wide: texts.column.type },
          { wide: texts.column.from },
          { wide: texts.column.lastUsed },
          { wide: texts.column.updated },
          ACTIONS,
        ]}
        row={(template) => <TemplateRow template={template} />}
        filtered={filtered}
        tools={
          <>
            <ListSearch label={texts.search} />
            <ListFilter label={texts.type} name="type" options={{ '': texts.allTypes, ...texts.types }} />
            <TagFilter kind="templates" />
            <ListFilter label={texts.sort} name="sort" options={texts.sorts} />
          </>
        }
        empty={
          <ListEmpty
            icon={LayoutTemplate}
            filtered={filtered}
            texts={texts}
            actions={
              <>
                <LinkButton kind="primary" to={gallery}>
                  {texts.openGallery}
                </LinkButton>
                <LinkButton to={projectPage(projectId, 'templates/new')}>{texts.create}</LinkButton>
              </>
            }
          />
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
  const duplicateTemplate = async () => {
    const { data, error } = await api.templates.duplicate(template.id)
    if (error) return toast.failed(error)
    toast.done(texts.duplicated)
    void reload()
    await navigate(projectPage(projectId, 'templates/$id', { id: data.id }))
  }
  const deleteTemplate = async () => {
    await unwrap(api.templates.delete(template.id))
    toast.done(texts.deleted)
    void reload()
  }
  return (
    <Row>
      <Cell>
        <Thumbnail html={template.body} />
      </Cell>
      <NameCell
        to={projectPage(projectId, 'templates/$id', { id: template.id })}
        more={template.subject}
        onPhone={
          <RichText
            text={texts.typeAndUpdate}
            elements={{
              type: () => texts.types[template.type],
              when: () => <Moment at={template.updatedAt} relative />,
            }}
          />
        }
        tags={<Tags kind="templates" item={template} />}
      >
        {template.name}
      </NameCell>
      <Cell wide>
        <Badge>{texts.types[template.type]}</Badge>
      </Cell>
      <Cell wide className="text-soft">
        {template.from}
      </Cell>
      <LastUsedCell at={template.lastUsedAt} />
      <MomentCell wide at={template.updatedAt} />
      <Cell>
        <MoreActions
          label={texts.actionsFor(template.name)}
          actions={[{ icon: Copy, label: sharedTexts.duplicate, onSelect: () => void duplicateTemplate() }]}
          deleteTexts={texts.delete}
          name={template.name}
          onDelete={deleteTemplate}
        >
          {texts.deleteEffect}
        </MoreActions>
      </Cell>
    </Row>
  )
}

const LastUsedCell = ({ at }: { at: string | null }) =>
  at === null ? (
    <Cell wide className="whitespace-nowrap text-soft">
      {texts.neverUsed}
    </Cell>
  ) : (
    <MomentCell wide at={at} />
  )
