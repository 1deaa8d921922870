/** Whether another tab of this browser has the same thing open in an editor. Tabs tell each other when they open and close it. */
import { useEffect, useState } from 'react'

interface Notice {
  tab: string
  editing: string
  open: boolean
}

const TAB = crypto.getRandomValues(new Uint32Array(2)).join('')

export function useOtherTab(editing: string): boolean {
  const [tabs, setTabs] = useState<readonly string[]>([])
  useEffect(() => {
    setTabs([])
    const channel = new BroadcastChannel('posthorn.editing')
    const tell = (open: boolean) => channel.postMessage({ tab: TAB, editing, open } satisfies Notice)
    const known = new Set<string>()
    channel.onmessage = ({ data }: MessageEvent<Notice>) => {
      if (data.editing !== editing) return
      if (data.open && !known.has(data.tab)) tell(true) // so that a tab that was opened later knows of this one
      if (data.open) known.add(data.tab)
      else known.delete(data.tab)
      setTabs([...known])
    }
    const leave = () => tell(false)
    const comeBack = () => tell(true)
    comeBack()
    addEventListener('pagehide', leave)
    addEventListener('pageshow', comeBack)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', comeBack)
      leave()
      channel.close()
    }
  }, [editing])
  return tabs.length > 0
}
