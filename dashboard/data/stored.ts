/** A value that this browser keeps, for example which columns a list shows. */
import { useState } from 'react'

export function useStored<T>(key: string, initial: T): [T, (value: T) => void] {
  const [stored, setStored] = useState<{ key: string; value: T }>()
  const value = stored?.key === key ? stored.value : read(key, initial)
  return [
    value,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next))
      setStored({ key, value: next })
    },
  ]
}

function read<T>(key: string, initial: T): T {
  try {
    const text = localStorage.getItem(key)
    return text === null ? initial : (JSON.parse(text) as T)
  } catch {
    return initial
  }
}
