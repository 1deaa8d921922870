/** Values to copy: a button, a value next to its button, and code blocks. */
import { Check, Copy as CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'
import { sharedTexts } from './texts.ts'

function CopyButton({ text, label = sharedTexts.copy }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <IconButton
      className="size-7"
      label={copied ? sharedTexts.copied : label}
      onClick={() => void copyText(text).then(() => setCopied(true))}
    >
      {copied ? <Check className="text-good" /> : <CopyIcon />}
    </IconButton>
  )
}

/** The clipboard API needs HTTPS or localhost; elsewhere `execCommand` still works. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** A long value can be clamped to two lines; the button copies all of it. */
export function CopyValue({ text, label, clamped }: { text: string; label?: string; clamped?: boolean }) {
  return (
    <span className="-my-1 flex min-w-0 items-start gap-1">
      <code
        title={clamped ? text : undefined}
        className={`my-1 min-w-0 font-mono text-[0.8125rem] break-all ${clamped ? 'line-clamp-2' : ''}`}
      >
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </span>
  )
}

export function CodeBlock({ text, label, tall }: { text: string; label: string; tall?: boolean }) {
  return (
    <div className="relative rounded-part border border-line bg-panel">
      <div className="absolute top-1.5 right-1.5 rounded-part bg-panel">
        <CopyButton text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={label} className={`overflow-auto ${tall ? 'max-h-[70vh]' : 'max-h-80'}`}>
        <pre className="p-3.5 pr-12 font-mono text-[0.8125rem] leading-relaxed whitespace-pre-wrap">{text}</pre>
      </section>
    </div>
  )
}
