/** The secret that signs what webhook steps send, for whoever receives it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { unwrap } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { CopyValue } from '../../parts/copy.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Card } from '../../parts/page.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useManages, useProject } from '../../project.ts'

export function WebhookSecret() {
  const { projectId, api } = useApi()
  const project = useProject()
  const manages = useManages()
  const queries = useQueryClient()
  const toast = useToast()
  const [asked, setAsked] = useState(false)
  const [rotating, setRotating] = useState(false)
  const key = [projectId, 'webhook-secret']
  const { data, error } = useQuery({
    queryKey: key,
    enabled: asked,
    queryFn: () => unwrap(api.workflows.webhookSecret.get()),
  })
  if (!manages) return null
  return (
    <Card
      title="Webhook secret"
      lead="Signs what the webhook steps of your workflows send."
      actions={
        <Button kind="danger" onClick={() => setRotating(true)}>
          Replace the secret
        </Button>
      }
    >
      <Confirm
        open={rotating}
        onClose={() => setRotating(false)}
        title="Replace the webhook secret?"
        name={project.name}
        act="Replace it"
        onAct={async () => {
          queries.setQueryData(key, await unwrap(api.workflows.webhookSecret.rotate()))
          setAsked(true)
          toast.done('A new secret signs from now on.')
        }}
      >
        <p>For a day, requests carry the signature of the old secret as well.</p>
      </Confirm>
      {error && <p className="text-sm text-bad">{error.message}</p>}
      {data ? (
        <CopyValue text={data.secret} label="Copy the webhook secret" />
      ) : (
        <Button onClick={() => setAsked(true)}>Show the secret</Button>
      )}
    </Card>
  )
}
