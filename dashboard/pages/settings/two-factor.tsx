/** The second factor: turned on with an authenticator app, off with its code. Recovery codes are shown once. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { person, unwrap } from '../../api.ts'
import { PasswordField } from '../../parts/account-fields.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBlock, CopyValue } from '../../parts/copy.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Input } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAct } from '../../use-act.ts'

export function TwoFactor() {
  const queries = useQueryClient()
  const [open, setOpen] = useState<'on' | 'off'>()
  const { data, error } = useQuery({ queryKey: ['two-factor'], queryFn: () => unwrap(person.auth.twoFactor.get()) })
  const close = () => {
    setOpen(undefined)
    void queries.invalidateQueries({ queryKey: ['two-factor'] })
  }
  if (error) return <Problem error={error} />
  if (!data) return null
  return (
    <Card
      title={
        <span className="flex items-center gap-2.5">
          Two-factor sign-in {data.enabled ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
        </span>
      }
      actions={
        data.enabled ? (
          <Button kind="danger" onClick={() => setOpen('off')}>
            Turn off
          </Button>
        ) : (
          <Button onClick={() => setOpen('on')}>Turn on</Button>
        )
      }
    >
      <p className="text-sm text-soft">
        {data.enabled
          ? `Signing in asks for a code of your app. ${data.recoveryCodesLeft} recovery codes are left.`
          : 'Signing in then also asks for a code of an app on your phone. A stolen password alone opens nothing.'}
      </p>
      {open === 'on' && <TurnOn onClose={close} />}
      {open === 'off' && <TurnOff onClose={close} />}
    </Card>
  )
}

/** Password, then the secret into the app, then its code back, then the recovery codes. */
function TurnOn({ onClose }: { onClose(): void }) {
  const { act, busy, problem } = useAct()
  const [text, setText] = useState('')
  const [secret, setSecret] = useState<{ secret: string; otpauthUrl: string }>()
  const [codes, setCodes] = useState<string[]>()
  const goesOn = async (event: FormEvent) => {
    event.preventDefault()
    if (secret) {
      const done = await act(person.auth.twoFactor.confirm(text))
      if (done) setCodes(done.data.recoveryCodes)
    } else {
      const done = await act(person.auth.twoFactor.start(text))
      if (!done) return
      setSecret(done.data)
      setText('')
    }
  }
  if (codes) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="It is on"
        lead="Keep these recovery codes. Each opens the door once, when the app is lost. They are not shown again."
      >
        <CodeBlock text={codes.join('\n')} label="recovery codes" />
        <DialogActions>
          <Button kind="primary" onClick={onClose}>
            I have kept them
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog open onClose={onClose} title="Turn on two-factor sign-in">
      <form onSubmit={goesOn} className="space-y-4">
        {secret ? (
          <>
            <div className="text-sm">
              <p className="mb-2 text-soft">
                Add this secret to your authenticator app, or{' '}
                <a href={secret.otpauthUrl} className="text-accent underline">
                  open it in the app
                </a>{' '}
                on this device.
              </p>
              <CopyValue text={secret.secret} label="Copy the secret" />
            </div>
            <Input
              key="code"
              label="Code of the app"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
              autoFocus
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </>
        ) : (
          <PasswordField key="password" label="Your password" focus value={text} onChange={setText} />
        )}
        {problem && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {secret ? 'Turn on' : 'Go on'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function TurnOff({ onClose }: { onClose(): void }) {
  const { act, busy, problem } = useAct()
  const [proof, setProof] = useState({ password: '', code: '' })
  const ends = async (event: FormEvent) => {
    event.preventDefault()
    if (await act(person.auth.twoFactor.disable(proof))) onClose()
  }
  return (
    <Dialog open onClose={onClose} title="Turn off two-factor sign-in">
      <form onSubmit={ends} className="space-y-4">
        <PasswordField
          label="Your password"
          focus
          value={proof.password}
          onChange={(password) => setProof({ ...proof, password })}
        />
        <Input
          label="Code of the app, or a recovery code"
          autoComplete="one-time-code"
          required
          value={proof.code}
          onChange={(event) => setProof({ ...proof, code: event.target.value })}
        />
        {problem && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>Keep it on</Button>
          <Button kind="danger" type="submit" busy={busy}>
            Turn off
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
