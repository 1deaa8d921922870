/** Why a subscribed contact receives no marketing email at the moment: a pause, or the sunset rule of the project. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MailMinus, Pause } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi, useProject } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Problem } from '../../../lists/problem.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'

type Contact = Schemas['Contact']

export const isPaused = ({ pausedUntil }: Contact): boolean =>
  pausedUntil !== null && new Date(pausedUntil) > new Date()

export function PauseNotice({ contact }: { contact: Contact }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [ending, setEnding] = useState(false)
  if (!contact.pausedUntil || !isPaused(contact)) return null
  const endPause = async () => {
    const saved = await unwrap(api.contacts.update(contact.id, { pausedUntil: null }))
    queries.setQueryData([projectId, 'contacts', contact.id], saved)
    toast.done(texts.pause.ended)
  }
  return (
    <Notice
      label={texts.pause.label}
      icon={<Pause className="size-5 shrink-0 text-soft" aria-hidden />}
      title={texts.pause.title}
      text={texts.pause.until}
      at={contact.pausedUntil}
    >
      <Button onClick={() => setEnding(true)}>{texts.pause.end}</Button>
      <Confirm
        open={ending}
        onClose={() => setEnding(false)}
        title={texts.pause.endTitle}
        action={texts.pause.end}
        onConfirm={endPause}
      >
        <p>{texts.pause.endEffect(contact.email)}</p>
      </Confirm>
    </Notice>
  )
}

/** Asks only if the project has the rule. */
export function SunsetNotice({ contact }: { contact: Contact }) {
  const { projectId, api } = useApi()
  const { sunset: rule } = useProject()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const queryKey = [projectId, 'contacts', contact.id, 'sunset']
  const { data } = useQuery({
    queryKey,
    enabled: rule !== null && contact.subscribed,
    queryFn: () => unwrap(api.contacts.sunset(contact.id)),
  })
  if (!rule || !contact.subscribed || !data?.since) return null
  const sendAgain = async () => {
    const done = await run(api.contacts.resetSunset(contact.id))
    if (!done) return
    queries.setQueryData(queryKey, done.data)
    toast.done(texts.sunset.wasReset)
  }
  return (
    <Notice
      label={texts.sunset.label}
      icon={<MailMinus className="size-5 shrink-0 text-soft" aria-hidden />}
      title={texts.sunset.title}
      text={texts.sunset.since}
      at={data.since}
      problem={problem && <Problem error={problem} />}
    >
      <Button busy={busy} onClick={() => void sendAgain()}>
        {texts.sunset.reset}
      </Button>
    </Notice>
  )
}

interface NoticeProps {
  label: string
  icon: ReactNode
  title: string
  text: string
  at: string
  problem?: ReactNode
  children: ReactNode
}

const Notice = ({ label, icon, title, text, at, problem, children }: NoticeProps) => (
  <section
    aria-label={label}
    className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-panel px-5 py-4 text-sm"
  >
    {icon}
    <div className="min-w-0 flex-1 basis-72">
      <p className="font-medium">{title}</p>
      <p>
        <RichText text={text} elements={{ time: () => <Moment at={at} /> }} />
      </p>
      {problem}
    </div>
    {children}
  </section>
)
