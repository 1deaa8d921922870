/** Values to copy: a button, a value next to its button, and code blocks. */
import { Check, Copy as CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { sharedTexts } from '../shell/texts.ts'
import { IconButton } from './button.tsx'
import { DottedName } from './dotted-name.tsx'

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

interface CopyValueProps {
  text: string
  label?: string
  clamped?: boolean
  /** What is shown instead, such as the same text in groups. */
  shown?: string
}

/** A long value can be clamped to two lines; the button copies all of it. */
export function CopyValue({ text, label, clamped, shown = text }: CopyValueProps) {
  return (
    <span className="-my-1 flex min-w-0 items-start gap-1">
      <code
        title={clamped ? text : undefined}
        className={`my-1 min-w-0 font-mono text-[0.8125rem] ${shown === text ? 'wrap-anywhere' : ''} ${clamped ? 'line-clamp-2' : ''}`}
      >
        <DottedName name={shown} />
      </code>
      <CopyButton text={text} label={label} />
    </span>
  )
}

interface CodeBlockProps {
  text: string
  label: string
  /** Above the code, next to the button. */
  title?: string
  /** For text, which wraps. Code scrolls sideways, because a wrapped command is hard to read, except on a phone. */
  tall?: boolean
  /** Without a frame, for code that fills one. */
  bare?: boolean
}

export function CodeBlock({ text, label, title, tall, bare }: CodeBlockProps) {
  const code = (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      aria-label={label}
      className={`min-w-0 flex-1 overflow-auto ${tall ? 'max-h-[70vh]' : 'max-h-96'}`}
    >
      <pre
        className={`p-3.5 font-mono text-ink text-[0.8125rem] leading-relaxed max-sm:text-xs/5 ${tall ? 'whitespace-pre-wrap' : 'max-sm:wrap-anywhere max-sm:whitespace-pre-wrap sm:w-max sm:min-w-full sm:whitespace-pre'}`}
      >
        {text}
      </pre>
    </section>
  )
  const frame = bare ? '' : 'rounded-part border border-line'
  if (title)
    return (
      <div className={`bg-panel ${frame}`}>
        <div className="flex items-center justify-between border-b border-line py-1 pe-1.5 ps-3.5 text-[0.8125rem] text-soft">
          {title}
          <CopyButton text={text} />
        </div>
        {code}
      </div>
    )
  return (
    <div className={`flex items-start bg-panel ${frame}`}>
      {code}
      <div className="p-1.5">
        <CopyButton text={text} />
      </div>
    </div>
  )
}
