/** All events of a name, deleted by those who type it; with what else refers to the name. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { countWords } from '../../parts/count-words.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'

export function DeleteEvents({ name, onDeleted }: { name: string; onDeleted(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [open, setOpen] = useState(false)
  const { data: usage } = useQuery({
    queryKey: [projectId, 'events', name, 'usage'],
    enabled: open,
    queryFn: () => unwrap(api.events.usage(name)),
  })
  const users = usage ? [...usage.usedInSegments, ...usage.usedInWorkflows, ...usage.usedInCampaigns] : []
  const deletes = async () => {
    const { deletedCount } = await unwrap(api.events.delete(name))
    toast.done(`${countWords(deletedCount, 'event')} deleted.`)
    onDeleted()
    void queries.invalidateQueries({ queryKey: [projectId] })
  }
  return (
    <>
      <Button kind="danger" className="ml-auto" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden /> Delete these events
      </Button>
      <Confirm
        open={open}
        onClose={() => setOpen(false)}
        title={`Delete all “${name}” events?`}
        name={name}
        act="Delete the events"
        onAct={deletes}
      >
        {usage && (
          <p>
            {countWords(usage.totalCount, 'event')} of {countWords(usage.uniqueContacts, 'contact')} will be gone for
            good.
          </p>
        )}
        {users.length > 0 && <p>Used by {users.map((user) => user.name).join(', ')}, which will find none of them.</p>}
      </Confirm>
    </>
  )
}
