/** Tables that scroll sideways on a phone instead of breaking, and the pager below lists that go by cursor. */
import { ArrowRight, ChevronsLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export function Table({ label, head, children }: { label: string; head: ReactNode[]; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="relative overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-b border-line text-[0.8125rem] text-soft">
            {head.map((cell, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move.
              <th key={i} scope="col" className="px-3 py-2.5 font-medium whitespace-nowrap first:pl-5 last:pr-5">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </section>
  )
}

export function Row({ children, muted }: { children: ReactNode; muted?: boolean }) {
  return <tr className={`transition-colors hover:bg-panel/60 ${muted ? 'text-soft' : ''}`}>{children}</tr>
}

export function Cell({ children, className = '' }: { children?: ReactNode; className?: string }) {
  return <td className={`px-3 py-3 align-middle first:pl-5 last:pr-5 ${className}`}>{children}</td>
}

interface PagerProps {
  cursor?: string
  next: string | null
  onGo(cursor: string | undefined): void
  words?: ReactNode
}

/** Back is the browser's own: every page of a list has an address. */
export function Pager({ cursor, next, onGo, words }: PagerProps) {
  if (!cursor && !next && !words) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm">
      <span className="figures text-soft">{words}</span>
      <span className="flex gap-2">
        {cursor && (
          <Button kind="quiet" onClick={() => onGo(undefined)}>
            <ChevronsLeft aria-hidden /> First page
          </Button>
        )}
        {(cursor || next) && (
          <Button disabled={!next} onClick={() => next && onGo(next)}>
            Next <ArrowRight aria-hidden />
          </Button>
        )}
      </span>
    </nav>
  )
}
