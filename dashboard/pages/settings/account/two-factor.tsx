/** Two-factor authentication with an authenticator app. Recovery codes are shown once. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { unwrap, userApi } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { Problem } from '../../../lists/problem.tsx'
import { saveFile } from '../../../lists/save-file.ts'
import { PasswordField } from '../../../shell/account-fields.tsx'
import { Card } from '../../../shell/page.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock, CopyValue } from '../../../ui/copy.tsx'
import { Dialog, DialogActions, SubmitActions } from '../../../ui/dialog.tsx'
import { Checkbox, fieldError, Input } from '../../../ui/field.tsx'
import { texts } from '../texts.ts'

const QrCode = lazy(() => import('./qr-code.tsx').then((module) => ({ default: module.QrCode })))

export function TwoFactor() {
  const queries = useQueryClient()
  const [open, setOpen] = useState<'on' | 'off'>()
  const { data, error } = useQuery({ queryKey: ['two-factor'], queryFn: () => unwrap(userApi.auth.twoFactor.get()) })
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
          {texts.twoFactor.title}{' '}
          {data.enabled ? <Badge tone="good">{texts.twoFactor.on}</Badge> : <Badge>{texts.twoFactor.off}</Badge>}
        </span>
      }
      lead={data.enabled ? texts.twoFactor.onLead(data.recoveryCodesLeft) : texts.twoFactor.offLead}
    >
      {data.enabled ? (
        <Button onClick={() => setOpen('off')}>{texts.twoFactor.turnOff}</Button>
      ) : (
        <Button onClick={() => setOpen('on')}>{texts.twoFactor.turnOn}</Button>
      )}
      {open === 'on' && <TurnOn onClose={close} />}
      {open === 'off' && <TurnOff onClose={close} />}
    </Card>
  )
}

/** A long key is easier to type in groups of four. */
const inGroups = (key: string) => key.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** Asks for the password, shows the secret, asks for a code, then shows the recovery codes. */
function TurnOn({ onClose }: { onClose(): void }) {
  const { run, busy, error, problem } = useAction()
  const [text, setText] = useState('')
  const [secret, setSecret] = useState<{ secret: string; otpauthUrl: string }>()
  const [codes, setCodes] = useState<string[]>()
  /** They are shown only now, so the dialog stays until they are saved. */
  const [codesSaved, setCodesSaved] = useState(false)
  const submitStep = async (event: FormEvent) => {
    event.preventDefault()
    if (secret) {
      const done = await run(userApi.auth.twoFactor.confirm(text))
      if (done) setCodes(done.data.recoveryCodes)
    } else {
      const done = await run(userApi.auth.twoFactor.start(text))
      if (!done) return
      setSecret(done.data)
      setText('')
    }
  }
  if (codes) {
    return (
      <Dialog
        open
        onClose={() => codesSaved && onClose()}
        title={texts.twoFactor.doneTitle}
        lead={texts.twoFactor.doneLead}
        disposable
      >
        <CodeBlock text={codes.join('\n')} label={texts.twoFactor.recoveryCodes} />
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
          <Checkbox
            label={texts.twoFactor.codesSaved}
            checked={codesSaved}
            onChange={(event) => setCodesSaved(event.target.checked)}
          />
          <Button onClick={() => saveFile('posthorn-recovery-codes.txt', new Blob([`${codes.join('\n')}\n`]))}>
            {texts.twoFactor.download}
          </Button>
        </div>
        <DialogActions>
          <Button kind="primary" disabled={!codesSaved} onClick={onClose}>
            {texts.twoFactor.done}
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog open onClose={onClose} title={texts.twoFactor.turnOnTitle} disposable>
      <form onSubmit={submitStep} className="space-y-4">
        {secret ? (
          <>
            <div className="text-sm">
              <p className="mb-3 font-medium">{texts.twoFactor.scanStep}</p>
              <div className="flex gap-x-5 gap-y-3 max-sm:flex-col-reverse">
                <div className="shrink-0">
                  <p className="mb-2 text-soft sm:hidden">{texts.twoFactor.scanElsewhere}</p>
                  <Suspense fallback={<div className="size-44" />}>
                    <QrCode text={secret.otpauthUrl} label={texts.twoFactor.qrCode} />
                  </Suspense>
                </div>
                <div className="flex min-w-0 flex-col gap-3 text-soft">
                  <p className="max-sm:hidden">{texts.twoFactor.scan}</p>
                  <p className="sm:order-last">
                    <a href={secret.otpauthUrl} className="text-accent underline">
                      {texts.twoFactor.onThisDevice}
                    </a>
                  </p>
                  <div>
                    <p className="mb-1">{texts.twoFactor.setupKey}</p>
                    <CopyValue
                      text={secret.secret}
                      shown={inGroups(secret.secret)}
                      label={texts.twoFactor.copySecret}
                    />
                  </div>
                </div>
              </div>
            </div>
            <p className="border-t border-line pt-4 text-sm font-medium">{texts.twoFactor.codeStep}</p>
            <Input
              key="code"
              label={texts.twoFactor.code}
              hint={texts.twoFactor.codeHint}
              inputMode="numeric"
              autoComplete="one-time-code"
              required
              autoFocus
              value={text}
              error={fieldError(error, 'code')}
              onChange={(event) => setText(event.target.value)}
            />
          </>
        ) : (
          <PasswordField key="password" label={texts.twoFactor.password} focus value={text} onChange={setText} />
        )}
        {problem && <Problem error={problem} shown={['code']} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {secret ? texts.twoFactor.turnOn : texts.twoFactor.continue}
        </SubmitActions>
      </form>
    </Dialog>
  )
}

function TurnOff({ onClose }: { onClose(): void }) {
  const { run, busy, problem } = useAction()
  const [proof, setProof] = useState({ password: '', code: '' })
  const turnOffTwoFactor = async (event: FormEvent) => {
    event.preventDefault()
    if (await run(userApi.auth.twoFactor.disable(proof))) onClose()
  }
  return (
    <Dialog open onClose={onClose} title={texts.twoFactor.turnOffTitle} disposable>
      <form onSubmit={turnOffTwoFactor} className="space-y-4">
        <PasswordField
          label={texts.twoFactor.password}
          focus
          value={proof.password}
          onChange={(password) => setProof({ ...proof, password })}
        />
        <Input
          label={texts.twoFactor.codeOrRecovery}
          autoComplete="one-time-code"
          required
          value={proof.code}
          onChange={(event) => setProof({ ...proof, code: event.target.value })}
        />
        {problem && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>{texts.twoFactor.keepOn}</Button>
          <Button kind="danger" type="submit" busy={busy}>
            {texts.twoFactor.turnOff}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
