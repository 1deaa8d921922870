/** What can be done with a campaign in the state it is in. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Pause, Pencil, Play, X } from 'lucide-react'
import { useState } from 'react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { MoreActs } from '../../parts/more-acts.tsx'
import { SendTest } from '../../parts/send-test.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { SendCampaign } from './send.tsx'

type Campaign = Schemas['Campaign']

export function Acts({ campaign }: { campaign: Campaign }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [cancelling, setCancelling] = useState(false)
  const { id, status, pausedAt } = campaign
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
  const acts = async (act: 'pause' | 'resume') => {
    const { error } = await api.campaigns[act](id)
    if (error) toast.failed(error)
    else toast.done(act === 'pause' ? 'Paused.' : 'Going on.')
    void reload()
  }
  const isOpen = status === 'DRAFT' || status === 'SCHEDULED'
  return (
    <>
      {isOpen && (
        <>
          <LinkButton to={inProjectPath(projectId, `campaigns/${id}/edit`)}>
            <Pencil aria-hidden /> Edit
          </LinkButton>
          <SendTest
            lead="One email, as it was last saved. It counts for nothing in the numbers."
            send={(to) => api.campaigns.test(id, to)}
          />
        </>
      )}
      {status === 'SENDING' && (
        <Button onClick={() => void acts(pausedAt ? 'resume' : 'pause')}>
          {pausedAt ? <Play aria-hidden /> : <Pause aria-hidden />} {pausedAt ? 'Resume' : 'Pause'}
        </Button>
      )}
      {(status === 'SENDING' || status === 'SCHEDULED') && (
        <Button kind="danger" onClick={() => setCancelling(true)}>
          <X aria-hidden /> Cancel
        </Button>
      )}
      {isOpen && <SendCampaign campaign={campaign} />}
      <OtherActs campaign={campaign} />
      <Confirm
        open={cancelling}
        onClose={() => setCancelling(false)}
        title="Cancel this campaign?"
        act="Cancel the campaign"
        onAct={async () => {
          await unwrap(api.campaigns.cancel(id))
          toast.done('Campaign cancelled.')
          void reload()
        }}
      >
        <p>What has left stays sent. What has not never leaves; a copy can be sent anew.</p>
      </Confirm>
    </>
  )
}

function OtherActs({ campaign }: { campaign: Campaign }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const duplicate = async () => {
    const { data, error } = await api.campaigns.duplicate(campaign.id)
    if (error) return toast.failed(error)
    toast.done('A copy, as a draft.')
    await navigate({ to: inProjectPath(projectId, `campaigns/${data.id}`) })
  }
  const deletes = async () => {
    await unwrap(api.campaigns.delete(campaign.id))
    toast.done('Campaign deleted.')
    await navigate({ to: inProjectPath(projectId, 'campaigns') })
    void queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
  }
  return (
    <MoreActs
      acts={[{ icon: Copy, words: 'Duplicate', onPick: () => void duplicate() }]}
      noun="campaign"
      name={campaign.name}
      onDelete={deletes}
    >
      Its numbers go with it; the emails stay in the ledger. One that is going out must be cancelled first.
    </MoreActs>
  )
}
