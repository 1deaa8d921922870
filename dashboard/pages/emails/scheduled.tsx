/** What can be done with a scheduled email: send it now, change its time, or cancel it. */
import { useQueryClient } from '@tanstack/react-query'
import { CalendarClock, CircleX, Send } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { Problem } from '../../lists/problem.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { ActionsMenu } from '../../ui/more-actions.tsx'
import { useToast } from '../../ui/toast.tsx'
import { fromLocalTime, toLocalTime, ZONE } from '../campaigns/local-time.ts'
import { texts } from './texts.ts'

type Email = Pick<Schemas['Email'], 'id' | 'status' | 'scheduledFor' | 'subject' | 'to'>

/** The actions, and the dialogs that they open. */
function useScheduledActions(email: Email) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [dialog, setDialog] = useState<'time' | 'cancel'>()
  const refresh = () => void queries.invalidateQueries({ queryKey: [projectId, 'emails'] })
  const sendNow = async () => {
    const { error } = await api.emails.reschedule(email.id, null)
    if (error) return toast.failed(error)
    toast.done(texts.scheduled.sent)
    refresh()
  }
  const actions = [
    { icon: Send, label: texts.scheduled.sendNow, onSelect: () => void sendNow() },
    { icon: CalendarClock, label: texts.scheduled.change, onSelect: () => setDialog('time') },
    { icon: CircleX, label: texts.scheduled.cancel, onSelect: () => setDialog('cancel'), danger: true },
  ]
  const close = () => setDialog(undefined)
  const dialogs = (
    <>
      {dialog === 'time' && <ChangeTime email={email} onClose={close} onChanged={refresh} />}
      <Confirm
        open={dialog === 'cancel'}
        onClose={close}
        title={texts.scheduled.cancelTitle}
        action={texts.scheduled.cancel}
        dismiss={texts.scheduled.keep}
        onConfirm={async () => {
          await unwrap(api.emails.cancel(email.id))
          toast.done(texts.scheduled.canceled)
          refresh()
        }}
      >
        <p>{texts.scheduled.cancelEffect(email.to)}</p>
      </Confirm>
    </>
  )
  return { actions, dialogs }
}

interface ChangeTimeProps {
  email: Email
  onClose(): void
  onChanged(): void
}

function ChangeTime({ email, onClose, onChanged }: ChangeTimeProps) {
  const { api } = useApi()
  const toast = useToast()
  const [at, setAt] = useState(() => toLocalTime(new Date(email.scheduledFor!)))
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false })
  const changeTime = async (event: FormEvent) => {
    event.preventDefault()
    setState({ busy: true })
    const { error } = await api.emails.reschedule(email.id, fromLocalTime(at).toISOString())
    setState({ busy: false, error })
    if (error) return
    toast.done(texts.scheduled.changed)
    onChanged()
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={texts.scheduled.change}>
      <form onSubmit={changeTime} className="space-y-4">
        <Input
          label={texts.scheduled.dateTime}
          type="datetime-local"
          required
          hint={texts.scheduled.timeZone(ZONE)}
          value={at}
          onChange={(event) => setAt(event.target.value)}
        />
        {state.error !== undefined && <Problem error={state.error} />}
        <DialogActions>
          <Button onClick={onClose}>{sharedTexts.cancel}</Button>
          <Button kind="primary" type="submit" busy={state.busy}>
            {texts.scheduled.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The menu in a row of the list. */
export function ScheduledMenu({ email }: { email: Email }) {
  const { actions, dialogs } = useScheduledActions(email)
  return (
    <>
      <ActionsMenu label={texts.scheduled.actionsOf(email.subject)} actions={actions} />
      {dialogs}
    </>
  )
}

/** The buttons on the page of the email. */
export function ScheduledButtons({ email }: { email: Email }) {
  const { actions, dialogs } = useScheduledActions(email)
  const [first, ...rest] = actions
  const { icon: Icon, label, onSelect } = first!
  return (
    <>
      <Button kind="primary" onClick={onSelect}>
        <Icon aria-hidden /> {label}
      </Button>
      <ActionsMenu label={texts.scheduled.actionsOf(email.subject)} actions={rest} />
      {dialogs}
    </>
  )
}
