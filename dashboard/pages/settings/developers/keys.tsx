/** API keys, and the two keys of the project: the secret key is shown only when created, and both are replaced together. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { projectsQuery, rememberedSecret, rememberSecret, SERVICE_URL, unwrap, userApi } from '../../../data/api.ts'
import { useCanManage, useProject } from '../../../data/project.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Card } from '../../../shell/page.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock, CopyValue } from '../../../ui/copy.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { trackExample } from '../../overview/example-requests.ts'
import { SendExamples } from '../../overview/example-tabs.tsx'
import { texts } from '../texts.ts'
import { ApiKeys } from './api-keys.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

export function KeysTab() {
  const project = useProject()
  const canManage = useCanManage()
  const queries = useQueryClient()
  const toast = useToast()
  const [replacing, setReplacing] = useState(false)
  const secret = rememberedSecret(project.id)
  const replaceKeys = async () => {
    const created = await unwrap(userApi.projects.regenerateKeys(project.id))
    rememberSecret(project.id, created.secret)
    toast.done(texts.keys.replaced)
    void queries.invalidateQueries({ queryKey: [project.id, 'keys'] })
    await queries.invalidateQueries(projectsQuery)
  }
  return (
    <>
      <ApiKeys />
      <Card title={texts.keys.title} lead={texts.keys.lead}>
        <Confirm
          open={replacing}
          onClose={() => setReplacing(false)}
          title={texts.keys.replaceTitle}
          typeToConfirm={project.name}
          action={texts.keys.replace}
          onConfirm={replaceKeys}
        >
          <p>{texts.keys.replaceEffect}</p>
        </Confirm>
        <dl className="text-sm">
          <Key type="SECRET" name={texts.keys.secret} hint={secret ? texts.keys.secretNew : texts.keys.secretHint}>
            {secret ? (
              <CopyValue text={secret} label={texts.keys.copySecret} />
            ) : (
              <code className="font-mono text-[0.8125rem]">{project.secretKeyHint}</code>
            )}
          </Key>
          <Key type="PUBLIC" name={texts.keys.public} hint={texts.keys.publicHint}>
            <CopyValue text={project.publicKey} label={texts.keys.copyPublic} />
          </Key>
        </dl>
        {canManage && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
            <Button onClick={() => setReplacing(true)}>{texts.keys.replace}</Button>
            <p className="text-sm text-soft">{texts.keys.replaceHint}</p>
          </div>
        )}
      </Card>
      <Card title={texts.keys.useTitle} lead={<RichText text={texts.keys.useLead} elements={{ link: docsLink }} />}>
        <SendExamples isBesideKeys />
      </Card>
      <Card title={texts.keys.trackTitle} lead={texts.keys.trackLead}>
        <CodeBlock
          text={trackExample({ baseUrl: SERVICE_URL, publicKey: project.publicKey })}
          label={texts.keys.trackTitle}
          title={texts.keys.trackExample}
        />
      </Card>
      <WebhookSecret />
    </>
  )
}

const docsLink = (label: string) => (
  <a href={`${SERVICE_URL}/docs`} target="_blank" rel="noreferrer" className="text-accent underline">
    {label}
  </a>
)

interface KeyProps {
  type: 'SECRET' | 'PUBLIC'
  name: string
  hint: string
  /** The key, or its last characters. */
  children: ReactNode
}

const Key = ({ type, name, hint, children }: KeyProps) => (
  <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 border-t border-line py-4 first:border-t-0 first:pt-0">
    <dt className="font-medium">{name}</dt>
    <dd className="text-[0.8125rem] text-soft">
      <LastUsed type={type} />
    </dd>
    <dd className="col-span-2 mt-1">
      {children}
      <p className="mt-1 text-soft">{hint}</p>
    </dd>
  </div>
)

function LastUsed({ type }: { type: 'SECRET' | 'PUBLIC' }) {
  const { id } = useProject()
  const { data } = useQuery({ queryKey: [id, 'keys'], queryFn: () => unwrap(userApi.projects.keys(id)) })
  const key = data?.find((entry) => entry.type === type)
  if (!key) return null
  if (!key.lastUsedAt) return texts.keys.neverUsed
  return <RichText text={texts.keys.lastUsed} elements={{ time: () => <Moment at={key.lastUsedAt} relative /> }} />
}
