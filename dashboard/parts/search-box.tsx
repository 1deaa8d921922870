/** A search that waits until typing pauses, so that a list is not asked for at every key. */
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Input } from './field.tsx'

const PAUSE_MS = 250

export function SearchBox({ label, value, onSearch }: { label: string; value: string; onSearch(text: string): void }) {
  const [text, setText] = useState(value)
  const search = useRef(onSearch)
  search.current = onSearch
  const told = useRef(value)
  useEffect(() => {
    // Changed by someone else, the back button say; our own search coming back must not undo what was typed since.
    if (value !== told.current) setText(value)
    told.current = value
  }, [value])
  useEffect(() => {
    if (text === told.current) return
    const timer = setTimeout(() => {
      told.current = text
      search.current(text)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className="relative min-w-48 flex-1 sm:max-w-xs">
      <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft" aria-hidden />
      <Input
        label={label}
        hideLabel
        type="search"
        placeholder={label}
        className="pl-9"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}
