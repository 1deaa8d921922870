/**
 * Short messages that are read by screen readers. They disappear after a few seconds, but not while the pointer is over one
 * or the focus in it, nor while Tab moves the focus towards a button.
 */
import { Check, TriangleAlert, X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useReducer, useState } from 'react'
import { reportFailure } from '../data/connection-events.ts'
import { errorOf, requestIdOf } from '../data/errors.ts'
import { sharedTexts } from '../shell/texts.ts'
import { IconButton } from './button.tsx'

interface Message {
  id: number
  text: string
  details: string[]
  isError: boolean
  action?: ToastAction | undefined
}

interface ToastAction {
  label: string
  onSelect(): void
}

interface Toast {
  /** Returns a function that removes the message. */
  done(text: string, action?: ToastAction): () => void
  failed(error: unknown): void
}

const Context = createContext<Toast>({ done: () => () => {}, failed: () => {} })
const SHOWN_MS = 4_000
/** Time to read an error, or to reach a button. */
const LONG_SHOWN_MS = 10_000
let lastId = 0

export const useToast = (): Toast => useContext(Context)

export function Toasts({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<Message[]>([])
  const dismiss = useCallback((id: number) => setMessages((now) => now.filter((message) => message.id !== id)), [])
  const toast = useMemo<Toast>(() => {
    const add = (message: Omit<Message, 'id'>) => {
      const id = ++lastId
      setMessages((now) => [...now.slice(-2), { id, ...message }])
      return () => dismiss(id)
    }
    return {
      done: (text, action) => add({ text, details: [], isError: false, action }),
      failed: (error) => {
        const reported = errorOf(error)
        reportFailure(reported)
        const requestId = requestIdOf(reported)
        const details = [reported.suggestion, requestId && sharedTexts.requestId(requestId)]
        add({ text: reported.message, details: details.filter((line) => line !== undefined), isError: true })
      },
    }
  }, [dismiss])

  const [tabs, countTab] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (messages.length === 0) return undefined
    const watch = ({ key }: KeyboardEvent) => key === 'Tab' && countTab()
    addEventListener('keydown', watch)
    return () => removeEventListener('keydown', watch)
  }, [messages.length])

  return (
    <Context value={toast}>
      {children}
      <div
        aria-live="polite"
        data-toasts
        className="pointer-events-none fixed end-4 bottom-4 z-60 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2"
      >
        {messages.map((message) => (
          <Shown key={message.id} message={message} tabs={tabs} onEnd={dismiss} />
        ))}
      </div>
    </Context>
  )
}

/** `tabs` counts how often Tab was pressed. */
function Shown({ message, tabs, onEnd }: { message: Message; tabs: number; onEnd(id: number): void }) {
  const [held, setHeld] = useState(false)
  const end = useCallback(() => onEnd(message.id), [onEnd, message.id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each Tab starts the time again.
  useEffect(() => {
    if (held) return undefined
    const timer = setTimeout(end, message.isError || message.action ? LONG_SHOWN_MS : SHOWN_MS)
    return () => clearTimeout(timer)
  }, [held, end, message, tabs])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers do nothing but keep it.
    <div
      data-appear
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex items-start gap-3 rounded-card border border-line bg-card p-3.5 text-sm shadow-float"
    >
      {message.isError ? (
        <TriangleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      ) : (
        <Check className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
      )}
      <div className="min-w-0 flex-1">
        <p className="font-medium">{message.text}</p>
        {message.details.map((line) => (
          <p key={line} className="mt-0.5 text-soft wrap-anywhere">
            {line}
          </p>
        ))}
        {message.action && (
          <button
            type="button"
            className="mt-1 font-medium text-accent underline"
            onClick={() => {
              message.action?.onSelect()
              end()
            }}
          >
            {message.action.label}
          </button>
        )}
      </div>
      <IconButton label={sharedTexts.dismiss} className="-my-1 -me-1" onClick={() => end()}>
        <X />
      </IconButton>
    </div>
  )
}
