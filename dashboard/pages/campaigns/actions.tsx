/** The actions that a campaign offers in its current status. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, History, Pause, Pencil, Play, Reply, X } from 'lucide-react'
import { useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useNavigate } from '../../links.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { MoreActions } from '../../ui/more-actions.tsx'
import { useToast } from '../../ui/toast.tsx'
import { SendContactTest } from '../templates/send-contact-test.tsx'
import { texts as versionTexts } from '../versions/texts.ts'
import { statsKey } from './one/live-progress.tsx'
import { SendCampaign } from './send.tsx'
import { texts } from './texts.ts'

type Campaign = Schemas['Campaign']

interface ActionsProps {
  campaign: Campaign
  openVersions(): void
}

export function CampaignActions({ campaign, openVersions }: ActionsProps) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { id, status, pausedAt } = campaign
  const setPaused = async (paused: boolean) => {
    const { error } = paused ? await api.campaigns.pause(id) : await api.campaigns.resume(id)
    if (error) toast.failed(error)
    else toast.done(paused ? texts.actions.paused : texts.actions.resumed)
    void queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
  }
  const isEditable = status === 'DRAFT' || status === 'SCHEDULED'
  return (
    <>
      {isEditable && (
        <div className="max-sm:order-last">
          <SendContactTest
            lead={texts.actions.test}
            send={({ email, contactId }) => api.campaigns.test(id, email, contactId)}
          />
        </div>
      )}
      {isEditable && (
        <LinkButton to={projectPage(projectId, 'campaigns/$id/edit', { id })}>
          <Pencil aria-hidden /> {texts.actions.edit}
        </LinkButton>
      )}
      {status === 'SENDING' && (
        <Button onClick={() => void setPaused(!pausedAt)}>
          {pausedAt ? <Play aria-hidden /> : <Pause aria-hidden />}{' '}
          {pausedAt ? texts.actions.resume : texts.actions.pause}
        </Button>
      )}
      {(status === 'SENDING' || status === 'SCHEDULED') && <CancelCampaign campaign={campaign} />}
      {isEditable && campaign.recurrence === null && (
        <div className="max-sm:order-first">
          <SendCampaign campaign={campaign} />
        </div>
      )}
      <OtherActions campaign={campaign} openVersions={openVersions} />
    </>
  )
}

export function CancelCampaign({ campaign: { id, status }, onCanceled }: { campaign: Campaign; onCanceled?(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [canceling, setCanceling] = useState(false)
  const { data: stats } = useQuery({
    queryKey: statsKey(projectId, id),
    enabled: canceling && status === 'SENDING',
    queryFn: () => unwrap(api.campaigns.stats(id)),
  })
  return (
    <>
      <Button kind="danger" onClick={() => setCanceling(true)}>
        <X aria-hidden /> {texts.actions.cancel}
      </Button>
      <Confirm
        open={canceling}
        onClose={() => setCanceling(false)}
        title={texts.actions.cancelTitle}
        action={texts.actions.cancel}
        dismiss={texts.actions.keep}
        onConfirm={async () => {
          await unwrap(api.campaigns.cancel(id))
          toast.done(texts.actions.cancelled)
          void queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
          onCanceled?.()
        }}
      >
        {status === 'SENDING' ? (
          stats && <p>{texts.actions.cancelSending(stats.sentCount, stats.pendingCount)}</p>
        ) : (
          <p>{texts.actions.cancelScheduled}</p>
        )}
      </Confirm>
    </>
  )
}

const FOLLOW_UPS = ['NOT_OPENED', 'OPENED', 'CLICKED', 'NOT_CLICKED'] as const

function OtherActions({ campaign, openVersions }: ActionsProps) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const duplicateCampaign = async () => {
    const { data, error } = await api.campaigns.duplicate(campaign.id)
    if (error) return toast.failed(error)
    toast.done(texts.actions.duplicated)
    await navigate(projectPage(projectId, 'campaigns/$id', { id: data.id }))
  }
  const createFollowUp = async (recipients: (typeof FOLLOW_UPS)[number]) => {
    const { data, error } = await api.campaigns.followUp(campaign.id, { recipients })
    if (error) return toast.failed(error)
    toast.done(texts.actions.followUpCreated)
    void queries.invalidateQueries({ queryKey: [projectId, 'segments'] })
    await navigate(projectPage(projectId, 'campaigns/$id/edit', { id: data.id }))
  }
  const deleteCampaign = async () => {
    await unwrap(api.campaigns.delete(campaign.id))
    toast.done(texts.actions.deleted)
    await navigate(projectPage(projectId, 'campaigns'))
    void queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
  }
  // Campaigns that can't be edited have room for this button.
  const isOver = campaign.status === 'SENT' || campaign.status === 'CANCELLED'
  const menu = (
    <MoreActions
      actions={[
        ...(isOver ? [] : [{ icon: Copy, label: sharedTexts.duplicate, onSelect: () => void duplicateCampaign() }]),
        { icon: History, label: versionTexts.title, onSelect: openVersions },
        ...(campaign.sentAt === null
          ? []
          : FOLLOW_UPS.map((recipients) => ({
              icon: Reply,
              label: texts.actions.followUps[recipients],
              onSelect: () => void createFollowUp(recipients),
            }))),
      ]}
      deleteTexts={texts.actions.delete}
      name={campaign.name}
      onDelete={deleteCampaign}
    >
      {texts.actions.deleteEffect}
    </MoreActions>
  )
  return (
    <>
      {isOver && (
        <Button onClick={() => void duplicateCampaign()}>
          <Copy aria-hidden /> {sharedTexts.duplicate}
        </Button>
      )}
      {menu}
    </>
  )
}
