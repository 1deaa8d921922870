/** Deletes all events with a name, after it was typed. Shows what else uses the name. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

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
  const usedBy = usage ? [...usage.usedInSegments, ...usage.usedInWorkflows, ...usage.usedInCampaigns] : []
  const deleteEvents = async () => {
    const { deletedCount } = await unwrap(api.events.delete(name))
    toast.done(texts.delete.done(deletedCount))
    onDeleted()
    void queries.invalidateQueries({ queryKey: [projectId] })
  }
  return (
    <>
      <Button kind="danger" className="ms-auto" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden /> {texts.delete.open}
      </Button>
      <Confirm
        open={open}
        onClose={() => setOpen(false)}
        title={texts.delete.title(name)}
        typeToConfirm={name}
        action={texts.delete.action}
        onConfirm={deleteEvents}
      >
        {usage && <p>{texts.delete.effect(usage.totalCount, usage.uniqueContacts)}</p>}
        {usedBy.length > 0 && <p>{texts.delete.usedBy(usedBy.map((one) => one.name))}</p>}
      </Confirm>
    </>
  )
}
