/** The two keys. The secret one is known only when it is made; both are replaced together. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { person, projectsQuery, rememberedSecret, rememberSecret, unwrap } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { CopyValue } from '../../parts/copy.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Card } from '../../parts/page.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useManages, useProject } from '../../project.ts'
import { WebhookSecret } from './webhook-secret.tsx'

export function KeysTab() {
  const project = useProject()
  const manages = useManages()
  const queries = useQueryClient()
  const toast = useToast()
  const [replacing, setReplacing] = useState(false)
  const secret = rememberedSecret(project.id)
  const replaces = async () => {
    const made = await unwrap(person.projects.regenerateKeys(project.id))
    rememberSecret(project.id, made.secret)
    toast.done('New keys are ready. The old ones are dead.')
    await queries.invalidateQueries(projectsQuery)
  }
  return (
    <>
      <Card
        title="API keys"
        actions={
          manages && (
            <Button kind="danger" onClick={() => setReplacing(true)}>
              Replace both keys
            </Button>
          )
        }
      >
        <Confirm
          open={replacing}
          onClose={() => setReplacing(false)}
          title="Replace both keys?"
          name={project.name}
          act="Replace the keys"
          onAct={replaces}
        >
          <p>The old keys stop working at once, everywhere they are used. There is no grace period.</p>
        </Confirm>
        <dl className="space-y-5 text-sm">
          <div>
            <dt className="font-medium">Secret key</dt>
            <dd className="mt-1">
              {secret ? (
                <CopyValue text={secret} label="Copy the secret key" />
              ) : (
                <code className="font-mono text-[0.8125rem]">{project.secretKeyHint}</code>
              )}
              <p className="mt-1 text-soft">
                {secret
                  ? 'Keep it now: it is not shown again once this window closes.'
                  : 'Shown only when it is made. Does everything but track from pages; keep it on your servers.'}
              </p>
            </dd>
          </div>
          <div>
            <dt className="font-medium">Public key</dt>
            <dd className="mt-1">
              <CopyValue text={project.publicKey} label="Copy the public key" />
              <p className="mt-1 text-soft">Tracks events and nothing else. Safe in pages and apps.</p>
            </dd>
          </div>
        </dl>
      </Card>
      <WebhookSecret />
    </>
  )
}
