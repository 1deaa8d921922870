/** A search field that waits until typing pauses before it searches. */
import { useIsFetching } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Input } from '../ui/field.tsx'

const DEBOUNCE_MS = 100
/** While an earlier search is running, so that slow ones don't pile up. */
const BUSY_DEBOUNCE_MS = 250

export function SearchBox({ label, value, onSearch }: { label: string; value: string; onSearch(text: string): void }) {
  const [text, setText] = useState(value)
  const search = useRef(onSearch)
  search.current = onSearch
  const reported = useRef(value)
  const isBusy = useRef(false)
  isBusy.current = useIsFetching() > 0
  useEffect(() => {
    // The value changed from outside, for example by the back button. Our own search must not undo what was typed since.
    if (value !== reported.current) setText(value)
    reported.current = value
  }, [value])
  useEffect(() => {
    if (text === reported.current) return
    const find = () => {
      reported.current = text
      search.current(text)
    }
    const timer = setTimeout(find, isBusy.current ? BUSY_DEBOUNCE_MS : DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className="relative min-w-48 flex-1 max-sm:basis-full sm:max-w-xs">
      <Search className="pointer-events-none absolute top-1/2 start-3 size-4 -translate-y-1/2 text-soft" aria-hidden />
      <Input
        label={label}
        hideLabel
        data-shortcut="search"
        type="search"
        placeholder={label}
        className="ps-9"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}
