/** A notice where people may expect an email to be sent, for installations that capture emails. */
import { FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import { useConfig } from '../data/api.ts'
import { capturedTexts } from '../shell/texts.ts'

export const useIsCaptured = () => useConfig()?.features.transport === 'capture'

/** The children tell what it means for this page. */
export function CapturedNotice({ children }: { children?: ReactNode }) {
  if (!useIsCaptured()) return null
  return (
    <p className="flex gap-2.5 rounded-card border border-warn/30 bg-warn-wash px-4 py-3 text-sm">
      <FlaskConical className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
      <span>
        <span className="font-medium">{capturedTexts.notice}</span> {children}
      </span>
    </p>
  )
}
