/** Short notes at the edge: read out to screen readers, gone by themselves, and never the only place of an error's details. */
import { Check, TriangleAlert, X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { errorOf } from '../api.ts'
import { IconButton } from './button.tsx'

interface Note {
  id: number
  words: string
  more?: string
  bad: boolean
}

interface Say {
  done(words: string): void
  failed(error: unknown): void
}

const Context = createContext<Say>({ done: () => {}, failed: () => {} })
const STAYS_MS = { good: 4_000, bad: 10_000 }
let last = 0

export const useToast = (): Say => useContext(Context)

export function Toasts({ children }: { children: ReactNode }) {
  const [notes, setNotes] = useState<Note[]>([])
  const drop = useCallback((id: number) => setNotes((now) => now.filter((note) => note.id !== id)), [])
  const say = useMemo<Say>(() => {
    const add = (note: Omit<Note, 'id'>) => {
      const id = ++last
      setNotes((now) => [...now.slice(-2), { id, ...note }])
      setTimeout(() => drop(id), note.bad ? STAYS_MS.bad : STAYS_MS.good)
    }
    return {
      done: (words) => add({ words, bad: false }),
      failed: (error) => {
        const { message, suggestion } = errorOf(error)
        add({ words: message, more: suggestion, bad: true })
      },
    }
  }, [drop])

  return (
    <Context value={say}>
      {children}
      <div
        aria-live="polite"
        className="pointer-events-none fixed right-4 bottom-4 z-60 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2"
      >
        {notes.map((note) => (
          <div
            key={note.id}
            data-appear
            className="pointer-events-auto flex items-start gap-3 rounded-card border border-line bg-card p-3.5 text-sm shadow-float"
          >
            {note.bad ? (
              <TriangleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
            ) : (
              <Check className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
            )}
            <div className="min-w-0 flex-1">
              <p className="font-medium">{note.words}</p>
              {note.more && <p className="mt-0.5 text-soft">{note.more}</p>}
            </div>
            <IconButton label="Dismiss" className="-my-1 -mr-1" onClick={() => drop(note.id)}>
              <X />
            </IconButton>
          </div>
        ))}
      </div>
    </Context>
  )
}
