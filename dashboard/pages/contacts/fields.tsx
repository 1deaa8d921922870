/** What the data of contacts holds: every field, its type, how many have it; and the way to be rid of one. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { countWords } from '../../parts/count-words.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { List } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { ACTS, Cell, Row } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'

export function FieldsPage() {
  const { projectId, api } = useApi()
  const [deleting, setDeleting] = useState<string>()
  const list = useQuery({
    queryKey: [projectId, 'contacts', 'fields'],
    queryFn: async () => (await unwrap(api.contacts.fields.list())).fields,
  })
  const custom = list.data?.filter(({ isCustom }) => isCustom).map((field) => ({ id: field.field, ...field }))
  return (
    <Page
      title="Fields"
      lead="What is kept in the data of contacts. The first value of a field decides its type."
      back={{ to: inProjectPath(projectId, 'contacts'), words: 'Contacts' }}
    >
      <List
        list={{ ...list, data: custom && { data: custom } }}
        label="Fields"
        head={['Field', { wide: 'Type' }, 'Known of', { wide: 'Values' }, ACTS]}
        row={({ field, type, coverage }) => (
          <Row>
            <Cell className="font-medium wrap-anywhere">{field.slice('data.'.length)}</Cell>
            <Cell wide>
              <Badge>{type}</Badge>
            </Cell>
            <Cell className="whitespace-nowrap">{Number((coverage * 100).toFixed(1)).toLocaleString()} %</Cell>
            <Cell wide className="w-full max-w-72 truncate text-soft">
              <Values field={field} />
            </Cell>
            <Cell>
              <Button kind="danger" aria-label={`Delete ${field}`} onClick={() => setDeleting(field)}>
                Delete
              </Button>
            </Cell>
          </Row>
        )}
        empty={
          <Empty icon={Database} title="No field yet">
            Fields come with contacts: from your requests, from imports, or typed into a contact here.
          </Empty>
        }
      />
      {deleting && <DeleteField field={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  )
}

/** Those most contacts have. */
function Values({ field }: { field: string }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'contacts', 'fields', field, 'some-values'],
    queryFn: async () => (await unwrap(api.contacts.fields.values(field, { limit: 5 }))).values,
  })
  return data?.map(String).join(', ')
}

function DeleteField({ field, onClose }: { field: string; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { data: usage } = useQuery({
    queryKey: [projectId, 'contacts', 'fields', field, 'usage'],
    queryFn: () => unwrap(api.contacts.fields.usage(field)),
  })
  const users = usage ? [...usage.usedInSegments, ...usage.usedInCampaigns, ...usage.usedInWorkflows] : []
  const deletes = async () => {
    const { deletedFrom } = await unwrap(api.contacts.fields.delete(field))
    toast.done(`Deleted from ${countWords(deletedFrom, 'contact')}.`)
    void queries.invalidateQueries({ queryKey: [projectId, 'contacts'] })
  }
  const name = field.slice('data.'.length)
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete the field “${name}”?`}
      name={name}
      act="Delete the field"
      onAct={deletes}
    >
      {usage && <p>It will be gone for good from {countWords(usage.contactCount, 'contact')}.</p>}
      {users.length > 0 && <p>Used by {users.map((user) => user.name).join(', ')}, which stop matching on it.</p>}
    </Confirm>
  )
}
