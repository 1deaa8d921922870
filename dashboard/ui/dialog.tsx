/** Dialogs: focus stays inside and Escape closes them. Destructive ones may require typing a name. */
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Problem } from '../lists/problem.tsx'
import { sharedTexts, unsavedTexts } from '../shell/texts.ts'
import { Button, IconButton } from './button.tsx'
import { Input } from './field.tsx'

interface DialogProps {
  open: boolean
  onClose(): void
  title: string
  lead?: ReactNode
  wide?: boolean
  /** What is typed here is quickly typed again, so closing doesn't ask. */
  disposable?: boolean
  children: ReactNode
}

/** Returns the focus to where it was. Read while rendering, because a field inside takes the focus right after. */
function useOpener(open: boolean): () => void {
  const opener = useRef<Element | null>(null)
  const wasOpen = useRef(false)
  if (open && !wasOpen.current) opener.current = document.activeElement
  wasOpen.current = open
  return () => opener.current instanceof HTMLElement && opener.current.focus()
}

/** There, Escape closes the list and not the dialog. */
const isInOpenList = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.role === 'combobox' && target.ariaExpanded === 'true'

export function Dialog({ open, onClose, title, lead, wide, disposable, children }: DialogProps) {
  const focusOpener = useOpener(open)
  /** Escape or a click beside the dialog must not discard a filled-in form. */
  const [input, setInput] = useState<'none' | 'entered' | 'asking'>('none')
  useEffect(() => {
    if (!open) setInput('none')
  }, [open])
  const discard = () => {
    setInput('none')
    onClose()
  }
  const close = () => {
    if (input === 'none' || disposable) discard()
    else setInput('asking')
  }
  return (
    <Radix.Root open={open} onOpenChange={(now) => !now && close()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 bg-shade" />
        <Radix.Content
          data-appear
          aria-describedby={undefined}
          onCloseAutoFocus={focusOpener}
          onInput={() => setInput('entered')}
          onEscapeKeyDown={(event) => isInOpenList(event.target) && event.preventDefault()}
          className={`fixed inset-x-4 top-[8vh] z-50 mx-auto max-h-[84vh] scroll-pb-20 overflow-y-auto rounded-card border border-line bg-card p-6 shadow-float ${wide ? 'max-w-3xl' : 'max-w-lg'}`}
        >
          <div className="mb-5 flex items-start justify-between gap-4">
            <div>
              <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
              {lead && <p className="mt-1 text-sm text-soft">{lead}</p>}
            </div>
            <Radix.Close asChild>
              <IconButton label={sharedTexts.close} className="-mt-1 -me-2">
                <X />
              </IconButton>
            </Radix.Close>
          </div>
          {children}
          {input === 'asking' && (
            <div
              role="alert"
              className="sticky -bottom-6 z-20 -mx-6 mt-4 -mb-6 border-t border-line bg-panel px-6 py-3"
            >
              <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
                {unsavedTexts.discardEntered}
                <span className="flex gap-2">
                  <Button autoFocus onClick={() => setInput('entered')}>
                    {unsavedTexts.stay}
                  </Button>
                  <Button kind="danger" onClick={discard}>
                    {unsavedTexts.discard}
                  </Button>
                </span>
              </div>
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** They stay visible while a long dialog is scrolled. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="sticky -bottom-6 z-10 -mx-6 mt-2 -mb-6 flex flex-wrap justify-end gap-2 bg-linear-to-t from-card from-80% px-6 pt-4 pb-6">
    {children}
  </div>
)

/** The actions of a form: cancel, or submit it. */
export const SubmitActions = ({
  busy,
  onCancel,
  children,
}: {
  busy: boolean
  onCancel(): void
  children: ReactNode
}) => (
  <DialogActions>
    <Button onClick={onCancel}>{sharedTexts.cancel}</Button>
    <Button kind="primary" type="submit" busy={busy}>
      {children}
    </Button>
  </DialogActions>
)

interface ConfirmProps {
  open: boolean
  onClose(): void
  title: string
  children: ReactNode
  /** The text to type before the action is enabled. */
  typeToConfirm?: string
  /** The label of the button that confirms. */
  action: string
  /** Whether the action can be undone. */
  harmless?: boolean
  /** The label of the button that closes the dialog. */
  dismiss?: string
  onConfirm(): Promise<unknown>
}

export function Confirm({
  open,
  onClose,
  title,
  children,
  typeToConfirm,
  action,
  harmless,
  dismiss,
  onConfirm,
}: ConfirmProps) {
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false })
  const close = () => {
    setTyped('')
    setState({ busy: false })
    onClose()
  }
  const confirm = async () => {
    setState({ busy: true })
    await onConfirm().then(close, (error) => setState({ busy: false, error }))
  }
  const ready = typeToConfirm === undefined || typed.trim() === typeToConfirm
  return (
    <Dialog open={open} onClose={close} title={title} disposable>
      <form
        className="space-y-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void confirm()
        }}
      >
        <div className="space-y-2 text-soft">{children}</div>
        {typeToConfirm !== undefined && (
          <Input
            label={sharedTexts.typeToConfirm(typeToConfirm)}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {state.error !== undefined && <Problem error={state.error} />}
        <DialogActions>
          <Button onClick={close}>{dismiss ?? sharedTexts.cancel}</Button>
          <Button kind={harmless ? 'primary' : 'danger'} type="submit" disabled={!ready} busy={state.busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
