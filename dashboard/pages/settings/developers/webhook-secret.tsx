/** The secret that signs the requests of webhook steps. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { unwrap } from '../../../data/api.ts'
import { useApi, useCanManage, useProject } from '../../../data/project.ts'
import { Card } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyValue } from '../../../ui/copy.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'

export function WebhookSecret() {
  const { projectId, api } = useApi()
  const project = useProject()
  const canManage = useCanManage()
  const queries = useQueryClient()
  const toast = useToast()
  const [shown, setShown] = useState(false)
  const [replacing, setReplacing] = useState(false)
  const key = [projectId, 'webhook-secret']
  const { data, error } = useQuery({
    queryKey: key,
    enabled: shown,
    queryFn: () => unwrap(api.workflows.webhookSecret.get()),
  })
  if (!canManage) return null
  return (
    <Card title={texts.webhookSecret.title} lead={texts.webhookSecret.lead}>
      <Confirm
        open={replacing}
        onClose={() => setReplacing(false)}
        title={texts.webhookSecret.replaceTitle}
        typeToConfirm={project.name}
        action={texts.webhookSecret.replace}
        onConfirm={async () => {
          queries.setQueryData(key, await unwrap(api.workflows.webhookSecret.rotate()))
          setShown(true)
          toast.done(texts.webhookSecret.replaced)
        }}
      >
        <p>{texts.webhookSecret.replaceEffect}</p>
      </Confirm>
      {error && <p className="mb-3 text-sm text-bad">{error.message}</p>}
      {data && (
        <div className="mb-4">
          <CopyValue text={data.secret} label={texts.webhookSecret.copy} />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {!data && <Button onClick={() => setShown(true)}>{texts.webhookSecret.show}</Button>}
        <Button onClick={() => setReplacing(true)}>{texts.webhookSecret.replace}</Button>
      </div>
    </Card>
  )
}
