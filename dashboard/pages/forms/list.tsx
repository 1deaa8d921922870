/** The forms of a project. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ClipboardPen, Plus } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { formatNumber } from '../../figures/format.ts'
import { Empty } from '../../lists/empty-state.tsx'
import { List } from '../../lists/list.tsx'
import { NameCell, NumberCell, Row } from '../../lists/table.tsx'
import { Page } from '../../shell/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { texts } from './texts.ts'

export function FormsPage() {
  const { projectId, api } = useApi()
  const [{ cursor }] = useSearchState<'cursor'>()
  const query = { limit: 50, cursor }
  const list = useQuery({
    queryKey: [projectId, 'forms', query],
    queryFn: () => unwrap(api.forms.list(query)),
    placeholderData: keepPreviousData,
  })
  const createButton = (
    <LinkButton kind="primary" to={projectPage(projectId, 'forms/new')}>
      <Plus aria-hidden /> {texts.create}
    </LinkButton>
  )
  const { column } = texts
  return (
    <Page title={texts.title} lead={texts.lead} actions={createButton}>
      <List
        list={list}
        label={texts.title}
        head={[
          column.name,
          { number: column.shown, onlyWide: true },
          { number: column.submitted },
          { number: column.confirmed, onlyWide: true },
        ]}
        row={({ id, name, enabled, totals }) => (
          <Row muted={!enabled}>
            <NameCell
              to={projectPage(projectId, 'forms/$id', { id })}
              tags={!enabled && <Badge>{texts.disabled}</Badge>}
            >
              {name}
            </NameCell>
            <NumberCell wide>{formatNumber(totals.shown)}</NumberCell>
            <NumberCell>{formatNumber(totals.submitted)}</NumberCell>
            <NumberCell wide>{formatNumber(totals.confirmed)}</NumberCell>
          </Row>
        )}
        filtered={false}
        empty={
          <Empty icon={ClipboardPen} title={texts.emptyTitle} actions={createButton}>
            {texts.empty}
          </Empty>
        }
      />
    </Page>
  )
}
